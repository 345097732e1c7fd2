# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: runs parts of the suite. Each part is a process group of its own, which
# is killed when it is stuck; it hands its results over in a file.
# shellcheck disable=SC2034,SC2154

export TEST_BEGAN=${TEST_BEGAN:-$(date +%s)}
GUEST_SCRIPTS=$TOOLS/tests/guest
# Kernels that this process has built: each is built once.
declare -A built

# build_for_part: builds the kernel of the part and its test modules
build_for_part()
{
	[ -n "$kernel" ] && [ -z "${built[$kernel]:-}" ] || return 0
	built[$kernel]=1
	VARIANT=$variant "$TOOLS/kernel.sh"
	build_test_modules "$LINUX" "$kernel"
	[ -z "${row[stock]:-}" ] || VARIANT=$variant "$TOOLS/stock.sh"
}

# build_ahead: builds kernels while parts run that need none: that of the first guests, and then, at
# low priority, those that are needed later. Failures are ignored, because each part builds its
# kernel again if necessary, and reports it.
build_ahead()
{
	local arch variant

	"$TOOLS/kernel.sh" || true
	[ -z "$EVERY_ARCH" ] || for arch in $(other_archs); do
		has_minutes_left || return 0
		ARCH=$arch nice -n 5 "$TOOLS/kernel.sh" || true
	done
	for variant in $(suite_kernels | grep -vx -e none -e usual); do
		VARIANT=$variant nice -n 5 "$TOOLS/kernel.sh" || true
	done
}

# file_of id: prints the base name of the part's files
file_of()
(
	select_part "$1"
	say "${kernel:-$ARCH}-${row[name]//\//-}"
)

# run_id id: runs a part, and leaves its results for ktap_take_over
run_id()
{
	local id=$1 file start status=0 why

	select_part "$id"
	file=$(file_of "$id")
	build_for_part
	step "${ahead:+$ahead: }$id: ${row[title]}${kernel:+ (build/$kernel)}"
	start=$SECONDS
	rm -f "$RESULTS/$file.sum"
	begin do_part
	finish "$job" "$LOG/$file.stuck" || status=$?
	why="it ended with status $status"
	[ ! -s "$LOG/$file.stuck" ] || why=$(cat "$LOG/$file.stuck")
	[ -f "$RESULTS/$file.sum" ] || (ktap_not_ended "$file" "$id" "$why")
	say "$((SECONDS - start)) $ARCH $id at $(minutes_since_begin)" >>"$RESULTS/seconds"
}

# minutes_since_begin: prints the minutes since make test began
minutes_since_begin()
{
	say $((($(date +%s) - TEST_BEGAN) / 60))
}

# do_part: runs the part whose columns are in row[], with all counters at 0
do_part()
{
	SECONDS=0 passed=0 failed=0 failed_reports=()
	"${row[run]:-boot_part}"
	ktap_save_sums "$file"
}

# run_ids id...: runs parts in that order; or two at a time, the longest first, if
# may_run_in_parallel allows it
run_ids()
{
	local id lanes=1

	rm -rf "$RESULTS/begun-$ARCH"
	mkdir "$RESULTS/begun-$ARCH"
	if [ $# -gt 1 ] && may_run_in_parallel "$@"; then
		lanes=2
		build_for_ids "$@"
		run_two_lanes "$@"
	else
		run_lane "$@"
	fi
	for id; do
		ktap_take_over "$(file_of "$id")" "$id"
	done
}

run_two_lanes()
{
	local second ids

	mapfile -t ids < <(longest_first "$@")
	begin run_lane "${ids[@]}"
	second=$job
	run_lane "${ids[@]}"
	finish "$second" || true
}

# longest_first id...: sorts parts by duration, so that both lanes end at about the same time
longest_first()
{
	local id

	for id; do
		select_part "$id"
		say "${row[takes]:-30} $id"
	done | sort -s -k 1,1nr | cut -d ' ' -f 2
}

# run_lane id...: runs the parts that no other lane has begun. Each announces its number and the
# time that is left.
run_lane()
{
	local id n=0 ahead

	for id; do
		n=$((n + 1))
		mkdir "$RESULTS/begun-$ARCH/$n" 2>/dev/null || continue
		ahead="$n of $#, $(time_for "${@:n}") to go"
		run_id "$id"
	done
}

# may_run_in_parallel id...: true if two of these parts may run at a time: not while another
# architecture is tested, and no parts that build kernels.
may_run_in_parallel()
{
	local id

	[ -z "${ALL:-}${IN_PARALLEL:-}" ] || return 1
	for id; do
		select_part "$id"
		case ${row[run]:-} in
		'' | host_test | boots_test) ;;
		*) return 1 ;;
		esac
	done
}

