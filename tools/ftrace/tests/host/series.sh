#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The patch of make series applies to the base's files with git am, and the result is build/linux.
# make series does not touch the repository of a hook that runs it, and works with any git
# configuration of the user.

. "$(dirname "$0")/../../lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A user who does not own the repository, and whose hook rejects commits.
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

# The environment of a hook, with a repository of the same files. The index is a copy, because
# others may refresh the original meanwhile.
cp "$(git rev-parse --git-path index)" "$work/index"
own_repositories
git init -q "$work/other"
cp "$work/index" "$work/other/.git/"
GIT_DIR=$work/other/.git GIT_WORK_TREE=$TOP GIT_QUARANTINE_PATH=$work \
	"$TOOLS/series.sh"
! git -C "$work/other" rev-parse -q --verify HEAD >/dev/null ||
	die "make series committed to the repository of the hook"
cmp "$work/index" "$work/other/.git/index"

cp -a "$BUILD/series.git" "$work/tree"
cd "$work/tree" || exit
git reset -q --hard HEAD~1
git -c user.name=test -c user.email=test@localhost am -q "$BUILD"/series/*.patch
git diff --stat --exit-code "$(git -C "$BUILD/series.git" rev-parse HEAD)"
while read -r file; do
	cmp "$file" "$LINUX/$file"
done <"$BUILD/.laid"
