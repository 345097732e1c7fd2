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

[ "$(cd instances && echo *)" = 'bar foo ram' ]
report $? "they are there"

grep -q ': initcall_start: func=' instances/foo/snapshot &&
	! grep -q ': initcall_level: ' instances/foo/snapshot
report $? "the one has recorded the boot in a snapshot"

grep -qF '** Boot snapshot taken **' instances/foo/trace &&
	! grep -qF '** Boot snapshot taken **' trace instances/bar/trace
report $? "says so, and nobody else"

umask 022
grep -q ' sys_umask(mask: 12)' instances/foo/trace
report $? "and records system calls of tasks that came later"

[ "$(cat instances/foo/tracing_on instances/bar/tracing_on | tr '\n' ' ')" = '1 0 ' ] &&
	[ "$(cat instances/bar/set_event)" = initcall:initcall_level ] &&
	! grep -q initcall_level instances/bar/trace
report $? "the other has its event and does not record"

[ "$(cat instances/bar/options/trace_printk_dest)" = 1 ] &&
	[ "$(cat options/trace_printk_dest)" = 0 ]
report $? "it gets what trace_printk() says"

grep -q '^# \* Snapshot is allocated' instances/bar/snapshot &&
	grep -q '^# \* Snapshot is freed' snapshot
report $? "it has room for a snapshot"

said 'trace_instance=a/b: no name for an instance' &&
	said 'trace_instance=ram: no such flag: no' &&
	said 'trace_instance=ram: it has memory like any other, not @1:2'
report $? "what cannot be is told of"

rmdir instances/foo instances/bar instances/ram
report $? "they go like others"
all_reported
