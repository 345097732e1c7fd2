#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check_rooms on a toy tree of two rooms: it prints nothing if all dependencies go down, and
# otherwise the one that goes up.
# Dollars and back quotes are text.
# shellcheck disable=SC2016

. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/overlay.sh"
. "$TOOLS/rooms.sh"

own_repositories
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# source_file path text...: writes a file, and compiles it if it is C
source_file()
{
	local path=$work/$1

	shift
	mkdir -p "$(dirname "$path")"
	printf '%s\n' "$@" >"$path"
	[[ $path != *.c ]] || gcc -w -I "$work/kernel/trace" -c -o "${path%.c}.o" "$path"
}

toy_rooms()
{
	rm -rf "${work:?}"/*
	source_file kernel/trace/Makefile '# low.h' 'obj-y += low/' '# high.h other.h' \
		'obj-$(CONFIG_X) += high/'
	source_file Documentation/trace/design.rst '``low/``   a    ``<linux/a.h>``, low.h' \
		'``high/``  b    high.h, other.h'
	source_file kernel/trace/low/private.h 'int private;'
	source_file kernel/trace/high/other.h 'int other;'
	source_file include/linux/ftrace_arch.h 'int low(void);'
	source_file include/linux/trace_events.h ''
	source_file kernel/trace/low/low.h 'int low(void);'
	source_file kernel/trace/high/high.h 'int high(void);'
	source_file kernel/trace/low/low.c '#include "low.h"' 'int low(void) { return 1; }'
	source_file kernel/trace/high/high.c '#include "high.h"' '#include "low/low.h"' \
		'int high(void) { return low(); }'
	source_file arch/toy/kernel/ftrace.c 'int arch(void) { return low(); }'
}

# says text: check_rooms prints this about the toy tree; nothing for an empty text
says()
{
	local said

	cd "$work" || exit
	said=$(check_rooms "$work")
	[ "$said" = "$1" ] && return
	echo "FAULT: expected: $1"
	echo "       found:    $said"
	exit 1
}

git init -q "$work"
toy_rooms
says ''

source_file kernel/trace/low/low.c '#include "high/high.h"' 'int low(void) { return 1; }'
says 'kernel/trace/low/low.c:1: low/ includes "high/high.h" of a higher room'

toy_rooms
source_file kernel/trace/low/low.c 'extern int high(void);' 'int low(void) { return high(); }'
says 'kernel/trace/low/low.o: low/ uses high of kernel/trace/high/high.o, a higher room'

toy_rooms
source_file kernel/trace/high/high.c '#include "../low/low.h"' 'int high(void) { return low(); }'
says 'kernel/trace/high/high.c:1: "../low/low.h": write it as room/header.h'

toy_rooms
source_file arch/toy/kernel/ftrace.c 'int arch(void) { return high(); }'
says 'arch/toy/kernel/ftrace.o: uses high of high/, which ftrace_arch.h does not declare'

toy_rooms
source_file kernel/trace/high/high.c '#include "low/private.h"' 'int high(void) { return 1; }'
says 'kernel/trace/high/high.c:1: "low/private.h" is private to low/'

toy_rooms
source_file kernel/trace/low/low.c '#include "low/private.h"' 'int low(void) { return 1; }'
says ''

toy_rooms
rm "$work/kernel/trace/high/other.h"
says 'kernel/trace/Makefile: high/other.h does not exist'

toy_rooms
source_file Documentation/trace/design.rst '``low/``   a    low.h, private.h' \
	'``high/``  b    high.h, other.h'
says 'Documentation/trace/design.rst: the headers of rooms are not those of kernel/trace/Makefile'

# A test may use any room, and the object of a deleted source is ignored.
toy_rooms
source_file kernel/trace/low/low_kunit.c 'int test(void) { return high(); }'
source_file kernel/trace/high/high_kunit.c '#include "low/private.h"'
source_file kernel/trace/low/gone.c 'int gone(void) { return high(); }'
rm "$work/kernel/trace/low/gone.c"
says ''

mkdir "$work/kernel/trace/third"
says "kernel/trace/Makefile: its directories are not those of kernel/trace"

toy_rooms
source_file Documentation/trace/design.rst '``high/``  b    high.h, other.h' \
	'``low/``   a    low.h'
says 'Documentation/trace/design.rst: the table of rooms is not that of kernel/trace/Makefile'
