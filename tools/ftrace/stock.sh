#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make stock`: the base with its own tracer, same options and toolchain, in
# build/stock-$ARCH. It is what bench measures ours against.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/kbuild.sh"

"$TOOLS/prepare.sh"
build_kernel "$PRISTINE" "stock-$ARCH" "base/configs/$ARCH.config"
