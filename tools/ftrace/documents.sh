#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Writes the parts of the suite and the kernels of VARIANT= into README.md and hacking.rst.
# Run it after adding or changing a row of tests/parts.sh or variants.sh. With a directory as
# argument it writes copies there and does not touch the documents.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/parts.sh"

to=${1:-}
readme=README.md hacking=Documentation/trace/hacking.rst
if [ -n "$to" ]; then
	cp "$readme" "$hacking" "$to"
	readme=$to/README.md hacking=$to/hacking.rst
fi

# fill file begin end: replaces the text between two markers in the file with stdin
fill()
{
	begin=$2 end=$3 perl -0pi -e 'BEGIN { $text = <STDIN> }
		s/(\Q$ENV{begin}\E).*?(\Q$ENV{end}\E)/$1$text$2/s' "$1"
}

paragraphs()
{
	awk -F '\t' 'BEGIN { print "\n" } { print "``" $1 "``\n    " $2 } END { print "" }'
}

texts_of part | awk -F '\t' '{ printf "%s`%s`", sep, $1; sep = ", " }' |
	fill "$readme" '<!-- parts -->' '<!-- end -->'
texts_of variant | awk -F '\t' '{ printf "%s`VARIANT=%s`: %s", sep, $1, $2; sep = "; " }' |
	fill "$readme" '<!-- variants -->' '<!-- end -->'
texts_of part | paragraphs |
	fill "$hacking" '.. The parts, by tools/ftrace/documents.sh' '.. End of the parts'
texts_of variant | paragraphs |
	fill "$hacking" '.. The kernels, by tools/ftrace/documents.sh' '.. End of the kernels'
