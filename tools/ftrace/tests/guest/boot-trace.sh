#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Booted with ftrace=function, filters, options and a clock (parts.sh: boot-trace/filters): the
# trace begins before the scheduler runs, and the tracer works as usual afterwards. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 9

# lines: prints the entries, without comments
lines()
{
	grep -v '^#' trace
}

# set_here word file: true if the file has the word
set_here()
{
	grep -qw -e "$1" "$2"
}

[ "$(cat current_tracer)" = function ] &&
	dmesg | grep -q 'tracer function started by the command line'
report $? "the function tracer runs"

lines | head -n 1 | grep -qE ': sched_init <(ffffffff)?[89a-f][0-9a-f]{7}>'
report $? "the first call is sched_init"

lines | awk '/: rcu_init </ { early = 1 } /: kernel_init </ { exit !early }'
report $? "early calls follow, then those of the first task"

set_here '\[mono\]' trace_clock && set_here noprint-parent trace_options
bad=$?
set_here 'sym-addr' trace_options || bad=1
report $bad "clock and options are set"

# trampoline: prints the first bytes of the trampoline in hexadecimal
#
# The trampoline is generated before the kernel selects mitigations. If these replace returns, it
# must not contain a plain return.
trampoline()
{
	address=$(sed -n '1s/.*tramp: \(0x[0-9a-f]*\).*/\1/p' enabled_functions)
	# The second program header has the file offset and the address of a segment.
	# shellcheck disable=SC2046
	set -- $(od -A n -t d8 -j 128 -N 16 /proc/kcore)
	dd if=/proc/kcore bs=1 count=320 skip=$((address - $2 + $1)) 2>/dev/null |
		hexdump -v -e '/1 "%02x"'
}
returns="the trampoline returns as the CPU's mitigations require"
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
report $? "the buffer has the size of trace_buf_size="

# ftrace_filter=sched_init,kernel_init,rcu_* ftrace_notrace=rcu_seg*
grep -q '^rcu_' enabled_functions &&
	! grep -qvE '^(rcu_|kernel_init )' enabled_functions &&
	! grep -q '^rcu_seg' enabled_functions && ! lines | grep -q ': rcu_seg'
report $? "only functions that the filters allow are traced"

echo vfs_open >set_ftrace_filter && echo >trace && cat /proc/version >/dev/null
lines | grep -q ': vfs_open'
report $? "a new filter replaces that of the command line"

echo nop >current_tracer && [ ! -s enabled_functions ] &&
	echo >set_ftrace_filter && echo >set_ftrace_notrace
report $? "the tracer can be stopped"
all_reported
