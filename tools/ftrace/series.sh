#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make series`: writes the changes to a pristine base tree as a patch for `git am`, in
# build/series.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/base.sh"

needs series
"$TOOLS/prepare.sh"
lock series
repo=$BUILD/series.git
series=$BUILD/series
name=$(git config user.name || echo "ftrace series")
email=$(git config user.email || echo "ftrace@localhost")
own_repositories

removed_files()
{
	comm -13 "$BUILD/.base-files" \
		<(cd "$PRISTINE" && find . -type f -printf '%P\n' | sort)
}

patched_files()
{
	local patches

	mapfile -t patches < <(patch_files)
	[ ${#patches[@]} -eq 0 ] ||
		sed -n 's,^[-+]\{3\} [ab]/\([^[:space:]]*\).*,\1,p' "${patches[@]}"
}

# commit message-file: commits the whole work tree
commit()
{
	git -C "$repo" add -A
	git -C "$repo" -c user.name="$name" -c user.email="$email" \
		commit -q -s -F "$1"
}

# copy tree: copies the files in .series-files that the tree has
copy()
{
	(cd "$1" && while read -r file; do
		[ ! -f "$file" ] || printf '%s\n' "$file"
	done <"$BUILD/.series-files" | cpio -pdm --quiet "$repo")
}

step "Writing the series"
rm -rf "$repo" "$series"
mkdir -p "$repo" "$series"
{ removed_files; patched_files; cat "$BUILD/.laid"; echo MAINTAINERS; } |
	sort -u >"$BUILD/.series-files"
git -C "$repo" init -q
copy "$PRISTINE"
commit <(echo base)
find "$repo" -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +
copy "$LINUX"
commit <(sed /^#/d "$TOOLS/series.message")
git -C "$repo" format-patch -q --no-signature -1 -o "$series"
say "   in build/series:"
(cd "$series" && printf '   %s\n' *.patch)
