#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, booted with every function traced by the global clock: clocks,
# the patching of text and the tracer itself run into each other all the time; and with
# the stack tracer. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 7

[ "$(cat current_tracer)" = function ] && grep -qF '[global]' trace_clock
report $? "all is traced, by the global clock"

# stacktrace_filter=kernel_init,rcu_*
stack_tracer=/proc/sys/kernel/stack_tracer_enabled
[ "$(cat $stack_tracer)" = 1 ] && [ "$(cat stack_max_size)" -gt 0 ] &&
	sed -n 3p stack_trace | grep -q '^  0) .* rcu_' &&
	grep -qx kernel_init stack_trace_filter && grep -q '^rcu_' stack_trace_filter
bad=$?
echo 0 >$stack_tracer || bad=1
report $bad "the stack tracer was started, for some functions"

[ "$(cat tracing_thresh)" = 100 ] && grep -q 'Snapshot is allocated' snapshot
report $? "a threshold was set, and there is a snapshot"

# trace_event=initcall:*,!initcall_level
[ "$(sort set_event | xargs)" = "initcall:initcall_finish initcall:initcall_start" ] &&
	[ "$(cat events/initcall/enable)" = X ]
bad=$?
echo >set_event || bad=1
report $bad "events were switched on, but for one"

# What is traced since before there were names stays so, also where it is no function.
line=$(grep -m1 -nx schedule available_filter_functions | cut -d: -f1)
echo "$line" >set_ftrace_filter && [ "$(cat set_ftrace_filter)" = schedule ]
report $? "the number of a line stands for what the line says"
echo >set_ftrace_filter

echo nop >current_tracer && [ ! -s enabled_functions ]
report $? "it stops"

echo nooverwrite >trace_options
echo >trace
echo function >current_tracer
echo 0 >tracing_on
[ "$(grep -c ': local_clock <-patch' trace)" -lt 2000 ]
report $? "writing 20,000 call sites does not read a traced clock for each"
all_reported
