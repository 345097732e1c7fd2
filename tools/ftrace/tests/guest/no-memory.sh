#!/bin/sh
# shellcheck shell=dash disable=SC2317
# SPDX-License-Identifier: GPL-2.0
# With fault injection: each operation is repeated while its first, second, ... allocation fails,
# until none is left to fail. Each time the operation is done completely or not at all (SPEC B3).
# With no-memory=bpf on the command line, the operations are those that attach BPF programs.
# Prints KTAP.
# Each $ belongs to a fetch argument or a variable of a histogram.
# shellcheck disable=SC2016

. /ktap.sh
cd /sys/kernel/tracing || exit

for attr in failslab fail_page_alloc; do
	echo N >/sys/kernel/debug/$attr/ignore-gfp-wait
	echo 0 >/sys/kernel/debug/$attr/verbose
done
echo N >/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem
echo 0 >/sys/kernel/debug/fail_page_alloc/min-order
# Only control operations are tested, not recording.
echo 0 >tracing_on

# Opening /dev/null each time would be an allocation that may fail.
exec 8>/dev/null

# This shell does writes; a program does other system calls. Both set st to the status of the
# operation, and left to 0 if there was an nth allocation.

# by_shell nth function...: calls the function while its nth allocation fails
by_shell()
{
	exec 9<>/proc/self/fail-nth
	echo "$1" >&9
	shift
	"$@" 2>&8
	st=$?
	read -r left <&9
	echo 0 >&9
	exec 9>&-
}

# by_program nth call path: makes the system call while its nth allocation fails
by_program()
{
	left=$(fail_nth "$@")
	st=$?
}

# by_bpf nth kind place: attaches a BPF program while the nth allocation fails
by_bpf()
{
	left=$(bpf_count "$2" "$3" -e -f "$1" -- true 2>&8)
	st=$?
}

# judge: checks that the operation was done without an error, or not at all and with an error. An
# operation that is done on close() cannot report an error.
judge()
{
	now=$($state)
	[ "$st" -eq 0 ] || failures=$((failures + 1))
	if [ "$now" = "$after" ]; then
		[ "$st" -ne 0 ] && [ "$before" != "$after" ] || return
		echo "# $name: failed ($st) at allocation $nth, but was done"
	elif [ "$now" = "$before" ]; then
		[ "$st" -eq 0 ] && [ $at_close -eq 0 ] || return
		echo "# $name: not done at allocation $nth, but no error"
	else
		echo "# $name: allocation $nth left $(echo "$now" | head -n 5)"
	fi
	wrong=1
}

# try_by how step name prepare state operation...: one result for an operation. how: by_shell or
# by_program. prepare: function that is called before each run. state: function that prints what the
# operation changes. The first run has no failure and shows the state before and after, which must
# differ unless state is nothing_state. Then allocation 1, 1 + step, 1 + 2 * step... fails.
try_by()
{
	how=$1
	step=$2
	name=$3
	prepare=$4
	state=$5
	shift 5
	at_close=0
	case "$*" in
	*set_ftrace_filter) at_close=1 ;;
	esac

	$prepare
	before=$($state)
	$how 0 "$@"
	after=$($state)
	wrong=$st
	[ "$before" != "$after" ] || [ "$state" = nothing_state ] || wrong=1

	nth=1
	left=0
	failures=0
	while [ "$left" = 0 ]; do
		$prepare
		$how $nth "$@"
		judge
		nth=$((nth + step))
	done
	echo "# $name: $((nth - 2 * step)) allocations, $failures failures"
	[ $failures -gt 0 ] || wrong=1
	report "$wrong" "$name"
}

try()
{
	try_by by_shell 1 "$@"
}

# Operations

write() # text file
{
	echo "$1" >"$2"
}

append() # text file
{
	echo "$1" >>"$2"
}

look() # file
{
	read -r _ <"$1"
}

# States: print what an operation changes

filter_state()
{
	cat set_ftrace_filter
	cut -d' ' -f1 enabled_functions | sort
}

