#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Booted with function_graph, both its function lists and a depth, with the stack tracer, and with
# a snapshot at the end of the boot (parts.sh: boot-trace/graph). Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 8

# calls: prints the calls without the columns before them
calls()
{
	grep -v '^#' trace | sed 's/^.*|  //'
}

[ "$(cat current_tracer)" = function_graph ]
report $? "the tracer function_graph runs"

grep -q ' do_filp_open() {$' snapshot
report $? "the snapshot has the calls of the boot"

[ "$(cat /proc/sys/kernel/stack_tracer_enabled)" = 1 ] && [ "$(cat stack_max_size)" -gt 0 ]
bad=$?
echo 0 >/proc/sys/kernel/stack_tracer_enabled || bad=1
report $bad "the stack tracer runs"

[ "$(cat set_graph_function)" = do_filp_open ] && [ "$(cat set_graph_notrace)" = vfs_open ]
report $? "set_graph_function and set_graph_notrace have their functions"

echo >trace
for _ in 1 2 3; do
	cat /proc/version >/dev/null
done
echo 0 >tracing_on
calls | grep -q '^do_filp_open() {$' && ! calls | grep '^[a-z_]' | grep -qv '^do_filp_open'
report $? "the trace has do_filp_open and what it calls, and nothing else"

! calls | grep -q vfs_open
report $? "ftrace_graph_notrace: the trace does not have vfs_open"

[ "$(cat max_graph_depth)" = 3 ] && calls | grep -q '^    [a-z_]' && ! calls | grep -q '^     '
report $? "ftrace_graph_max_depth: the trace has three levels"

echo nop >current_tracer && echo >set_graph_function && echo >set_graph_notrace &&
	[ ! -s enabled_functions ]
report $? "the tracer can be stopped"
all_reported
