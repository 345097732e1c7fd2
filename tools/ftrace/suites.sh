# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: the parts of the suite.

HOST_TESTS=$TOOLS/tests/host
GUEST_SCRIPTS=$TOOLS/tests/guest
SELFTESTS=tools/testing/selftests/ftrace
# For boots in which static keys are switched that all CPUs execute all the time: see
# ran_old_breakpoint.
CPUS_IN_TURNS=ACCEL=tcg,thread=single

# host_tests [pattern]: every script in tests/host is one test, and those
# that print KTAP bring more
host_tests()
{
	local script log name status tap=()

	step "Host tests"
	ktap_open host
	for script in "$HOST_TESTS"/${1:-*}.sh; do
		name=$(basename "$script" .sh)
		log=$LOG/host-$name.log
		status=0
		"$script" >"$log" 2>&1 </dev/null || status=$?
		if grep -q '^KTAP version' "$log"; then
			tap+=("$name")
			ktap_case $status "$name"
		else
			ktap_case $status "$name" "$log"
		fi
	done
	ktap_close
	for name in "${tap[@]}"; do
		ktap_report "host-$name" "$LOG/host-$name.log"
	done
}

# build_for_test name: the kernel of build/name and its test modules
build_for_test()
{
	local variant=

	[[ $1 != *-* ]] || variant=${1##*-}
	VARIANT=$variant "$TOOLS/kernel.sh"
	build_test_modules "$LINUX" "$1"
}

# build_ahead: begins the kernels that come later with what guests leave of the CPUs.
# build_for_test waits for one, and tells if it does not build.
build_ahead()
{
	local variant

	for variant in debug "${SMALL_KERNELS[@]}"; do
		VARIANT=$variant nice -n 10 "$TOOLS/kernel.sh" \
			>"$LOG/ahead-$ARCH-$variant.log" 2>&1 </dev/null || true
	done &
}

# boot_test name kernel script [VARIABLE=value...]: boots, and counts the
# boot itself as a test: it fails on any report of the kernel or a hang, and
# when there was no boot
boot_test()
{
	local name=$1 kernel=$2 script=$3 log=$LOG/boot-$1.log status=0

	shift 3
	# shellcheck disable=SC2154
	failed_before=$failed
	rm -f "$LOG/$name.console" "$LOG/$name.output"
	env RUN="$script" KERNEL="$BUILD/$kernel" BOOT_NAME="$name" \
		MODULES="$BUILD/$kernel/testmods" "$@" \
		"$TOOLS/boot.sh" >"$log" 2>&1 || status=$?
	grep -s 'booting again' "$log" || true
	touch "$LOG/$name.console" "$LOG/$name.output"
	ktap_open "$name-boot"
	if [ $status -eq 125 ] || grep -q 'guest exit status' "$LOG/$name.console"; then
		ktap_case $((status == 125)) "$name: no panic, no report, no hang" "$log"
	else
		ktap_case 1 "$name: the guest was started" "$log"
	fi
	ktap_close
}

# boot_judged name: all that the boot of boot_test printed has been counted.
# boot.sh has kept the console of one that ended badly.
boot_judged()
{
	[ "$failed" -gt "$failed_before" ] || return 0
	! grep -q 'The whole console:' "$LOG/boot-$1.log" || return 0
	say "   $1: its console is kept as $(keep_console "$1")"
}

# ktap_lines console: the lines that are KTAP, with what a test says at their
# side. Another message of the kernel between the lines of a suite's head would
# cost it its name.
ktap_lines()
{
	grep -aE '^(\[ *[0-9.]+\](\[[^]]*\])? )?(    |KTAP version |1\.\.[0-9]|# |(not )?ok )' \
		"$1" || true
}

# What ftracetest printed, with the log of a case before its result: there a reader of KTAP
# takes it for that of this case.
logs_first()
{
	awk '
		function tell() { if (held != "") print held; held = "" }
		/^(not )?ok / { tell(); held = $0; next }
		!/^#/ { tell() }
		{ print }
		END { tell() }' "$1"
}

# What the kernel prints of its own tests while it boots.
report_console()
{
	local name=$1 console=$LOG/$1.console line status

	ktap_lines "$console" >"$RESULTS/$name-kunit.ktap"
	ktap_report "$name-kunit" "$RESULTS/$name-kunit.ktap"

	ktap_open "$name-selftests"
	while read -r line; do
		status=0
		[ "${line##*: }" = PASSED ] || status=1
		line=${line#Testing }
		ktap_case $status "${line%: PASSED}"
	done < <(grep -o 'Testing .*: [A-Z].*' "$console")
	ktap_close
}

# A directory for the guest with ftracetest and the cases that it is to run.
ftracetest_root()
{
	local root=$1

	shift
	rm -rf "$root"
	mkdir -p "$root/selftests"
	cp -a "$LINUX/$SELFTESTS" "$root/selftests/ftrace"
	# These look for a pid anywhere in a line, and find its digits in a time
	# stamp now and then: let them look where the task stands.
	# shellcheck disable=SC2016
	sed -i 's/grep \(-v \)\?\$PID |/grep \1-e "-$PID " |/' \
		"$root"/selftests/ftrace/test.d/ftrace/func-filter{,-notrace}-pid.tc
	printf '%s\n' "$@" >"$root/cases"
	guest_programs "$root"
	[[ " $* " != *" control/perf-ftrace.tc "* ]] || perf_program "$root"
}

# The stock cases that concern what is built, and all of ours; with FEW_CASES=name those
# of tests/NAME.list.
all_cases()
{
	if [ -n "${FEW_CASES:-}" ]; then
		listed_cases "$FEW_CASES"
		return
	fi
	listed_cases ftracetest
	overlay_cases
}

# listed_cases name: those of tests/NAME.list
listed_cases()
{
	sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$TOOLS/tests/$1.list"
}

# cases_for name: without those that the kernel build/name cannot pass
cases_for()
{
	grep -vxFf <(left_out_of "$1")
}

# has_sections name: are irqsoff and preemptoff configured in build/name?
has_sections()
{
	[[ $1 == *-debug || $1 == *-discover ]]
}

left_out_of()
{
	case $1 in
	*-discover)	listed_cases discover ;;
	*-static)	listed_cases static ;;
	*)		listed_cases ordinary ;;
	esac
	has_sections "$1" || listed_cases sections
	[ "$SRC_ARCH" != mips ] || listed_cases mips
	[ "$CPUS" -gt 1 ] || say ftrace/func_cpumask.tc
	# Debian has no trace-cmd for it.
	[ -z "$DEB_SOURCE" ] || say control/trace-cmd.tc
	# See PERF_PACKAGES.
	[ -z "$DEB_ARCH" ] || say control/perf-ftrace.tc
}

