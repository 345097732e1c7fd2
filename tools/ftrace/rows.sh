# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: tables of variants (variants.sh) and parts (tests/parts.sh), whose heads describe
# the columns. A row is a command: the table, a name, a title, and columns as KEY=value.

VARIANTS=()
PARTS=()
# The columns of each row, a line each, and those of the row that read_row() has read, by name.
declare -A rows row

variant()
{
	VARIANTS+=("$1")
	add_row "variant $1" title="$2" "${@:3}"
}

# By default a part runs in the usual kernel.
part()
{
	PARTS+=("$1")
	add_row "part $1" title="$2" kernels=usual "${@:3}"
}

# add_row row KEY=value...: adds a row; of two values of a column the last one counts
add_row()
{
	local IFS=$'\n'

	rows[$1]="${*:2}"
}

# read_row table name: sets row[]; fails if there is no such row
read_row()
{
	local column

	row=([name]=$2)
	[ -n "${rows["$1 $2"]:-}" ] || return
	while IFS= read -r column; do
		row[${column%%=*}]=${column#*=}
	done <<<"${rows["$1 $2"]}"
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
		[[ $name == */* ]] || printf '%s\t%s\n' "$name" "$(cell "$1" "$name" title)"
	done
}
