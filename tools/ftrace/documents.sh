#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Writes the parts of the suite and the kernels of VARIANT= into README.md and hacking.rst, and the
# public headers of rooms into api.rst. Run it after adding or changing a row of tests/parts.sh or
# variants.sh, or a public header. With a directory as argument it writes copies there and does not
# touch the documents.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/parts.sh"
. "$TOOLS/rooms.sh"

to=${1:-}
readme=README.md hacking=Documentation/trace/hacking.rst api=Documentation/trace/api.rst
if [ -n "$to" ]; then
	cp "$readme" "$hacking" "$api" "$to"
	readme=$to/README.md hacking=$to/hacking.rst api=$to/api.rst
fi

# fill file begin end: replaces the text between two markers in the file with stdin
fill()
{
	begin=$2 end=$3 perl -0pi -e 'BEGIN { $text = <STDIN> // "" }
		s/(\Q$ENV{begin}\E).*?(\Q$ENV{end}\E)/$1$text$2/s' "$1"
}

paragraphs()
{
	awk -F '\t' 'BEGIN { print "\n" } { print "``" $1 "``\n    " $2 } END { print "" }'
}

# same_names header: prints the names that a structure and a function share, for which Sphinx warns
same_names()
{
	awk 'NR == FNR { if (/^ \* struct [a-z_]+ - /) types[$3]; next }
		/^ \* [a-z_]+(\(\))? - / {
			sub(/\(\)/, "", $2)
			if ($2 in types)
				printf " %s", $2
		}' "$1" "$1"
}

# headers: prints a section for each room with public headers that have kernel-doc, in the order of
# kernel/trace/Makefile
headers()
{
	local header room both before=

	printf '\n'
	rooms_offer | while read -r header; do
		grep -q '^/\*\*$' "$ROOMS/$header" || continue
		room=${header%/*}/
		[ "$room" = "$before" ] || printf '\n%s\n%s\n' "$room" "${room//?/-}"
		before=$room
		printf '\n.. kernel-doc:: %s\n' "$ROOMS/$header"
		both=$(same_names "$ROOMS/$header")
		[ -z "$both" ] || printf '   :no-identifiers:%s\n' "$both"
	done
	printf '\n'
}

texts_of part | awk -F '\t' '{ printf "%s`%s`", sep, $1; sep = ", " }' |
	fill "$readme" '<!-- parts -->' '<!-- end -->'
texts_of variant | awk -F '\t' '{ printf "%s`VARIANT=%s`: %s", sep, $1, $2; sep = "; " }' |
	fill "$readme" '<!-- variants -->' '<!-- end -->'
texts_of part | paragraphs |
	fill "$hacking" '.. The parts, by tools/ftrace/documents.sh' '.. End of the parts'
texts_of variant | paragraphs |
	fill "$hacking" '.. The kernels, by tools/ftrace/documents.sh' '.. End of the kernels'
headers |
	fill "$api" '.. The headers, by tools/ftrace/documents.sh' '.. End of the headers'
