#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make stock`: builds the base with its own tracer in build/stock-$ARCH, with the same options
# and toolchain. With BENCH=1 it is the kernel that bench compares ours to.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/kbuild.sh"

needs stock
kernel_options
"$TOOLS/prepare.sh"
# Options that the stock tracer does not support on this architecture.
lacks=base/configs/stock-$SRC_ARCH.config
[ ! -e "$lacks" ] || fragments+=("$lacks")
build_kernel "$PRISTINE" "stock-$kernel" "${fragments[@]}"
