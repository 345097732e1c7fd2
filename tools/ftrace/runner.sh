# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: runs parts of the suite. Each is a process group of its own, which is
# ended when it takes longer than its row allows, and hands its results over.
# shellcheck disable=SC2034,SC2154

export TEST_BEGAN=${TEST_BEGAN:-$(date +%s)}
GUEST_SCRIPTS=$TOOLS/tests/guest
# What parts have their kernels from is built once.
declare -A built

# build_for_part: the kernel and its test modules
build_for_part()
{
	[ -n "$kernel" ] && [ -z "${built[$kernel]:-}" ] || return 0
	built[$kernel]=1
	VARIANT=$variant "$TOOLS/kernel.sh"
	build_test_modules "$LINUX" "$kernel"
	[ -z "${row[stock]:-}" ] || VARIANT=$variant "$TOOLS/stock.sh"
}

# file_of id: what the part's files are called
file_of()
(
	take_id "$1"
	say "${kernel:-$ARCH}-${row[name]//\//-}"
)

# run_id id: leaves results for ktap_take_over
run_id()
{
	local id=$1 file start status=0 why

	take_id "$id"
	file=$(file_of "$id")
	build_for_part
	step "${ahead:+$ahead: }$id: ${row[is]}${kernel:+ (build/$kernel)}"
	start=$SECONDS
	rm -f "$RESULTS/$file.sum"
	begin do_part
	finish "$job" "$LOG/$file.stuck" || status=$?
	why="it ended with status $status"
	[ ! -s "$LOG/$file.stuck" ] || why=$(cat "$LOG/$file.stuck")
	[ -f "$RESULTS/$file.sum" ] || (ktap_not_ended "$file" "$id" "$why")
	say "$((SECONDS - start)) $ARCH $id at $(minutes_on)" >>"$RESULTS/seconds"
}

# minutes_on: since make test was called
minutes_on()
{
	say $((($(date +%s) - TEST_BEGAN) / 60))
}

# do_part: what is in row[], counted from nothing
do_part()
{
	SECONDS=0 passed=0 failed=0 failed_reports=()
	"${row[run]:-boot_part}"
	ktap_hand_over "$file"
}

# run_ids id...: in that order; or two at a time, the longest first, if they are made for that
run_ids()
{
	local id lanes=1

	rm -rf "$RESULTS/begun-$ARCH"
	mkdir "$RESULTS/begun-$ARCH"
	if [ $# -gt 1 ] && share_machine "$@"; then
		lanes=2
		build_for_ids "$@"
		run_by_twos "$@"
	else
		run_lane "$@"
	fi
	for id; do
		ktap_take_over "$(file_of "$id")" "$id"
	done
}

run_by_twos()
{
	local second ids

	mapfile -t ids < <(longest_first "$@")
	begin run_lane "${ids[@]}"
	second=$job
	run_lane "${ids[@]}"
	finish "$second" || true
}

# longest_first id...: so that both lanes end at about the same time
longest_first()
{
	local id

	for id; do
		take_id "$id"
		say "${row[takes]:-30} $id"
	done | sort -s -k 1,1nr | cut -d ' ' -f 2
}

# run_lane id...: those that no other lane has begun, each with how many there are and how long
# all of them will take
run_lane()
{
	local id n=0 ahead

	for id; do
		n=$((n + 1))
		mkdir "$RESULTS/begun-$ARCH/$n" 2>/dev/null || continue
		ahead="$n of $#, $(time_of "${@:n}") to go"
		run_id "$id"
	done
}

# share_machine id...: may two of them run at a time? Not where another architecture is tested
# beside them, nor what builds.
share_machine()
{
	local id

	[ -z "${ALL:-}${BESIDE:-}" ] || return 1
	for id; do
		take_id "$id"
		case ${row[run]:-} in
		'' | host_test | boots_test) ;;
		*) return 1 ;;
		esac
	done
}

# build_for_ids id...
build_for_ids()
{
	local id

	for id; do
		take_id "$id"
		build_for_part
	done
}

