#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make kernel`: our kernel in build/$ARCH. FRAGMENT=file merges more options;
# VARIANT=name is another kernel, in build/$ARCH-NAME: static, discover, sections, btf,
# or debug, which DEBUG=1 is as well. BENCH=1 is the kernel that bench measures.

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
