#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make stock`: the base with its own tracer, same options and toolchain, in
# build/stock-$ARCH. It is what bench measures ours against, with BENCH=1.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/kbuild.sh"

needs stock
kernel_options
"$TOOLS/prepare.sh"
# What the stock tracer does not have there.
lacks=base/configs/stock-$SRC_ARCH.config
[ ! -e "$lacks" ] || fragments+=("$lacks")
build_kernel "$PRISTINE" "stock-$kernel" "${fragments[@]}"
