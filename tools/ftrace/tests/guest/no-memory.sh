#!/bin/sh
# shellcheck shell=dash disable=SC2317
# SPDX-License-Identifier: GPL-2.0
# In the guest, with fault injection: each operation is done again and again,
# and a later allocation of it fails every time, until none is left to fail.
# Whatever happened then, it happened altogether or not at all (SPEC B3).
# Prints KTAP.
# What is written has $ of its own.
# shellcheck disable=SC2016

. /ktap.sh
cd /sys/kernel/tracing || exit

for attr in failslab fail_page_alloc; do
	echo N >/sys/kernel/debug/$attr/ignore-gfp-wait
	echo 0 >/sys/kernel/debug/$attr/verbose
done
echo N >/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem
echo 0 >/sys/kernel/debug/fail_page_alloc/min-order
# Attaching is what is tried, not recording.
echo 0 >tracing_on

# Opening it each time would be an allocation that may fail.
exec 8>/dev/null

# Writes are done by this shell, other calls by a program. Both set st to the
# status of what was done, and left to 0 when there was an nth allocation.

by_shell() # nth function...
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

by_program() # nth call path
{
	left=$(fail_nth "$@")
	st=$?
}

# All of it and no error, or nothing and an error; close() cannot tell of one.
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

# First without a failure, to learn how things are before and after. Only
# what reads is the same then.
try_by() # how step name prepare state what...
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

# What is done

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

# What shows that it was done

filter_state()
{
	cat set_ftrace_filter
	cut -d' ' -f1 enabled_functions | sort
}

tracer_state()
{
	cat current_tracer
	! grep -q 'a line$' trace || echo "what was recorded before"
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

# Read by nobody else while a tracer has it.
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

# A module may come although there is no memory for tracing it.
module_state()
{
	grep -c ftrace_visitor /proc/modules
}

records()
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

# events_match on: no event is on in half, and all of them are as asked if nobody was told
events_match()
{
	for func in vfs_read vfs_write vfs_open; do
		read -r is_on <events/tried/$func/enable
		grep -q "^$func " enabled_functions
		[ $? -ne "$is_on" ] || return 1
	done
	[ $st -ne 0 ] || [ "$(cat events/tried/enable)" = "$1" ]
}

# Some may go on, or off, though one does not: each for itself, and who asked is told.
try_many() # name prepare on
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
	[ $st -eq 0 ] && [ $nth -gt 4 ] || wrong=1
	echo "# $1: $((nth - 2)) allocations"
	report $wrong "$1"
}

# What things are like before

SWITCH=events/sched/sched_switch
WAKEUP=events/sched/sched_wakeup
no_event()
{
	echo '!schedule:enable_event:sched:sched_switch' 2>/dev/null >>set_ftrace_filter
	echo >set_event
	echo >set_event_pid
	echo 0 >$SWITCH/filter
}

quiet()
{
	echo nop >current_tracer
	echo schedule >set_ftrace_filter
	echo >set_ftrace_notrace
	echo >set_ftrace_pid
	echo >trace
}

a_pid()
{
	quiet
	echo 1 >set_ftrace_pid
}

tracing()
{
	quiet
	echo function >current_tracer
}

all_functions()
{
	quiet
	echo >set_ftrace_filter
}

# Those that stay where the file is emptied are taken away by name.
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

# A histogram and what its action makes, of which the other one is asked for.
asked()
{
	no_synthetic
	echo >$WAKEUP/trigger
	echo 'tried pid_t pid; u64 us; char name[16]' >synthetic_events
	echo 'hist:keys=pid:at=common_timestamp.usecs' >$WAKEUP/trigger
}

counted()
{
	no_trigger
	echo 'hist:keys=prev_comm,next_pid:size=128' >$SWITCH/trigger
	sleep 0.01
}

no_probe()
{
	quiet
	[ ! -e events/tried ] || echo 0 >events/tried/enable
	echo >dynamic_events
}

# probe line...: all off
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

# Of events that go on and off in one pass
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
	quiet
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
	quiet
	echo 64 >buffer_size_kb
}

