# SPDX-License-Identifier: GPL-2.0
# Converts the output of trace-cmd report for function_graph into the input of flamegraph.pl:
# lines "task;function;callee nanoseconds", with the time of a function without its callees.
# Drops calls whose begin or end was not recorded, and tasks that match SKIP.

function duration(text)
{
	return match(text, /[0-9.]+ us/) ? substr(text, RSTART, RLENGTH - 3) * 1000 : 0
}

function account(stack, ns)
{
	if (ns > 0)
		spent[stack] += ns
}

{
	if (!match($0, /-[0-9]+ +\[[0-9]+\]/))
		next
	name = substr($0, 1, RSTART - 1)
	gsub(/ /, "", name)
	if (name ~ SKIP)
		next
	split(substr($0, RSTART + 1), words, " ")
	task = words[1]
	bar = index($0, "|")
	ns = duration(substr($0, 1, bar - 1))
	call = substr($0, bar + 1)
	n = depth[task] + 0
	path = n ? stacks[task, n] : name
}

/funcgraph_entry/ {
	match(call, /[^ (]+/)
	path = path ";" substr(call, RSTART, RLENGTH)
	if (call ~ /;$/) {
		account(path, ns)
		inside[task, n] += ns
	} else {
		depth[task] = ++n
		stacks[task, n] = path
		inside[task, n] = 0
	}
}

/funcgraph_exit/ && n {
	account(path, ns - inside[task, n])
	depth[task] = n - 1
	inside[task, n - 1] += ns
}

END {
	for (path in spent)
		printf "%s %d\n", path, spent[path]
}
