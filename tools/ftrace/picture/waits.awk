# SPDX-License-Identifier: GPL-2.0
# Converts a file hist of keys=comm,lat.log2 into a table for gnuplot: a line for each power of two
# of microseconds, a column for each of the TASKS tasks that were woken most often, and one for all
# others.

function up_to(exponent)
{
	if (exponent < 10)
		return 2 ^ exponent " us"
	return exponent < 20 ? 2 ^ (exponent - 10) " ms" : 2 ^ (exponent - 20) " s"
}

# most: returns the task that was woken most often and has no column yet
function most(	name, best)
{
	for (name in woken)
		if (!(name in column) && (best == "" || woken[name] > woken[best] ||
				woken[name] == woken[best] && name < best))
			best = name
	return best
}

match($0, /^\{ comm: .*, lat: ~ 2\^[0-9]+ +\} hitcount: +[0-9]+/) {
	split(substr($0, RSTART, RLENGTH), parts, /\{ comm: | *, lat: ~ 2\^| +\} hitcount: +/)
	name = parts[2]
	exponent = parts[3] + 0
	hits[name, exponent] += parts[4]
	woken[name] += parts[4]
	if (!any++ || exponent < lowest)
		lowest = exponent
	if (exponent > highest)
		highest = exponent
}

END {
	if (!any)
		exit 1
	printf "\"up to\""
	while (columns < TASKS && (name = most()) != "") {
		column[name] = ++columns
		printf " \"%s\"", name
	}
	print " \"others\""
	for (exponent = lowest; exponent <= highest; exponent++) {
		split("", counts)
		for (name in woken)
			counts[name in column ? column[name] : 0] += hits[name, exponent]
		printf "\"%s\"", up_to(exponent)
		for (i = 1; i <= columns; i++)
			printf " %d", counts[i]
		printf " %d\n", counts[0]
	}
}
