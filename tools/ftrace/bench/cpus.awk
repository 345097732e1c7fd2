# SPDX-License-Identifier: GPL-2.0
# The second table of make bench GROWTH=1: the rows cpus_* of both tracers, by number of CPUs.
# Variables: ours and stock, the names of the files.

BEGIN {
	what["cpus_function"] = "trace all functions"
	what["cpus_nop"] = "stop tracing functions"
	what["cpus_events_1"] = "enable all events"
	what["cpus_events_0"] = "disable all events"
	what["cpus_resize"] = "enlarge the buffers"
	what["cpus_empty"] = "clear the buffers"
	what["cpus_read"] = "read the trace after that"
}

$1 == "grow" && $2 in what {
	value[FILENAME, $2, $3] = $4
	if (!($3 in known)) { known[$3]; cpus[++nr] = $3 }
	if (!($2 in seen)) { seen[$2]; name[++rows] = $2 }
}

END {
	printf "%-46s", "milliseconds, ours / stock, by number of CPUs"
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
