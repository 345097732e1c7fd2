# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by mutants.sh: several mutants in one kernel. All their cases run in one boot, and all
# their KUnit suites in another, so that a group takes little longer than a single mutant.
# shellcheck disable=SC2154

# next_group most name...: sets group to mutants that can be in one kernel, at most so many, and
# others to the rest. Mutants of a group have no file in common, and a part each, so that the
# failing part tells which one was caught.
next_group()
{
	local most=$1 name taken=' ' words

	shift
	group=() others=()
	for name; do
		mapfile -t words < <(mutant_files "$name"; mutant_part "$name")
		if [ ${#group[@]} -ge "$most" ] || any_of "$taken" "${words[@]}"; then
			others+=("$name")
			continue
		fi
		group+=("$name")
		taken+="${words[*]} "
	done
}

# any_of list word...: true if one of the words is in the list
any_of()
{
	local list=$1 word

	shift
	for word; do
		[[ $list != *" $word "* ]] || return 0
	done
	return 1
}

# by_part name...: sorts mutants by the number of mutants of their part. Those with most come
# first, because they determine the number of groups.
by_part()
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

# test_of part: prints the result file and the title of a case or of a suite in it. Prints nothing
# for other parts, which cannot share a boot.
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

# result_of part: prints ok, "not ok", or nothing if the test has not ended. A case may have run a
# second time, in an instance.
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

# share_boots name...: prints the mutants whose tests can share a boot
share_boots()
{
	local name

	for name; do
		[ -z "$(test_of "$(mutant_part "$name")")" ] || say "$name"
	done
}

# boot_all log part...: runs the tests that can share a boot; their results are in $RESULTS
boot_all()
{
	local log=$1 part together=()

	shift
	for part; do
		[ -z "$(test_of "$part")" ] || together+=("$part")
	done
	rm -f "$RESULTS/$ARCH"-only{-ftracetest,-suites-kunit}.ktap
	case ${#together[@]} in
	0 | 1) ;;
	*) run_part "${together[*]}" "$log" ;;
	esac
}

# ------------------------------------------------------------------
# Without a mutant: a test that already fails cannot catch anything

# The verdict of run_part without a mutant, by part.
declare -A part_passes

# parts_of name...: prints the parts of mutants
parts_of()
{
	local name

	for name; do
		mutant_part "$name"
	done
}

# without_mutants name...: sets part_passes for the parts of these mutants
without_mutants()
{
	local parts

	mapfile -t parts < <(parts_of "$@" | grep . | sort -u)
	[ ${#parts[@]} -eq 0 ] || try_parts "${parts[@]}"
}

# try_parts part...: runs parts without a mutant. If one of them stops the shared boot, it is
# tried alone, and those after it together again.
try_parts()
{
	local part without_end=()

	boot_all "$LOG/mutant-without.log" "$@"
	for part; do
		case $(test_of "$part"):$(result_of "$part") in
		*:ok)
			part_passes[$part]=passed ;;
		?*:)
			without_end+=("$part") ;;
		*)
			without_mutant "$part" ;;
		esac
	done
	[ ${#without_end[@]} -gt 0 ] || return 0
	without_mutant "${without_end[0]}"
	[ ${#without_end[@]} -eq 1 ] || try_parts "${without_end[@]:1}"
}

# without_mutant part: runs a part alone, without a mutant
without_mutant()
{
	local log=$LOG/mutant-without.log

	run_part "$1" "$log"
	part_passes[$1]=$verdict
	[ "$verdict" = passed ] || show_tail "$log"
	say "   without a mutant ONLY=$1 ${verdict/error/could not be run}"
}

# ------------------------------------------------------------------
# Several mutants in a kernel

# try_together name...: tries mutants in one kernel
#
# A mutant whose test fails in the shared boot is caught. If the test passes, it gets a boot of its
# own in the same kernel, and if that does not fail, a kernel without other mutants. A failure by a
# kernel report or a hang does not count before that, as another mutant may be its cause. If a
# boot stops, the mutant in whose test it stopped is tried alone, and those after it together
# again. If no test ended, each half is tried.
try_together()
{
	local start=$SECONDS apart=() without_end=() stopped=() parts

	if [ $# -le 1 ] || ! mutate "$@"; then
		try_each "$@"
		return
	fi
	mapfile -t parts < <(parts_of "$@")
	MUTANT=$MUTATED boot_all "$LOG/mutants-together.log" "${parts[@]}"
	if [ $# -gt 2 ] && nothing_ended "$@"; then
		try_together "${@:1:$#/2}"
		try_together "${@:$#/2+1}"
		return
	fi
	tell_apart "$start" "$@"
	mapfile -t stopped < <(stopped_at "${without_end[@]}")
	try_apart "${apart[@]}"
	try_each "${stopped[@]}"
	try_together_but "${stopped[*]}" "${without_end[@]}"
}

# tell_apart start name...: counts the mutants that were caught; adds the others to apart, or to
# without_end if their test has not ended
tell_apart()
{
	local start=$1 name part

	shift
	for name; do
		part=$(mutant_part "$name")
		case ${part_passes[$part]:-}:$(test_of "$part"):$(result_of "$part") in
		passed:?*:'not ok')
			caught "$name" "$part with others" $((SECONDS - start)) ;;
		passed:?*:)
			without_end+=("$name") ;;
		*)
			apart+=("$name") ;;
		esac
	done
}

# stopped_at name...: of mutants whose tests have not ended, prints those in whose tests the boots
# stopped: the first case, as cases run in this order, and the suite that was announced last
stopped_at()
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

# try_together_but names name...: tries the mutants that are not among the names
try_together_but()
{
	local without=" $1 " name rest=()

	shift
	for name; do
		[[ $without == *" $name "* ]] || rest+=("$name")
	done
	# If the test in which a boot stopped is unknown, they are tried one at a time, so that this
	# ends.
	if [ "$without" = '  ' ]; then
		try_each "${rest[@]}"
	else
		try_together "${rest[@]}"
	fi
}

# nothing_ended name...: true if their tests shared a boot and none has ended
nothing_ended()
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

# try_apart name...: tries each mutant in a boot of its own, in the kernel with all of them
try_apart()
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

try_each()
{
	local name

	for name; do
		try_mutant "$name"
	done
}
