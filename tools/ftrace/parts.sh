# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: selects parts from tests/parts.sh, for this architecture and for ONLY=. The id of
# a part is variant/name, or just name in the usual kernel and without a kernel.
# shellcheck disable=SC2153

# QEMU runs the CPUs in turns. For boots that switch static keys which all CPUs execute all the
# time: see ran_old_breakpoint.
CPUS_IN_TURNS=tcg,thread=single

. "$TOOLS/tests/parts.sh"

# id_of kernel name: prints the id of a part
id_of()
{
	case $1 in
	none | usual)	say "$2" ;;
	*)		say "$1/$2" ;;
	esac
}

# select_part id: sets row[] to the columns of the part (see tests/parts.sh); variant, empty for the
# usual kernel; and kernel, its directory in build/, empty for a part without a kernel
select_part()
{
	variant=${1%%/*}
	[ -n "${rows["variant $variant"]:-}" ] || variant=
	read_row part "${1#"${variant:+$variant/}"}"
	kernel=$ARCH${variant:+-$variant}
	[[ "${row[kernels]}${row[hand]-}" != none ]] || kernel=
}

# arch_has_part: true if row[] is a part, not a group, and this architecture has it
arch_has_part()
{
	local archs=" ${row[archs]:-$ARCH} "

	[ -n "${row[RUN]:-}${row[run]:-}" ] &&
		[[ $archs == *" $ARCH "* || $archs == *" $SRC_ARCH "* ]]
}

# suite_has_part: true if this suite includes the part in row[], in any kernel
suite_has_part()
{
	arch_has_part && [[ -n ${ALL:-} || ${row[all]:-} != yes ]] && [[ ${row[once]:-} != yes || $ARCH == "${ARCHES[0]}" ]] &&
		[[ ${row[parallel]:-} != no || -z ${IN_PARALLEL:-} ]]
}

# suite_kernels: prints the kernels of this suite. The suite of all architectures has time only
# for the usual kernel of each.
suite_kernels()
{
	local name

	[ -z "${IN_PARALLEL:-}" ] || { say usual; return; }
	printf '%s\n' none usual
	[ -n "${ALL:-}" ] && [ -z "${EVERY_ARCH:-}" ] || return 0
	for name in "${VARIANTS[@]}"; do
		! is_tested_variant "$name" || say "$name"
	done
}

# is_tested_variant name: true if the suite of this architecture includes the variant
is_tested_variant()
{
	[[ " $(cell variant "$1" archs) " == *" $ARCH "* ]]
}

# ids_that condition columns kernel...: prints ids of the parts that fulfil the condition and
# name one of the kernels in one of the columns
ids_that()
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
	ids_that suite_has_part kernels "${kernels[@]}"
}

# all_ids: prints all ids of this architecture, also those that only ONLY= selects
all_ids()
{
	ids_that arch_has_part "kernels hand" none usual "${VARIANTS[@]}"
}

# Cache of all_ids, by architecture.
declare -A all_of

# ids_named name: prints the part of that name, or all parts of a group or kernel (name/...);
# otherwise the first part whose id ends in /name
ids_named()
{
	local all

	all=${all_of[$ARCH]:=$(all_ids)}
	grep -xE -- "$1(/.*)?" <<<"$all" || grep -E -- "/$1\$" <<<"$all" | sed -n 1p
}

# in_variant id...: moves parts to the kernel of VARIANT=, if set
in_variant()
{
	local id

	for id; do
		select_part "$id"
		[ -z "${VARIANT:-}" ] || [ -z "$kernel" ] || id=$VARIANT/${row[name]}
		say "$id"
	done
}

is_pattern()
{
	[[ $1 == *[*?[]* ]]
}

# chosen_ids: prints the ids of the whole suite, or of the parts that ONLY= names
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

# package_names id...: prints the names that parts and their kernels may have in packages.list
package_names()
{
	local id

	for id; do
		select_part "$id"
		say "ONLY=${row[name]}"
		[ -z "$variant" ] || say "VARIANT=$variant"
		[ -z "${row[DISK]:-}" ] || say "DISK=${row[DISK]}"
	done
}
