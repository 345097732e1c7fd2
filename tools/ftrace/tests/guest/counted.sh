#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, which is given NMIs all the time where it has some: an event that happens in
# tasks, interrupts and NMIs of all CPUs is counted by histograms, which somebody reads
# meanwhile. Each hit is in a row, or counted as dropped; what one has noted for another is
# taken once. Prints KTAP.

SECONDS_EACH=10

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 9

EVENT=events/ftrace_counted/counted

param()
{
	cat "/sys/module/ftrace_counted/parameters/$1"
}

arm()
{
	echo "$1" >/sys/module/ftrace_counted/parameters/armed
}

# counted what: a number of file hist, of which the sum is told if there are several
counted()
{
	awk -v what="$1:" '{
			for (i = 1; i < NF; i++)
				if ($i == what)
					sum += $(i + 1)
		} END { printf "%.0f", sum }' /tmp/hist
}

read_all()
{
	while [ ! -e /tmp/stop ]; do
		cat $EVENT/hist >/dev/null || touch /tmp/bad
	done
}

# count text: all that happens in ten seconds, by a histogram
count()
{
	before=$(param calls)
	rm -f /tmp/stop
	echo "$1" >$EVENT/trigger || return
	read_all &
	arm 1
	sleep $SECONDS_EACH
	arm 0
	touch /tmp/stop
	wait
	cat $EVENT/hist >/tmp/hist
	echo "!$1" >$EVENT/trigger
	calls=$(($(param calls) - before))
	hits=$(counted Hits)
	echo "# $calls calls, $hits hits, $(counted hitcount) in rows, $(counted Dropped) dropped"
	[ $((calls)) -gt 0 ] && [ "$hits" -eq "$calls" ] &&
		[ $(($(counted hitcount) + $(counted Dropped))) -eq "$calls" ] &&
		[ "$(counted weight)" -eq $((3 * $(counted hitcount))) ]
}

modprobe ftrace_counted || exit
echo "tell the monitor: nmi" >/dev/kmsg

count 'hist:keys=same:vals=weight'
report $? "each hit of one key was counted"
[ "$(counted Entries)" -eq 1 ] && [ "$(counted Dropped)" -eq 0 ]
report $? "by one row"

count 'hist:keys=number:vals=weight'
report $? "each hit of many keys was counted"
[ "$(counted Entries)" -eq 1024 ] && [ "$(counted Dropped)" -eq 0 ] &&
	[ "$(grep -o '{ number: *[0-9]*' /tmp/hist | sort -u | wc -l)" -eq 1024 ]
report $? "by a row for each key"

count 'hist:keys=number:vals=weight:size=128'
report $? "each hit of too many keys was counted, or dropped"
[ "$(counted Entries)" -eq 128 ] && [ "$(counted Dropped)" -gt 0 ]
report $? "the table was full"

# What is calculated with is taken: of two CPUs that ask at the same time one gets it.
# shellcheck disable=SC2016
NOTES='hist:keys=same:noted=weight if !(number & 15)' TAKES='hist:keys=same:taken=$noted+1'
echo "$NOTES" >$EVENT/trigger
echo "$TAKES" >>$EVENT/trigger
arm 1
sleep $SECONDS_EACH
arm 0
awk '$1 == "Hits:" { print $2 }' $EVENT/hist >/tmp/hits
echo "!$TAKES" >>$EVENT/trigger
echo "!$NOTES" >>$EVENT/trigger
{ read -r noted; read -r taken; } </tmp/hits
echo "# noted $noted times, taken $taken times"
[ $((taken)) -gt 0 ] && [ "$taken" -le "$noted" ] 2>/dev/null
report $? "what was noted was taken once"

echo "# $(param interrupts) in interrupts, $(param nmis) in NMIs"
[ "$(param interrupts)" -gt 1000 ] && [ ! -e /tmp/bad ] &&
	{ [ "$(uname -m)" != x86_64 ] || [ "$(param nmis)" -gt 1000 ]; }
report $? "interrupts came, NMIs where there are some, and it could be read"

rmmod ftrace_counted && [ ! -d events/ftrace_counted ]
report $? "the module can go"
all_reported
