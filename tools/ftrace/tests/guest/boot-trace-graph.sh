#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, booted with function_graph, both its lists and a depth, with the stack
# tracer, and a snapshot at the end of the boot (parts.sh: boot-trace/graph). Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 8

calls() # as they are nested, without the columns before them
{
	grep -v '^#' trace | sed 's/^.*|  //'
}

[ "$(cat current_tracer)" = function_graph ]
report $? "the tracer was started"

grep -q ' do_filp_open() {$' snapshot
report $? "what was recorded when the boot was over is in the snapshot"

[ "$(cat /proc/sys/kernel/stack_tracer_enabled)" = 1 ] && [ "$(cat stack_max_size)" -gt 0 ]
bad=$?
echo 0 >/proc/sys/kernel/stack_tracer_enabled || bad=1
report $bad "the stack tracer was started"

[ "$(cat set_graph_function)" = do_filp_open ] && [ "$(cat set_graph_notrace)" = vfs_open ]
report $? "each list has what was named"

echo >trace
for _ in 1 2 3; do
	cat /proc/version >/dev/null
done
echo 0 >tracing_on
calls | grep -q '^do_filp_open() {$' && ! calls | grep '^[a-z_]' | grep -qv '^do_filp_open'
report $? "what the one names is recorded, and what that calls"

! calls | grep -q vfs_open
report $? "and nothing that the other one names"

[ "$(cat max_graph_depth)" = 3 ] && calls | grep -q '^    [a-z_]' && ! calls | grep -q '^     '
report $? "nor what is deeper"

echo nop >current_tracer && echo >set_graph_function && echo >set_graph_notrace &&
	[ ! -s enabled_functions ]
report $? "it stops"
all_reported
