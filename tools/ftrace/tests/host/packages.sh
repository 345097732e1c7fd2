#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# On a machine that has no package each target says, for each architecture and kernel,
# what is to be installed, before it does anything else; and that is all that its scripts
# may run, which tests/programs_run.py reads out of them.

unset DEBUG ONLY VARIANT

. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/kbuild.sh"
. "$TOOLS/parts.sh"

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

# read_owners command: owner_of[word], the package that a program is here from, if it is
# here, by the name that the command makes of it. What is in /usr may be known by where it
# was before.
declare -A owner_of

read_owners()
{
	local word file package
	local -A word_of

	while read -r word; do
		file=$(command -v "$word") || continue
		file=$("$1" "$file")
		word_of[$file]=$word word_of[${file#/usr}]=$word
	done < <(cut -f 2 "$work/runs" | sort -u)
	while IFS=': ' read -r package file; do
		[ -z "${word_of[$file]:-}" ] || owner_of[${word_of[$file]}]=$package
	done < <(dpkg -S "${!word_of[@]}" 2>/dev/null)
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
		is_given "${owner_of[$word]:-none}" ||
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
		owner=${owner_of[$word]:-}
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
	done < <(sed -n "s/^$1\t//p" "$work/runs")
}

# packages_of_parts id...: what those parts need besides
packages_of_parts()
{
	packages_of_ids "$@" | while read -r package; do packages_for "$package"; done
}

# asks_for_all target: it asks, and for all that it needs. What not every part of the suite
# needs is asked for by the whole suite of x86_64, or when such a part is named.
asks_for_all()
{
	local package reason where="make $1 ARCH=$ARCH"

	asked "$1" >"$work/asked" ||
		fault "$where does not begin by asking for packages: $(head -n 3 "$work/said")"
	[[ $1 != @(test|mutants) || $1-$ARCH == test-x86_64 ]] ||
		mapfile -t ids < <(all_ids) && packages_of_parts "${ids[@]}" >>"$work/asked"
	while IFS=$'\t' read -r package reason; do
		fault "$where does not ask for $package; $reason"
	done < <(needed "$1" | awk -F '\t' -v asked="$work/asked" '
		BEGIN { while ((getline line < asked) > 0) has[line] = 1 }
		!($1 in has)')
}

# Each kernel is built with what its options need.
options_ask()
{
	local option

	for VARIANT in "${VARIANTS[@]}"; do
		while read -r option; do
			packages_for kernel | grep -x "${packages_of[$option]}" >/dev/null ||
				fault "VARIANT=$VARIANT does not ask for ${packages_of[$option]}"
		done < <(grep -xF "$(printf '%s\n' "${!packages_of[@]}")" \
			"base/configs/$VARIANT.config")
	done
	VARIANT=
}

# Each part asks for what its row says.
parts_ask()
{
	local id

	export ONLY
	for id in $(all_ids); do
		packages_of_parts "$id" | sort -u | grep . >"$work/wanted" || true
		[ -s "$work/wanted" ] || continue
		ONLY=$id
		asked test | sort | comm -23 "$work/wanted" - | sed "s,^,ONLY=$id: ," |
			while read -r lacks; do fault "is not asked for: $lacks"; done
	done
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

# Where there are no security updates there is no base: what is to be done is said.
# What it asks of apt-get is answered here.
# shellcheck disable=SC2317
says_where_base_is()
(
	dpkg-query() { return 1; }
	id() { echo 0; }
	apt-get() { echo "E: Unable to locate package $BASE_PACKAGE"; return 100; }
	export -f dpkg-query id apt-get
	export BASE_PACKAGE
	! "$TOOLS/prepare.sh" >"$work/said" 2>&1 </dev/null || fault "went on without a base"
	grep -q '^ *deb .*/debian-security bookworm-security main$' "$work/said" ||
		fault "does not say where the base is: $(cat "$work/said")"
)

read_list
read_scripts >"$work/runs"
read_owners realpath
read_owners say
words_are_listed "$work/runs"
lines_are_true
sees_what_is_new
says_where_base_is
options_ask
for ARCH in "${ARCHES[@]}"; do
	arch_row "$ARCH"
	while read -r target; do
		[ "$target$DEB_ARCH" = picture ] || [ "$target" != picture ] || continue
		asks_for_all "$target"
	done < <(cut -f 1 "$work/runs" | sort -u)
done
ARCH=x86_64
arch_row $ARCH
parts_ask
[ ! -e "$work/bad" ]
