#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tracer finds a call site that has other bytes than it wrote. It has to report that once,
# turn itself off, and leave the machine running (SPEC D8, D9). Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 14

# count_site_records: prints the number of site records
count_site_records()
{
	sed -ne '1s/ .*//p' dyn_ftrace_total_info
}

# count_said text: prints the number of lines with this text that the kernel has printed
count_said()
{
	dmesg | grep -c "$1"
}

# before_victim: prints the functions whose sites are patched before the damaged one. Only local
# symbols: the init function is a global one, and freed.
before_victim()
{
	grep ' t scribbler_.*\[ftrace_scribbler\]' /proc/kallsyms | sort |
		sed -e '/ scribbler_victim/,$d' -e 's/.* \(scribbler_[a-z]*\).*/\1/'
}

# twice_attached: prints the functions that the instance and the top level both trace
twice_attached()
{
	sed -ne 's/^\(scribbler_[a-z]*\) .*(2).*/\1/p' enabled_functions
}

echo 'vfs_*' >set_ftrace_filter
echo function >current_tracer
modprobe ftrace_visitor
with_visitor=$(count_site_records)
rmmod ftrace_visitor

# Other users of the tracer.
modprobe ftrace_user functions=vfs_open
ls / >/dev/null
[ "$(cat /sys/module/ftrace_user/parameters/calls)" -gt 0 ]
report $? "another ftrace_ops is called before the damage"
mkdir instances/other
echo function >instances/other/current_tracer

modprobe ftrace_scribbler
echo 0xcc >/sys/module/ftrace_scribbler/parameters/scribble
behind=$(cat /sys/module/ftrace_scribbler/parameters/behind)

# 0xcc is a breakpoint, but nobody calls the function. The instance traces it.
echo 'scribbler_*' >>set_ftrace_filter 2>/dev/null
! twice_attached | grep -q scribbler_victim
report $? "nothing is attached to the damaged site"

[ -n "$(before_victim)" ] && [ "$(before_victim)" = "$(twice_attached)" ] &&
	[ "$(cat /sys/module/ftrace_scribbler/parameters/behind)" = "$behind" ]
report $? "sites before it are patched, and none after it"

[ "$(count_said 'cannot change the call site at .*scribbler_victim')" -eq 1 ]
report $? "the kernel reports the site once, with its symbol"

case $(uname -m) in
i?86 | x86_64) first=e8 ;;
*) first=.. ;;
esac
dmesg | grep -q "expected $first \(.*\), found cc \1$"
report $? "the report has the expected and the found bytes"

! (echo nop >current_tracer && echo function >current_tracer) 2>/dev/null
report $? "tracing cannot be started again"

[ "$(cat tracing_on instances/other/tracing_on | tr -d '\n')" = 00 ]
report $? "all instances stop recording"

[ "$(cat /proc/sys/kernel/ftrace_enabled)" -eq 0 ] &&
	! (echo 1 >/proc/sys/kernel/ftrace_enabled) 2>/dev/null
report $? "kernel.ftrace_enabled is 0 and stays so"

ok=0
for file in trace enabled_functions \
	available_tracers current_tracer dyn_ftrace_total_info; do
	cat "$file" >/dev/null || ok=1
done
report $ok "the files of tracefs can still be read"

rmmod ftrace_scribbler
report $? "the module with the damaged site can be removed"

# The call sites still call the trampoline of ftrace_user.
rmmod ftrace_user && ls / >/dev/null && cat enabled_functions touched_functions >/dev/null
report $? "a module whose ftrace_ops is attached can be removed"

echo nop >instances/other/current_tracer
ok=0
rmdir instances/other || ok=1
for _ in 1 2 3; do
	{ mkdir instances/more && rmdir instances/more; } || ok=1
done
report $ok "instances can be removed and created"

ok=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
	modprobe ftrace_visitor || ok=1
	[ "$(count_site_records)" -eq "$with_visitor" ] || ok=1
	rmmod ftrace_visitor || ok=1
done
report $ok "modules can be loaded and removed, without leftover site records"

ls -lR /bin /dev /proc /sys/devices >/dev/null 2>&1
[ "$(count_said 'cannot change the call site')" -eq 1 ]
report $? "the machine goes on without further reports"
all_reported
