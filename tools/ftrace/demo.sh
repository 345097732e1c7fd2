#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make demo`: from a fresh Debian machine to traces on the console.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"

needs demo
"$TOOLS/kernel.sh"
step "Booting build/$ARCH in QEMU"
export RUN=$TOOLS/demo/guest.sh SMP=${SMP:-2} BOOT_NAME=demo
status=0
"$TOOLS/boot.sh" || status=$?
[ $status -eq 0 ] ||
	die "the demo failed (status $status)" \
	    "The guest's console: $LOG/demo.console"
step "That was the function tracer. 'make run' gives a shell in this guest."
