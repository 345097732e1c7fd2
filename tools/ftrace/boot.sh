#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make boot RUN=script.sh`: runs the script in the guest and exits with its status; or with
# 125 after a panic, a kernel report or a hang. With ENDS=regex a line of the console has to
# match, whatever the status. With MONITOR=1 the guest may send commands to QEMU's monitor:
# see monitor_commands.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/qemu.sh"

[ -n "${RUN:-}" ] || die "boot: no RUN=script.sh given" "See: make help"
[ -f "$RUN" ] || die "RUN=$RUN: no such file"

needs boot "DISK=${DISK:-0}"
find_kernel
find_disk
pick_boot_name "${BOOT_NAME:-$(basename "$KERNEL")-boot}"
console=$LOG/$boot_name.console
output=$LOG/$boot_name.output
initrd=$BUILD/$boot_name.cpio

make_initramfs "$initrd" "$KERNEL" "$RUN"
start_guest
follow_guest
for again in 1 2 3; do
	ran_old_breakpoint || break
	cp "$console" "$console.old-breakpoint"
	say "   QEMU ran a breakpoint that had been removed: booting again, $again" \
		"(see $console.old-breakpoint)"
	start_guest
	follow_guest
done
rm -f "$initrd"
judge_guest
