#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, where interrupts come between any two instructions: a task that is
# preempted inside of a call site, which is switched meanwhile. See the module
# ftrace_preempted. Prints KTAP.

. /ktap.sh
state=/sys/module/ftrace_preempted/parameters
plan 6

wrong() # what: how many
{
	cat "$state/wrong_$1"
}

none_wrong()
{
	[ "$(wrong results)$(wrong stacks)$(wrong calls)" = 000 ]
}

modprobe ftrace_preempted
report $? "sites of both kinds are found"

while none_wrong && [ "$(cat $state/left)" -gt 0 ]; do
	sleep 1
done
sed 's/^/# /' $state/places

[ "$(cat $state/left)" = 0 ]
report $? "a task was preempted at each instruction of each, often enough"
[ "$(wrong results)" = 0 ]
report $? "each call returned what it should"
[ "$(wrong stacks)" = 0 ]
report $? "each call returned with the stack that it came with"
[ "$(wrong calls)" = 0 ]
report $? "each call reached who was attached, and nobody else"

rmmod ftrace_preempted
report $? "the module can go"
all_reported
