# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: ONLY=name, one part of the suite. It may be a host test, a
# .tc case, a KUnit suite (or suite.test), or one of the parts below.

SPECIAL_PARTS=(alike anomaly boot-trace btf carried configs debug discover dump kexec lint
	nmi no-memory preempted static stress tracers)

# run_only name: stops when there is no such part, before anything is built
run_only()
{
	local cases

	if [[ $1 == configs/* ]]; then
		configs_test "${1#configs/}"
	elif is_special "$1"; then
		special_part "$1"
	elif [ -x "$HOST_TESTS/$1.sh" ]; then
		host_tests "$1"
	elif cases=$(find_case "$1"); then
		build_for_test "$ARCH"
		only_case "$cases"
	elif [ -n "${FRAGMENT:-}" ] || has_suite "$1"; then
		build_for_test "$ARCH"
		only_suite "$1"
	else
		die "ONLY=$1: there is no such test. There are:" \
		    "$(list_parts | sed '2,$s/^/       /')"
	fi
}

is_special()
{
	[[ " ${SPECIAL_PARTS[*]} " == *" $1 "* ]]
}

special_part()
{
	case $1 in
	configs)
		configs_test ;;
	btf)
		btf_tests "$ARCH-btf" ;;
	debug)
		debug_tests "$ARCH-debug" ;;
	discover | static)
		variant_tests "$ARCH-$1" ;;
	kexec)
		build_for_test "$ARCH"
		kexec_test "$ARCH" ;;
	dump)
		build_for_test "$ARCH"
		dump_test "$ARCH" ;;
	nmi)
		build_for_test "$ARCH"
		nmi_test "$ARCH" ;;
	lint)
		lint_test ;;
	no-memory)
		build_for_test "$ARCH-debug"
		no_memory_test "$ARCH-debug" ;;
	alike)
		alike_test ;;
	carried)
		build_for_test "$ARCH"
		carried_test "$ARCH" ;;
	preempted)
		build_for_test "$ARCH"
		preempted_test "$ARCH" ;;
	stress | tracers)
		build_for_test "$(stressed_kernel)"
		"$1_test" "$(stressed_kernel)" "${ROUNDS:-$STRESS_ROUNDS}" ;;
	anomaly)
		build_for_test "$ARCH"
		anomaly_test "$ARCH" ;;
	boot-trace)
		build_for_test "$ARCH"
		boot_trace_test "$ARCH" ;;
	esac
}

# With DEBUG=1 the one with lockdep and KASAN.
stressed_kernel()
{
	say "$ARCH${VARIANT:+-$VARIANT}"
}

# find_case name: with or without its directory and .tc
find_case()
{
	(cd "$LINUX/$SELFTESTS/test.d" &&
		find . -path "*/${1%.tc}.tc" -printf '%P\n' | grep . )
}

# all_suites: each KUnit test of ours as suite.test. A file's tests count for all
# of its suites.
all_suites()
{
	# shellcheck disable=SC2016
	overlay_files | grep '_kunit\.c$' | xargs -d '\n' awk '
		/KUNIT_CASE[A-Z_]*\(/ {
			gsub(/.*KUNIT_CASE[A-Z_]*\(|[,)].*/, "")
			cases[FILENAME] = cases[FILENAME] " " $0
		}
		/^(static )?struct kunit_suite .*=/ { inside = 1 }
		inside && /\.name[ \t]*=/ {
			split($0, quoted, "\"")
			suites[quoted[2]] = FILENAME
			inside = 0
		}
		END {
			for (suite in suites) {
				n = split(cases[suites[suite]], names, " ")
				for (i = 1; i <= n; i++)
					print suite "." names[i]
			}
		}' | sort
}

# has_suite pattern: as kunit.filter_glob takes it: suite, or suite.test
has_suite()
{
	local pattern=$1 name

	[[ $pattern == *.* ]] || pattern+='.*'
	while read -r name; do
		# shellcheck disable=SC2053
		[[ ${name%%.*} != ${pattern%%.*} || ${name#*.} != ${pattern#*.} ]] ||
			return 0
	done < <(all_suites)
	return 1
}

list_parts()
{
	parts_line "host tests" < <(basename -a -s .sh "$HOST_TESTS"/*.sh)
	parts_line "KUnit suites" < <(all_suites | cut -d. -f1 | uniq)
	parts_line "cases" < <(all_cases | sed 's,.*/,,')
	parts_line "others" < <(printf '%s\n' "${SPECIAL_PARTS[@]}")
}

# parts_line what: the names that come in, in lines that fit
parts_line()
{
	{ printf '%s: ' "$1"; paste -sd ' '; } | fold -s -w 70 |
		sed -e 's/ *$//' -e '2,$s/^/  /' -e 's/^/  /'
}

# only_case names: below test.d, one a line
only_case()
{
	local cases

	mapfile -t cases <<<"$1"
	step "ftracetest ${cases[*]}"
	ftracetest_root "$BUILD/test/root-only" "${cases[@]}"
	boot_test only "$ARCH" "$GUEST_SCRIPTS/ftracetest.sh" SMP=2 \
		ROOT="$BUILD/test/root-only" APPEND=kunit.enable=0
	logs_first "$LOG/only.output" >"$RESULTS/only-case.ktap"
	ktap_report only-case "$RESULTS/only-case.ktap"
	boot_judged only
}

only_suite()
{
	step "KUnit suite $1"
	boot_test only "$ARCH" "$GUEST_SCRIPTS/true.sh" SMP=2 \
		APPEND="kunit.filter_glob=$1"
	ktap_lines "$LOG/only.console" >"$RESULTS/only-suite.ktap"
	ktap_report only-suite "$RESULTS/only-suite.ktap"
	boot_judged only
}
