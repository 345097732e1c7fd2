#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, booted with tp_printk, tp_printk_stop_on_boot and two events (parts.sh:
# boot-trace/printk): records are messages of the kernel, as long as they are meant to be.
# Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 9
EXEC=': sched_process_exec: filename='
PRINTK=/proc/sys/kernel/tracepoint_printk

said() # text
{
	sleep 1
	dmesg | sed 's/\]/]:/' | grep -q -- "$1"
}

said ': initcall_level: level=device'
report $? "they are while the kernel comes up"

# trace_trigger=initcall_start.traceon,sched_process_wait.stacktrace:0
[ "$(cat events/initcall/initcall_start/trigger)" = traceon:unlimited ] &&
	[ "$(cat events/sched/sched_process_wait/trigger)" = stacktrace:count=0 ]
report $? "events have triggers from the boot on"

umask 022
grep -q ' sys_umask(mask: 12)' trace
report $? "system calls of tasks that came later are recorded"

/bin/ls / >/dev/null
[ "$(cat $PRINTK)" = 0 ] && ! said "$EXEC" && grep -q "$EXEC" trace
report $? "and no more when it has"

dmesg -c >/dev/null
echo 1 >$PRINTK
/bin/ls / >/dev/null
said "${EXEC}/bin/ls pid="
report $? "they are again"

dmesg -c >/dev/null
echo 1 >options/verbose
umask 022
said ' sys_umask(mask: 12)'
report $? "in one way, whatever options say"
echo 0 >options/verbose

mkdir instances/later
dmesg -c >/dev/null
echo 0 >events/sched/sched_process_exec/enable
echo 1 >instances/later/events/sched/sched_process_exec/enable
/bin/ls / >/dev/null
said "${EXEC}/bin/ls pid="
report $? "in an instance that has come since, too"
rmdir instances/later
echo 1 >events/sched/sched_process_exec/enable

dmesg -c >/dev/null
echo 'filename ~ "*/cat"' >events/sched/sched_process_exec/filter
/bin/ls / >/dev/null
/bin/cat /proc/version >/dev/null
said "${EXEC}/bin/cat pid=" && ! said "${EXEC}/bin/ls"
report $? "but for what a filter leaves out"

echo 0 >events/sched/sched_process_exec/filter
echo 0 >$PRINTK
dmesg -c >/dev/null
/bin/ls / >/dev/null
! said "$EXEC"
report $? "and no more"
all_reported
