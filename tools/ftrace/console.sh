# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: judges a guest by its console. console is the file of the console, output that of the
# script, boot_name their base name, qemu_status the exit status of QEMU.
# shellcheck disable=SC2154

# Console lines that no healthy kernel prints.
TROUBLE='Kernel panic|Oops|BUG:|WARNING:|KASAN:|UBSAN:|possible (circular|recursive|irq lock)'
TROUBLE+='|inconsistent lock state|suspicious RCU usage|INFO: task .* blocked'
TROUBLE+='|detected stalls|soft lockup|general protection fault|scheduling while atomic'
TROUBLE+='|sleeping function called|Unable to handle kernel|unreferenced object'

# judge_guest: exits with the script's status, with 125 if the guest failed, or with 1 if QEMU
# failed
judge_guest()
{
	local status trouble

	status=$(sed -n 's/.*guest exit status \([0-9]*\).*/\1/p' "$console" |
		tail -n 1)
	[ ! -s "$console.hung" ] ||
		guest_failed "the guest hung: $(cat "$console.hung")" \
			"If it was only slow, give it more time with QUIET=s."
	if [ -n "${ENDS:-}" ]; then
		! grep -aqE -- "$ENDS" "$console" || exit 0
		guest_failed "the guest did not end with a line that matches: $ENDS"
	fi
	[ "$qemu_status" -eq 0 ] ||
		die "QEMU ended with status $qemu_status" \
			"$(cat "$LOG/$boot_name.qemu")" \
			"The whole console: $(keep_console "$boot_name")"
	trouble=$(grep -aE -m 1 -- "$TROUBLE" <(unexpected_lines <"$console") || true)
	[ -z "$trouble" ] ||
		guest_failed "the guest's kernel reported: $trouble"
	[ -n "$status" ] ||
		guest_failed "the guest ended before its script"
	exit "$status"
}

# digest_report: prints the first report of the guest's kernel in a few lines: its head and the
# call trace. `make test` repeats them at its end.
digest_report()
{
	unexpected_lines <"$console" | grep -aE -m 1 -A 60 -- "$TROUBLE" |
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

# ran_old_breakpoint: true if QEMU executed a breakpoint that was no longer in memory: the byte
# before RIP in the oops is not 0xcc
#
# QEMU's CPUs run in parallel and translate code into one shared cache. If one CPU translates
# code while another removes a breakpoint from it (the kernel switches a static key), QEMU 7.2
# may keep the breakpoint in the cache forever. This happens in one or two boots of a hundred;
# in one of five with irqsoff and preemptoff, whose keys are in every preempt_disable(); and in
# every other one of VARIANT=static.
#
# An oops at a possible call site of the tracer does not count, because the tracer may have
# caused it: a nop of five bytes (0f, on i386 3e) or a call (e8) at the first byte of a function
# or after its ENDBR. Nor does an oops after any other failure, or with CPUs that run in turns.
ran_old_breakpoint()
{
	[ "${SMP:-1}" -gt 1 ] && [ "${ACCEL:-tcg}" = tcg ] || return
	! grep -aqE '(^|[] ])not ok ' "$console" "$output" || return
	unexpected_lines <"$console" | grep -aE -m 1 -A 40 -- "$TROUBLE" | awk '
		NR == 1 && !/Oops: int3: .*\[#1\]/	{ exit }
		/ [ER]IP: .*\+0x/ && !rip	{ rip = $0; sub(/.*\+/, "", rip) }
		rip && / Code: .* </	{ sub(/ <.*/, ""); code = $NF; exit }
		END {
			site = rip ~ /^0x[15]\// && code ~ /^(0f|3e|e8)$/
			exit !(code && code != "cc" && !site)
		}'
}

# unexpected_lines: copies a console without the lines that match ALLOW, up to the reboot. QEMU
# resets the CPUs of a Malta one by one, so the second one may still print after that.
unexpected_lines()
{
	sed '/reboot: Restarting system/q' | if [ -n "${ALLOW:-}" ]; then
		grep -aEv -- "$ALLOW" || true
	else
		cat
	fi
}

# with_lines: copies a call trace, with source lines if the kernel has debug information
with_lines()
{
	if has_lines; then
		CROSS_COMPILE=$CROSS "$LINUX/scripts/decode_stacktrace.sh" \
			"$KERNEL/vmlinux" auto "$KERNEL" 2>/dev/null
	else
		cat
	fi
}

# has_lines: true if the kernel has debug information
has_lines()
{
	readelf -SW "$KERNEL/vmlinux" 2>/dev/null | grep '\.debug_info' >/dev/null
}

# guest_failed message...: prints the end of the console and the message, keeps the console, and
# exits with 125
guest_failed()
{
	printf 'Last console lines:\n' >&2
	tail -n 30 "$console" | with_lines | sed 's/^/    | /' >&2
	digest_report >&2
	(die "$@" "The whole console: $(keep_console "$boot_name")") || exit 125
}

# keep_console boot-name: copies console and output of a boot to log/failed, as the next boot
# overwrites them; prints the path of the console
keep_console()
{
	local kept

	mkdir -p "$LOG/failed"
	kept=$LOG/failed/$1.$(date -u +%Y%m%d-%H%M%S)
	cp "$LOG/$1.output" "$kept.output"
	cp "$LOG/$1.console" "$kept.console"
	printf '%s\n' "$kept.console"
}
