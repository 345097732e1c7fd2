#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Booted with kprobe_event= (parts.sh: boot-trace/probes): valid probes exist and are enabled at
# boot, bad ones are reported. Prints KTAP.
# Each $ belongs to a fetch argument.
# shellcheck disable=SC2016

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 6

grep -q ' at_boot: (kernel_execve+0x0/0x[0-9a-f]*) f="/init" c="swapper/0"$' trace
report $? "the start of init is recorded"

[ "$(cat kprobe_events)" = 'p:kprobes/at_boot kernel_execve f=+0($arg1):string c=$comm
r10:ours/opened do_filp_open arg1=$retval
p:kprobes/p_vfs_open_0 vfs_open
p:kprobes/to_come ftrace_probed:probed_args a=$arg1:s32' ]
report $? "the valid probes exist"

# In the message everything after the first blank is the name of the function.
dmesg | grep -q 'kprobe_event=p:bad no_such_function: cannot be made (-22)$' &&
	grep -q 'trace_kprobe: error: Invalid probed address or symbol' error_log &&
	grep -q '  Command: p:bad no_such_function$' error_log
report $? "a bad probe is reported"

[ "$(cat events/kprobes/at_boot/enable events/ours/opened/enable \
	events/kprobes/p_vfs_open_0/enable events/kprobes/to_come/enable | sort -u)" = 1 ]
report $? "all valid probes are enabled"

echo >trace
cat /proc/version >/dev/null
grep -q ' opened: (.* <- do_filp_open) arg1=0x' trace && grep -q ' p_vfs_open_0: (vfs_open+0x0/' trace
report $? "the probes record"

modprobe ftrace_probed
echo -7 >/sys/module/ftrace_probed/parameters/call
grep -q ' to_come: (probed_args+0x0/0x[0-9a-f]* \[ftrace_probed\]) a=-7$' trace
report $? "a probe of a module records once the module is loaded"
all_reported
