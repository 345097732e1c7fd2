# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: the guest. Its console is the first serial line, the output of the
# script that it runs the second one.

. "$TOOLS/packages.sh"
. "$TOOLS/initramfs.sh"
. "$TOOLS/console.sh"

# find_kernel: KERNEL, a build directory. Without it that of VARIANT, which is built when
# it does not exist, or has been left as `make mutants` made it.
find_kernel()
{
	local ours

	ours=$(realpath -m "$BUILD/$ARCH${VARIANT:+-$VARIANT}")
	KERNEL=$(realpath -m "${KERNEL:-$ours}")
	if [ ! -f "$KERNEL/$IMAGE" ] ||
	   { [ -z "${MUTANT:-}" ] && [ -f "$KERNEL/.mutant" ]; }; then
		[ "$KERNEL" = "$ours" ] ||
			die "KERNEL=$KERNEL holds no $IMAGE that can be used" "Build it first."
		"$TOOLS/kernel.sh"
	fi
}

# pick_name name: sets boot_name, what this boot's files are called: name, or
# name.2 and so on while others are using those
pick_name()
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

# clock_rate: how fast a PC's clock goes. Without ACPI all that the kernel could measure it by
# is a timer that a busy host delays; then it would do with ticks, which stop where interrupts
# are off. Not where QEMU counts instructions instead.
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

# guest_command: sets command[], all of QEMU's but the serial lines
guest_command()
{
	local accel=${ACCEL:-tcg} smp=${SMP:-1} append

	[ "$smp" -le "$CPUS" ] || smp=$CPUS
	[ "$smp" -le 1 ] || [ "$accel" != tcg ] || accel=tcg,thread=$TCG_THREADS
	# base/configs/malta.config has the same.
	append="console=${CONSOLES[0]} harness.out=${CONSOLES[1]}"
	append+=" panic=-1 oops=panic printk.time=1"
	[[ " ${APPEND:-} " == *" kaslr "* ]] || append+=" nokaslr"
	# A busy host makes a guest look stalled: be patient.
	append+=" rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60"
	[ -z "$ARGS_BUILT_IN" ] || append=
	append+=" $KERNEL_ARGS $(clock_rate) ${APPEND:-}"
	# The table by which a PC without ACPI knows its CPUs has one per socket.
	[ "$MACHINE" != pc ] || smp+=,sockets=$smp
	# QEMU_ARGS is a list of words.
	# shellcheck disable=SC2206
	command=("${QEMU[@]}" -accel "$accel" -smp "$smp" -m 1G
		-nodefaults -display none -no-reboot
		-kernel "$KERNEL/$IMAGE" -initrd "$initrd" -append "$append"
		${QEMU_ARGS:-})
}

# tell_monitor: what QEMU's monitor is told: once the guest has said "tell the monitor: WORD"
# on its console, that word, every two milliseconds
tell_monitor()
{
	local word=

	[ -n "${MONITOR:-}" ] || return 0
	until [ -n "$word" ]; do
		sleep 0.5
		kill -0 $$
		word=$(sed -n 's/.*tell the monitor: //p' "$console")
	done
	while sleep 0.002; do
		say "$word"
	done
}

# watch_guest: why it has to be ended, if it has, in $console.hung
#
# A guest of MIPS that panics before it has drivers does not end by itself. One that has
# reported an error goes on for a while: what comes behind tells more.
watch_guest()
{
	local words=(--quiet "${QUIET:-900}" --limit "${TIMEOUT:-0}" --parent $$
		--over 'Reboot failed -- System halted')

	[ -n "${ENDS:-}" ] || words+=(--trouble "$TROUBLE" --allow "${ALLOW:-}")
	"$TOOLS/watch.py" "${words[@]}" "$guest_pid" "$console" "$output" >"$console.hung"
}

# start_guest: sets guest_pid, and watch_pid, which ends it when it is stuck or when we were
# killed. boot_name, console, output and initrd are those of boot.sh.
# shellcheck disable=SC2154
start_guest()
{
	local monitor=none

	guest_command
	[ -z "${MONITOR:-}" ] || monitor=stdio
	# Files of their own: a guest of somebody who was killed may still be writing.
	rm -f "$console" "$output"
	: >"$console"
	: >"$output"
	(
		drop_locks
		exec "${command[@]}" -monitor "$monitor" -serial "file:$console" \
			-serial "file:$output"
	) < <(tell_monitor 2>/dev/null) >/dev/null 2>"$LOG/$boot_name.qemu" &
	guest_pid=$!
	(
		drop_locks
		watch_guest || kill -KILL "$guest_pid"
	) 2>/dev/null &
	watch_pid=$!
	trap 'kill "$guest_pid" "$watch_pid" 2>/dev/null' EXIT
}

# follow_guest: shows the output until the guest is gone
follow_guest()
{
	local show=("$output")

	[ "${VERBOSE:-0}" != 1 ] || show+=("$console")
	# Not what bash has to say about a guest that was killed.
	exec {stderr}>&2 2>/dev/null
	tail -q -n +1 -s 0.1 -f --pid="$guest_pid" "${show[@]}"
	qemu_status=0
	wait "$guest_pid" || qemu_status=$?
	wait "$watch_pid" || true
	exec 2>&"$stderr" {stderr}>&-
	trap - EXIT
	sed -i 's/\r$//' "$console"
}
