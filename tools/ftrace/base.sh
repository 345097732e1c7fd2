# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: the base kernel. It is unpacked once into build/stock-linux; build/linux is a copy
# without the stock tracer and with base/patches applied.

BASE_SERIES=6.12
BASE_TARBALL=/usr/src/$BASE_PACKAGE.tar.xz

# base_version tree: prints the version of a kernel tree
base_version()
{
	awk '$2 == "=" && $1 ~ /^(VERSION|PATCHLEVEL|SUBLEVEL)$/ { v = v s $3; s = "." }
	     /^NAME/ { exit }
	     END { print v }' "$1/Makefile"
}

# unpack_base: unpacks the package's tarball into build/stock-linux, again if the package changed
unpack_base()
{
	local stamp=$BUILD/.stamp-base id

	[ -f "$BASE_TARBALL" ] ||
		die "$BASE_TARBALL is missing although $BASE_PACKAGE is installed" \
		    "Reinstall it: sudo apt-get install --reinstall $BASE_PACKAGE"
	id=$(stat -c '%s %Y' "$BASE_TARBALL")
	[ "$(cat "$stamp" 2>/dev/null)" = "$id" ] && return

	need_space 8000
	step "Unpacking $BASE_TARBALL"
	rm -rf "$PRISTINE.new"
	mkdir -p "$PRISTINE.new"
	logged unpack tar -xJf "$BASE_TARBALL" --strip-components=1 \
		-C "$PRISTINE.new"
	check_version "$PRISTINE.new"
	rm -rf "$PRISTINE" "$BUILD/.stamp-cut"
	mv "$PRISTINE.new" "$PRISTINE"
	say "$id" >"$stamp"
}

# check_version tree: exits unless it is a tree of BASE_SERIES
check_version()
{
	local version

	version=$(base_version "$1")
	case $version in
	"$BASE_SERIES" | "$BASE_SERIES".*)
		say "   Linux $version" ;;
	*)
		die "the base is Linux ${version:-of unknown version}, not $BASE_SERIES.y" \
		    "base/package names $BASE_PACKAGE: install one that has Linux $BASE_SERIES." ;;
	esac
}

# prepare_base: makes build/linux, again if base/removed or a patch changed. Unchanged files keep
# their time stamps, so little is built again.
prepare_base()
{
	local stamp=$BUILD/.stamp-cut id new=$LINUX.new file patches

	mapfile -t patches < <(patch_files)
	for file in "${patches[@]}"; do
		[ -f "$file" ] ||
			die "base/patches/series names $file, which does not exist"
	done
	id=$(fingerprint "$BUILD/.stamp-base" MAINTAINERS base/removed base/patches/series \
		"${patches[@]}")
	[ "$(cat "$stamp" 2>/dev/null)" = "$id" ] && return

	need_space 6000
	step "Preparing build/linux: the base without its tracer"
	rm -rf "$new" "$stamp"
	touch "$BUILD/.laid"
	cp -a --reflink=auto "$PRISTINE" "$new"
	remove_stock_files "$new"
	apply_patches "$new" "${patches[@]}"
	cat MAINTAINERS >>"$new/MAINTAINERS"
	(cd "$new" && find . -type f -printf '%P\n' | sort) >"$BUILD/.base-files"
	if [ -d "$LINUX" ]; then
		our_new_files >"$LOG/kept-files"
		logged prepare rsync -rlpc --delete \
			--exclude-from="$LOG/kept-files" "$new/" "$LINUX/"
		rm -rf "$new"
	else
		mv "$new" "$LINUX"
	fi
	say "$id" >"$stamp"
}

# our_new_files: prints our files in build/linux that replace none of the base's, for rsync
# to keep
our_new_files()
{
	comm -23 "$BUILD/.laid" "$BUILD/.base-files" | sed 's,^,/,'
}

# patch_files: prints the patches of base/patches/series
patch_files()
{
	sed -e 's/#.*//' -e '/^[[:space:]]*$/d' -e 's,^,base/patches/,' \
		base/patches/series
}

# remove_stock_files tree: deletes what base/removed lists: a shell pattern per line, in which **
# matches any directories. A line that matches nothing is out of date, and an error.
remove_stock_files()
{
	local tree=$1 pattern found

	while read -r pattern; do
		mapfile -t found < <(cd "$tree" && match "$pattern")
		[ ${#found[@]} -gt 0 ] ||
			die "base/removed: '$pattern' matches nothing in Linux $(base_version "$tree")" \
			    "Correct or remove the line."
		(cd "$tree" && rm -r -- "${found[@]}")
	done < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' base/removed)
}

# match pattern: prints the files of the current directory that the pattern matches
match()
(
	shopt -s nullglob globstar
	IFS=
	# shellcheck disable=SC2206
	files=($1)
	[ ${#files[@]} -eq 0 ] || printf '%s\n' "${files[@]}"
)

# apply_patches tree patch...: applies them; exits if one does not fit exactly
apply_patches()
{
	local tree=$1 file

	shift
	for file in "$@"; do
		patch -d "$tree" -p1 -F0 -s --no-backup-if-mismatch <"$file" \
			>"$LOG/patch.log" 2>&1 && continue
		show_tail "$LOG/patch.log"
		die "$file does not apply to Linux $(base_version "$tree")" \
		    "Refresh the patch against build/stock-linux."
	done
}
