#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make run`: a shell in the guest. With GDB=1 the guest waits for a debugger.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/qemu.sh"

needs run "DISK=${DISK:-0}"
find_kernel
find_disk
initrd=$BUILD/run-$ARCH.cpio
make_initramfs "$initrd" "$KERNEL"
guest_command

if [ "${GDB:-0}" = 1 ]; then
	command+=(-S -gdb tcp::1234)
	has_lines ||
		say "To see source lines: make kernel FRAGMENT=base/configs/gdb.config"
	say "The guest waits for a debugger. In another terminal:"
	say "  gdb $KERNEL/vmlinux -ex 'target remote :1234' -ex 'hbreak start_kernel' -ex continue"
fi
say "To end the guest: Ctrl-A X"
exec "${command[@]}" -serial mon:stdio -serial null
