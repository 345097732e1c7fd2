#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, booted with ftrace=function and filters (parts.sh: boot-variant): a
# kernel whose sites do not change traces everything, one without a table of them what
# was named, from when that is found. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 4

lines()
{
	grep -v '^#' trace
}

[ "$(cat current_tracer)" = function ]
report $? "the tracer was started"

cat /proc/version >/dev/null
sleep 3
echo >trace
cat /proc/version >/dev/null
lines | grep -q ': vfs_open <-'
report $? "and traces"

# ftrace_filter=vfs_*,yet_to_come ftrace_notrace=vfs_read
what="what the parameters named waits, and nothing else is traced"
if [ -e set_ftrace_filter ]; then
	grep -qx yet_to_come set_ftrace_filter && grep -qx vfs_read set_ftrace_notrace &&
		! lines | grep -v ': vfs_' && ! lines | grep ': vfs_read <-' &&
		! grep -v '^vfs_' enabled_functions
	report $? "$what"
else
	lines | grep -qv ': vfs_'
	report $? "whatever is called"
fi

echo nop >current_tracer && echo >trace && ls / >/dev/null && ! lines | grep .
report $? "it stops"
all_reported
