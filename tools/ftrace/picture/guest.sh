#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Records a small workload with function_graph and with events, and counts in a histogram how long
# tasks wait on a busy machine. Prints the results as files for the host (picture.sh).

. /send.sh
cd /sys/kernel/tracing || exit
mkdir -p /tmp/work

# workload: the one of the demo
workload()
{
	echo hello >/tmp/work/file
	cat /tmp/work/file >/dev/null
	ls -l /tmp/work >/dev/null
	rm /tmp/work/file
}

# record name option...: records the workload, without the work of trace-cmd itself
record()
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
	send_file "$name" <"/tmp/$name"
}

# busy: runs three pipes on two CPUs for ten seconds
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

# waits: prints the histogram. README.md has the same commands: see tests/host/documents.sh.
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

# Run the workload once before recording: the first time takes longer.
workload
record picture.dat -p function_graph -O nosleep-time -O nofuncgraph-irqs
record events.dat -e sched -e syscalls -e irq
waits | send_file waits.hist