tracer_state()
{
	cat current_tracer
	! grep -q 'a line$' trace || echo "the trace has a line"
	wc -l <enabled_functions
}

trace_state()
{
	grep -c 'a line$' trace
}

pid_state()
{
	cat set_ftrace_pid
}

size_state()
{
	cat buffer_size_kb
}

subbuf_state()
{
	cat buffer_subbuf_size_kb
	size_state
	snapshot_state
}

sizes_state()
{
	size_state
	snapshot_state
}

# While a tracer uses the snapshot, it cannot be read.
snapshot_state()
{
	trace_state
	grep -c 'a line$' snapshot 2>&8
	grep 'Snapshot is' snapshot 2>&8
}

keeper_state()
{
	tracer_state
	snapshot_state
}

stack_state()
{
	cat /proc/sys/kernel/stack_tracer_enabled
	wc -l <enabled_functions
}

instance_state()
{
	find instances | sort
}

clock_state()
{
	cat trace_clock
}

cmdlines_state()
{
	cat saved_cmdlines_size
}

profile_state()
{
	cat function_profile_enabled
}

# A module is loaded even if there is no memory to trace it.
module_state()
{
	grep -c ftrace_visitor /proc/modules
}

# count_site_records: prints the number of site records
count_site_records()
{
	sed -ne '1s/ .*//p' dyn_ftrace_total_info
}

nothing_state()
{
	:
}

event_state()
{
	cat set_event
	cat $SWITCH/enable
}

event_filter_state()
{
	cat $SWITCH/filter
}

event_pid_state()
{
	cat set_event_pid
}

wanted_state()
{
	cat /sys/module/ftrace_events/parameters/wanted
}

trigger_state()
{
	cat $SWITCH/trigger
}

synthetic_state()
{
	cat synthetic_events
	find events/synthetic -name format 2>&8
}

probe_state()
{
	cat dynamic_events
	find events/tried -name format 2>&8
}

probe_on_state()
{
	cat events/tried/x/enable
	cut -d' ' -f1 enabled_functions | sort
}

# events_match on: each event is completely on or off, and all are as requested if there was no
# error
events_match()
{
	for func in vfs_read vfs_write vfs_open; do
		read -r is_on <events/tried/$func/enable
		grep -q "^$func " enabled_functions
		[ $? -ne "$is_on" ] || return 1
	done
	[ $st -ne 0 ] || [ "$(cat events/tried/enable)" = "$1" ]
}

# try_many name prepare on: one result for enabling or disabling several events. If one of them
# fails, the others may be switched, and the write fails.
try_many()
{
	nth=1
	left=0
	wrong=0
	while [ "$left" = 0 ]; do
		$2
		by_shell $nth write "$3" events/tried/enable
		events_match "$3" || wrong=1
		nth=$((nth + 1))
	done
	[ "$st" -eq 0 ] && [ $nth -gt 4 ] || wrong=1
	echo "# $1: $((nth - 2)) allocations"
	report $wrong "$1"
}

# Preparations

SWITCH=events/sched/sched_switch
WAKEUP=events/sched/sched_wakeup
no_event()
{
	echo '!schedule:enable_event:sched:sched_switch' 2>/dev/null >>set_ftrace_filter
	echo >set_event
	echo >set_event_pid
	echo 0 >$SWITCH/filter
}

no_tracing()
{
	echo nop >current_tracer
	echo schedule >set_ftrace_filter
	echo >set_ftrace_notrace
	echo >set_ftrace_pid
	echo >trace
}

a_pid()
{
	no_tracing
	echo 1 >set_ftrace_pid
}

tracing()
{
	no_tracing
	echo function >current_tracer
}

all_functions()
{
	no_tracing
	echo >set_ftrace_filter
}

# no_trigger: removes all triggers; by name those that truncating the file does not remove
no_trigger()
{
	for trigger in stacktrace snapshot enable_event:irq:irq_handler_entry; do
		echo "!$trigger" >>$SWITCH/trigger
	done
	echo >$SWITCH/trigger
}

