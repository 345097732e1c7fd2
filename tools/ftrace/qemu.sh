# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: the guest. Its console is the first serial line, the output of the
# script that it runs the second one.

. "$TOOLS/arch.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/initramfs.sh"

arch_row "$ARCH"
need_packages cpio kmod "${ARCH_PACKAGES[@]}"

# Console lines that no healthy kernel prints.
TROUBLE='Kernel panic|Oops|BUG:|WARNING:|KASAN:|UBSAN:|possible (circular|recursive|irq lock)'
TROUBLE+='|inconsistent lock state|suspicious RCU usage|INFO: task .* blocked'
TROUBLE+='|detected stalls|soft lockup|general protection fault|scheduling while atomic'
TROUBLE+='|sleeping function called|Unable to handle kernel|unreferenced object'

# find_kernel: KERNEL, a build directory; built when it does not exist
find_kernel()
{
	KERNEL=$(realpath -m "${KERNEL:-$BUILD/$ARCH}")
	if [ ! -f "$KERNEL/$IMAGE" ]; then
		[ "$KERNEL" = "$BUILD/$ARCH" ] ||
			die "KERNEL=$KERNEL holds no $IMAGE" "Build it first."
		"$TOOLS/kernel.sh"
	fi
	command -v "${QEMU[0]}" >/dev/null ||
		die "${QEMU[0]} is missing" \
		    "Install it: sudo apt-get install ${ARCH_PACKAGES[0]}"
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

# guest_command: sets command[], all of QEMU's but the serial lines
guest_command()
{
	local accel=${ACCEL:-tcg} append

	[ "${SMP:-1}" -le 1 ] || [ "$accel" != tcg ] || accel=tcg,thread=multi
	append="console=${CONSOLES[0]} harness.out=${CONSOLES[1]}"
	append+=" panic=-1 oops=panic nokaslr printk.time=1"
	# A busy host makes a guest look stalled: be patient.
	append+=" rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60"
	append+=" $KERNEL_ARGS ${APPEND:-}"
	# QEMU_ARGS is a list of words.
	# shellcheck disable=SC2206
	command=("${QEMU[@]}" -accel "$accel" -smp "${SMP:-1}" -m 1G
		-nodefaults -display none -no-reboot
		-kernel "$KERNEL/$IMAGE" -initrd "$initrd" -append "$append"
		${QEMU_ARGS:-})
}

# start_guest: sets guest_pid, and watch_pid, which ends it after TIMEOUT.
# boot_name, console, output and initrd are those of boot.sh.
# shellcheck disable=SC2154
start_guest()
{
	local limit=${TIMEOUT:-300}

	guest_command
	: >"$console"
	: >"$output"
	rm -f "$console.hung"
	"${command[@]}" -monitor none -serial "file:$console" \
		-serial "file:$output" </dev/null 2>"$LOG/$boot_name.qemu" &
	guest_pid=$!
	(
		trap 'kill "$nap"; exit' TERM
		sleep "$limit" &
		nap=$!
		wait "$nap"
		echo "$limit" >"$console.hung"
		kill -KILL "$guest_pid"
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
	kill "$watch_pid" || true
	exec 2>&"$stderr"
	trap - EXIT
	rm -f "$initrd"
	sed -i 's/\r$//' "$console"
}

# judge_guest: exits with the script's status, or 125 for the guest's failure
judge_guest()
{
	local status trouble

	status=$(sed -n 's/.*guest exit status \([0-9]*\).*/\1/p' "$console" |
		tail -n 1)
	[ ! -f "$console.hung" ] ||
		guest_failed "the guest hung: killed after $(cat "$console.hung") s" \
			"TIMEOUT=s gives it more time."
	[ "$qemu_status" -eq 0 ] ||
		guest_failed "QEMU ended with status $qemu_status" \
			"$(cat "$LOG/$boot_name.qemu")"
	trouble=$(grep -E -m 1 -- "$TROUBLE" <(allowed <"$console") || true)
	[ -z "$trouble" ] ||
		guest_failed "the guest's kernel reported: $trouble"
	[ -n "$status" ] ||
		guest_failed "the guest ended before its script did"
	exit "$status"
}

# The first report of the guest's kernel in a few lines: what, and who called
# whom. `make test` repeats them at its end.
digest_report()
{
	allowed <"$console" | grep -E -m 1 -A 60 -- "$TROUBLE" |
		sed -E 's/^\[ *[0-9.]+\](\[[^]]*\])? //' | awk '
		/./ && NR <= 3 || /^RIP: /	{ print "report| " $0 }
		/^ (dump_stack|print_report|kasan_report|__asan)/ { next }
		/^ [a-zA-Z_0-9.]+\+0x/ && n++ < 12	{
			sub(/\/0x.*/, "", $1)
			calls = calls (n > 1 ? " < " : "") $1
		}
		/^====|end trace/		{ exit }
		END { if (n) print "report| " calls }' | cut -c -400 || true
}

# Drops the lines that the caller expects.
allowed()
{
	if [ -n "${ALLOW:-}" ]; then
		grep -Ev -- "$ALLOW" || true
	else
		cat
	fi
}

guest_failed()
{
	printf 'Last console lines:\n' >&2
	show_tail "$console" 30
	digest_report >&2
	(die "$@" "The whole console: $console") || exit 125
}
