#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, booted with events, a trigger, a probe and an instance on the command line, and
# with KUnit (parts.sh: boot-trace/kept): what they have recorded since the first moments is
# there when init runs, for self-tests are left out, and KUnit leaves it alone. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 8

dmesg | grep -q 'self-tests left out: the boot is traced (trace_event=)$' &&
	! dmesg | grep -q 'ftrace: Testing'
report $? "self-tests are left out, and the log says why"

! grep -q expanded buffer_size_kb
report $? "the buffer has its size"

for level in early core late; do
	grep -q " initcall_level: level=$level\$" trace || break
	level=
done
[ -z "$level" ]
report $? "the first events are there, and the last: $level"

[ "$(cat events/sched/sched_switch/trigger)" = 'stacktrace:count=0 if prev_pid >= 0' ]
report $? "a trigger was used up"

[ "$(grep -c '<stack trace>$' trace)" -ge 3 ]
report $? "its stacks are there"

grep -q ' at_boot: (kernel_execve+0x0/0x[0-9a-f]*)$' trace
report $? "a probe's record is there"

grep -q ' initcall_level: level=early$' instances/kept/trace
report $? "those of an instance are there"

! dmesg | grep -qE 'not ok |FAILED'
report $? "no test has failed for it"
dmesg | grep -E 'not ok |FAILED'
all_reported
