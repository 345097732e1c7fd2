#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# What is compiled is what there is now: also what an assembler takes in, of which the
# compiler knows nothing; and what is in a header. And the same is compiled once, also in
# another checkout.

. "$(dirname "$0")/../../lib.sh"

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

# checkout name: compiles, as Kbuild does it, the source in build/linux of that checkout
checkout()
{
	local top=$work/$1

	mkdir -p "$top"/build/{linux,kernel} "$top/tools/ftrace"
	cp "$TOOLS/cc.sh" "$top/tools/ftrace"
	printf '#include "name.h"\nconst char *name = NAME __FILE__;\n' \
		>"$top/build/linux/named.c"
	echo "#define NAME \"${2:-same}\"" >"$top/build/linux/name.h"
	touch -d '1 minute ago' "$top"/build/linux/*
	cd "$top/build/kernel" || exit
	"$top/tools/ftrace/cc.sh" gcc -Wp,-MMD,x.d -I"$top/build/linux" \
		-fmacro-prefix-map="$top/build/linux/=" -c -o x.o "$top/build/linux/named.c"
}

checkout one
ccache --zero-stats >/dev/null
checkout two
[ "$(ccache --print-stats | sed -n 's/^direct_cache_hit\t//p')" -eq 1 ] ||
	{ echo "another checkout has compiled the same"; exit 1; }
grep -qx samenamed.c <(strings -a x.o) || { echo "a path is in the object"; exit 1; }
# And what is different there is compiled.
checkout three other
grep -qx othernamed.c <(strings -a x.o) || { echo "what another has compiled"; exit 1; }
