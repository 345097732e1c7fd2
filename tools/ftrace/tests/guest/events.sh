#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, with a kernel that nobody has made for tests: events are recorded.
# Prints KTAP.

. /ktap.sh
plan 4
mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
[ -d /sys/kernel/tracing/events ]
report $? "there is a tracefs"
cd /sys/kernel/tracing || exit

grep -q expanded buffer_size_kb && echo '!sched_switch' >set_event &&
	grep -q expanded buffer_size_kb && echo sched_switch >set_event &&
	! grep -q expanded buffer_size_kb && echo >set_event
report $? "the buffer is small until one is asked for"

echo 1 >events/sched/enable && ls / >/dev/null && sleep 1 && echo 0 >events/sched/enable &&
	grep -q ': sched_switch: prev_comm=' trace && grep -q ': sched_process_exit: ' trace
report $? "events of the scheduler are recorded"

echo >trace && ls / >/dev/null && [ "$(grep -vc '^#' trace)" = 0 ]
report $? "and no more"
all_reported
