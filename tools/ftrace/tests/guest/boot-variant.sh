#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Booted with ftrace=function and filters (parts.sh: boot-variant): a kernel that never patches
# call sites traces everything; one without a table of call sites traces the functions that the
# filters name, from when they are found. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 4

lines()
{
	grep -v '^#' trace
}

[ "$(cat current_tracer)" = function ]
report $? "the function tracer runs"

cat /proc/version >/dev/null
sleep 3
echo >trace
cat /proc/version >/dev/null
lines | grep -q ': vfs_open <-'
report $? "calls are traced"

# ftrace_filter=vfs_*,yet_to_come ftrace_notrace=vfs_read
what="only functions that the filters allow are traced, and unknown names are kept"
if [ -e set_ftrace_filter ]; then
	grep -qx yet_to_come set_ftrace_filter && grep -qx vfs_read set_ftrace_notrace &&
		! lines | grep -v ': vfs_' && ! lines | grep ': vfs_read <-' &&
		! grep -v '^vfs_' enabled_functions
	report $? "$what"
else
	lines | grep -qv ': vfs_'
	report $? "all functions are traced"
fi

echo nop >current_tracer && echo >trace && ls / >/dev/null && ! lines | grep .
report $? "the tracer can be stopped"
all_reported