# skips_nothing name: a case that lacks something in build/name must be listed
skips_nothing()
{
	local log=$LOG/$1-skipped status=0

	! grep '# SKIP' "$RESULTS/$1-ftracetest.ktap" >"$log" || status=1
	ktap_open "$1-skipped"
	ktap_case $status "$1: no case was skipped" "$log"
	ktap_close
}

overlay_cases()
{
	[ ! -d "$SELFTESTS/test.d" ] ||
		(cd "$SELFTESTS/test.d" && find . -name '*.tc' -printf '%P\n' | sort)
}

# guest_tests name: KUnit, self-tests and ftracetest in the kernel build/name
guest_tests()
{
	local name=$1 cases turns=()

	! has_sections "$name" || turns=("$CPUS_IN_TURNS")

	build_for_test "$name"
	step "KUnit, boot-time self-tests and ftracetest in build/$name"
	mapfile -t cases < <(all_cases | cases_for "$name")
	ftracetest_root "$BUILD/test/root-$name" "${cases[@]}"
	boot_test "$name" "$name" "$GUEST_SCRIPTS/ftracetest.sh" SMP=2 \
		TIMEOUT="${TIMEOUT:-2400}" ROOT="$BUILD/test/root-$name" "${turns[@]}"
	report_console "$name"
	logs_first "$LOG/$name.output" >"$RESULTS/$name-ftracetest.ktap"
	ktap_report "$name-ftracetest" "$RESULTS/$name-ftracetest.ktap"
	skips_nothing "$name"
	boot_judged "$name"
}

# arch_tests name: all that is run in guests of that architecture; beside the first one
# without what is mostly the same for all
arch_tests()
{
	guest_tests "$1"
	stress_test "$1" "${ROUNDS:-$(stress_rounds)}"
	anomaly_test "$1"
	boot_trace_test "$1"
	preempted_test "$1"
	kexec_test "$1"
	[ -n "${BESIDE:-}" ] || nmi_test "$1"
	[ -n "${BESIDE:-}" ] || dump_test "$1"
	carried_test "$1"
}

