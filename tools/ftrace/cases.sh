# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: selects KUnit suites and cases of ftracetest, and reports their results and those of
# the boot-time self-tests. row[] has the columns of the part (see tests/parts.sh); kernel, variant
# and file are those of the part, too.
# shellcheck disable=SC2154

SELFTESTS=tools/testing/selftests/ftrace

# listed_cases name: prints the cases of tests/NAME.list
listed_cases()
{
	sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$TOOLS/tests/$1.list"
}

# base_cases: prints the base's cases that are about this tracer
base_cases()
{
	listed_cases ftracetest
}

# own_cases: prints the cases of this repository
own_cases()
{
	[ ! -d "$SELFTESTS/test.d" ] ||
		(cd "$SELFTESTS/test.d" && find . -name '*.tc' -printf '%P\n' | sort)
}

all_cases()
{
	base_cases
	own_cases
}

# suitable_cases variant: drops cases on stdin that the kernel cannot pass or has no time for
suitable_cases()
{
	grep -vxFf <(left_out_of "$1")
}

# has_options variant name: true if the variant has the options of the variant of that name
has_options()
{
	[[ " $1 $(cell variant "$1" over || true) " == *" $2 "* ]]
}

# has_sections variant: true if irqsoff and preemptoff are configured
has_sections()
{
	grep -qsx CONFIG_IRQSOFF_TRACER=y "base/configs/$1.config"
}

# left_out_of variant: prints the cases that suitable_cases() drops
left_out_of()
{
	local list

	list=$(cell variant "$1" left_out || true)
	listed_cases "${list:-ordinary}"
	has_sections "$1" || listed_cases sections
	has_options "$1" large || listed_cases large
	[ "$SRC_ARCH" != mips ] || listed_cases mips
	[ "$ARCH" = x86_64 ] || listed_cases direct
	# One kernel of the suite has no BPF.
	[ "$ARCH" != mipsel ] || printf 'control/bpf-%s.tc\n' events probes
	has_time || listed_cases rare
	[ -n "${ONLY:-}${ALL:-}${IN_PARALLEL:-}" ] || listed_cases slow
	[ "$CPUS" -gt 1 ] || say ftrace/func_cpumask.tc
	# A kernel without BTF does not know the names of arguments.
	has_options "$1" btf || printf '%s.tc\n' control/bpf-types control/probes-names \
		dynevent/add_remove_btfarg
	# Debian has no trace-cmd for this architecture.
	[ -z "$DEB_SOURCE" ] || printf 'control/%s.tc\n' trace-cmd trace-cmd-events trace-cmd-hist
	# Guests of other architectures have no perf: see packages.list.
	[ -z "$DEB_ARCH" ] || cases_of_perf
}

# has_time: true if cases that take minutes may run: ONLY= names them, or make test-all tests
# one architecture
has_time()
{
	[ -n "${ONLY:-}" ] || { [ -n "${ALL:-}" ] && [ -z "${EVERY_ARCH:-}" ]; }
}

# cases_of_perf: prints the cases that run perf
cases_of_perf()
{
	printf 'control/%s.tc\n' perf-ftrace perf-tool perf-tools probes-perf probes-tools
}

# few_cases: prints the name of the short list that the whole suite uses in this kernel, or
# nothing
few_cases()
{
	if [ -n "$variant" ]; then
		cell variant "$variant" few
	elif [ -n "${IN_PARALLEL:-}" ]; then
		say parallel
	fi
}

# part_cases: prints the cases that ONLY= names, or those of the part; or, in the whole suite, the
# short list of the kernel
part_cases()
{
	local list=${row[cases]:-}

	[ -n "$list" ] || [ -n "${ONLY:-}" ] || list=$(few_cases)
	if [ "${row[name]}" = only ]; then
		printf '%s\n' "${only_cases[@]}"
	elif [ -n "$list" ]; then
		listed_cases "$list" | suitable_cases "$variant"
	else
		"${row[which]}" | suitable_cases "$variant"
	fi
}

# seed_order: copies stdin; with SEED=n in another order, which depends only on n and the names
seed_order()
{
	if [ -z "${SEED:-}" ]; then
		cat
	else
		while read -r name; do
			printf '%s %s\n' "$(sha256sum <<<"$SEED $name" | cut -c -16)" "$name"
		done | sort | cut -d ' ' -f 2
	fi
}

# runs_old_breakpoints: true if the kernel hits the fault of ran_old_breakpoint too often to boot
# it again. Only x86 patches static keys with breakpoints.
runs_old_breakpoints()
{
	has_sections "$variant" || [ "$SRC_ARCH/$variant" = x86/static ]
}

# add_cases root: adds ftracetest and the list of cases to run
add_cases()
{
	local root=$1

	mkdir -p "$root/selftests"
	cp -a "$LINUX/$SELFTESTS" "$root/selftests/ftrace"
	# These cases search for a pid in the whole line and sometimes find its digits in a
	# time stamp: restrict the search to the task.
	# shellcheck disable=SC2016
	sed -i 's/grep \(-v \)\?\$PID |/grep \1-e "-$PID " |/' \
		"$root"/selftests/ftrace/test.d/ftrace/func-filter{,-notrace}-pid.tc
	part_cases | seed_order >"$root/cases"
	[ -z "${SEED:-}" ] || say "   SEED=$SEED determines the order of the cases"
	! grep -qxFf <(cases_of_perf) "$root/cases" || add_perf "$root"
	! runs_old_breakpoints || row[ACCEL]=$CPUS_IN_TURNS
}

