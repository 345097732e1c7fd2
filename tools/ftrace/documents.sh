#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Has README.md and hacking.rst name the parts of the suite and the kernels of VARIANT= as
# their tables do. To be run when a row has come or has changed. With a directory it writes
# there, and leaves the documents alone.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/parts.sh"

to=${1:-}
readme=README.md hacking=Documentation/trace/hacking.rst
if [ -n "$to" ]; then
	cp "$readme" "$hacking" "$to"
	readme=$to/README.md hacking=$to/hacking.rst
fi

# fill file begin end: has the file say what comes in between the two
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
