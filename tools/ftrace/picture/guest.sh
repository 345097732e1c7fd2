#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: records what a small workload does with function_graph, and again with
# events, and prints the records as files for the host (picture.sh).

. /carry.sh
cd /sys/kernel/tracing || exit
mkdir -p /tmp/work

# That of the demo.
workload()
{
	echo hello >/tmp/work/file
	cat /tmp/work/file >/dev/null
	ls -l /tmp/work >/dev/null
	rm /tmp/work/file
}

# Of what is recorded, what trace-cmd itself does is no part.
record() # name what...
{
	name=$1
	shift
	trace-cmd start -q -b 16384 "$@" >/dev/null || exit
	echo 0 >tracing_on
	echo >trace
	echo 1 >tracing_on
	workload
	echo 0 >tracing_on
	trace-cmd extract -o "/tmp/$name" >/dev/null || exit
	trace-cmd reset >/dev/null
	carry "$name" <"/tmp/$name"
}

# Once before, for what is done only the first time.
workload
record picture.dat -p function_graph -O nosleep-time -O nofuncgraph-irqs
record events.dat -e sched -e syscalls -e irq
