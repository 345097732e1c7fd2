#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: the tracer finds a call site that is not as it left it. It has
# to say so once, turn itself off, and leave the machine alone (SPEC D8, D9).
# Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 14

# The number of records.
records()
{
	sed -ne '1s/ .*//p' dyn_ftrace_total_info
}

said() # text: how often the kernel has said it
{
	dmesg | grep -c "$1"
}

# The neighbours of the damaged site that are written before it: not init text, which
# is gone, and named as a global function.
before_victim()
{
	grep ' t scribbler_.*\[ftrace_scribbler\]' /proc/kallsyms | sort |
		sed -e '/ scribbler_victim/,$d' -e 's/.* \(scribbler_[a-z]*\).*/\1/'
}

# Those that both the instance and the top level trace.
twice_attached()
{
	sed -ne 's/^\(scribbler_[a-z]*\) .*(2).*/\1/p' enabled_functions
}

echo 'vfs_*' >set_ftrace_filter
echo function >current_tracer
modprobe ftrace_visitor
with_visitor=$(records)
rmmod ftrace_visitor

# Others who trace meanwhile.
modprobe ftrace_user functions=vfs_open
ls / >/dev/null
[ "$(cat /sys/module/ftrace_user/parameters/calls)" -gt 0 ]
report $? "others are called before"
mkdir instances/other
echo function >instances/other/current_tracer

modprobe ftrace_scribbler
echo 0xcc >/sys/module/ftrace_scribbler/parameters/scribble
behind=$(cat /sys/module/ftrace_scribbler/parameters/behind)

# 0xcc is a breakpoint; nobody calls the function. The instance traces it.
echo 'scribbler_*' >>set_ftrace_filter 2>/dev/null
! twice_attached | grep -q scribbler_victim
report $? "the damaged site is not attached"

[ -n "$(before_victim)" ] && [ "$(before_victim)" = "$(twice_attached)" ] &&
	[ "$(cat /sys/module/ftrace_scribbler/parameters/behind)" = "$behind" ]
report $? "what stands before it is, and nothing behind it"

[ "$(said 'cannot change the call site at .*scribbler_victim')" -eq 1 ]
report $? "reported once, with the symbol"

case $(uname -m) in
i?86 | x86_64) first=e8 ;;
*) first=.. ;;
esac
dmesg | grep -q "expected $first \(.*\), found cc \1$"
report $? "expected and found bytes are shown"

! (echo nop >current_tracer && echo function >current_tracer) 2>/dev/null
report $? "tracing cannot be started again"

[ "$(cat tracing_on instances/other/tracing_on | tr -d '\n')" = 00 ]
report $? "all instances have stopped recording"

[ "$(cat /proc/sys/kernel/ftrace_enabled)" -eq 0 ] &&
	! (echo 1 >/proc/sys/kernel/ftrace_enabled) 2>/dev/null
report $? "kernel.ftrace_enabled is 0 and stays so"

ok=0
for file in trace enabled_functions \
	available_tracers current_tracer dyn_ftrace_total_info; do
	cat "$file" >/dev/null || ok=1
done
report $ok "the files can still be read"

rmmod ftrace_scribbler
report $? "the module can go"

# Its sites still call the trampoline.
rmmod ftrace_user && ls / >/dev/null && cat enabled_functions touched_functions >/dev/null
report $? "whoever was attached can go"

echo nop >instances/other/current_tracer
ok=0
rmdir instances/other || ok=1
for _ in 1 2 3; do
	{ mkdir instances/more && rmdir instances/more; } || ok=1
done
report $ok "instances can go, and come"

ok=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
	modprobe ftrace_visitor || ok=1
	[ "$(records)" -eq "$with_visitor" ] || ok=1
	rmmod ftrace_visitor || ok=1
done
report $ok "modules come and go, the number of records stays"

ls -lR /bin /dev /proc /sys/devices >/dev/null 2>&1
[ "$(said 'cannot change the call site')" -eq 1 ]
report $? "the machine goes on, and nothing more is reported"
all_reported
