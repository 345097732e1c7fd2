#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make prepare`: build/stock-linux is the base as Debian ships it,
# build/linux is the base less its tracer, with our files laid over it.
# Runs often: touches nothing that is already as it should be.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/base.sh"
. "$TOOLS/overlay.sh"

needs prepare
lock linux
unpack_base
cut_base
lay_overlay
