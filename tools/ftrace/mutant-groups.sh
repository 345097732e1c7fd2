# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by mutants.sh: several mutants in one kernel. All their cases run in one boot, and all
# their KUnit suites in another, so that a group takes little longer than a single mutant.
# shellcheck disable=SC2154

# next_group most name...: sets group to mutants that can be in one kernel, at most so many, and
# remaining to the rest. Mutants of a group change different files and are to be caught by
# different parts, so that a part that fails shows which mutant was caught.
next_group()
{
	local most=$1 name taken=' ' words

	shift
	group=() remaining=()
	for name; do
		mapfile -t words < <(mutant_files "$name"; mutant_part "$name")
		if [ ${#group[@]} -ge "$most" ] || has_any "$taken" "${words[@]}"; then
			remaining+=("$name")
			continue
		fi
		group+=("$name")
		taken+="${words[*]} "
	done
}

# has_any list word...: true if one of the words is in the list
has_any()
{
	local list=$1 word

	shift
	for word; do
		[[ $list != *" $word "* ]] || return 0
	done
	return 1
}

# sort_by_part name...: prints the mutants, sorted by how many of them are to be caught by the same
# part. The most frequent part comes first, because it determines the number of groups.
sort_by_part()
{
	local name

	for name; do
		say "$(mutant_part "$name") $name"
	done | awk '{ n[$1]++; part[NR] = $1; name[NR] = $2 }
		END { for (i = 1; i <= NR; i++) print n[part[i]], part[i], name[i] }' |
		sort -k1,1nr -k2,3 | cut -d ' ' -f 3
}

# ------------------------------------------------------------------
# Tests that can share a boot

# test_of part: prints the result file of a case or suite, and its title in that file. Prints
# nothing for other parts, which cannot share a boot.
test_of()
{
	local file

	case $1 in
	*.tc)
		file=$(find "$SELFTESTS/test.d" "$LINUX/$SELFTESTS/test.d" -path "*/$1" \
			-print -quit)
		say "only-ftracetest.ktap $(sed -n 's/^# description: //p' "${file:-/dev/null}")" ;;
	*)
		[ -n "$(ids_named "$1")" ] || say "only-suites-kunit.ktap $1" ;;
	esac
}

# result_of part: prints ok, "not ok", or nothing if the test has not ended. Some cases run twice,
# the second time in an instance; a failure of either counts.
result_of()
{
	local file title

	read -r file title < <(test_of "$1")
	[ -n "$title" ] || return 0
	awk -v title="$title" '
		{ sub(/\r$/, ""); sub(/^\[[^]]*\](\[[^]]*\])? /, "") }
		match($0, /^(not )?ok [0-9]+ /) {
			name = substr($0, RLENGTH + 1)
			sub(/^\(instance\) /, "", name)
			if (name == title && result != "not ok")
				result = /^not/ ? "not ok" : "ok"
		}
		END { print result }' "$RESULTS/$ARCH-$file" 2>/dev/null || true
}

# mutants_sharing_boots name...: prints the mutants whose tests can share a boot
mutants_sharing_boots()
{
	local name

	for name; do
		[ -z "$(test_of "$(mutant_part "$name")")" ] || say "$name"
	done
}

