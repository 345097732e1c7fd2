# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: KUnit, the boot-time self-tests and the cases of ftracetest: which of them, and
# what a boot with them has said. row[], kernel, variant and file are those of the part.
# shellcheck disable=SC2154

SELFTESTS=tools/testing/selftests/ftrace

# listed_cases name: those of tests/NAME.list
listed_cases()
{
	sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$TOOLS/tests/$1.list"
}

# base_cases: the stock ones that concern what is built
base_cases()
{
	listed_cases ftracetest
}

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

# cases_for variant: what that kernel can pass of those that come in
cases_for()
{
	grep -vxFf <(left_out_of "$1")
}

# has_sections variant: are irqsoff and preemptoff configured?
has_sections()
{
	grep -qsx CONFIG_IRQSOFF_TRACER=y "base/configs/$1.config"
}

left_out_of()
{
	local list

	list=$(cell variant "$1" left_out || true)
	listed_cases "${list:-ordinary}"
	has_sections "$1" || listed_cases sections
	[ "$1" = large ] || listed_cases large
	[ "$SRC_ARCH" != mips ] || listed_cases mips
	has_time || listed_cases rare
	[ -n "${ONLY:-}${ALL:-}${BESIDE:-}" ] || listed_cases slow
	[ "$CPUS" -gt 1 ] || say ftrace/func_cpumask.tc
	# Without types of its own the kernel knows no names.
	[ "$1" = btf ] || printf '%s.tc\n' control/probes-names dynevent/add_remove_btfarg
	# Debian has no trace-cmd for it.
	[ -z "$DEB_SOURCE" ] || printf 'control/%s.tc\n' trace-cmd trace-cmd-events trace-cmd-hist
	# See PERF_PACKAGES.
	[ -z "$DEB_ARCH" ] || cases_of_perf
}

# has_time: for cases that take minutes: who names tests or one architecture waits for all
has_time()
{
	[ -n "${ONLY:-}" ] || { [ -n "${ALL:-}" ] && [ -z "${EVERY_ARCH:-}" ]; }
}

# Those that need perf itself
cases_of_perf()
{
	printf 'control/%s.tc\n' perf-ftrace perf-tool perf-tools probes-perf probes-tools
}

# few_cases: the list of those that are enough here in the whole suite, or nothing
few_cases()
{
	if [ -n "$variant" ]; then
		cell variant "$variant" few
	elif [ -n "${BESIDE:-}" ]; then
		say beside
	fi
}

# part_cases: those that ONLY= names; or of the part, instead of which the whole suite runs few
# in some kernels
part_cases()
{
	local list=${row[cases]:-}

	[ -n "$list" ] || [ -n "${ONLY:-}" ] || list=$(few_cases)
	if [ "${row[name]}" = only ]; then
		printf '%s\n' "${only_cases[@]}"
	elif [ -n "$list" ]; then
		listed_cases "$list" | cases_for "$variant"
	else
		"${row[which]}" | cases_for "$variant"
	fi
}

# in_order: what comes in; with SEED=n in another order, which n determines, of any two
in_order()
{
	if [ -z "${SEED:-}" ]; then
		cat
	else
		while read -r name; do
			printf '%s %s\n' "$(sha256sum <<<"$SEED $name" | cut -c -16)" "$name"
		done | sort | cut -d ' ' -f 2
	fi
}

# Is it a kernel that meets ran_old_breakpoint so often that to boot again is no help? Only x86
# has breakpoints in static keys.
runs_old_breakpoints()
{
	has_sections "$variant" || [ "$SRC_ARCH/$variant" = x86/static ]
}

