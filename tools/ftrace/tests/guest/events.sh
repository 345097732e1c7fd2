#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# With the base's defconfig, which is not made for tests: events are recorded. Prints KTAP.

. /ktap.sh
plan 4
mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
[ -d /sys/kernel/tracing/events ]
report $? "tracefs exists"
cd /sys/kernel/tracing || exit

grep -q expanded buffer_size_kb && echo '!sched_switch' >set_event &&
	grep -q expanded buffer_size_kb && echo sched_switch >set_event &&
	! grep -q expanded buffer_size_kb && echo >set_event
report $? "the buffer is small until an event is enabled"

echo 1 >events/sched/enable && ls / >/dev/null && sleep 1 && echo 0 >events/sched/enable &&
	grep -q ': sched_switch: prev_comm=' trace && grep -q ': sched_process_exit: ' trace
report $? "events of the scheduler are recorded"

echo >trace && ls / >/dev/null && [ "$(grep -vc '^#' trace)" = 0 ]
report $? "nothing is recorded after events are disabled"
all_reported
