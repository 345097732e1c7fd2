# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: boots by the dozen, each with its CPUs, QEMU's model of them and kernel parameters,
# a line. BOOTS=n is how often each of them, MATCH=regex which of them. file, kernel and row[]
# are those of the part.
# shellcheck disable=SC2034,SC2154

# listed_boots: as others choose them
listed_boots()
{
	grep -v '^#' "$TOOLS/tests/boots.list" | grep .
}

# tracers_here: those of the kernel
tracers_here()
{
	say "function function_graph wakeup wakeup_rt wakeup_dl"
	! grep -q CONFIG_IRQSOFF_TRACER=y "$BUILD/$kernel/.config" || say irqsoff
	! grep -q CONFIG_PREEMPT_TRACER=y "$BUILD/$kernel/.config" ||
		say "preemptoff preemptirqsoff"
}

# off_boots: each tracer begins with the kernel, on one CPU and on two, and with one of two,
# before KUnit and without it
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

# clock_boots: each clock source, with what traces begun by the user and by the kernel
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

# noted_boots: each parameter that has the boot traced, alone
noted_boots()
{
	local word

	for word in ftrace=function "trace_event=initcall:*" trace_trigger=sched_switch.stacktrace:3 \
		kprobe_event=p:at_boot,kernel_execve tracing_thresh=100 \
		ftrace_graph_filter=vfs_read ftrace_graph_notrace=vfs_read ftrace_graph_max_depth=3; do
		say "1 - $word"
	done
}

# boots_test: one after another, each a line and a result. The guest is told what to do by
# the word in the row's do.
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
	say "   $count boots, $bad of them bad"
	ktap_close
}

# one_boot smp model words: and what came of it, with what the guest said
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
