#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs the examples of documents, which tests/guide.py has written to /guide, and undoes what each
# has set. guide.py on the host compares what they print with the documents.

cd /sys/kernel/tracing || exit

# remove_triggers: removes the triggers of each event in the reverse order of the file, so the
# newest histogram first: it may use variables of an older one
remove_triggers()
{
	grep -lv '^#' events/synthetic/*/trigger events/*/*/trigger | while read -r trigger; do
		sed -n '/^#/d; s/ \[.*//; s/^/!/p' "$trigger" | tac | while read -r line; do
			echo "$line" >>"$trigger"
		done
	done
}

remove_commands()
{
	echo >set_ftrace_filter
	sed -n '/^#/d; s/:unlimited$//; s/:count=/:/; s/^/!/p' set_ftrace_filter |
		while read -r line; do
			echo "$line" >>set_ftrace_filter
		done
}

# reset_tracing: undoes what an example has set. Removes triggers twice, because a histogram whose
# variables others use can only be removed after those.
reset_tracing()
{
	echo 0 >tracing_on
	echo nop >current_tracer
	echo 0 >events/enable
	remove_triggers 2>/dev/null
	remove_triggers 2>/dev/null
	grep -lvx none events/*/*/filter | while read -r filter; do
		echo 0 >"$filter"
	done
	remove_commands
	for file in set_ftrace_notrace set_ftrace_pid set_event_pid set_graph_function \
		set_graph_notrace stack_trace_filter dynamic_events error_log; do
		echo >"$file"
	done
	for file in /proc/sys/kernel/stack_tracer_enabled function_profile_enabled max_graph_depth \
		tracing_thresh snapshot; do
		echo 0 >"$file"
	done
	for option in $options; do
		echo "$option" >trace_options
	done
	for option in options/func* options/*-time; do
		cat "/tmp/$option" >"$option"
	done
	echo 4 >buffer_subbuf_size_kb
	echo "$size" >buffer_size_kb
	echo 1 >ftraced_enabled
	echo >trace
	echo 1 >tracing_on
}

options=$(cat trace_options)
size=$(sed 's/.*expanded: \([0-9]*\).*/\1/' buffer_size_kb)
cp -r options /tmp/

for example in /guide/*; do
	reset_tracing
	ash "$example" >/tmp/said 2>&1 </dev/null
	cat /tmp/said
done
reset_tracing
