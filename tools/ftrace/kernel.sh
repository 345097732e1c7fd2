#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make kernel`: our kernel in build/$ARCH. FRAGMENT=file merges more options;
# VARIANT=name merges base/configs/NAME.config, and builds in build/$ARCH-NAME: static,
# discover, or debug, which has KASAN where there is one, and is DEBUG=1 as well. BENCH=1
# is the kernel that bench measures.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/kbuild.sh"

kernel_options
fragments+=(base/configs/tracer.config)
[ "${DEBUG:-0}" = 0 ] || VARIANT=debug
if [ -n "${VARIANT:-}" ]; then
	[ -f "base/configs/$VARIANT.config" ] || die "VARIANT=$VARIANT: no such kernel"
	fragments+=(base/configs/small.config "base/configs/$VARIANT.config")
	[ "$VARIANT$KASAN" != debug1 ] || fragments+=(base/configs/kasan.config)
	kernel+=-$VARIANT
fi
if [ -n "${FRAGMENT:-}" ]; then
	[ -f "$FRAGMENT" ] || die "FRAGMENT=$FRAGMENT: no such file"
	fragments+=("$FRAGMENT")
fi

"$TOOLS/prepare.sh"
build_kernel "$LINUX" "$kernel" "${fragments[@]}"
