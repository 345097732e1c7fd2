#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make demo`: shows the tracer at work, starting from a fresh Debian machine.

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
cat <<END
== That was the tracer. What to try next:
   make run        a shell in this guest; 'cat README' there says what each file is for
   make test       what every change has to pass: some minutes
   make bench      what a call, an event and a histogram cost, compared to the base's tracer
   Documentation/trace/ftrace.rst   each file and option, with examples
END