no_synthetic()
{
	no_trigger
	echo >synthetic_events
}

# make_read_variable: makes a synthetic event, and a histogram with a variable for another one to
# read
make_read_variable()
{
	no_synthetic
	echo >$WAKEUP/trigger
	echo 'tried pid_t pid; u64 us; char name[16]' >synthetic_events
	echo 'hist:keys=pid:at=common_timestamp.usecs' >$WAKEUP/trigger
}

make_hist_with_hits()
{
	no_trigger
	echo 'hist:keys=prev_comm,next_pid:size=128' >$SWITCH/trigger
	sleep 0.01
}

no_probe()
{
	no_tracing
	[ ! -e events/tried ] || echo 0 >events/tried/enable
	echo >dynamic_events
}

# probe line...: adds probes, disabled
probe()
{
	no_probe
	for line; do
		echo "$line" >>dynamic_events
	done
}

kernel_probe()
{
	probe "p:tried/x vfs_read $FETCHED"
}

two_probes()
{
	probe 'p:tried/x vfs_read' 'p:tried/x vfs_write'
}

return_probe()
{
	probe 'r5:tried/x vfs_read $retval'
}

function_probe()
{
	probe 'f:tried/x vfs_read'
}

tracepoint_probe()
{
	probe 't:tried/x sched_switch'
}

# many_probes: events that are enabled and disabled in one pass
many_probes()
{
	probe 'f:tried/vfs_read vfs_read' 'f:tried/vfs_write vfs_write' \
		'f:tried/vfs_open vfs_open%return' 't:tried/sched_switch sched_switch'
}

many_probes_on()
{
	many_probes
	echo 1 >events/tried/enable
}

program_probe()
{
	probe 'p:tried/x /bin/busybox:0x1000'
}

event_probe()
{
	probe 'e:tried/x sched/sched_switch pid=$next_pid'
}

without_command()
{
	no_tracing
	echo '!vfs_f*:traceoff' 2>/dev/null >>set_ftrace_filter
}

MODULE=$(find /lib/modules -name ftrace_visitor.ko)
no_module()
{
	rmmod ftrace_visitor 2>/dev/null
	tracing
	echo 'visitor_*:mod:ftrace_visitor' >>set_ftrace_filter
}

small()
{
	no_tracing
	echo 64 >buffer_size_kb
}

no_snapshot()
{
	no_tracing
	echo 0 >snapshot
	echo 4 >buffer_subbuf_size_kb
	echo 64 >buffer_size_kb
	something_traced
}

a_snapshot()
{
	no_snapshot
	echo 1 >snapshot
}

empty_snapshot()
{
	a_snapshot
	echo 2 >snapshot
}

without_snapshot_command()
{
	no_tracing
	echo '!vfs_f*:snapshot' 2>/dev/null >>set_ftrace_filter
	echo 0 >snapshot
}

no_stack_tracer()
{
	no_tracing
	echo 0 >/proc/sys/kernel/stack_tracer_enabled
	echo vfs_read >stack_trace_filter
}

no_instance()
{
	no_tracing
	[ ! -d instances/x ] || rmdir instances/x
}

local_clock()
{
	echo local >trace_clock
}

no_profile()
{
	no_tracing
	echo 0 >function_profile_enabled
}

few_cmdlines()
{
	echo 128 >saved_cmdlines_size
}

something_traced()
{
	no_tracing
	echo 1 >tracing_on
	echo "a line" >trace_marker
	echo 0 >tracing_on
}

# try_programs: attaches BPF programs
try_programs()
{
	for kind in kprobe kretprobe kprobe.multi kretprobe.multi session; do
		try_by by_bpf 1 "attach a program by $kind" no_probe nothing_state $kind vfs_read
	done
	for kind in uprobe uretprobe uprobe.multi uretprobe.multi; do
		try_by by_bpf 1 "attach a program by $kind" no_probe nothing_state \
			$kind /bin/busybox:0x1000
	done
	modprobe ftrace_events
	try_by by_bpf 1 "attach a program to a raw tracepoint" no_probe nothing_state raw wanted
	try_by by_bpf 1 "attach a program to an event" no_probe nothing_state \
		tracepoint "$(cat events/ftrace_tests/wanted/id)"
	[ -z "$(cat enabled_functions)" ] && [ "$(wanted_state)" = 0 ] && rmmod ftrace_events
	report $? "no program is left"
}

