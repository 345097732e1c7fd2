#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# What is compiled is what there is now: also what an assembler takes in, of which the
# compiler knows nothing; and what is in a header. And the same is compiled once.

. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/packages.sh"

need_packages gcc ccache
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export CCACHE_DIR=$work/ccache

# compiled file: with its list of headers, as the kernel's build does it
compiled()
{
	"$TOOLS/cc.sh" gcc -Wp,-MMD,x.d -c -o x.o "$1"
	strings -a x.o
}

# follows file other: a change of the other is seen in what is made of the file
follows()
{
	local word

	for word in first third; do
		printf '%s' "$2" | sed "s/@/$word/" >other
		compiled "$1" | grep -qx $word ||
			{ echo "$1: what was compiled has no $word"; exit 1; }
	done
}

echo '.incbin "other"' >taken-in.S
follows taken-in.S @
printf '#include "other"\nconst char *word = WORD;\n' >included.c
# Files as young as that are not trusted.
follows included.c '#define WORD "@"'
touch -d '1 minute ago' other included.c
compiled included.c >/dev/null
compiled included.c >/dev/null
[ "$(ccache --print-stats | sed -n 's/^direct_cache_hit\t//p')" -gt 0 ] ||
	{ echo "the same was compiled twice"; exit 1; }
