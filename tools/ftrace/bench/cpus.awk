# SPDX-License-Identifier: GPL-2.0
# The other table of bench GROWTH=1: the rows cpus_* of two guests, by how many CPUs these had.
# Variables: ours and stock, the names of the files.

BEGIN {
	what["cpus_function"] = "all functions on"
	what["cpus_nop"] = "all functions off"
	what["cpus_events_1"] = "all events on"
	what["cpus_events_0"] = "all events off"
	what["cpus_resize"] = "each buffer made larger"
	what["cpus_empty"] = "all buffers emptied"
	what["cpus_read"] = "what is left of them read"
}

$1 == "grow" && $2 in what {
	value[FILENAME, $2, $3] = $4
	if (!($3 in known)) { known[$3]; cpus[++nr] = $3 }
	if (!($2 in seen)) { seen[$2]; name[++rows] = $2 }
}

END {
	printf "%-46s", "milliseconds, ours / stock, with CPUs"
	for (i = 1; i <= nr; i++)
		printf " %19d", cpus[i]
	print ""
	for (r = 1; r <= rows; r++) {
		printf "%-46s", what[name[r]]
		for (i = 1; i <= nr; i++)
			printf " %9.2f /%8.2f", value[ours, name[r], cpus[i]] / 1000000,
				value[stock, name[r], cpus[i]] / 1000000
		print ""
	}
}
