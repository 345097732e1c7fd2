#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, which is given NMIs all the time: handlers are traced while all call
# sites are switched, their records are read by another CPU, and the buffer is reset and
# resized (SPEC D4). An instance records the calls of one function in the handler, and
# has to have each of them, or count it as lost. Prints KTAP.

NMIS=10000

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 6

param()
{
	cat "/sys/module/ftrace_nmi/parameters/$1"
}

# What has become of each record of the instance.
stats_sum() # what
{
	cat instances/leaf/per_cpu/cpu*/stats |
		awk -F ': ' -v what="$1" '$1 == what { n += $2 } END { print n }'
}

# Load, so that NMIs interrupt all kinds of code.
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

echo "tell the monitor: nmi" >/dev/kmsg
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
report $? "$NMIS NMIs came while everything was switched"
[ "$(param calls)" -gt 0 ]
report $? "the handler called the function"

# What the reader has taken, and what it has not.
sleep 1
kill $reader
wait $reader 2>/dev/null
kept=$(($(stats_sum entries) + $(stats_sum 'read events')))
lost=$(($(stats_sum overrun) + $(stats_sum 'dropped events')))
echo "# $kept recorded, $lost counted as lost, of $(param calls)"
[ $((kept + lost)) -eq "$(param calls)" ]
report $? "each call was recorded, or counted as lost"
[ "$(grep -c nmi_leaf /tmp/read)" -gt 0 ] && ! grep -v nmi_leaf /tmp/read | grep -q '<-'
report $? "another CPU has read them, and nothing else"

echo 0 >instances/leaf/tracing_on
before=$(stats_sum entries)
sleep 1
[ "$(stats_sum entries)" -eq "$before" ]
report $? "none is recorded any more"

rmdir instances/leaf && rmmod ftrace_nmi
report $? "the module can go"
all_reported