# lay_cases root: ftracetest for the guest, and the cases that it is to run
lay_cases()
{
	local root=$1

	mkdir -p "$root/selftests"
	cp -a "$LINUX/$SELFTESTS" "$root/selftests/ftrace"
	# These look for a pid anywhere in a line, and find its digits in a time
	# stamp now and then: let them look where the task stands.
	# shellcheck disable=SC2016
	sed -i 's/grep \(-v \)\?\$PID |/grep \1-e "-$PID " |/' \
		"$root"/selftests/ftrace/test.d/ftrace/func-filter{,-notrace}-pid.tc
	part_cases | in_order >"$root/cases"
	[ -z "${SEED:-}" ] || say "   the order of cases is that of SEED=$SEED"
	! grep -qxFf <(cases_of_perf) "$root/cases" || lay_perf "$root"
	! runs_old_breakpoints || row[ACCEL]=$CPUS_IN_TURNS
}

# lay_base_cases root: likewise, with all that the base has. One hangs on MIPS, with the stock
# tracer, too.
lay_base_cases()
{
	local cases

	cases=$(cd "$PRISTINE/$SELFTESTS/test.d" && find . -name '*.tc' -printf '%P\n' | sort)
	[ "$SRC_ARCH" != mips ] || cases=$(grep -vx kprobe/multiple_kprobes.tc <<<"$cases")
	lay_cases "$1"
	printf '%s\n' "$cases" >"$1/cases"
}

# lay_perf root: perf, and shell scripts that use it and the files of tracefs
lay_perf()
{
	local root=$1 program

	# uprobe-perf wants the last ones to be there, and ldconfig, which needs no library.
	for program in perf bash file objdump; do
		copy_program "$root" "$program"
	done
	cp "$(debian_file ldconfig)" "$root/bin"
	dpkg -L perf-tools-unstable | grep -E '/s?bin/[^/]*-perf$' | xargs cp -t "$root/bin"
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

report_kunit()
{
	ktap_lines "$LOG/$file.console" >"$RESULTS/$file-kunit.ktap"
	ktap_report "$file-kunit"
}

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

report_ftracetest()
{
	logs_first "$LOG/$file.output" >"$RESULTS/$file-ftracetest.ktap"
	ktap_report "$file-ftracetest"
}

# All that the kernel and ftracetest tell
report_cases()
{
	report_kunit
	report_selftests
	report_own_cases
}

# What ftracetest tells; and a case that lacks something must be listed.
report_own_cases()
{
	local log=$LOG/$file-skipped status=0

	report_ftracetest
	! grep '# SKIP' "$RESULTS/$file-ftracetest.ktap" >"$log" || status=1
	ktap_open "$file-skipped"
	ktap_case $status "$file: no case was skipped" "$log"
	ktap_close
}

# find_case name: with or without its directory and .tc. A pattern is one for those that the
# kernel can pass.
find_case()
{
	local name=${1%.tc}.tc

	if is_pattern "$1"; then
		all_cases | cases_for "${VARIANT:-}" | sed 's,^,/,' | fit "*/$name" | cut -c 2-
	else
		(cd "$LINUX/$SELFTESTS/test.d" && find . -path "*/$name" -printf '%P\n' | grep .)
	fi
}

# Suites of the base that are about what is ours, where there is that.
base_suites()
{
	[ "$SRC_ARCH" != x86 ] || ls "$LINUX/lib/test_fprobe.c" 2>/dev/null || true
}

# all_suites: KUnit's, those of ours, and the base's of what is ours
all_suites()
{
	{ overlay_files | grep '_kunit\.c$'; base_suites; } | xargs -d '\n' sed -n \
		'/struct kunit_suite .*=/,/}/s/.*\.name[ \t]*= "\(.*\)".*/\1/p' | sort
}

all_kunit_cases()
{
	overlay_files | grep '_kunit\.c$' |
		xargs -d '\n' sed -n 's/.*KUNIT_CASE[A-Z_]*(\([^,)]*\).*/\1/p'
}

# has_suite pattern: as kunit.filter_glob takes it: suite, or suite.test
has_suite()
{
	all_suites | fit "${1%%.*}" >/dev/null &&
		{ [[ $1 != *.* ]] || all_kunit_cases | fit "${1#*.}" >/dev/null; }
}

# fit pattern: those that come in that it fits; false if there are none
fit()
{
	local name

	while read -r name; do
		# shellcheck disable=SC2053
		[[ $name != $1 ]] || say "$name"
	done | grep .
}