if grep -q no-memory=bpf /proc/cmdline; then
	plan 12
	try_programs
	all_reported
fi

plan 60

try "write a glob to set_ftrace_filter" no_tracing filter_state write 'vfs_*' set_ftrace_filter
try "append a name to set_ftrace_filter" no_tracing filter_state append vfs_read set_ftrace_filter
try "start function" something_traced tracer_state write function current_tracer
try "start function for all functions" all_functions tracer_state write function current_tracer
try "start function_graph" something_traced tracer_state \
	write function_graph current_tracer
try "stop function" tracing tracer_state write nop current_tracer
try "set a filter while tracing" tracing filter_state write 'vfs_*' set_ftrace_filter
try "clear the filter while tracing" tracing tracer_state write '' set_ftrace_filter
try "add a function command" without_command filter_state append 'vfs_f*:traceoff' set_ftrace_filter
without_command
try "set a pid while tracing" tracing pid_state write 1 set_ftrace_pid
try_by by_program 1 "clear the list of pids" a_pid pid_state empty set_ftrace_pid
try_by by_program 1 "clear the trace" something_traced trace_state empty trace
try "enlarge the buffer" small size_state write 300 buffer_size_kb
small
try "take a snapshot" no_snapshot snapshot_state write 1 snapshot
try "enlarge the buffer with a snapshot" empty_snapshot sizes_state write 300 buffer_size_kb
try "enlarge the sub-buffers with a snapshot" empty_snapshot subbuf_state \
	write 8 buffer_subbuf_size_kb
try "start wakeup" a_snapshot keeper_state write wakeup current_tracer
no_snapshot
echo 0 >snapshot
try "add a function command that takes snapshots" without_snapshot_command filter_state \
	append 'vfs_f*:snapshot' set_ftrace_filter
without_snapshot_command
try "start the stack tracer" no_stack_tracer stack_state \
	write 1 /proc/sys/kernel/stack_tracer_enabled
no_stack_tracer
echo >stack_trace_filter
try "set the clock" local_clock clock_state write global trace_clock
local_clock
try "enlarge saved_cmdlines" few_cmdlines cmdlines_state write 5000 saved_cmdlines_size
# Most allocations are pages for counters, all alike.
try_by by_shell 101 "start the function profiler" no_profile profile_state \
	write 1 function_profile_enabled
no_profile
try "read the trace" something_traced nothing_state look trace
# Many allocations are for files, all alike.
try_by by_program 7 "create an instance" no_instance instance_state mkdir instances/x
no_instance

try "enable an event" no_event event_state write sched:sched_switch set_event
try "enable the event of a system call" no_event event_state \
	write syscalls:sys_enter_umask set_event
try "set the filter of an event" no_event event_filter_state write 'prev_pid > 4' $SWITCH/filter
try "set set_event_pid" no_event event_pid_state write 1 set_event_pid
try "add a function command that enables an event" no_event event_state \
	append schedule:enable_event:sched:sched_switch set_ftrace_filter
try "inject a record" no_event nothing_state write 'prev_comm="x"' $SWITCH/inject
no_event

try "add a trigger" no_trigger trigger_state \
	write 'stacktrace:5 if prev_pid > 3' $SWITCH/trigger
try "add a trigger that enables an event" no_trigger trigger_state \
	write enable_event:irq:irq_handler_entry $SWITCH/trigger
try "add a trigger that takes snapshots" no_trigger trigger_state write snapshot $SWITCH/trigger
no_snapshot
try "add a histogram" no_trigger trigger_state \
	write "hist:keys=prev_comm,next_pid.log2:vals=prev_prio.max:sort=prev_prio:size=128:name=x \
if prev_pid > 3" $SWITCH/trigger
try "clear a histogram" make_hist_with_hits nothing_state \
	append 'hist:keys=prev_comm,next_pid:size=128:clear' $SWITCH/trigger