# time_of id...: what these take on two CPUs that are idle, without kernels to be built. What
# is run two at a time takes half of that, but no less than the longest.
time_of()
{
	local id times longest=0 seconds=0

	for id; do
		take_id "$id"
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

# boot_part: boots what the row says, and reads what came of it
boot_part()
{
	boot_row "$file" "$kernel"
	"${row[result]:-script_result}"
	boot_judged "$file"
}

# boot_row name kernel: boots, and counts the boot itself as a test: it fails on any report
# of the kernel or a hang, and when there was no boot
boot_row()
{
	local name=$1 kernel=$2 log=$LOG/boot-$1.log root=$BUILD/test/root-$1 status=0 key words=()
	local judge allow
	local good=${row[ENDS]:-no panic, no report, no hang}

	rm -rf "$root"
	# There may be no module that the part needs.
	mkdir -p "$BUILD/$kernel/testmods"
	guest_programs "$root"
	[ -z "${row[lay]:-}" ] || "${row[lay]}" "$root"
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

# rounds: how often in this kernel, for it to last some minutes. Beside other guests they
# take four times as long.
rounds()
{
	local n=$STRESS_ROUNDS parts=${row[longer]:-1}

	case $variant in
	debug | kcsan)	parts=$((parts * (${#ONLY} ? 6 : 12))) ;;
	*)		[ -z "$EVERY_ARCH${BESIDE:-}" ] || parts=$((parts * 4)) ;;
	esac
	say "${ROUNDS:-$(((n + parts - 1) / parts))}"
}

# boot_judged name: all that the boot of boot_row printed has been counted.
# boot.sh has kept the console of one that ended badly.
boot_judged()
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

# console_has: what the row says under that name
console_has()
{
	local bad=0

	grep -qE -- "${row[has]}" "$LOG/$file.console" || bad=1
	ktap_open "$file"
	ktap_case $bad "${row[is]}: ${row[has]}"
	ktap_close
}

# lay_kernel root: this kernel, for the guest to boot another one
lay_kernel()
{
	mkdir -p "$1/kexec"
	cp "$BUILD/$kernel/$IMAGE" "$1/kexec/kernel"
}

# host_test: a script of tests/host, which is one test, and more if it prints KTAP
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

# lint_test: what lint prints is what it found
lint_test()
{
	local status=0

	"$TOOLS/lint.sh" >"$LOG/lint.out" 2>&1 || status=1
	[ ! -s "$LOG/lint.out" ] || status=1
	ktap_open "$file"
	ktap_case $status "nothing printed" "$LOG/lint.out"
	ktap_close
}

# run_case case...: below test.d, all in one boot
run_case()
{
	only_cases=("$@")
	part only "ftracetest $*" RUN=ftracetest SMP=2 lay=lay_cases \
		result=report_ftracetest
	run_ids "$(in_variant only)"
}

# run_suites suite...: one, or those that a pattern fits; with more names, all that there are
run_suites()
{
	local append=kunit.enable=1

	[ $# -gt 0 ] || return 0
	[ $# -gt 1 ] || append+=" kunit.filter_glob=$1"
	part only-suites "KUnit suites $*" RUN=true SMP=2 APPEND="$append" \
		result=report_kunit
	run_ids "$(in_variant only-suites)"
}

# run_several name...: suites in one boot, and cases in another
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
				"More than one name can be given of those only."
		fi
	done
	run_suites "${suites[@]}"
	[ ${#cases[@]} -eq 0 ] || run_case "${cases[@]}"
}

# run_only name: what is no part. The first of these that there is; stops if there is none,
# before anything is built.
run_only()
{
	local cases ids packages

	if [[ $1 == *' '* ]]; then
		# Words, a name each.
		# shellcheck disable=SC2086
		run_several $1
	elif cases=$(find_case "$1"); then
		mapfile -t cases <<<"$cases"
		run_case "${cases[@]}"
	elif [ -n "${FRAGMENT:-}" ] || has_suite "$1"; then
		run_suites "$1"
	else
		mapfile -t ids < <(all_ids | fit "$1")
		[ ${#ids[@]} -gt 0 ] || die "ONLY=$1: there is no such test. There are:" \
			"$(list_tests | sed '2,$s/^/       /')"
		mapfile -t packages < <(packages_of_ids "${ids[@]}")
		needs test "${packages[@]}"
		run_ids "${ids[@]}"
	fi
}

list_tests()
{
	names_line "parts" < <(all_ids)
	names_line "KUnit suites" < <(all_suites)
	names_line "cases" < <(all_cases | sed 's,.*/,,')
}

# names_line what: the names that come in, in lines that fit
names_line()
{
	{ printf '%s: ' "$1"; paste -sd ' '; } | fold -s -w 70 |
		sed -e 's/ *$//' -e '2,$s/^/  /' -e 's/^/  /'
}
