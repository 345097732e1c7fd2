#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make prepare`: makes build/stock-linux, the base as Debian ships it, and build/linux, the base
# without its tracer and with our files laid over it. Runs often, and only changes what is out of
# date.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/base.sh"
. "$TOOLS/overlay.sh"

needs prepare
lock linux
unpack_base
prepare_base
lay_overlay