# run_shared_boots log part...: runs all cases in one boot and all suites in another; their results
# are in $RESULTS. A single test has nothing to share, and is not run.
run_shared_boots()
{
	local log=$1 part tests=()

	shift
	for part; do
		[ -z "$(test_of "$part")" ] || tests+=("$part")
	done
	rm -f "$RESULTS/$ARCH"-only{-ftracetest,-suites-kunit}.ktap
	[ ${#tests[@]} -le 1 ] || run_part "${tests[*]}" "$log"
}

# ------------------------------------------------------------------
# Without a mutant: a test that already fails cannot catch anything

# Verdicts of run_part without a mutant, by part.
declare -A part_passes

# parts_of name...: prints the parts of mutants
parts_of()
{
	local name

	for name; do
		mutant_part "$name"
	done
}

# check_parts_of name...: sets part_passes for the parts of these mutants
check_parts_of()
{
	local parts

	mapfile -t parts < <(parts_of "$@" | grep . | sort -u)
	[ ${#parts[@]} -eq 0 ] || check_parts "${parts[@]}"
}

# check_parts part...: runs parts without a mutant. A part that stops the shared boot is run alone,
# and those after it share another boot.
check_parts()
{
	local part unfinished=()

	run_shared_boots "$LOG/mutant-without.log" "$@"
	for part; do
		case $(test_of "$part"):$(result_of "$part") in
		*:ok)
			part_passes[$part]=passed ;;
		?*:)
			unfinished+=("$part") ;;
		*)
			check_part "$part" ;;
		esac
	done
	[ ${#unfinished[@]} -gt 0 ] || return 0
	check_part "${unfinished[0]}"
	[ ${#unfinished[@]} -eq 1 ] || check_parts "${unfinished[@]:1}"
}

# check_part part: runs a part alone, without a mutant
check_part()
{
	local log=$LOG/mutant-without.log

	run_part "$1" "$log"
	part_passes[$1]=$verdict
	[ "$verdict" = passed ] || show_tail "$log"
	say "   without a mutant ONLY=$1 ${verdict/error/could not be run}"
}

# ------------------------------------------------------------------
# Several mutants in a kernel

# try_group name...: tries mutants in one kernel
#
# A mutant whose test fails in the shared boot is caught. A mutant whose test passes is tried in a
# boot of its own with the same kernel, and if the test passes there, too, in a kernel without other
# mutants. Only in that kernel does a kernel report or a hang count as caught: elsewhere another
# mutant may be the cause. If a shared boot stops, the mutant in whose test it stopped is tried in a
# kernel of its own, and those after it as a group again. If no test ended, both halves of the group
# are tried.
try_group()
{
	local start=$SECONDS survivors=() unfinished=() stopped=() parts

	if [ $# -le 1 ] || ! mutate "$@"; then
		try_each "$@"
		return
	fi
	mapfile -t parts < <(parts_of "$@")
	MUTANT=$MUTATED run_shared_boots "$LOG/mutants-group.log" "${parts[@]}"
	if [ $# -gt 2 ] && no_test_ended "$@"; then
		try_group "${@:1:$#/2}"
		try_group "${@:$#/2+1}"
		return
	fi
	count_caught "$start" "$@"
	mapfile -t stopped < <(stopped_mutants "${unfinished[@]}")
	try_separate_boots "${survivors[@]}"
	try_each "${stopped[@]}"
	try_others "${stopped[*]}" "${unfinished[@]}"
}

# count_caught start name...: counts the mutants that were caught; adds those whose tests have not
# ended to unfinished, and the rest to survivors
count_caught()
{
	local start=$1 name part

	shift
	for name; do
		part=$(mutant_part "$name")
		case ${part_passes[$part]:-}:$(test_of "$part"):$(result_of "$part") in
		passed:?*:'not ok')
			caught "$name" "$part in a shared boot" $((SECONDS - start)) ;;
		passed:?*:)
			unfinished+=("$name") ;;
		*)
			survivors+=("$name") ;;
		esac
	done
}

# stopped_mutants name...: takes mutants whose tests have not ended, and prints those in whose tests
# the boots stopped: the first case, as cases run in this order, and the suite announced last
stopped_mutants()
{
	local name part file title begun found=

	begun=$(sed -nE 's/^((\[[^]]*\])+ )?    # Subtest: ([a-z0-9_-]*).*/\3/p' \
		"$RESULTS/$ARCH-only-suites-kunit.ktap" 2>/dev/null | tail -n 1)
	for name; do
		part=$(mutant_part "$name")
		read -r file title < <(test_of "$part")
		case $file:$title in
		*-ftracetest.ktap:*)
			[ -n "$found" ] || say "$name"
			found=yes ;;
		*:"$begun")
			say "$name" ;;
		esac
	done
}

# try_others left-out name...: tries the mutants except those in the list LEFT-OUT, in whose tests a
# boot stopped
try_others()
{
	local left_out=" $1 " name rest=()

	shift
	for name; do
		[[ $left_out == *" $name "* ]] || rest+=("$name")
	done
	# Without a mutant to leave out, a group would be tried again and again.
	if [ "$left_out" = '  ' ]; then
		try_each "${rest[@]}"
	else
		try_group "${rest[@]}"
	fi
}

# no_test_ended name...: true if tests of these mutants shared a boot and none of them has ended
no_test_ended()
{
	local name part some=

	for name; do
		part=$(mutant_part "$name")
		[ -n "$(test_of "$part")" ] || continue
		some=yes
		[ -z "$(result_of "$part")" ] || return 1
	done
	[ -n "$some" ]
}

# try_separate_boots name...: tries each mutant in a boot of its own, with the kernel that has all
try_separate_boots()
{
	local name log start alone=()

	for name; do
		log=$LOG/mutant-$name.log start=$SECONDS
		verdict=passed
		[ "${part_passes[$(mutant_part "$name")]}" != passed ] ||
			MUTANT=$MUTATED run_part "$(mutant_part "$name")" "$log"
		if [ "$verdict" = failed ] && failed_in_test_case "$log"; then
			judge_mutant "$name" "$log" $((SECONDS - start))
		else
			alone+=("$name")
		fi
	done
	try_each "${alone[@]}"
}

# failed_in_test_case log: true unless the first failure is the check of the boot itself
failed_in_test_case()
{
	! first_failure "$1" | grep -qE 'no panic, no report|it ends within'
}

# try_each name...: tries each mutant in a kernel of its own
try_each()
{
	local name

	for name; do
		try_mutant "$name"
	done
}
