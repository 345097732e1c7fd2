#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Booted with events, a trigger, a probe and an instance on the command line, and with KUnit
# (parts.sh: boot-trace/kept): the records are complete when init runs, because the kernel leaves
# its self-tests out and KUnit does not touch the records. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 8

dmesg | grep -q 'self-tests left out: the boot is traced (trace_event=)$' &&
	! dmesg | grep -q 'ftrace: Testing'
report $? "self-tests are left out, and the log says why"

! grep -q expanded buffer_size_kb
report $? "the buffer is expanded"

for level in early core late; do
	grep -q " initcall_level: level=$level\$" trace || break
	level=
done
[ -z "$level" ]
report $? "the trace has the first and the last events${level:+, but not level=$level}"

[ "$(cat events/sched/sched_switch/trigger)" = 'stacktrace:count=0 if prev_pid >= 0' ]
report $? "the trigger has used up its count"

[ "$(grep -c '<stack trace>$' trace)" -ge 3 ]
report $? "the trace has the stacks of the trigger"

grep -q ' at_boot: (kernel_execve+0x0/0x[0-9a-f]*)$' trace
report $? "the trace has the record of the probe"

grep -q ' initcall_level: level=early$' instances/kept/trace
report $? "the instance has its records"

! dmesg | grep -qE 'not ok |FAILED'
report $? "no test of the kernel failed"
dmesg | grep -E 'not ok |FAILED'
all_reported
