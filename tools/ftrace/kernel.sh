#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make kernel`: builds our kernel in build/$ARCH. FRAGMENT=file adds options; VARIANT=name
# builds another kernel (variants.sh) in build/$ARCH-NAME; DEBUG=1 is VARIANT=debug; BENCH=1
# builds the kernel that bench measures.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/kbuild.sh"

needs kernel
kernel_options
fragments+=(base/configs/tracer.config)
if [ -n "${FRAGMENT:-}" ]; then
	[ -f "$FRAGMENT" ] || die "FRAGMENT=$FRAGMENT: no such file"
	fragments+=("$FRAGMENT")
fi

"$TOOLS/prepare.sh"
build_kernel "$LINUX" "$kernel" "${fragments[@]}"
