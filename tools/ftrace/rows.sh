# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: tables of variants (variants.sh) and parts (tests/parts.sh), whose heads describe
# the columns. A row is a command: the table, a name, a title, and columns as KEY=value.
# read_row turns a row into an array.

VARIANTS=()
PARTS=()
declare -A rows row

variant()
{
	VARIANTS+=("$1")
	rows["variant $1"]=${*@Q}
}

# A part runs in the usual kernel by default.
part()
{
	PARTS+=("$1")
	set -- "$1" "$2" kernels=usual "${@:3}"
	rows["part $1"]=${*@Q}
}

# read_row table name: sets row[]; fails if there is no such row
read_row()
{
	local word

	row=()
	[ -n "${rows["$1 $2"]:-}" ] || return
	eval "set -- ${rows["$1 $2"]}"
	row=([name]=$1 [is]=$2)
	for word in "${@:3}"; do
		row[${word%%=*}]=${word#*=}
	done
}

# cell table name column: prints one column of a row
cell()
(
	read_row "$1" "$2" && say "${row[$3]:-}"
)

# texts_of table: prints name and title of each group and of each row without a group
texts_of()
{
	local name
	local -n names=${1^^}S

	for name in "${names[@]}"; do
		[[ $name == */* ]] || printf '%s\t%s\n' "$name" "$(cell "$1" "$name" is)"
	done
}
