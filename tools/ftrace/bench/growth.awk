# SPDX-License-Identifier: GPL-2.0
# Prints the table of make bench GROWTH=1. Input: the output of both guests, then the file growth.
# Variables: ours and stock, the names of the first two files.

function trim(s)
{
	gsub(/^[ \t]+|[ \t]+$/, "", s)
	return s
}

function ms(s)
{
	return s == "" ? "-" : sprintf(s < 100000000 ? "%.2f" : "%.0f", s / 1000000)
}

# exponent file name: returns the exponent of growth in the last measured step by ten
function exponent(file, name,	n)
{
	for (n = 10000; n > 10; n /= 10)
		if (value[file, name, n] != "")
			return log(value[file, name, n] / value[file, name, n / 10]) / log(10)
	return ""
}

# is_over name: true if a step by ten grows faster than n log n, with a tolerance of 10%
function is_over(name,	n, most)
{
	for (n = 10000; n > 100; n /= 10) {
		most = 1.1 * value[ours, name, n / 10] * 10 * log(n) / log(n / 10)
		if (most && value[ours, name, n] > most)
			return 1
	}
	return 0
}

# exponent_text file name: returns the exponent as a cell of the table
function exponent_text(file, name,	e)
{
	e = exponent(file, name)
	return e == "" ? "-" : sprintf("%.2f", e)
}

function print_row(name, what,	n)
{
	printf "%-46s", what
	for (n = 10; n <= 10000; n *= 10)
		printf " %9s", ms(value[ours, name, n])
	printf " %5s |", exponent_text(ours, name)
	for (n = 10; n <= 10000; n *= 10)
		printf " %9s", ms(value[stock, name, n])
	printf " %5s%s\n", exponent_text(stock, name), is_over(name) ? "  above n log n" : ""
}

FILENAME ~ /\.rows$/ {
	if ($1 == "grow")
		value[FILENAME, $2, $3] = $4
	next
}
FNR == 1 {
	printf "%-46s %39s %5s | %39s %5s\n", "milliseconds, ours | stock, by size of input", \
		"       10       100      1000     10000", "exp", \
		"       10       100      1000     10000", "exp"
}
/^#/ || split($0, cell, "|") < 4 { next }
{ print_row(trim(cell[1]), trim(cell[2])) }
