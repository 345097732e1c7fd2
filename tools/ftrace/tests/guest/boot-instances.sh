#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, booted with trace_instance= (parts.sh: boot-trace/instances): each has what
# was asked of it. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 9

said() # text
{
	dmesg | grep -qF -- "$1"
}

[ "$(cd instances && echo *)" = 'a b c' ]
report $? "they are there"

grep -q ': initcall_start: func=' instances/a/snapshot &&
	! grep -q ': initcall_level: ' instances/a/snapshot
report $? "the one has recorded the boot in a snapshot"

grep -qF '** Boot snapshot taken **' instances/a/trace &&
	! grep -qF '** Boot snapshot taken **' trace instances/b/trace
report $? "says so, and nobody else"

umask 022
grep -q ' sys_umask(mask: 12)' instances/a/trace
report $? "and records system calls of tasks that came later"

[ "$(cat instances/a/tracing_on instances/b/tracing_on | tr '\n' ' ')" = '1 0 ' ] &&
	[ "$(cat instances/b/set_event)" = initcall:initcall_level ] &&
	! grep -q initcall_level instances/b/trace
report $? "the other has its event and does not record"

[ "$(cat instances/b/options/trace_printk_dest)" = 1 ] &&
	[ "$(cat options/trace_printk_dest)" = 0 ]
report $? "it gets what trace_printk() says"

grep -q '^# \* Snapshot is allocated' instances/b/snapshot &&
	grep -q '^# \* Snapshot is freed' snapshot
report $? "it has room for a snapshot"

{ ! grep -q a/b /proc/cmdline || said 'trace_instance=a/b: no name for an instance'; } &&
	said 'trace_instance=c: no such flag: d' &&
	said 'trace_instance=c: it has memory like any other, not @1'
report $? "what cannot be is told of"

rmdir instances/a instances/b instances/c
report $? "they go like others"
all_reported
