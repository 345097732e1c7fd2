#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Histograms count an event that happens in tasks, interrupts and, on x86, NMIs of all CPUs, while
# they are read. Each hit is in a row or counted as dropped. A variable that one histogram sets
# is read by another one only once. Prints KTAP.

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

# counted what: prints a number from the file hist, or the sum if it occurs several times
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

# count text: counts all hits of ten seconds in a histogram; checks its sums
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
echo "send to the monitor: nmi" >/dev/kmsg

count 'hist:keys=same:vals=weight'
report $? "one key: each hit is counted"
[ "$(counted Entries)" -eq 1 ] && [ "$(counted Dropped)" -eq 0 ]
report $? "one key: the histogram has one row"

count 'hist:keys=number:vals=weight'
report $? "1,024 keys: each hit is counted"
[ "$(counted Entries)" -eq 1024 ] && [ "$(counted Dropped)" -eq 0 ] &&
	[ "$(grep -o '{ number: *[0-9]*' /tmp/hist | sort -u | wc -l)" -eq 1024 ]
report $? "1,024 keys: the histogram has a row for each"

count 'hist:keys=number:vals=weight:size=128'
report $? "more keys than rows: each hit is counted or dropped"
[ "$(counted Entries)" -eq 128 ] && [ "$(counted Dropped)" -gt 0 ]
report $? "more keys than rows: all rows are used"

# An expression consumes a variable: if two CPUs read it at the same time, only one gets it.
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
echo "# variable set $noted times, read $taken times"
[ $((taken)) -gt 0 ] && [ "$taken" -le "$noted" ] 2>/dev/null
report $? "a variable is read at most as often as it is set"

echo "# $(param interrupts) in interrupts, $(param nmis) in NMIs"
[ "$(param interrupts)" -gt 1000 ] && [ ! -e /tmp/bad ] &&
	{ [ "$(uname -m)" != x86_64 ] || [ "$(param nmis)" -gt 1000 ]; }
report $? "events happened in interrupts and NMIs, and the file could be read"

rmmod ftrace_counted && [ ! -d events/ftrace_counted ]
report $? "the module can be removed"
all_reported
