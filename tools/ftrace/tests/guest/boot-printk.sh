#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Booted with tp_printk, tp_printk_stop_on_boot, events and triggers (parts.sh:
# boot-trace/printk): records are printed as kernel messages while that is enabled. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 9
EXEC=': sched_process_exec: filename='
PRINTK=/proc/sys/kernel/tracepoint_printk

# log_has text: true if the kernel has printed the text
log_has()
{
	sleep 1
	dmesg | sed 's/\]/]:/' | grep -q -- "$1"
}

log_has ': initcall_level: level=device'
report $? "events are printed during the boot"

# trace_trigger=initcall_start.traceon,sched_process_wait.stacktrace:0
[ "$(cat events/initcall/initcall_start/trigger)" = traceon:unlimited ] &&
	[ "$(cat events/sched/sched_process_wait/trigger)" = stacktrace:count=0 ]
report $? "events have the triggers of the command line"

umask 022
grep -q ' sys_umask(mask: 12)' trace
report $? "system calls of tasks that were created later are recorded"

/bin/ls / >/dev/null
[ "$(cat $PRINTK)" = 0 ] && ! log_has "$EXEC" && grep -q "$EXEC" trace
report $? "tp_printk_stop_on_boot: events are no longer printed after the boot"

dmesg -c >/dev/null
echo 1 >$PRINTK
/bin/ls / >/dev/null
log_has "${EXEC}/bin/ls pid="
report $? "tracepoint_printk=1: events are printed again"

dmesg -c >/dev/null
echo 1 >options/verbose
umask 022
log_has ' sys_umask(mask: 12)'
report $? "the option verbose does not change messages"
echo 0 >options/verbose

mkdir instances/later
dmesg -c >/dev/null
echo 0 >events/sched/sched_process_exec/enable
echo 1 >instances/later/events/sched/sched_process_exec/enable
/bin/ls / >/dev/null
log_has "${EXEC}/bin/ls pid="
report $? "events of an instance that was created later are printed"
rmdir instances/later
echo 1 >events/sched/sched_process_exec/enable

dmesg -c >/dev/null
echo 'filename ~ "*/cat"' >events/sched/sched_process_exec/filter
/bin/ls / >/dev/null
/bin/cat /proc/version >/dev/null
log_has "${EXEC}/bin/cat pid=" && ! log_has "${EXEC}/bin/ls"
report $? "records that a filter drops are not printed"

echo 0 >events/sched/sched_process_exec/filter
echo 0 >$PRINTK
dmesg -c >/dev/null
/bin/ls / >/dev/null
! log_has "$EXEC"
report $? "tracepoint_printk=0: events are no longer printed"
all_reported
