#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# On a machine that has no package each target says, for each architecture and kernel,
# what is to be installed, before it does anything else; and that is all that its scripts
# may run, which tests/programs_run.py reads out of them.

unset DEBUG ONLY VARIANT

. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/kbuild.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LIST=$TOOLS/tests/programs.list

fault()
{
	say "FAULT: $*"
	touch "$work/bad"
}

# read_list: packages_of[word] as the list has it
declare -A packages_of

read_list()
{
	local word packages

	while read -r word packages; do
		packages_of[$word]=$packages
	done < <(sed -e 's/#.*//' -e '/^$/d' "$LIST")
}

# What targets run: the target, the word, and where. The host tests are run by one.
read_scripts()
{
	local targets

	mapfile -t targets < <(sed -n 's/^TARGETS := //p' Makefile | tr ' ' '\n' | grep -vx help)
	targets=("${targets[@]/%/.sh}")
	python3 -B "$TOOLS/tests/programs_run.py" "$TOOLS" "${targets[@]/#/$TOOLS/}" |
		sed 's/\.sh//'
	python3 -B "$TOOLS/tests/programs_run.py" "$TOOLS" "$TOOLS"/tests/host/*.sh |
		sed 's/^[^\t]*/test/'
}

# owner_of program: the package that it is here from, if it is here
owner_of()
{
	local file

	file=$(command -v "$1") || return 0
	# What is in /usr may be known by where it was before.
	{ dpkg -S "$file" "${file#/usr}" || dpkg -S "$(realpath "$file")"; } 2>/dev/null |
		sed -n '1s/:.*//p' || true
}

# is_given package: is it there before we are?
is_given()
{
	dpkg-query -W -f '${Package} ${Essential}\n' "$1" 2>/dev/null |
		grep -qE ' yes$|^(apt|git|make) '
}

# words_are_listed runs: each has a line in the list, unless it is given
words_are_listed()
{
	local word place

	while IFS=$'\t' read -r word place; do
		[[ $word != *'()' && -z "${packages_of[$word]:-}" ]] || continue
		! grep -qxF "$word()" "$TOOLS"/*.sh || continue
		is_given "$(owner_of "$word")" ||
			fault "$place runs $word; which package has it, $LIST does not say"
	done < <(cut -f 2,3 "$1" | sort -u -k 1,1)
}

# brings package owner: it is that, or depends on it
brings()
{
	[ "$1" = "$2" ] || dpkg-query -W -f '${Pre-Depends} ${Depends}\n' "$1" | grep -qw -e "$2"
}

# Each line has a use, and what is here of it is from that package.
lines_are_true()
{
	local word owner

	for word in "${!packages_of[@]}"; do
		[[ $word != CONFIG_* ]] || continue
		cut -f 2 "$work/runs" | grep -xF -- "$word" >/dev/null ||
			fault "$LIST has $word, which nothing runs any more"
		owner=$(owner_of "$word")
		[ -z "$owner" ] || [ "${packages_of[$word]}" = - ] ||
			brings "${packages_of[$word]}" "$owner" ||
			fault "$LIST has $word in ${packages_of[$word]}; it is in $owner"
	done
}

# asked target: the packages that it wants, a line each. It says, and does, nothing else.
# What it asks of dpkg and apt-get is answered here.
# shellcheck disable=SC2317
asked()
(
	dpkg-query() { return 1; }
	id() { echo 1000; }
	apt-get() { echo "apt-get was run"; }
	export -f dpkg-query id apt-get
	export ARCH VARIANT RUN=$TOOLS/tests/guest/true.sh
	! "$TOOLS/$1.sh" >"$work/said" 2>&1 </dev/null &&
		[ "$(grep -v '^ ' "$work/said")" = "$NO_ROOT" ] &&
		sed -n 's/^ *sudo apt-get install --no-install-recommends //p' "$work/said" |
		tr ' ' '\n'
)
NO_ROOT="error: packages are missing, and only root may install them"

# needed target: the packages of what it runs here, and what that is; of a list, whose
# name is in capitals, all that are in it
needed()
{
	local word place package

	while IFS=$'\t' read -r word place; do
		for package in ${packages_of[$word]:-}; do
			if [[ $package == [A-Z]* ]]; then
				local -n list=$package
				[ ${#list[@]} -eq 0 ] || printf "%s\t$place runs $word\n" "${list[@]}"
			elif [ "$package" != - ]; then
				printf '%s\t%s runs %s\n' "$package" "$place" "$word"
			fi
		done
	done < <(sed -n "s/^$1\t//p" "$work/runs"; options "$1")
}

# options target: those of the kernel that it builds
options()
{
	[ -z "$VARIANT" ] || ! grep -qF "$1"$'\tkmake()' "$work/runs" ||
		sed -n 's/^CONFIG_.*/&\tthe kernel/p' "base/configs/$VARIANT.config"
}

# asks_for_all target: it asks, and for all that it needs. Lint and the host tests are part
# of `make test` for one architecture only.
asks_for_all()
{
	local package reason where="make $1 ARCH=$ARCH VARIANT=$VARIANT"

	asked "$1" >"$work/asked" ||
		fault "$where does not begin by asking for packages: $(head -n 3 "$work/said")"
	[[ $1 != @(test|mutants) || $ARCH = x86_64 ]] ||
		printf '%s\n' "${LINT_PACKAGES[@]}" "${HOST_TEST_PACKAGES[@]}" >>"$work/asked"
	while IFS=$'\t' read -r package reason; do
		fault "$where does not ask for $package; $reason"
	done < <(needed "$1" | awk -F '\t' -v asked="$work/asked" '
		BEGIN { while ((getline line < asked) > 0) has[line] = 1 }
		!($1 in has)')
}

# A program that has no line, deep in a script, is a fault.
sees_what_is_new()
{
	local said

	# shellcheck disable=SC2016
	printf '%s\n' '. "$TOOLS/lib.sh"' 'f() { x=$(logged x env A=1 nice -n 3 unheard-of); }' \
		'for one in f g; do "$one" | cat; done' >"$work/new.sh"
	python3 -B "$TOOLS/tests/programs_run.py" "$TOOLS" "$work/new.sh" >"$work/new"
	said=$(fault() { say "$*"; }; words_are_listed "$work/new")
	[[ $said == *"new.sh:2 runs unheard-of"* ]] ||
		fault "a new program was not seen, but: $said"
}

read_list
read_scripts >"$work/runs"
words_are_listed "$work/runs"
lines_are_true
sees_what_is_new
for ARCH in "${ARCHES[@]}"; do
	arch_row "$ARCH"
	for VARIANT in '' "${VARIANTS[@]}"; do
		[ -z "$VARIANT" ] || [ "$ARCH" = x86_64 ] || continue
		while read -r target; do
			[ "$target$DEB_ARCH" = picture ] || [ "$target" != picture ] || continue
			asks_for_all "$target"
		done < <(cut -f 1 "$work/runs" | sort -u)
	done
done
[ ! -e "$work/bad" ]
