# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: what the console of a guest tells. $console is its file, $output that
# of its script, $boot_name what its boot is called, $qemu_status how QEMU ended.
# shellcheck disable=SC2154

# Console lines that no healthy kernel prints.
TROUBLE='Kernel panic|Oops|BUG:|WARNING:|KASAN:|UBSAN:|possible (circular|recursive|irq lock)'
TROUBLE+='|inconsistent lock state|suspicious RCU usage|INFO: task .* blocked'
TROUBLE+='|detected stalls|soft lockup|general protection fault|scheduling while atomic'
TROUBLE+='|sleeping function called|Unable to handle kernel|unreferenced object'

# judge_guest: exits with the script's status, 125 for the guest's failure, 1 for
# that of QEMU
judge_guest()
{
	local status trouble

	status=$(sed -n 's/.*guest exit status \([0-9]*\).*/\1/p' "$console" |
		tail -n 1)
	[ ! -s "$console.hung" ] ||
		guest_failed "the guest hung: $(cat "$console.hung")" \
			"QUIET=s gives it more time."
	if [ -n "${ENDS:-}" ]; then
		! grep -aqE -- "$ENDS" "$console" || exit 0
		guest_failed "the guest did not end with: $ENDS"
	fi
	[ "$qemu_status" -eq 0 ] ||
		die "QEMU ended with status $qemu_status" \
			"$(cat "$LOG/$boot_name.qemu")" \
			"The whole console: $(keep_console "$boot_name")"
	trouble=$(grep -aE -m 1 -- "$TROUBLE" <(allowed <"$console") || true)
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
	allowed <"$console" | grep -aE -m 1 -A 60 -- "$TROUBLE" |
		sed -E 's/^\[ *[0-9.]+\](\[[^]]*\])? //' | awk '
		/./ && NR <= 3 || /^[ER]IP: /	{ print "report| " $0 }
		/^ (dump_stack|print_report|kasan_report|__asan)/ { next }
		/^ [a-zA-Z_0-9.]+\+0x/ && n++ < 12	{
			sub(/\/0x.*/, "", $1)
			calls = calls (n > 1 ? " < " : "") $1
		}
		/^====|end trace/		{ exit }
		END { if (n) print "report| " calls }' | cut -c -400 || true
}

# ran_old_breakpoint: did QEMU run a breakpoint that is not in memory any more?
#
# Its CPUs run at the same time and translate code into one cache. One that
# translates while another takes a breakpoint away (a static key of the kernel
# was switched) may put the breakpoint into the cache for good: QEMU 7.2, one or
# two boots in a hundred, and one in five where irqsoff and preemptoff are tested, whose
# keys are in every preempt_disable(), and every other one of VARIANT=static. The oops
# then shows another byte than 0xcc before that at RIP. But not where a site of the tracer
# may be, a nop of five bytes (0f, on i386 3e) or a call (e8) at the first byte of a
# function or behind its ENDBR: that would be for us to explain.
#
# Only where CPUs are threads of QEMU, and when nothing else was wrong before.
ran_old_breakpoint()
{
	[ "${SMP:-1}" -gt 1 ] && [ "${ACCEL:-tcg}" = tcg ] || return
	! grep -aqE '(^|[] ])not ok ' "$console" "$output" || return
	allowed <"$console" | grep -aE -m 1 -A 40 -- "$TROUBLE" | awk '
		NR == 1 && !/Oops: int3: .*\[#1\]/	{ exit }
		/ [ER]IP: .*\+0x/ && !rip	{ rip = $0; sub(/.*\+/, "", rip) }
		rip && / Code: .* </	{ sub(/ <.*/, ""); code = $NF; exit }
		END {
			site = rip ~ /^0x[15]\// && code ~ /^(0f|3e|e8)$/
			exit !(code && code != "cc" && !site)
		}'
}

# Drops the lines that the caller expects, and what comes behind the end: QEMU resets the
# CPUs of a Malta one by one, and the second one may go on with the kernel that is over.
allowed()
{
	sed '/reboot: Restarting system/q' | if [ -n "${ALLOW:-}" ]; then
		grep -aEv -- "$ALLOW" || true
	else
		cat
	fi
}

# with_lines: what comes in, with lines of source where the kernel has them
with_lines()
{
	if has_lines; then
		CROSS_COMPILE=$CROSS "$LINUX/scripts/decode_stacktrace.sh" \
			"$KERNEL/vmlinux" auto "$KERNEL" 2>/dev/null
	else
		cat
	fi
}

has_lines()
{
	readelf -SW "$KERNEL/vmlinux" 2>/dev/null | grep '\.debug_info' >/dev/null
}

# guest_failed message...: 125; the console is kept
guest_failed()
{
	printf 'Last console lines:\n' >&2
	tail -n 30 "$console" | with_lines | sed 's/^/    | /' >&2
	digest_report >&2
	(die "$@" "The whole console: $(keep_console "$boot_name")") || exit 125
}

# keep_console boot-name: where its console and its output are from now on; those
# of that name are overwritten by the next boot.
keep_console()
{
	local kept

	mkdir -p "$LOG/failed"
	kept=$LOG/failed/$1.$(date -u +%Y%m%d-%H%M%S)
	cp "$LOG/$1.output" "$kept.output"
	cp "$LOG/$1.console" "$kept.console"
	printf '%s\n' "$kept.console"
}
