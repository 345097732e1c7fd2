#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# QEMU sends NMIs all the time. Their handlers are traced while all call sites are patched, another
# CPU reads the records, and the buffer is reset and resized (SPEC D4). An instance records the
# calls of a function in the handler: each of them is recorded or counted as lost. Prints KTAP.

NMIS=10000

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 6

param()
{
	cat "/sys/module/ftrace_nmi/parameters/$1"
}

# stats_sum what: prints the sum of a number in the stats of the instance over all CPUs
stats_sum()
{
	cat instances/leaf/per_cpu/cpu*/stats |
		awk -F ': ' -v what="$1" '$1 == what { n += $2 } END { print n }'
}

# make_load: runs all kinds of code for NMIs to interrupt
make_load()
{
	while [ ! -e /tmp/stop ]; do
		ls -lR /sys/devices >/dev/null 2>&1
	done
}

modprobe ftrace_nmi || exit
mkdir instances/leaf
echo nmi_leaf >instances/leaf/set_ftrace_filter
echo function >instances/leaf/current_tracer
make_load &
cat instances/leaf/trace_pipe >/tmp/read &
reader=$!
taskset -p 2 $reader >/dev/null
echo 1 >/sys/module/ftrace_nmi/parameters/armed

echo "send to the monitor: nmi" >/dev/kmsg
first=$(param nmis)
rounds=0
while [ $(($(param nmis) - first)) -lt $NMIS ] && [ $rounds -lt 5000 ]; do
	echo function >current_tracer
	echo 'nmi_* exc_nmi default_do_nmi' >set_ftrace_filter 2>/dev/null
	echo >trace
	echo >set_ftrace_filter
	echo $((100 + rounds % 7 * 50)) >buffer_size_kb
	echo nop >current_tracer
	[ $((rounds % 50)) -ne 0 ] || echo l >/proc/sysrq-trigger
	rounds=$((rounds + 1))
done
echo 0 >/sys/module/ftrace_nmi/parameters/armed
touch /tmp/stop
echo "# $(($(param nmis) - first)) NMIs, $(param calls) calls, $rounds rounds"

[ $(($(param nmis) - first)) -ge $NMIS ]
report $? "$NMIS NMIs came while call sites were patched"
[ "$(param calls)" -gt 0 ]
report $? "the handler called the function"

# Records that the reader has consumed, and records that are left.
sleep 1
kill $reader
wait $reader 2>/dev/null
kept=$(($(stats_sum entries) + $(stats_sum 'read events')))
lost=$(($(stats_sum overrun) + $(stats_sum 'dropped events')))
echo "# $kept recorded, $lost counted as lost, of $(param calls)"
[ $((kept + lost)) -eq "$(param calls)" ]
report $? "each call is recorded or counted as lost"
[ "$(grep -c nmi_leaf /tmp/read)" -gt 0 ] && ! grep -v nmi_leaf /tmp/read | grep -q '<-'
report $? "another CPU has read records of the function, and no others"

echo 0 >instances/leaf/tracing_on
before=$(stats_sum entries)
sleep 1
[ "$(stats_sum entries)" -eq "$before" ]
report $? "nothing is recorded after tracing_on is 0"

rmdir instances/leaf && rmmod ftrace_nmi
report $? "the module can be removed"
all_reported
