#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The compiler of a kernel, through ccache if that is there: cc.sh gcc arguments...
#
# ccache is told to learn from the compiler what a file includes, for a preprocessor of
# its own took a third of the time (CCACHE_DEPEND). What an assembler takes in by .incbin
# the compiler does not know: a kernel packed to the same length would be taken for the
# last one. So nothing in assembler is kept.

for source; do :; done
case $source in
*.S) exec "$@" ;;
esac
! command -v ccache >/dev/null || set -- ccache "$@"
CCACHE_DEPEND=1 exec "$@"
