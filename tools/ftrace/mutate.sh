# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0
# Sourced by mutants.sh: one mutant. The files that its patch
# changes are copied to build/mutant and changed there; with MUTANT=build/mutant they are
# laid over build/linux instead of those of the repository, for as long as MUTANT is set.

MUTANTS=$TOOLS/tests/mutants
MUTATED=$BUILD/mutant

# mutant_names pattern: those that can be built for $ARCH
mutant_names()
{
	local file

	for file in "$MUTANTS"/*.patch; do
		file=${file##*/} file=${file%.patch}
		# shellcheck disable=SC2053
		[[ $file == $1 ]] || continue
		! mutant_fits "$file" || printf '%s\n' "$file"
	done
}

# mutant_fits name: is it one for every architecture, or for this one?
mutant_fits()
{
	local only

	only=$(mutant_says "$1" 'only on')
	[ -z "$only" ] || [[ " $only " == *" $ARCH "* ]]
}

# mutant_says name key: what a line of its head says
mutant_says()
{
	local line

	while read -r line && [[ $line != ---* ]]; do
		[[ $line != "# $2: "* ]] || { say "${line#"# $2: "}"; return; }
	done <"$MUTANTS/$1.patch"
}

# mutant_part name: what `make test ONLY=` has to be told to see it
mutant_part()
{
	local by

	by=$(mutant_says "$1" 'caught by')
	[[ $by != ONLY=* || $by == *' '* ]] || say "${by#ONLY=}"
}

# mutant_files name: those that it changes
mutant_files()
{
	sed -n 's,^+++ b/\([^[:space:]]*\).*,\1,p' "$MUTANTS/$1.patch"
}

# mutate name...: makes build/mutant. False, with the reason on stderr, when a
# patch does not fit what it is a patch of.
mutate()
{
	local name

	rm -rf "$MUTATED"
	mkdir -p "$MUTATED"
	for name; do
		put_in "$name" || return
	done
}

put_in()
{
	local patch=$MUTANTS/$1.patch file files

	mapfile -t files < <(mutant_files "$1")
	[ ${#files[@]} -gt 0 ] || mutant_error "changes no file" || return
	for file in "${files[@]}"; do
		overlay_files | grep -xF -- "$file" >/dev/null ||
			mutant_error "$file is no file of the overlay" || return
		mkdir -p "$MUTATED/$(dirname "$file")"
		cp -p "$file" "$MUTATED/$file"
	done
	patch -d "$MUTATED" -p1 -s -r - --no-backup-if-mismatch \
		<"$patch" >"$LOG/patch.log" 2>&1 && return
	mutant_error "does not apply any more" "$(cat "$LOG/patch.log")"
}

mutant_error()
{
	printf '    | %s\n' "$@" >&2
	false
}

# run_part part log: that part of the suite. Sets verdict: passed, failed, or
# error when nothing was tested: no kernel, no guest, no such part.
run_part()
{
	local status=0 sum

	ONLY=$1 "$TOOLS/test.sh" >"$2" 2>&1 </dev/null || status=$?
	sum=$(tail -n 1 "$2" | grep -xE '[0-9]+ passed, [0-9]+ failed' || true)
	verdict=error
	if [ -z "$sum" ] || grep -q ': the guest was started$' "$2"; then
		return
	fi
	verdict=passed
	[ $status -eq 0 ] || verdict=failed
}

# first_failure log: the test that failed first, and what was wrong with the guest
first_failure()
{
	sed -n -E '/.*\[(FAILED|CRASHED|ERROR|TIMED_OUT)\] */{s///p;q}' "$1"
	sed -n -E '/.*(report\||# error:) /{s//(/;s/$/)/p;q}' "$1"
}

# try_mutant name: one result
try_mutant()
{
	local name=$1 part log=$LOG/mutant-$1.log start=$SECONDS

	part=$(mutant_part "$name")
	if [ -z "$part" ]; then
		not_caught "$name" "its head has no line '# caught by: ONLY=name'"
	elif [ "${part_passes[$part]}" != passed ]; then
		not_caught "$name" "ONLY=$part does not pass without it"
	elif ! mutate "$name"; then
		not_caught "$name" "the patch is out of date"
	else
		MUTANT=$MUTATED run_part "$part" "$log"
		judge_mutant "$name" "$log" $((SECONDS - start))
	fi
}

# judge_mutant name log seconds
judge_mutant()
{
	case $verdict in
	failed)
		caught "$1" "$(first_failure "$2" | paste -sd ' ')" "$3" ;;
	passed)
		not_caught "$1" "SURVIVED: $(mutant_says "$1" 'what it breaks')" ;;
	error)
		show_tail "$2"
		not_caught "$1" "nothing was tested: see $2" ;;
	esac
}

# caught name by-what seconds
caught()
{
	say "   $1: caught by $2 in $3 s"
	passed=$((passed + 1))
}

not_caught()
{
	say "   $1: $2"
	failed=$((failed + 1))
}