# build_for_ids id...: builds the kernels of all of them
build_for_ids()
{
	local id

	for id; do
		select_part "$id"
		build_for_part
	done
}

# time_for id...: prints how long these parts take on two idle CPUs, without building kernels.
# Two lanes take half of the time, but no less than the longest part.
time_for()
{
	local id times longest=0 seconds=0

	for id; do
		select_part "$id"
		times=1
		[ "$variant" != debug ] || times=4
		times=$((times * ${row[takes]:-30}))
		seconds=$((seconds + times))
		[ $times -lt $longest ] || longest=$times
	done
	seconds=$((seconds / lanes))
	[ $seconds -gt $longest ] || seconds=$longest
	if [ $seconds -lt 120 ]; then
		say "$seconds s"
	else
		say "$(((seconds + 30) / 60)) min"
	fi
}

# boot_part: boots the part whose columns are in row[] (see tests/parts.sh), and reports the results
boot_part()
{
	boot_row "$file" "$kernel"
	"${row[result]:-script_result}"
	keep_console_if_failed "$file"
}

# boot_row name kernel: boots with the columns in row[] (see tests/parts.sh), and counts the boot
# itself as a test. The test fails on any kernel report, on a hang, and if the guest does not start.
boot_row()
{
	local name=$1 kernel=$2 log=$LOG/boot-$1.log root=$BUILD/test/root-$1 status=0 key words=()
	local judge allow
	local good=${row[ENDS]:-no panic, no report, no hang}

	rm -rf "$root"
	# boot.sh needs the directory, even if the part has no modules.
	mkdir -p "$BUILD/$kernel/testmods"
	guest_programs "$root"
	[ -z "${row[add]:-}" ] || "${row[add]}" "$root"
	for key in "${!row[@]}"; do
		[[ $key != [A-Z]* ]] || words+=("$key=${row[$key]}")
	done
	allow=$(cell variant "$variant" ALLOW || true)
	[ -z "$allow" ] || words+=("ALLOW=$allow${row[ALLOW]:+|${row[ALLOW]}}")
	rm -f "$LOG/$name.console" "$LOG/$name.output"
	env APPEND= "${words[@]/ROUNDS/$(rounds)}" \
		RUN="$GUEST_SCRIPTS/${row[RUN]}.sh" KERNEL="$BUILD/$kernel" BOOT_NAME="$name" \
		MODULES="$BUILD/$kernel/testmods" ROOT="$root" \
		"$TOOLS/boot.sh" >"$log" 2>&1 || status=$?
	grep -s 'booting again' "$log" || true
	touch "$LOG/$name.console" "$LOG/$name.output"
	ktap_open "$name-boot"
	[ ! -s "$LOG/$name.console.hung" ] || good="it ends within its limits"
	if [ $status -eq 125 ]; then
		ktap_case 1 "$name: $good" "$log"
	elif [ $status -eq 0 ] || grep -q 'guest exit status' "$LOG/$name.console"; then
		ktap_case 0 "$name: $good"
	else
		ktap_case 1 "$name: the guest was started" "$log"
	fi
	ktap_close
	judge=$(cell variant "$variant" judge || true)
	[ -z "$judge" ] || "$judge" "$name"
}

