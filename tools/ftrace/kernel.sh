#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make kernel`: our kernel in build/$ARCH. FRAGMENT=file merges more options;
# DEBUG=1 merges base/configs/debug.config, and kasan.config where there is KASAN, and
# builds in build/$ARCH-debug. BENCH=1 is the kernel that bench measures.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/kbuild.sh"

kernel_options
fragments+=(base/configs/tracer.config)
if [ "${DEBUG:-0}" = 1 ]; then
	fragments+=(base/configs/debug.config)
	[ -z "$KASAN" ] || fragments+=(base/configs/kasan.config)
	kernel+=-debug
fi
if [ -n "${FRAGMENT:-}" ]; then
	[ -f "$FRAGMENT" ] || die "FRAGMENT=$FRAGMENT: no such file"
	fragments+=("$FRAGMENT")
fi

"$TOOLS/prepare.sh"
build_kernel "$LINUX" "$kernel" "${fragments[@]}"
