# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0
# Sourced by mutants.sh: a single mutant. The files that its patch changes are copied to
# build/mutant and patched there. While MUTANT=build/mutant is set, they are laid over
# build/linux in place of the repository's files.

MUTANTS=$TOOLS/tests/mutants
MUTATED=$BUILD/mutant

# mutant_names pattern: prints the mutants that $ARCH can build
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

# mutant_fits name: true unless it is only for other architectures
mutant_fits()
{
	local only

	only=$(mutant_header "$1" 'only on')
	[ -z "$only" ] || [[ " $only " == *" $ARCH "* ]]
}

# mutant_header name key: prints the line "# key: text" of its head, without the key
mutant_header()
{
	local line

	while read -r line && [[ $line != ---* ]]; do
		[[ $line != "# $2: "* ]] || { say "${line#"# $2: "}"; return; }
	done <"$MUTANTS/$1.patch"
}

# mutant_part name: prints the value of ONLY= whose tests have to catch it
mutant_part()
{
	local by

	by=$(mutant_header "$1" 'caught by')
	[[ $by != ONLY=* || $by == *' '* ]] || say "${by#ONLY=}"
}

# mutant_files name: prints the files that it changes
mutant_files()
{
	sed -n 's,^+++ b/\([^[:space:]]*\).*,\1,p' "$MUTANTS/$1.patch"
}

# mutate name...: makes build/mutant with these mutants. If a patch does not apply, it fails and
# prints the reason on stderr.
mutate()
{
	local name

	rm -rf "$MUTATED"
	mkdir -p "$MUTATED"
	for name; do
		apply_mutant "$name" || return
	done
}

# apply_mutant name: copies the files that the patch changes to build/mutant, and patches them there
apply_mutant()
{
	local patch=$MUTANTS/$1.patch file files

	mapfile -t files < <(mutant_files "$1")
	[ ${#files[@]} -gt 0 ] || mutant_error "the patch changes no file" || return
	for file in "${files[@]}"; do
		overlay_files | grep -xF -- "$file" >/dev/null ||
			mutant_error "$file is not a file of the overlay" || return
		mkdir -p "$MUTATED/$(dirname "$file")"
		cp -p "$file" "$MUTATED/$file"
	done
	patch -d "$MUTATED" -p1 -s -r - --no-backup-if-mismatch \
		<"$patch" >"$LOG/patch.log" 2>&1 && return
	mutant_error "the patch no longer applies" "$(cat "$LOG/patch.log")"
}

# mutant_error line...: prints why a patch cannot be used, and fails
mutant_error()
{
	printf '    | %s\n' "$@" >&2
	false
}

# run_part part log: runs make test ONLY=part. Sets verdict: passed, failed, or error if nothing
# was tested: no kernel, no guest, no such part.
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

# first_failure log: prints the first test that failed, and the first report of the guest
first_failure()
{
	sed -n -E '/.*\[(FAILED|CRASHED|ERROR|TIMED_OUT)\] */{s///p;q}' "$1"
	sed -n -E '/.*(report\||# error:) /{s//(/;s/$/)/p;q}' "$1"
}

# try_mutant name: tries a mutant alone in a kernel; one result
try_mutant()
{
	local name=$1 part log=$LOG/mutant-$1.log start=$SECONDS

	part=$(mutant_part "$name")
	if [ -z "$part" ]; then
		not_caught "$name" "the head of the patch has no line '# caught by: ONLY=name'"
	elif [ "${part_passes[$part]}" != passed ]; then
		not_caught "$name" "ONLY=$part does not pass without the mutant"
	elif ! mutate "$name"; then
		not_caught "$name" "the patch is out of date"
	else
		MUTANT=$MUTATED run_part "$part" "$log"
		judge_mutant "$name" "$log" $((SECONDS - start))
	fi
}

# judge_mutant name log seconds: counts the verdict of run_part
judge_mutant()
{
	case $verdict in
	failed)
		caught "$1" "$(first_failure "$2" | paste -sd ' ')" "$3" ;;
	passed)
		not_caught "$1" "SURVIVED: $(mutant_header "$1" 'what it breaks')" ;;
	error)
		show_tail "$2"
		not_caught "$1" "nothing was tested: see $2" ;;
	esac
}

# caught name by-what seconds: counts a mutant as caught
caught()
{
	say "   $1: caught by $2 in $3 s"
	passed=$((passed + 1))
}

# not_caught name why: counts a mutant as not caught
not_caught()
{
	say "   $1: $2"
	failed=$((failed + 1))
}
