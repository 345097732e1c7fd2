#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Has README.md and hacking.rst name the parts of the suite and the kernels of VARIANT= as
# their tables do. To be run when a row has come or has changed. With a directory it writes
# there, and leaves the documents alone.
# Back quotes are text.
# shellcheck disable=SC2016

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/parts.sh"

# each_part function: with the name and the text of what stands for itself, or for a group
each_part()
{
	local name

	for name in "${PARTS[@]}"; do
		[[ $name == */* ]] || { read_row part "$name" && "$1" "$name" "${row[is]}"; }
	done
}

# each_variant function
each_variant()
{
	local name

	for name in "${VARIANTS[@]}"; do
		read_row variant "$name" && "$1" "VARIANT=$name" "${row[is]}"
	done
}

name_only()
{
	printf ', `%s`' "$1"
}

clause()
{
	printf '; `%s`: %s' "$1" "$2"
}

paragraph()
{
	printf '``%s``\n' "$1"
	say "$2$(where)" | fold -s -w 84 | sed -e 's/^/    /' -e 's/ *$//'
}

# where: in which kernels the part in row[] is run, if that is not the usual one alone
where()
{
	local kernels=${row[kernels]-usual} hand=${row[hand]:-}

	if [ -z "${row[RUN]:-}" ] || [ "$kernels/$hand" = usual/ ]; then
		return
	elif [ -z "$kernels" ]; then
		printf '; only when it is named, in the kernel %s' "$hand"
	else
		printf '; in the kernels %s%s' "${kernels// /, }" "${hand:+, when it is named $hand}"
	fi
}

# fill file begin end: has the file say what comes in between the two
fill()
{
	begin=$2 end=$3 perl -0pi -e 'BEGIN { $text = <STDIN> }
		s/(\Q$ENV{begin}\E).*?(\Q$ENV{end}\E)/$1$text$2/s' "$1"
}

to=${1:-}
readme=README.md hacking=Documentation/trace/hacking.rst
if [ -n "$to" ]; then
	cp "$readme" "$hacking" "$to"
	readme=$to/README.md hacking=$to/hacking.rst
fi
each_part name_only | sed 's/^, //' | fill "$readme" '<!-- parts -->' '<!-- end -->'
each_variant clause | sed 's/^; //' | fill "$readme" '<!-- variants -->' '<!-- end -->'
{ printf '\n\n'; each_part paragraph; printf '\n'; } |
	fill "$hacking" ".. The parts, by tools/ftrace/documents.sh" ".. End of the parts"
{ printf '\n\n'; each_variant paragraph; printf '\n'; } |
	fill "$hacking" '.. The kernels, by tools/ftrace/documents.sh' '.. End of the kernels'
