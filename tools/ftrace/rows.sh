# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: tables. A row is a command, of a word for the table, a name, what that is, and
# columns as KEY=value; read_row makes an array of it. What there is, and the meaning of
# the columns, stands at the head of a table: variants.sh, tests/parts.sh.

VARIANTS=()
PARTS=()
declare -A rows row

variant()
{
	VARIANTS+=("$1")
	rows["variant $1"]=${*@Q}
}

# In the usual kernel, if it does not say where.
part()
{
	PARTS+=("$1")
	set -- "$1" "$2" kernels=usual "${@:3}"
	rows["part $1"]=${*@Q}
}

# read_row table name: sets row[]; false if there is none
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

# cell table name column: what stands there
cell()
(
	read_row "$1" "$2" && say "${row[$3]:-}"
)

# texts_of table: name and text of each row that stands for itself, or for a group
texts_of()
{
	local name
	local -n names=${1^^}S

	for name in "${names[@]}"; do
		[[ $name == */* ]] || printf '%s\t%s\n' "$name" "$(cell "$1" "$name" is)"
	done
}
