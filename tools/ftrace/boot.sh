#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make boot RUN=script.sh`: runs the script in the guest and exits with its
# status. A panic, a kernel report or a hang is a failure of its own. With ENDS=regex the
# guest is to end with such a line on its console. With MONITOR=1 it may have QEMU's monitor
# told something: see tell_monitor.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/qemu.sh"

[ -n "${RUN:-}" ] || die "boot: no RUN=script.sh given" "See: make help"
[ -f "$RUN" ] || die "RUN=$RUN: no such file"

needs boot
find_kernel
pick_name "${BOOT_NAME:-$(basename "$KERNEL")-boot}"
console=$LOG/$boot_name.console
output=$LOG/$boot_name.output
initrd=$BUILD/$boot_name.cpio

make_initramfs "$initrd" "$KERNEL" "$RUN"
start_guest
follow_guest
for again in 1 2 3; do
	ran_old_breakpoint || break
	cp "$console" "$console.old-breakpoint"
	say "   QEMU ran a breakpoint that was there no more: booting again, $again" \
		"(see $console.old-breakpoint)"
	start_guest
	follow_guest
done
rm -f "$initrd"
judge_guest
