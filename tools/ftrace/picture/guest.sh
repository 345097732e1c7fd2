#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: records what a small workload does with function_graph, and again with
# events, has a histogram say how long tasks wait on a busy machine, and prints these as files
# for the host (picture.sh).

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

# Three pipes on two CPUs
busy()
{
	rm -f /tmp/stop
	for _ in 1 2 3; do
		until [ -e /tmp/stop ]; do
			find /bin /dev /proc/sys | sort | wc >/dev/null
		done &
	done
	sleep 10
	touch /tmp/stop
	wait
}

# README says how, too: tests/host/documents.sh.
waits()
{
	# shellcheck disable=SC2016
	{
		echo 'wakeup u64 lat; pid_t pid; char comm[16]' >synthetic_events
		echo 'hist:keys=pid:ts=common_timestamp.usecs' >events/sched/sched_waking/trigger
		echo 'hist:keys=next_pid:lat=common_timestamp.usecs-$ts:onmatch(sched.sched_waking).wakeup($lat,next_pid,next_comm)' >events/sched/sched_switch/trigger
		echo 'hist:keys=comm,lat.log2.percentile:vals=lat.max:sort=comm,lat' >events/synthetic/wakeup/trigger
	}
	busy
	cat events/synthetic/wakeup/hist
}

# Once before, for what is done only the first time.
workload
record picture.dat -p function_graph -O nosleep-time -O nofuncgraph-irqs
record events.dat -e sched -e syscalls -e irq
waits | carry waits.hist
