#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compiles for a kernel, through ccache if it is installed: cc.sh gcc arguments...
#
# CCACHE_DEPEND: ccache takes the list of included files from the compiler; running the
# preprocessor for it took a third of the time. The compiler does not list what the assembler
# includes with .incbin: a compressed kernel of the same length would be mistaken for the
# previous one. Therefore assembler files are not cached.
#
# Kbuild names the sources by absolute paths. Below build/NAME they are replaced by relative
# ones, ../linux/..., so that another checkout can use the same cache entries.

build=${0%/tools/ftrace/*}/build

# from_here gcc arguments...: compiles with relative paths
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
