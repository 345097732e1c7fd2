#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Booted with all functions traced, with the global clock and the stack tracer (parts.sh:
# boot-trace/all). The traced functions include those of clocks and text patching, which the tracer
# itself calls. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 7

[ "$(cat current_tracer)" = function ] && grep -qF '[global]' trace_clock
report $? "the function tracer uses the global clock"

# stacktrace_filter=kernel_init,rcu_*
stack_tracer=/proc/sys/kernel/stack_tracer_enabled
[ "$(cat $stack_tracer)" = 1 ] && [ "$(cat stack_max_size)" -gt 0 ] &&
	sed -n 3p stack_trace | grep -q '^  0) .* rcu_' &&
	grep -qx kernel_init stack_trace_filter && grep -q '^rcu_' stack_trace_filter
bad=$?
echo 0 >$stack_tracer || bad=1
report $bad "the stack tracer runs, with a filter"

[ "$(cat tracing_thresh)" = 100 ] && grep -q 'Snapshot is allocated' snapshot
report $? "tracing_thresh is set, and the snapshot is allocated"

# trace_event=initcall:*,!initcall_level
[ "$(sort set_event | xargs)" = "initcall:initcall_finish initcall:initcall_start" ] &&
	[ "$(cat events/initcall/enable)" = X ]
bad=$?
echo >set_event || bad=1
report $bad "the events are enabled, except the one that is excluded"

# Sites that have been traced since before kallsyms worked stay in the list, even without a
# function.
line=$(grep -m1 -nx schedule available_filter_functions | cut -d: -f1)
echo "$line" >set_ftrace_filter && [ "$(cat set_ftrace_filter)" = schedule ]
report $? "a line number of available_filter_functions selects the function in that line"
echo >set_ftrace_filter

echo nop >current_tracer && [ ! -s enabled_functions ]
report $? "the tracer can be stopped"

echo nooverwrite >trace_options
echo >trace
echo function >current_tracer
echo 0 >tracing_on
[ "$(grep -c ': local_clock <-patch' trace)" -lt 2000 ]
report $? "patching 20,000 call sites does not read a traced clock for each"
all_reported
