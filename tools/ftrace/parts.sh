# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: which of the parts in tests/parts.sh there are here, and which are meant. A part
# in a kernel has the id variant/name; in the usual one, and where there is none, just name.
# shellcheck disable=SC2153

# For boots in which static keys are switched that all CPUs execute all the time: see
# ran_old_breakpoint.
CPUS_IN_TURNS=tcg,thread=single

. "$TOOLS/tests/parts.sh"

# id_of kernel name
id_of()
{
	case $1 in
	none | usual)	say "$2" ;;
	*)		say "$1/$2" ;;
	esac
}

# take_id id: sets row[], variant, which is empty for the usual kernel, and kernel, its
# directory in build, which is empty where there is none
take_id()
{
	variant=${1%%/*}
	[ -n "${rows["variant $variant"]:-}" ] || variant=
	read_row part "${1#"${variant:+$variant/}"}"
	kernel=$ARCH${variant:+-$variant}
	[[ "${row[kernels]}${row[hand]-}" != none ]] || kernel=
}

# is_here: does this architecture have the part in row[], and is it one?
is_here()
{
	local archs=" ${row[archs]:-$ARCH} "

	[ -n "${row[RUN]:-}${row[run]:-}" ] &&
		[[ $archs == *" $ARCH "* || $archs == *" $SRC_ARCH "* ]]
}

# in_suite: does this suite have it, if the kernel fits?
in_suite()
{
	is_here && [[ -n ${ALL:-} || ${row[all]:-} != yes ]] && [[ ${row[once]:-} != yes || $ARCH == "${ARCHES[0]}" ]] &&
		[[ ${row[beside]:-} != no || -z ${BESIDE:-} ]]
}

# suite_kernels: those that this suite has. In that of all architectures there is time for the
# usual one alone.
suite_kernels()
{
	local name

	[ -z "${BESIDE:-}" ] || { say usual; return; }
	printf '%s\n' none usual
	[ -n "${ALL:-}" ] && [ -z "${EVERY_ARCH:-}" ] || return 0
	for name in "${VARIANTS[@]}"; do
		! is_tested_variant "$name" || say "$name"
	done
}

# is_tested_variant name: in this suite?
is_tested_variant()
{
	[[ " $(cell variant "$1" archs) " == *" $ARCH "* ]]
}

# ids_in condition columns kernel...: in each of the kernels the parts that have it in one
# of the columns
ids_in()
{
	local kernel name column

	for kernel in "${@:3}"; do
		for name in "${PARTS[@]}"; do
			read_row part "$name"
			"$1" && for column in $2; do
				[[ " ${row[$column]-} " != *" $kernel "* ]] ||
					id_of "$kernel" "$name"
			done
		done
	done
}

suite_ids()
{
	local kernels

	mapfile -t kernels < <(suite_kernels)
	ids_in in_suite kernels "${kernels[@]}"
}

# all_ids: of this architecture, also those by hand
all_ids()
{
	ids_in is_here "kernels hand" none usual "${VARIANTS[@]}"
}

# all_ids of each architecture, once they have been asked for
declare -A all_of

# ids_named name: that one, or those that have it before a slash: a group, or all in a
# kernel; else the first one that has it behind a slash
ids_named()
{
	local all

	all=${all_of[$ARCH]:=$(all_ids)}
	grep -xE -- "$1(/.*)?" <<<"$all" || grep -E -- "/$1\$" <<<"$all" | sed -n 1p
}

# in_variant id...: in the kernel of VARIANT= if there is one given
in_variant()
{
	local id

	for id; do
		take_id "$id"
		[ -z "${VARIANT:-}" ] || [ -z "$kernel" ] || id=$VARIANT/${row[name]}
		say "$id"
	done
}

is_pattern()
{
	[[ $1 == *[*?[]* ]]
}

# chosen_ids: the whole suite, or the parts that ONLY= is the name of
chosen_ids()
{
	local ids

	if [ -z "${ONLY:-}" ]; then
		suite_ids
	elif ! is_pattern "$ONLY"; then
		mapfile -t ids < <(ids_named "$ONLY")
		in_variant "${ids[@]}"
	fi
}

# packages_of_ids id...: what not every part needs, as packages_for takes it
packages_of_ids()
{
	local id

	for id; do
		take_id "$id"
		say "${row[packages]:-}"
		[ -z "$variant" ] || cell variant "$variant" packages
	done | xargs -r -n 1
}
