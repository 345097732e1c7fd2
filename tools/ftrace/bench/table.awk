# SPDX-License-Identifier: GPL-2.0
# Prints the table of make bench. Input: the output of both guests, then the file rows.
# Variables: arch; ours and stock, the names of the first two files.

function trim(s)
{
	gsub(/^[ \t]+|[ \t]+$/, "", s)
	return s
}

# cell: returns a number as the table shows it; budgets are compared with the rounded number, too
function cell(s, unit)
{
	return s == "" ? "-" : sprintf("%.1f", s / unit)
}

# part: returns 0.40 for the budget "0.40 of stock", or nothing for a plain number
function part(s)
{
	return s ~ / of stock$/ ? s + 0 : ""
}

function share(o, s)
{
	if (o == "-" || s + 0 == 0)
		return "-"
	return sprintf(o / s < 0.01 ? "%.4f" : "%.2f", o / s)
}

function is_over(budget, o, s)
{
	if (o == "-")
		return 0
	if (part(budget) == "")
		return o + 0 > budget + 0
	return s != "-" && o + 0 > part(budget) * s
}

FILENAME ~ /\.rows$/ {
	split($0, f, " ")
	if (f[1] == "functions") total[FILENAME] = f[2]
	if (f[1] == "row") value[FILENAME, f[2]] = f[3]
	next
}
FNR == 1 {
	printf "%-44s %-6s %13s %9s %9s %10s\n", arch, "unit", "budget", "ours", \
		"stock", "ours/stock"
}
/^#/ || NF < 6 { next }
{
	name = trim($1)
	budget = trim(arch == "x86_64" ? $5 : $6)
	o = cell(value[ours, name], $4)
	s = cell(value[stock, name], $4)
	if (o == "-" && s == "-")
		next
	printf "%-44s %-6s %13s %9s %9s %10s%s\n", trim($2), trim($3), budget, o, s, \
		share(o, s), \
		is_over(budget, o, s) ? "  over budget" : ""
}
END { printf "Functions that can be traced: %d, stock %d.\n", total[ours], total[stock] }