# small_tests name: in the small kernels of that architecture, in little time
small_tests()
{
	local variant FEW_CASES=small

	for variant in "${SMALL_KERNELS[@]}"; do
		variant_tests "$1-$variant"
	done
}

# variant_tests name: the kernel is what is tested
variant_tests()
{
	guest_tests "$1"
	script_test "$1" boot-variant SMP=2 APPEND="kunit.enable=0 ftrace=function \
		ftrace_filter=vfs_*,yet_to_come ftrace_notrace=vfs_read"
	[[ $1 != *-discover ]] || script_test "$1" found SMP=2
}

# btf_tests name: what is otherwise where a kernel has its own types, which takes longer to
# build than to test
btf_tests()
{
	FEW_CASES=btf guest_tests "$1"
}

# debug_tests name: what lockdep and KASAN are for
debug_tests()
{
	guest_tests "$1"
	anomaly_test "$1"
	no_memory_test "$1"
	stress_test "$1" "${ROUNDS:-10}"
	tracers_test "$1" "${ROUNDS:-10}"
}

# script_test kernel script[:name] [VARIABLE=value...]: a boot of its own, called after the
# script if it has no other name, for a script of tests/guest that prints KTAP
script_test()
{
	local kernel=$1 script=${2%:*} name=$1-${2#*:}

	shift 2
	boot_test "$name" "$kernel" "$GUEST_SCRIPTS/$script.sh" \
		APPEND=kunit.enable=0 "$@"
	cp "$LOG/$name.output" "$RESULTS/$name.ktap"
	ktap_report "$name" "$RESULTS/$name.ktap"
	boot_judged "$name"
}

# Beside other guests they take four times as long.
stress_rounds()
{
	local share=1

	[ -z "$EVERY_ARCH${BESIDE:-}" ] || share=4
	echo $(((STRESS_ROUNDS + share - 1) / share))
}

# stress_test kernel rounds
stress_test()
{
	step "Stress: tracer and filters switched under load in build/$1"
	script_test "$1" stress SMP=4 TIMEOUT="${TIMEOUT:-3600}" \
		APPEND="kunit.enable=0 stress.rounds=$2"
}

# tracers_test kernel rounds: the same with every tracer there is
tracers_test()
{
	step "Stress: all tracers switched under load in build/$1"
	script_test "$1" stress:tracers SMP=4 TIMEOUT="${TIMEOUT:-3600}" "$CPUS_IN_TURNS" \
		APPEND="kunit.enable=0 stress.rounds=$2 stress.tracers=all"
}

# Ends the tracer, so it has the boot to itself.
anomaly_test()
{
	step "A damaged call site in build/$1"
	script_test "$1" anomaly SMP=2 TIMEOUT="${TIMEOUT:-600}"
}

# Tracing from the first moment on, by parameters; on x86 on a CPU with mitigations
# that change how functions return.
boot_trace_test()
{
	local filters='ftrace_filter=sched_init,kernel_init,rcu_* ftrace_notrace=rcu_seg*'
	local cpu='' returns=''

	if [ "$SRC_ARCH" = x86 ]; then
		cpu="-cpu EPYC"
		returns="retbleed=unret spec_rstack_overflow=off"
	fi
	# 255 characters are all that there is room for on MIPS.
	step "A boot that is traced in build/$1"
	script_test "$1" boot-trace SMP=2 QEMU_ARGS="$cpu" \
		APPEND="kunit.enable=0 $returns ftrace=function $filters trace_clock=mono \
		trace_buf_size=2M trace_options=sym-addr,noprint-parent"
	# Each call of anything asks whether this clock can be relied upon yet.
	script_test "$1" boot-trace-all SMP=2 "$CPUS_IN_TURNS" \
		APPEND="kunit.enable=0 ftrace=function trace_clock=global \
		stacktrace_filter=kernel_init,rcu_*"
	early_panic_test "$1"
}

# A panic before the first initcall, because init is given more words than there
# is room for: what was recorded until then is printed.
early_panic_test()
{
	local name=$1-early-panic console bad=0 words resched=.

	failed_before=$failed
	console=$LOG/$name.console
	# Short ones: there is little room on MIPS.
	words=$(printf ' %s=' {a..z} {A..M})
	env RUN="$GUEST_SCRIPTS/true.sh" KERNEL="$BUILD/$1" BOOT_NAME="$name" KEEP=0 \
		APPEND="kunit.enable=0 ftrace=function ftrace_dump_on_oops \
		ftrace_filter=sched_init,rcu_init $words" \
		"$TOOLS/boot.sh" >"$LOG/boot-$name.log" 2>&1 || true
	ktap_open "$name"
	grep -q 'Kernel panic - not syncing: Too many boot env vars' "$console" || bad=1
	ktap_case $bad "the kernel panics before the first initcall"
	bad=0
	# On x86 preempt_count() says itself that nobody has to be preempted yet.
	[ "$SRC_ARCH" != x86 ] || resched=p
	grep -q "0d$resched.1. .*us : sched_init <-start_kernel" "$console" || bad=1
	ktap_case $bad "the trace is on the console, in latency format"
	ktap_close
	boot_judged "$name"
}

# With instructions counted QEMU has interrupts come between any two of them, also
# between a jump and its delay slot. The clock by which the guest finds out how fast it
# is has to go with them. Where a site is one instruction there is nothing to be
# preempted in.
preempted_test()
{
	[ "$SRC_ARCH" = mips ] || return 0
	step "Tasks preempted inside of call sites in build/$1"
	script_test "$1" preempted SMP=1 QEMU_ARGS="-icount shift=3 -rtc clock=vm"
}

# Kernels that follow one another, on x86-64: each brings its image and its programs along.
kexec_test()
{
	local root=$BUILD/test/root-kexec

	[ "$ARCH" = x86_64 ] || return 0
	step "Other kernels are entered from build/$1"
	rm -rf "$root"
	mkdir -p "$root/kexec"
	guest_programs "$root"
	cp "$BUILD/$1/$IMAGE" "$root/kexec/kernel"
	script_test "$1" kexec SMP=2 ROOT="$root" TIMEOUT="${TIMEOUT:-600}" \
		ALLOW='Kernel panic - not syncing: sysrq triggered crash' \
		APPEND="kunit.enable=0 crashkernel=256M kexec.stage=1"
}

# feed_nmis console pipe: the first CPU of an x86 guest gets NMIs through QEMU's monitor,
# from when its script has printed that a handler is there
feed_nmis()
{
	cat "$2.out" >/dev/null &
	until grep -aqs 'NMIs may come' "$1"; do
		sleep 0.5
	done
	while sleep 0.002; do
		echo nmi
	done >"$2.in"
}

# Only where QEMU's monitor can give a guest NMIs.
nmi_test()
{
	local monitor=$BUILD/test/$1-monitor console=$LOG/$1-nmi.console feeder

	[ "$SRC_ARCH" = x86 ] || return 0
	step "NMIs while call sites are switched in build/$1"
	rm -f "$monitor".{in,out} "$console"
	mkfifo "$monitor".{in,out}
	feed_nmis "$console" "$monitor" 2>/dev/null &
	feeder=$!
	script_test "$1" nmi SMP=2 TIMEOUT="${TIMEOUT:-900}" \
		QEMU_ARGS="-chardev pipe,id=monitor,path=$monitor -mon chardev=monitor"
	kill "$feeder" 2>/dev/null || true
}

# What a kernel prints of the buffers as it oopses.
dump_test()
{
	step "What an oops and a warning do in build/$1"
	script_test "$1" dump SMP=2 \
		ALLOW='Oops: invalid opcode|WARNING: .* warn\+0x.*\[ftrace_oops\]' \
		APPEND="kunit.enable=0 traceoff_on_warning ftrace_dump_on_oops=foo=2,bar"
}

# Only in a kernel with fault injection.
no_memory_test()
{
	step "Memory that fails in build/$1"
	guest_programs "$BUILD/test/root-programs"
	script_test "$1" no-memory SMP=1 TIMEOUT="${TIMEOUT:-1800}" \
		ROOT="$BUILD/test/root-programs"
}

# lint_ahead: begins it, beside what comes before lint_test
lint_ahead()
{
	nice -n 19 "$TOOLS/lint.sh" >"$LOG/lint.log" 2>&1 </dev/null &
	lint_pid=$!
}

lint_test()
{
	local status=0

	step "Lint"
	[ -n "${lint_pid:-}" ] || lint_ahead
	wait "$lint_pid" || status=1
	[ ! -s "$LOG/lint.log" ] || status=1
	ktap_open lint
	ktap_case $status "nothing printed" "$LOG/lint.log"
	ktap_close
}
