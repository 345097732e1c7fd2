#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# cc.sh never returns an outdated object: not if a header has changed, nor a file that the
# assembler includes without the compiler knowing. An unchanged source is compiled only once,
# also in another checkout.

. "$(dirname "$0")/../../lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export CCACHE_DIR=$work/ccache

# compiled file: compiles file as the kernel's build does, including -MMD, then prints the strings
# in the object
compiled()
{
	"$TOOLS/cc.sh" gcc -Wp,-MMD,x.d -c -o x.o "$1"
	strings -a x.o
}

# follows file text: the object of the file changes with the file "other" that it includes. The
# text is the content of "other", with @ for a word.
follows()
{
	local word

	for word in first third; do
		printf '%s' "$2" | sed "s/@/$word/" >other
		compiled "$1" | grep -qx $word ||
			{ echo "$1: the object does not contain '$word'"; exit 1; }
	done
}

echo '.incbin "other"' >taken-in.S
follows taken-in.S @
printf '#include "other"\nconst char *word = WORD;\n' >included.c
# ccache does not cache results of files that have just been written.
follows included.c '#define WORD "@"'
touch -d '1 minute ago' other included.c
compiled included.c >/dev/null
compiled included.c >/dev/null
[ "$(ccache --print-stats | sed -n 's/^direct_cache_hit\t//p')" -gt 0 ] ||
	{ echo "an unchanged source was compiled twice"; exit 1; }

# checkout name [text]: makes a checkout, and compiles the source in its build/linux like Kbuild
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
	{ echo "a second checkout compiled the same source again"; exit 1; }
grep -qx samenamed.c <(strings -a x.o) || { echo "the object contains a path"; exit 1; }
# A checkout with another header compiles again.
checkout three other
grep -qx othernamed.c <(strings -a x.o) || { echo "the object of another checkout"; exit 1; }
