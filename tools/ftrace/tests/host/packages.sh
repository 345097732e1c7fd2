#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# On a machine without packages each target first prints what to install, for each architecture
# and kernel, and does nothing else. The packages include all programs that its scripts may run,
# as tests/programs_run.py finds them.

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

# read_list: sets packages_of[program] from programs.list
declare -A packages_of

read_list()
{
	local word packages

	while read -r word packages; do
		packages_of[$word]=$packages
	done < <(sed -e 's/#.*//' -e '/^$/d' "$LIST")
}

# read_scripts: prints the programs that targets run: target, program, place. Host tests belong to
# the target test.
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

# read_owners command: sets owner_of[program], the package of a program that this machine has. The
# command turns its path into the one to look up. dpkg may know a file in /usr by its path
# before the merge of /usr.
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

# is_given package: true if every machine has it before it can run the harness
is_given()
{
	dpkg-query -W -f '${Package} ${Essential}\n' "$1" 2>/dev/null |
		grep -qE ' yes$|^(apt|git|make) '
}

# words_are_listed runs: each program has a line in the list, unless its package is given
words_are_listed()
{
	local word place

	while IFS=$'\t' read -r word place; do
		[[ $word != *'()' && -z "${packages_of[$word]:-}" ]] || continue
		! grep -qxF "$word()" "$TOOLS"/*.sh || continue
		is_given "${owner_of[$word]:-none}" ||
			fault "$place runs $word; add it, with its package, to $LIST"
	done < <(cut -f 2,3 "$1" | sort -u -k 1,1)
}

# brings package owner: true if both are the same, or the first one depends on the other
brings()
{
	[ "$1" = "$2" ] || dpkg-query -W -f '${Pre-Depends} ${Depends}\n' "$1" | grep -qw -e "$2"
}

# Each program in the list is run by a script, and this machine has it from that package.
lines_are_true()
{
	local word owner

	for word in "${!packages_of[@]}"; do
		[[ $word != CONFIG_* ]] || continue
		cut -f 2 "$work/runs" | grep -xF -- "$word" >/dev/null ||
			fault "$LIST has $word, which no script runs any more"
		owner=${owner_of[$word]:-}
		[ -z "$owner" ] || [ "${packages_of[$word]}" = - ] ||
			brings "${packages_of[$word]}" "$owner" ||
			fault "$LIST says that $word is in ${packages_of[$word]}; it is in $owner"
	done
}

# asked target: prints the packages that it asks for, one per line; fails if the target does
# anything else. Functions take the place of dpkg-query, id and apt-get.
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

# needed target: prints the packages of the programs that it runs, and the reason. A name in
# capitals is a list of packages.
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

# packages_of_parts id...: prints the additional packages of parts
packages_of_parts()
{
	packages_of_ids "$@" | while read -r package; do packages_for "$package"; done
}

# asks_for_all target: it asks for all packages that it needs. Additional packages of parts are
# checked with the suite of x86_64 only; others ask for them when such a part is named.
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

# Each kernel asks for the packages that its options need.
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

# Each part asks for the packages in its row.
parts_ask()
{
	local id

	export ONLY
	for id in $(all_ids); do
		packages_of_parts "$id" | sort -u | grep . >"$work/wanted" || true
		[ -s "$work/wanted" ] || continue
		ONLY=$id
		asked test | sort | comm -23 "$work/wanted" - | sed "s,^,ONLY=$id: ," |
			while read -r lacks; do fault "no package is asked for: $lacks"; done
	done
}

# A program without a line in the list is found, also deep in a script.
sees_what_is_new()
{
	local said

	# shellcheck disable=SC2016
	printf '%s\n' '. "$TOOLS/lib.sh"' 'f() { x=$(logged x env A=1 nice -n 3 unheard-of); }' \
		'for one in f g; do "$one" | cat; done' >"$work/new.sh"
	python3 -B "$TOOLS/tests/programs_run.py" "$TOOLS" "$work/new.sh" >"$work/new"
	said=$(fault() { say "$*"; }; words_are_listed "$work/new")
	[[ $said == *"new.sh:2 runs unheard-of"* ]] ||
		fault "a new program was not found: $said"
}

# Without the security updates there is no base package: the error says what to do. Functions take
# the place of dpkg-query, id and apt-get.
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
		fault "prepare does not print where to find the base: $(cat "$work/said")"
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
