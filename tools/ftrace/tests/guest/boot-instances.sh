#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Booted with trace_instance= (parts.sh: boot-trace/instances): the instances exist, with their
# events, flags and snapshots. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 9

# log_has text: true if the kernel has printed the text
log_has()
{
	dmesg | grep -qF -- "$1"
}

[ "$(cd instances && echo *)" = 'a b c' ]
report $? "the instances exist"

grep -q ': initcall_start: func=' instances/a/snapshot &&
	! grep -q ': initcall_level: ' instances/a/snapshot
report $? "ftrace_boot_snapshot=a: the snapshot of a has the boot"

grep -qF '** Boot snapshot taken **' instances/a/trace &&
	! grep -qF '** Boot snapshot taken **' trace instances/b/trace
report $? "only the trace of a says that a snapshot was taken"

umask 022
grep -q ' sys_umask(mask: 12)' instances/a/trace
report $? "a records system calls of tasks that were created later"

[ "$(cat instances/a/tracing_on instances/b/tracing_on | tr '\n' ' ')" = '1 0 ' ] &&
	[ "$(cat instances/b/set_event)" = initcall:initcall_level ] &&
	! grep -q initcall_level instances/b/trace
report $? "b^traceoff has its event and does not record"

[ "$(cat instances/b/options/trace_printk_dest)" = 1 ] &&
	[ "$(cat options/trace_printk_dest)" = 0 ]
report $? "b^printk gets the output of trace_printk()"

grep -q '^# \* Snapshot is allocated' instances/b/snapshot &&
	grep -q '^# \* Snapshot is freed' snapshot
report $? "alloc_snapshot=b: b has memory for a snapshot"

{ ! grep -q a/b /proc/cmdline || log_has 'trace_instance=a/b: no name for an instance'; } &&
	log_has 'trace_instance=c: no such flag: d' &&
	log_has 'trace_instance=c: it has memory like any other, not @1'
report $? "the log names what is not possible"

rmdir instances/a instances/b instances/c
report $? "the instances can be removed"
all_reported
