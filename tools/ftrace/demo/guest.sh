#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Shows the first steps with the tracer. Fails if a step does not show what it should.

cd /sys/kernel/tracing || exit
mkdir -p /tmp/demo

title()
{
	printf '\n---- %s\n' "$*"
}

# shell command-line: prints it like an input of the user, and runs it
shell()
{
	printf '# %s\n' "$1"
	sh -c "$1"
}

# missing what: ends the demo, because a step did not show what it should
missing()
{
	echo "demo: $*"
	exit 1
}

# workload: creates, writes, reads and deletes a file
workload()
{
	echo hello >/tmp/demo/file
	cat /tmp/demo/file >/dev/null
	ls -l /tmp/demo >/dev/null
	rm /tmp/demo/file
}

# trace_workload: records the workload, by commands that are printed
trace_workload()
{
	echo '# echo > trace; echo 1 > tracing_on; workload; echo 0 > tracing_on'
	echo >trace
	echo 1 >tracing_on
	workload
	echo 0 >tracing_on
}

title "Linux $(uname -r) on $(nproc) CPUs: the self-tests of the boot"
dmesg | grep -o 'Testing .*: .*'
dmesg | grep -q 'Testing .*PASSED' || missing "no self-test passed"
! dmesg | grep -q 'Testing .*FAILED' || missing "a self-test failed"

title "Tracers"
shell 'cat available_tracers'

title "Call sites, and functions that can be traced"
shell 'cat dyn_ftrace_total_info'
echo '(A stop of the CPUs takes long here if the host does not run one of them meanwhile.'
echo ' The budget of 50 us is for instructions: "make bench" counts them.)'
shell 'wc -l < available_filter_functions'

title "Every function that a small workload calls"
echo 0 >tracing_on
shell 'echo function > current_tracer'
# On a slow machine many other calls are recorded meanwhile: make the buffer large enough.
size=$(cat buffer_size_kb)
echo 8192 >buffer_size_kb
trace_workload
shell 'head -n 30 trace'
shell 'grep -cv "^#" trace'
grep -q 'vfs_read <-' trace || missing "vfs_read was not traced"
echo "$size" >buffer_size_kb

title "The same workload: only vfs_*, without vfs_read"
shell "echo 'vfs_*' > set_ftrace_filter"
shell 'echo vfs_read > set_ftrace_notrace'
trace_workload
shell 'head -n 30 trace'
grep -q 'vfs_write <-' trace || missing "vfs_write was not traced"
! grep -q 'vfs_read <-' trace || missing "vfs_read was traced"
! grep -v '^#' trace | grep -qv ': vfs_' || missing "functions other than vfs_* were traced"

title "Disabling the whole tracer, and enabling it again"
shell 'sysctl -w kernel.ftrace_enabled=0'
trace_workload
shell 'grep -cv "^#" trace'
! grep -qv '^#' trace || missing "calls were traced while the tracer was disabled"
shell 'sysctl -w kernel.ftrace_enabled=1'
trace_workload
shell 'grep -cv "^#" trace'
grep -q 'vfs_write <-' trace || missing "vfs_write was not traced after enabling"
echo nop >current_tracer
echo >set_ftrace_filter
echo >set_ftrace_notrace

title "The calls of opening a file, with their times"
shell 'echo vfs_open > set_graph_function'
shell 'echo 5 > max_graph_depth'
shell 'echo 0 > options/funcgraph-irqs'
shell 'echo function_graph > current_tracer'
trace_workload
shell 'head -n 40 trace'
grep -q '  vfs_open() {$' trace || missing "vfs_open was not traced"
grep -q '[0-9] us .*|    }$' trace || missing "no nested call has an end"
echo nop >current_tracer
echo 1 >options/funcgraph-irqs
echo 0 >max_graph_depth
echo >set_graph_function

title "Events: which task ran when, which programs started, and which files were opened"
shell "echo 'sched_switch sched_process_exec sys_enter_openat' > set_event"
shell "echo 'prev_comm ~ \"cat\" || next_comm ~ \"cat\"' > events/sched/sched_switch/filter"
trace_workload
shell 'head -n 40 trace'
for what in sched_switch: sched_process_exec: sys_open; do
	grep -q ": $what" trace || missing "$what was not recorded"
done
! grep ': sched_switch:' trace | grep -v '_comm=cat' || missing "tasks other than cat were recorded"
echo 0 >events/sched/sched_switch/filter
shell 'echo > set_event'

title "The longest time from wake-up to running, and the calls meanwhile"
# The tracer wakeup follows the task of the highest priority: the shells of this script.
shell "renice -n -10 $$"
shell 'echo wakeup > current_tracer'
echo 1 >tracing_on
# The emulator is slow when code runs for the first time, because it has to translate it.
for _ in 1 2 3 4; do sleep 0.1; done
shell 'echo 0 > tracing_max_latency'
shell 'for n in 1 2 3 4; do sleep 0.2; done'
echo 0 >tracing_on
shell "grep -v '^ =>' trace | head -n 40"
grep -q '^# wakeup latency trace' trace || missing "no wake-up was traced"
echo nop >current_tracer
renice -n 0 $$ >/dev/null
echo >trace

title "New events: a function with its argument, and its return value"
case $(uname -m) in
mips*)	second=%r5 ;;
*)	second=\$arg2 ;;
esac
shell "echo 'p:open_begins do_sys_openat2 file=+0($second):ustring' > kprobe_events"
shell "echo 'r:open_ends do_sys_openat2 fd=\$retval:s32' >> kprobe_events"
shell 'echo 1 > events/kprobes/enable'
echo 1 >tracing_on
shell 'cat /etc/passwd /etc/none > /dev/null'
echo 0 >tracing_on
shell "grep -A 1 '/etc/' trace"
grep -q ' open_begins: .* file="/etc/passwd"$' trace || missing "the first probe was not hit"
grep -q ' open_ends: .* fd=-2$' trace || missing "the second probe was not hit"
echo 0 >events/kprobes/enable
echo >kprobe_events

title "How long do tasks wait to run? A histogram of a synthetic event"
shell "echo 'wakeup u64 lat; pid_t pid; char comm[16]' > synthetic_events"
shell "echo 'hist:keys=pid:ts=common_timestamp.usecs' > events/sched/sched_waking/trigger"
shell "echo 'hist:keys=next_pid:lat=common_timestamp.usecs-\$ts:onmatch(sched.sched_waking).wakeup(\$lat,next_pid,next_comm)' > events/sched/sched_switch/trigger"
shell "echo 'hist:keys=comm,lat.log2.percentile:sort=comm,lat' > events/synthetic/wakeup/trigger"
echo 1 >tracing_on
shell 'for n in 1 2 3; do find /proc/1 | sort | wc -l; done'
echo 0 >tracing_on
shell "grep -E 'find|sort|wc|Totals|Hits|Dropped|p50' events/synthetic/wakeup/hist"
grep -q '{ comm: sort' events/synthetic/wakeup/hist || missing "no wake-up was counted"
echo '!hist:keys=comm,lat.log2.percentile:sort=comm,lat' >>events/synthetic/wakeup/trigger
echo >events/sched/sched_switch/trigger
echo >events/sched/sched_waking/trigger
echo >synthetic_events
echo 1 >tracing_on
