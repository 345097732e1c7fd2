# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: the guest. Its console is the first serial line; its script writes to the second
# one.

. "$TOOLS/packages.sh"
. "$TOOLS/disk.sh"
. "$TOOLS/initramfs.sh"
. "$TOOLS/console.sh"

# find_kernel: sets KERNEL, a build directory; by default that of VARIANT, which is built if it
# has no image, or still has a fault of `make mutants` in it.
find_kernel()
{
	local ours

	ours=$(realpath -m "$BUILD/$ARCH${VARIANT:+-$VARIANT}")
	KERNEL=$(realpath -m "${KERNEL:-$ours}")
	if [ ! -f "$KERNEL/$IMAGE" ] ||
	   { [ -z "${MUTANT:-}" ] && [ -f "$KERNEL/.mutant" ]; }; then
		[ "$KERNEL" = "$ours" ] ||
			die "KERNEL=$KERNEL has no usable $IMAGE" "Build it first."
		"$TOOLS/kernel.sh"
	fi
}

# pick_boot_name name: sets boot_name, the base name of this boot's files: name, or name.2 and so
# on while other boots use those
pick_boot_name()
{
	local n=1

	boot_name=$1
	exec {lock_fd}>"$BUILD/.lock-$boot_name"
	until flock -n "$lock_fd"; do
		n=$((n + 1))
		boot_name=$1.$n
		exec {lock_fd}>"$BUILD/.lock-$boot_name"
	done
}

# clock_rate: prints the kernel parameter tsc_early_khz=, on a PC. Without ACPI the kernel can only
# calibrate the TSC with a timer, which a busy host delays; then it would fall back to ticks, which
# stop while interrupts are off. With -icount prints nothing: the guest's TSC then has a different
# rate.
clock_rate()
{
	local program=$BUILD/tsc_khz khz

	[ "$MACHINE" = pc ] && [[ ${QEMU_ARGS:-} != *-icount* ]] || return 0
	[ -x "$program" ] ||
		{ gcc -O2 -o "$program.$$" "$TOOLS/tests/host-programs/tsc_khz.c" &&
		mv "$program.$$" "$program"; } || return 0
	khz=$("$program")
	[ -z "$khz" ] || printf 'tsc_early_khz=%s' "$khz"
}

# guest_command: sets command[], QEMU with all arguments except the serial lines. Uses disk of
# find_disk().
guest_command()
{
	local accel=${ACCEL:-tcg} smp=${SMP:-1} append

	[ "$smp" -le "$CPUS" ] || smp=$CPUS
	[ "$smp" -le 1 ] || [ "$accel" != tcg ] || accel=tcg,thread=$TCG_THREADS
	# Keep base/configs/malta.config the same.
	append="console=${CONSOLES[0]} harness.out=${CONSOLES[1]}"
	append+=" panic=-1 oops=panic printk.time=1"
	[[ " ${APPEND:-} " == *" kaslr "* ]] || append+=" nokaslr"
	# A busy host makes a guest look stalled: be patient.
	append+=" rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60"
	[ -z "$ARGS_BUILT_IN" ] || append=
	append+=" $KERNEL_ARGS $(clock_rate)${disk:+ harness.disk=/dev/vda} ${APPEND:-}"
	# The MP table, from which a PC without ACPI learns its CPUs, has one CPU per socket.
	[ "$MACHINE" != pc ] || smp+=,sockets=$smp
	# QEMU_ARGS is a list of words.
	# shellcheck disable=SC2206
	command=("${QEMU[@]}" -accel "$accel" -smp "$smp" -m 1G
		-nodefaults -display none -no-reboot
		-kernel "$KERNEL/$IMAGE" -initrd "$initrd" -append "$append"
		${disk:+-drive "file=$disk,format=raw,if=virtio,snapshot=on"} ${QEMU_ARGS:-})
}

# monitor_commands: prints commands for QEMU's monitor, if MONITOR is set: waits until the guest
# writes "send to the monitor: WORD" on its console, then prints WORD every two milliseconds
monitor_commands()
{
	local word=

	[ -n "${MONITOR:-}" ] || return 0
	until [ -n "$word" ]; do
		sleep 0.5
		kill -0 $$
		word=$(sed -n 's/.*send to the monitor: //p' "$console")
	done
	while sleep 0.002; do
		say "$word"
	done
}

# watch_guest: waits for the end of the guest. Fails if the guest has to be killed, with the
# reason in $console.hung.
#
# A MIPS guest that panics before it has drivers does not end by itself. A guest that has
# reported an error may go on for a while, because later messages tell more.
watch_guest()
{
	local words=(--quiet "${QUIET:-900}" --limit "${TIMEOUT:-0}" --parent $$
		--over 'Reboot failed -- System halted')

	[ -n "${ENDS:-}" ] || words+=(--trouble "$TROUBLE" --allow "${ALLOW:-}")
	"$TOOLS/watch.py" "${words[@]}" "$guest_pid" "$console" "$output" >"$console.hung"
}

# start_guest: starts the guest and a process that watches it; sets guest_pid and watch_pid. The
# latter kills the guest when it is stuck, or when this script has been killed. Uses boot_name,
# console, output and initrd of boot.sh.
# shellcheck disable=SC2154
start_guest()
{
	local monitor=none

	guest_command
	[ -z "${MONITOR:-}" ] || monitor=stdio
	# New files: the guest of a script that was killed may still write to the old ones.
	rm -f "$console" "$output"
	: >"$console"
	: >"$output"
	(
		drop_locks
		exec "${command[@]}" -monitor "$monitor" -serial "file:$console" \
			-serial "file:$output"
	) < <(monitor_commands 2>/dev/null) >/dev/null 2>"$LOG/$boot_name.qemu" &
	guest_pid=$!
	(
		drop_locks
		watch_guest || kill -KILL "$guest_pid"
	) 2>/dev/null &
	watch_pid=$!
	trap 'kill "$guest_pid" "$watch_pid" 2>/dev/null' EXIT
}

# follow_guest: shows the output until the guest ends
follow_guest()
{
	local show=("$output")

	[ "${VERBOSE:-0}" != 1 ] || show+=("$console")
	# Hide what bash prints about a killed process.
	exec {stderr}>&2 2>/dev/null
	tail -q -n +1 -s 0.1 -f --pid="$guest_pid" "${show[@]}"
	qemu_status=0
	wait "$guest_pid" || qemu_status=$?
	wait "$watch_pid" || true
	exec 2>&"$stderr" {stderr}>&-
	trap - EXIT
	sed -i 's/\r$//' "$console"
}
