#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Interrupts come between any two instructions: a task is preempted inside a call site, which is
# patched meanwhile. See the module ftrace_preempted. Prints KTAP.

. /ktap.sh
state=/sys/module/ftrace_preempted/parameters
plan 6

# wrong results|stacks|calls: prints the number of faults
wrong()
{
	cat "$state/wrong_$1"
}

none_wrong()
{
	[ "$(wrong results)$(wrong stacks)$(wrong calls)" = 000 ]
}

modprobe ftrace_preempted
report $? "call sites of both kinds are found"

while none_wrong && [ "$(cat $state/left)" -gt 0 ]; do
	sleep 1
done
sed 's/^/# /' $state/places

[ "$(cat $state/left)" = 0 ]
report $? "a task was preempted often enough at each instruction of each call site"
[ "$(wrong results)" = 0 ]
report $? "each call returned the right result"
[ "$(wrong stacks)" = 0 ]
report $? "each call returned with the right stack pointer"
[ "$(wrong calls)" = 0 ]
report $? "each call reached exactly the attached callbacks"

rmmod ftrace_preempted
report $? "the module can be removed"
all_reported
