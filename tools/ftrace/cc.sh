#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The compiler of a kernel, through ccache if that is there: cc.sh gcc arguments...
#
# ccache is told to learn from the compiler what a file includes, for a preprocessor of
# its own took a third of the time (CCACHE_DEPEND). What an assembler takes in by .incbin
# the compiler does not know: a kernel packed to the same length would be taken for the
# last one. So nothing in assembler is kept.
#
# Kbuild names the sources by absolute paths. In build/NAME they are called as seen from
# there, ../linux/..., so that what one checkout has compiled serves another one as well.

build=${0%/tools/ftrace/*}/build

# from_here gcc arguments...: the same with relative paths
from_here()
{
	for arg; do
		shift
		case $arg in
		*"$build"/*) arg=${arg%%"$build"/*}../${arg#*"$build"/} ;;
		esac
		set -- "$@" "$arg"
	done
	CCACHE_DEPEND=1 exec ccache "$@"
}

for source; do :; done
case $source in
*.S) exec "$@" ;;
esac
command -v ccache >/dev/null || exec "$@"
case $PWD in
"$build"/*/*) ;;
"$build"/*) from_here "$@" ;;
esac
CCACHE_DEPEND=1 exec ccache "$@"