no_snapshot()
{
	quiet
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
	quiet
	echo '!vfs_f*:snapshot' 2>/dev/null >>set_ftrace_filter
	echo 0 >snapshot
}

no_stack_tracer()
{
	quiet
	echo 0 >/proc/sys/kernel/stack_tracer_enabled
	echo vfs_read >stack_trace_filter
}

no_instance()
{
	quiet
	[ ! -d instances/x ] || rmdir instances/x
}

local_clock()
{
	echo local >trace_clock
}

no_profile()
{
	quiet
	echo 0 >function_profile_enabled
}

few_cmdlines()
{
	echo 128 >saved_cmdlines_size
}

something_traced()
{
	quiet
	echo 1 >tracing_on
	echo "a line" >trace_marker
	echo 0 >tracing_on
}

plan 60

try "a glob into set_ftrace_filter" quiet filter_state write 'vfs_*' set_ftrace_filter
try "a name to set_ftrace_filter" quiet filter_state append vfs_read set_ftrace_filter
try "the function tracer" something_traced tracer_state write function current_tracer
try "the function tracer on all" all_functions tracer_state write function current_tracer
try "the function_graph tracer" something_traced tracer_state \
	write function_graph current_tracer
try "back to nop" tracing tracer_state write nop current_tracer
try "a filter while tracing" tracing filter_state write 'vfs_*' set_ftrace_filter
try "no filter while tracing" tracing tracer_state write '' set_ftrace_filter
try "a command" without_command filter_state append 'vfs_f*:traceoff' set_ftrace_filter
without_command
try "a pid while tracing" tracing pid_state write 1 set_ftrace_pid
try_by by_program 1 "emptying a list of pids" a_pid pid_state empty set_ftrace_pid
try_by by_program 1 "emptying the trace" something_traced trace_state empty trace
try "a larger buffer" small size_state write 300 buffer_size_kb
small
try "a snapshot" no_snapshot snapshot_state write 1 snapshot
try "a larger buffer with a snapshot" empty_snapshot sizes_state write 300 buffer_size_kb
try "larger sub-buffers with a snapshot" empty_snapshot subbuf_state \
	write 8 buffer_subbuf_size_kb
try "the wakeup tracer" a_snapshot keeper_state write wakeup current_tracer
no_snapshot
echo 0 >snapshot
try "a command that takes snapshots" without_snapshot_command filter_state \
	append 'vfs_f*:snapshot' set_ftrace_filter
without_snapshot_command
try "the stack tracer" no_stack_tracer stack_state \
	write 1 /proc/sys/kernel/stack_tracer_enabled
no_stack_tracer
echo >stack_trace_filter
try "a clock" local_clock clock_state write global trace_clock
local_clock
try "more names of tasks" few_cmdlines cmdlines_state write 5000 saved_cmdlines_size
# Most are pages for the numbers, one like the other.
try_by by_shell 101 "the function profiler" no_profile profile_state \
	write 1 function_profile_enabled
no_profile
try "reading the trace" something_traced nothing_state look trace
# Many are those of its files, one like the other.
try_by by_program 7 "an instance" no_instance instance_state mkdir instances/x
no_instance

try "an event" no_event event_state write sched:sched_switch set_event
try "a system call" no_event event_state write syscalls:sys_enter_umask set_event
try "a filter of an event" no_event event_filter_state write 'prev_pid > 4' $SWITCH/filter
try "pids of events" no_event event_pid_state write 1 set_event_pid
try "a command that switches an event" no_event event_state \
	append schedule:enable_event:sched:sched_switch set_ftrace_filter
try "a record that is made up" no_event nothing_state write 'prev_comm="x"' $SWITCH/inject
no_event

try "a trigger" no_trigger trigger_state write 'stacktrace:5 if prev_pid > 3' $SWITCH/trigger
try "a trigger that switches an event" no_trigger trigger_state \
	write enable_event:irq:irq_handler_entry $SWITCH/trigger
