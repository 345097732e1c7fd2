# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: many boots in a row. A line describes a boot: number of CPUs, QEMU's CPU model (- for
# the default), kernel parameters. BOOTS=n repeats each boot, MATCH=regex selects some. row[] has
# the columns of the part (see tests/parts.sh); file and kernel are those of the part, too.
# shellcheck disable=SC2034,SC2154

# listed_boots: prints the boots of tests/boots.list
listed_boots()
{
	grep -v '^#' "$TOOLS/tests/boots.list" | grep .
}

# tracers_here: prints the tracers that the kernel has
tracers_here()
{
	say "function function_graph wakeup wakeup_rt wakeup_dl"
	! grep -q CONFIG_IRQSOFF_TRACER=y "$BUILD/$kernel/.config" || say irqsoff
	! grep -q CONFIG_PREEMPT_TRACER=y "$BUILD/$kernel/.config" ||
		say "preemptoff preemptirqsoff"
}

# off_boots: prints boots that start each tracer: on one CPU, on two, and on two of which only
# one is online; with KUnit and without
off_boots()
{
	local tracer kunit

	for tracer in $(tracers_here); do
		for kunit in 0 1; do
			say "1 - kunit.enable=$kunit ftrace=$tracer"
			say "2 - kunit.enable=$kunit ftrace=$tracer"
			say "2 - kunit.enable=$kunit ftrace=$tracer maxcpus=1"
		done
	done
}

# clock_boots: prints boots with each clock source, with tracing started by the guest's script
# and by the kernel
clock_boots()
{
	local source

	for source in tsc hpet acpi_pm; do
		say "1 - clocksource=$source ftrace=nop"
		say "2 - clocksource=$source ftrace=nop"
		say "1 - clocksource=$source trace_clock=mono ftrace=function"
		say "1 - clocksource=$source trace_clock=mono ftrace=function_graph"
	done
}

# noted_boots: prints a boot for each parameter that starts or prepares tracing
noted_boots()
{
	local word

	for word in ftrace=function "trace_event=initcall:*" trace_trigger=sched_switch.stacktrace:3 \
		kprobe_event=p:at_boot,kernel_execve tracing_thresh=100 \
		ftrace_graph_filter=vfs_read ftrace_graph_notrace=vfs_read ftrace_graph_max_depth=3; do
		say "1 - $word"
	done
}

# boots_test: runs the boots of the row, each of which prints a line and counts as a result.
# boots.do= in the row's APPEND tells the guest what to do.
boots_test()
{
	local smp model words n bad=0 count=0

	ktap_open "$file"
	while read -r smp model words; do
		for ((n = 0; n < ${BOOTS:-1}; n++)); do
			count=$((count + 1))
			one_boot "$smp" "$model" "$words" || bad=$((bad + 1))
		done
	done < <("${row[boots]}" | grep -E -- "${MATCH:-.}")
	say "   $count boots, $bad failed"
	ktap_close
}

# one_boot smp model words: boots, and reports the result with the output of the guest
one_boot()
{
	local log=$LOG/$file.log verdict=good status=0 start=$SECONDS what="SMP=$1 $2 $3" args=()

	[ "$2" = - ] || args=("QEMU_ARGS=-cpu $2")
	[ -z "${row[ALLOW]:-}" ] || args+=("ALLOW=${row[ALLOW]}")
	env "${args[@]}" SMP="$1" APPEND="${row[APPEND]} $3" \
		RUN="$GUEST_SCRIPTS/${row[RUN]}.sh" KERNEL="$BUILD/$kernel" BOOT_NAME="$file" \
		"$TOOLS/boot.sh" </dev/null >"$log" 2>&1 || status=$?
	[ $status -eq 0 ] || verdict=BAD
	! grep -q 'booting again' "$log" || verdict+=" again"
	say "   $verdict $((SECONDS - start)) s: $what"
	sed -n 's/^# /        /p' "$log"
	[ $status -eq 0 ] || grep -vE '^(#|    \|)' "$log" | sed 's/^/      ! /'
	ktap_case $status "$what" "$log"
	return $status
}
