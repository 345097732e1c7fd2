#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel has no table of call sites: it finds a site when it first runs. A function that a
# filter has named before is traced from then on (SPEC D14). Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 8

found()
{
	sed -ne 's/^sites found while they ran: \([0-9]*\),.*/\1/p' dyn_ftrace_total_info
}

calls_skipped()
{
	sed -ne 's/.* calls skipped for want of a slot: //p' dyn_ftrace_total_info
}

listed()
{
	wc -l <available_filter_functions
}

seconds=0
for at in 1 2 5 10; do
	sleep $((at - seconds))
	seconds=$at
	echo "# $at s after init: $(found) found, $(calls_skipped) calls skipped"
done
[ "$(found)" -gt 1000 ]
report $? "functions that ran during the boot are found"

before=$(found)
ls -lR /bin /dev /proc /sys/devices >/dev/null 2>&1
sleep 3
echo "# after ls -lR: $(found) found, $(calls_skipped) calls skipped"
[ "$(found)" -gt "$before" ]
report $? "functions that run later are found"
[ "$(listed)" -gt 1000 ] && [ "$(listed)" -le "$(found)" ]
report $? "found functions are in available_filter_functions"

# Keep the first CPU idle from here on.
[ "$(nproc)" -eq 1 ] || taskset -p 2 $$ >/dev/null

# Nothing has called ksys_sync yet.
grep -qx ksys_sync available_filter_functions
[ $? -eq 1 ] && echo ksys_sync >set_ftrace_filter &&
	[ "$(cat set_ftrace_filter)" = ksys_sync ]
report $? "a filter can name a function that is not found yet"
echo function >current_tracer
sync
grep -q 'ksys_sync <-' trace
report $(($? != 1)) "the first call is noted, but not traced"
until grep -qx ksys_sync available_filter_functions || [ $seconds -ge 30 ]; do
	sleep 1
	seconds=$((seconds + 1))
done
sync
sync
[ "$(grep -c 'ksys_sync <-' trace)" -eq 2 ]
report $? "calls are traced after the function is found"

echo nop >current_tracer
echo disable >ftraced_enabled
before=$(found)
ip a >/dev/null 2>&1
mkdir /tmp/new && mv /tmp/new /tmp/old && rmdir /tmp/old
sleep 3
[ "$(found)" -eq "$before" ]
report $? "ftraced_enabled: no sites are converted while it is disabled"
echo 0 >ftraced_enabled
[ "$(found)" -gt "$before" ] && [ "$(cat ftraced_enabled)" = disabled ]
report $? "ftraced_enabled: writing 0 converts the noted sites"
all_reported