try "read a histogram" make_hist_with_hits nothing_state look $SWITCH/hist
try "add a synthetic event" no_synthetic synthetic_state \
	write 'tried pid_t pid; char name[]; unsigned long stack[]' synthetic_events
make_read_variable
try "add a histogram with actions" no_trigger trigger_state \
	write "hist:keys=next_pid:us=common_timestamp.usecs-\$at,name=next_comm:\
onmatch(sched.sched_wakeup).tried(next_pid,\$us,\$name):\
onmax(\$us).save(prev_pid,next_comm):onchange(\$us).snapshot()" $SWITCH/trigger
# The action takes comm from the other event, whose histogram gets a variable for it.
try "add a histogram whose action uses a field of the other event" no_trigger trigger_state \
	write "hist:keys=next_pid:us=common_timestamp.usecs-\$at:\
onmatch(sched.sched_wakeup).trace(tried,next_pid,\$us,comm)" $SWITCH/trigger
no_trigger
echo >$WAKEUP/trigger
try "remove a synthetic event" make_read_variable synthetic_state append '!tried' synthetic_events
no_trigger
echo >$WAKEUP/trigger
no_synthetic

FETCHED='c=$comm t=\"text" s=+0($stack1):string[2] n=$stack2:u8'
no_probe
try "add a kprobe" no_probe probe_state \
	write "p:tried/x vfs_read $FETCHED" kprobe_events
try "add a second kprobe to an event" kernel_probe probe_state \
	append "p:tried/x vfs_write $FETCHED" kprobe_events
try "enable a kprobe" kernel_probe probe_on_state write 1 events/tried/x/enable
try "enable an event with two kprobes" two_probes probe_on_state write 1 events/tried/x/enable
try "add a kretprobe" no_probe probe_state write 'r5:tried/x vfs_read $retval' kprobe_events
try "enable a kretprobe" return_probe probe_on_state write 1 events/tried/x/enable
try "add an fprobe" no_probe probe_state write 'f:tried/x vfs_read' dynamic_events
try "enable an fprobe" function_probe probe_on_state write 1 events/tried/x/enable
try "add a probe of a tracepoint" no_probe probe_state \
	write 't:tried/x sched_switch' dynamic_events
try "enable a probe of a tracepoint" tracepoint_probe probe_on_state \
	write 1 events/tried/x/enable
try_many "enable many events" many_probes 1
try_many "disable many events" many_probes_on 0
try "add a uprobe" no_probe probe_state \
	write 'p:tried/x /bin/busybox:0x1000 c=$comm' uprobe_events
try "enable a uprobe" program_probe probe_on_state write 1 events/tried/x/enable
try "add an eprobe" no_probe probe_state \
	write 'e:tried/x sched/sched_switch pid=$next_pid:s32 if prev_pid > 3' dynamic_events
try "enable an eprobe" event_probe probe_on_state write 1 events/tried/x/enable
try "remove probes" two_probes probe_state append -:tried/x kprobe_events
no_probe
try "add a user event" no_probe probe_state append 'u:tried u32 a; char b[20]' dynamic_events
no_probe

modprobe ftrace_events
try_by by_program 1 "open an event for perf" no_event nothing_state \
	perf events/ftrace_tests/wanted/id
[ "$(wanted_state)" = 0 ] && rmmod ftrace_events
report $? "no event of perf is left"

no_module
start=$(count_site_records)
try_by by_program 1 "load a module" no_module module_state insmod "$MODULE"
no_module
[ "$(count_site_records)" -eq "$start" ] && insmod "$MODULE" &&
	[ "$(count_site_records)" -gt "$start" ] && grep -q visitor_work enabled_functions
report $? "a module is traced once there is memory again"
no_module
no_tracing
echo >set_ftrace_filter
all_reported