# rounds: prints how many rounds take some minutes in this kernel. In parallel to other guests a
# round takes four times as long.
rounds()
{
	local n=$STRESS_ROUNDS parts=${row[longer]:-1}

	case $variant in
	debug | kcsan)	parts=$((parts * (${#ONLY} ? 6 : 12))) ;;
	*)		[ -z "$EVERY_ARCH${IN_PARALLEL:-}" ] || parts=$((parts * 4)) ;;
	esac
	say "${ROUNDS:-$(((n + parts - 1) / parts))}"
}

# keep_console_if_failed name: keeps the console of a boot if a test failed, unless boot.sh has kept
# it because the guest itself failed. To be called after all results of the boot are counted.
keep_console_if_failed()
{
	[ "$failed" -gt 0 ] || return 0
	! grep -q 'The whole console:' "$LOG/boot-$1.log" || return 0
	say "   $1: its console is kept as $(keep_console "$1")"
}

script_result()
{
	cp "$LOG/$file.output" "$RESULTS/$file.ktap"
	ktap_report "$file"
}

# console_has: one result, passed if the console matches the pattern of the row
console_has()
{
	local bad=0

	grep -qE -- "${row[has]}" "$LOG/$file.console" || bad=1
	ktap_open "$file"
	ktap_case $bad "${row[title]}: ${row[has]}"
	ktap_close
}

# add_kernel_image root: adds the kernel image, for the guest to boot with kexec
add_kernel_image()
{
	mkdir -p "$1/kexec"
	cp "$BUILD/$kernel/$IMAGE" "$1/kexec/kernel"
}

# host_test: runs a script of tests/host. It counts as one test, and the tests in its KTAP
# output count as well.
host_test()
{
	local name=${row[name]} status=0 log=$LOG/$file.log

	"$TOOLS/tests/$name.sh" >"$log" 2>&1 || status=$?
	if grep -q '^KTAP version' "$log"; then
		cp "$log" "$RESULTS/$file-cases.ktap"
		ktap_report "$file-cases"
		log=
	fi
	ktap_open "$file"
	ktap_case $status "${name#host/}" "$log"
	ktap_close
}

# lint_test: runs lint.sh, which prints only what is wrong
lint_test()
{
	local status=0

	"$TOOLS/lint.sh" >"$LOG/lint.out" 2>&1 || status=1
	[ ! -s "$LOG/lint.out" ] || status=1
	ktap_open "$file"
	ktap_case $status "nothing printed" "$LOG/lint.out"
	ktap_close
}

# run_case case...: runs cases, by their paths below test.d, in one boot
run_case()
{
	only_cases=("$@")
	part only "ftracetest $*" RUN=ftracetest SMP=2 add=add_cases \
		result=report_ftracetest
	run_ids "$(in_variant only)"
}

# run_suites suite...: runs the KUnit suites that the name or pattern matches. Several names run
# all suites, as kunit.filter_glob takes one pattern.
run_suites()
{
	local append=kunit.enable=1

	[ $# -gt 0 ] || return 0
	[ $# -gt 1 ] || append+=" kunit.filter_glob=$1"
	part only-suites "KUnit suites $*" RUN=true SMP=2 APPEND="$append" \
		result=report_kunit
	run_ids "$(in_variant only-suites)"
}

# run_several name...: runs suites in one boot and cases in another
run_several()
{
	local name found cases=() suites=()

	for name; do
		if found=$(find_case "$name"); then
			mapfile -t -O ${#cases[@]} cases <<<"$found"
		elif has_suite "$name"; then
			suites+=("$name")
		else
			die "ONLY: $name is neither a case nor a KUnit suite" \
				"Only cases and suites can be combined in one list of names."
		fi
	done
	run_suites "${suites[@]}"
	[ ${#cases[@]} -eq 0 ] || run_case "${cases[@]}"
}

# run_only name: runs what ONLY= names if no part has that name: several names, cases, suites,
# or a pattern for parts. Exits before building anything if nothing matches.
run_only()
{
	local cases ids names

	if [[ $1 == *' '* ]]; then
		# Each word is a name.
		# shellcheck disable=SC2086
		run_several $1
	elif cases=$(find_case "$1"); then
		mapfile -t cases <<<"$cases"
		run_case "${cases[@]}"
	elif [ -n "${FRAGMENT:-}" ] || has_suite "$1"; then
		run_suites "$1"
	else
		mapfile -t ids < <(all_ids | matching_names "$1")
		[ ${#ids[@]} -gt 0 ] || die "ONLY=$1: there is no such test. There are:" \
			"$(list_tests | sed '2,$s/^/       /')"
		mapfile -t names < <(package_names "${ids[@]}")
		needs test "${names[@]}"
		run_ids "${ids[@]}"
	fi
}

list_tests()
{
	names_line "parts" < <(all_ids)
	names_line "KUnit suites" < <(all_suites)
	names_line "cases" < <(all_cases | sed 's,.*/,,')
}

# names_line title: prints the names on stdin, folded to short lines
names_line()
{
	{ printf '%s: ' "$1"; paste -sd ' '; } | fold -s -w 70 |
		sed -e 's/ *$//' -e '2,$s/^/  /' -e 's/^/  /'
}
