# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: lays our files over the base. Only files that differ are copied, so that make rebuilds
# only what depends on them.

# overlay_files: prints our kernel files: everything in the repository except the build scripts
# and the pictures of README.md
overlay_files()
{
	git ls-files -z --cached --others --exclude-standard |
		grep -zv -E '^(Makefile|MAINTAINERS|README\.md|\.gitignore)$' |
		grep -zv -E '^(\.ci|base|tools/ftrace)/|^Documentation/trace/.*\.(png|svg)$' |
		while IFS= read -r -d '' file; do
			[ ! -f "$file" ] || printf '%s\n' "$file"
		done | sort
}

# lay_overlay: copies our files over build/linux, and deletes those there that we no longer have
lay_overlay()
{
	local file list=$BUILD/.laid laid=0 removed=0

	git rev-parse --is-inside-work-tree >/dev/null ||
		die "git does not see a repository in $TOP" \
		    "The files that git knows are those to be laid over the base."
	touch "$list"
	overlay_files >"$list.new"
	refuse_base_files "$list.new"

	while IFS= read -r file; do
		rm -f "$LINUX/$file"
		removed=$((removed + 1))
	done < <(comm -23 "$list" "$list.new" | comm -23 - "$BUILD/.base-files")

	while IFS= read -r file; do
		lay_file "$file" && laid=$((laid + 1))
	done <"$list.new"

	mv "$list.new" "$list"
	[ $((laid + removed)) -eq 0 ] ||
		say "   laid $laid files over build/linux, removed $removed"
}

# refuse_base_files list: exits if a file of ours would hide one of the base by accident
refuse_base_files()
{
	local both

	both=$(comm -12 "$BUILD/.base-files" "$1")
	[ -z "$both" ] ||
		die "these are files of the base kernel:" "$both" \
		    "List them in base/removed to replace them, or patch them in base/patches."
}

# lay_file path: true if the file had to be copied. With MUTANT=dir (see mutate.sh) the file in
# that directory, if there is one, takes the place of ours.
lay_file()
{
	local source=$1 target=$LINUX/$1

	[ -z "${MUTANT:-}" ] || [ ! -f "$MUTANT/$1" ] || source=$MUTANT/$1
	cmp -s "$source" "$target" && same_mode "$source" "$target" && return 1
	mkdir -p "$(dirname "$target")"
	rm -f "$target"
	cp --no-preserve=timestamps --preserve=mode "$source" "$target" ||
		die "$1 could not be copied to build/linux" "Is the disk full?"
}

same_mode()
{
	if [ -x "$1" ]; then
		[ -x "$2" ]
	else
		[ ! -x "$2" ]
	fi
}