# add_base_cases root: adds ftracetest and all cases of the base, except one that hangs on MIPS
# with the stock tracer, too
add_base_cases()
{
	local cases

	cases=$(cd "$PRISTINE/$SELFTESTS/test.d" && find . -name '*.tc' -printf '%P\n' | sort)
	[ "$SRC_ARCH" != mips ] || cases=$(grep -vx kprobe/multiple_kprobes.tc <<<"$cases")
	add_cases "$1"
	printf '%s\n' "$cases" >"$1/cases"
}

# add_perf root: adds perf, and the scripts of perf-tools
add_perf()
{
	local root=$1 program

	# uprobe-perf requires file, objdump and ldconfig. ldconfig is a static program.
	for program in perf bash file objdump; do
		copy_program "$root" "$program"
	done
	cp "$(debian_file ldconfig)" "$root/bin"
	dpkg -L perf-tools-unstable | grep -E '/s?bin/[^/]*-perf$' | xargs cp -t "$root/bin"
}

# ktap_lines console: prints the lines of KTAP, with the diagnostics of tests. Other kernel
# messages are dropped: between the lines of a suite's head they would hide its name.
ktap_lines()
{
	grep -aE '^(\[ *[0-9.]+\](\[[^]]*\])? )?(    |KTAP version |1\.\.[0-9]|# |(not )?ok )' \
		"$1" || true
}

# logs_first output: prints the output of ftracetest with each log moved before the result of
# its case, where a KTAP parser expects it
logs_first()
{
	awk '
		function tell() { if (held != "") print held; held = "" }
		/^(not )?ok / { tell(); held = $0; next }
		!/^#/ { tell() }
		{ print }
		END { tell() }' "$1"
}

# report_kunit: reports the KUnit tests that the console shows
report_kunit()
{
	ktap_lines "$LOG/$file.console" >"$RESULTS/$file-kunit.ktap"
	ktap_report "$file-kunit"
}

# report_selftests: reports the boot-time self-tests that the console shows
report_selftests()
{
	local line status

	ktap_open "$file-selftests"
	while read -r line; do
		status=0
		[ "${line##*: }" = PASSED ] || status=1
		line=${line#Testing }
		ktap_case $status "${line%: PASSED}"
	done < <(grep -o 'Testing .*: [A-Z].*' "$LOG/$file.console")
	ktap_close
}

# report_ftracetest: reports the cases that the output of the guest script shows
report_ftracetest()
{
	logs_first "$LOG/$file.output" >"$RESULTS/$file-ftracetest.ktap"
	ktap_report "$file-ftracetest"
}

# report_cases: reports KUnit, the self-tests and ftracetest
report_cases()
{
	report_kunit
	report_selftests
	report_own_cases
}

# report_own_cases: reports ftracetest. A skipped case is a failure: cases that the kernel cannot
# pass have to be in a list of left_out_of().
report_own_cases()
{
	local log=$LOG/$file-skipped status=0

	report_ftracetest
	! grep '# SKIP' "$RESULTS/$file-ftracetest.ktap" >"$log" || status=1
	ktap_open "$file-skipped"
	ktap_case $status "$file: no case was skipped" "$log"
	ktap_close
}

# find_case name: prints the paths of cases, whose names may lack the directory and .tc. A
# pattern matches only cases that the kernel can pass.
find_case()
{
	local name=${1%.tc}.tc

	if is_pattern "$1"; then
		all_cases | suitable_cases "${VARIANT:-}" | sed 's,^,/,' |
			matching_names "*/$name" | cut -c 2-
	else
		(cd "$LINUX/$SELFTESTS/test.d" && find . -path "*/$name" -printf '%P\n' | grep .)
	fi
}

# base_suites: prints sources of KUnit suites of the base that test our code
base_suites()
{
	[ "$SRC_ARCH" != x86 ] || ls "$LINUX/lib/test_fprobe.c" 2>/dev/null || true
}

# all_suites: prints the names of our KUnit suites and of the base's suites that test our code
all_suites()
{
	{ overlay_files | grep '_kunit\.c$'; base_suites; } | xargs -d '\n' sed -n \
		'/struct kunit_suite .*=/,/}/s/.*\.name[ \t]*= "\(.*\)".*/\1/p' | sort
}

# all_kunit_cases: prints the names of the tests in our KUnit suites
all_kunit_cases()
{
	overlay_files | grep '_kunit\.c$' |
		xargs -d '\n' sed -n 's/.*KUNIT_CASE[A-Z_]*(\([^,)]*\).*/\1/p'
}

# has_suite pattern: true if a suite matches. The pattern is one for kunit.filter_glob: suite
# or suite.test
has_suite()
{
	all_suites | matching_names "${1%%.*}" >/dev/null &&
		{ [[ $1 != *.* ]] || all_kunit_cases | matching_names "${1#*.}" >/dev/null; }
}

# matching_names pattern: prints the names on stdin that match; fails if none does
matching_names()
{
	local name

	while read -r name; do
		# shellcheck disable=SC2053
		[[ $name != $1 ]] || say "$name"
	done | grep .
}