try "a trigger that takes snapshots" no_trigger trigger_state write snapshot $SWITCH/trigger
no_snapshot
try "a histogram" no_trigger trigger_state \
	write "hist:keys=prev_comm,next_pid.log2:vals=prev_prio.max:sort=prev_prio:size=128:name=x \
if prev_pid > 3" $SWITCH/trigger
try "one that is cleared" counted nothing_state \
	append 'hist:keys=prev_comm,next_pid:size=128:clear' $SWITCH/trigger
try "reading a histogram" counted nothing_state look $SWITCH/hist
try "a synthetic event" no_synthetic synthetic_state \
	write 'tried pid_t pid; char name[]; unsigned long stack[]' synthetic_events
asked
try "a histogram that acts" no_trigger trigger_state \
	write "hist:keys=next_pid:us=common_timestamp.usecs-\$at,name=next_comm:\
onmatch(sched.sched_wakeup).tried(next_pid,\$us,\$name):\
onmax(\$us).save(prev_pid,next_comm):onchange(\$us).snapshot()" $SWITCH/trigger
# A field of the other event, by a histogram that is made for it.
try "one that has another one made" no_trigger trigger_state \
	write "hist:keys=next_pid:us=common_timestamp.usecs-\$at:\
onmatch(sched.sched_wakeup).trace(tried,next_pid,\$us,comm)" $SWITCH/trigger
no_trigger
echo >$WAKEUP/trigger
try "taking away synthetic events" asked synthetic_state append '!tried' synthetic_events
no_trigger
echo >$WAKEUP/trigger
no_synthetic

FETCHED='c=$comm t=\"text" s=+0($stack1):string[2] n=$stack2:u8'
no_probe
try "a probe of the kernel" no_probe probe_state \
	write "p:tried/x vfs_read $FETCHED" kprobe_events
try "another one of its event" kernel_probe probe_state \
	append "p:tried/x vfs_write $FETCHED" kprobe_events
try "switching it on" kernel_probe probe_on_state write 1 events/tried/x/enable
try "switching on an event of two" two_probes probe_on_state write 1 events/tried/x/enable
try "a return probe" no_probe probe_state write 'r5:tried/x vfs_read $retval' kprobe_events
try "switching that on" return_probe probe_on_state write 1 events/tried/x/enable
try "a probe of a function" no_probe probe_state write 'f:tried/x vfs_read' dynamic_events
try "switching that on, too" function_probe probe_on_state write 1 events/tried/x/enable
try "a probe of a tracepoint" no_probe probe_state \
	write 't:tried/x sched_switch' dynamic_events
try "which is switched on" tracepoint_probe probe_on_state write 1 events/tried/x/enable
try_many "switching on events of many functions" many_probes 1
try_many "and off" many_probes_on 0
try "a probe of a program" no_probe probe_state \
	write 'p:tried/x /bin/busybox:0x1000 c=$comm' uprobe_events
try "which is, too" program_probe probe_on_state write 1 events/tried/x/enable
try "a probe of an event" no_probe probe_state \
	write 'e:tried/x sched/sched_switch pid=$next_pid:s32 if prev_pid > 3' dynamic_events
try "and that" event_probe probe_on_state write 1 events/tried/x/enable
try "taking away probes" two_probes probe_state append -:tried/x kprobe_events
no_probe
try "an event of programs" no_probe probe_state append 'u:tried u32 a; char b[20]' dynamic_events
no_probe

modprobe ftrace_events
try_by by_program 1 "an event of perf" no_event nothing_state \
	perf events/ftrace_tests/wanted/id
[ "$(wanted_state)" = 0 ] && rmmod ftrace_events
report $? "which nobody has any more"

no_module
start=$(records)
try_by by_program 1 "a module" no_module module_state insmod "$MODULE"
no_module
[ "$(records)" -eq "$start" ] && insmod "$MODULE" &&
	[ "$(records)" -gt "$start" ] && grep -q visitor_work enabled_functions
report $? "a module when there is memory again"
no_module
quiet
echo >set_ftrace_filter
all_reported
