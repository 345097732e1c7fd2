#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, booted with ftrace= and the parameters around it
# (parts.sh: boot-trace/filters): the trace has what was called before there was
# a scheduler, and the tracer goes on as ever. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 9

lines() # the entries, without the pictures
{
	grep -v '^#' trace
}

set_here() # word file: is it set there?
{
	grep -qw -e "$1" "$2"
}

[ "$(cat current_tracer)" = function ] &&
	dmesg | grep -q 'tracer function started by the command line'
report $? "the tracer was started"

lines | head -n 1 | grep -qE ': sched_init <(ffffffff)?[89a-f][0-9a-f]{7}>'
report $? "the first call is one from before the scheduler"

lines | awk '/: rcu_init </ { early = 1 } /: kernel_init </ { exit !early }'
report $? "others follow, and those of the first task"

set_here '\[mono\]' trace_clock && set_here noprint-parent trace_options
bad=$?
set_here 'sym-addr' trace_options || bad=1
report $bad "clock and options are set"

# The code that sites call was generated before anything was known of the CPU's
# mitigations. Where these replace returns, none may be left in it.
trampoline() # its first bytes, in hexadecimal
{
	address=$(sed -n '1s/.*tramp: \(0x[0-9a-f]*\).*/\1/p' enabled_functions)
	# Where a stretch is in the file, and in memory: the second program header.
	# shellcheck disable=SC2046
	set -- $(od -A n -t d8 -j 128 -N 16 /proc/kcore)
	dd if=/proc/kcore bs=1 count=320 skip=$((address - $2 + $1)) 2>/dev/null |
		hexdump -v -e '/1 "%02x"'
}
returns="it returns in the way that the CPU's mitigations ask for"
if [ "$(uname -m)" = x86_64 ]; then
	code=$(trampoline)
	dmesg | grep -q 'active return thunk' &&
		echo "$code" | grep -q 'e8.*4881c4..000000e9' &&
		! echo "$code" | grep -q c3cc
	report $? "$returns"
else
	skipped "no mitigation replaces returns here" "$returns"
fi

[ "$(cat buffer_size_kb)" -ge 2048 ]
report $? "the buffer has the size that was asked for"

# ftrace_filter=sched_init,kernel_init,rcu_* ftrace_notrace=rcu_seg*
grep -q '^rcu_' enabled_functions &&
	! grep -qvE '^(rcu_|kernel_init )' enabled_functions &&
	! grep -q '^rcu_seg' enabled_functions && ! lines | grep -q ': rcu_seg'
report $? "nothing is traced but what the filters let through"

echo vfs_open >set_ftrace_filter && echo >trace && cat /proc/version >/dev/null
lines | grep -q ': vfs_open'
report $? "another filter takes the place of the first"

echo nop >current_tracer && [ ! -s enabled_functions ] &&
	echo >set_ftrace_filter && echo >set_ftrace_notrace
report $? "it stops"
all_reported
