#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# What make series writes applies with git am to the base's files, and makes
# of them what build/linux holds. It leaves alone the repository of a hook that
# runs it, and does not trip over the configuration of somebody's git.

. "$(dirname "$0")/../../lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The configuration of somebody who is not the owner, with a hook that refuses.
mkdir "$work/home"
cat >"$work/home/.gitconfig" <<END
[core]
	hooksPath = $work/home
	autocrlf = true
[safe]
	directory = $TOP
END
printf '#!/bin/sh\nexit 1\n' >"$work/home/pre-commit"
chmod +x "$work/home/pre-commit"
HOME=$work/home GIT_TEST_ASSUME_DIFFERENT_OWNER=1 "$TOOLS/series.sh"

# A hook's environment; its repository knows the same files. A copy, as the index
# may be refreshed by others meanwhile.
cp "$(git rev-parse --git-path index)" "$work/index"
own_repositories
git init -q "$work/other"
cp "$work/index" "$work/other/.git/"
GIT_DIR=$work/other/.git GIT_WORK_TREE=$TOP GIT_QUARANTINE_PATH=$work \
	"$TOOLS/series.sh"
! git -C "$work/other" rev-parse -q --verify HEAD >/dev/null ||
	die "it committed to the repository of the hook"
cmp "$work/index" "$work/other/.git/index"

cp -a "$BUILD/series.git" "$work/tree"
cd "$work/tree" || exit
git reset -q --hard HEAD~1
git -c user.name=test -c user.email=test@localhost am -q "$BUILD"/series/*.patch
git diff --stat --exit-code "$(git -C "$BUILD/series.git" rev-parse HEAD)"
while read -r file; do
	cmp "$file" "$LINUX/$file"
done <"$BUILD/.laid"
