#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# What make series writes applies with git am to the base's files, and makes
# of them what build/linux holds.

. "$(dirname "$0")/../../lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$TOOLS/series.sh"
git clone -q "$BUILD/series.git" "$work/tree"
cd "$work/tree" || exit
git reset -q --hard HEAD~1
git -c user.name=test -c user.email=test@localhost am -q "$BUILD"/series/*.patch
git diff --stat --exit-code "$(git -C "$BUILD/series.git" rev-parse HEAD)"
while read -r file; do
	cmp "$file" "$LINUX/$file"
done <"$BUILD/.laid"
