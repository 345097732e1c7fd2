#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Stress of BPF programs, in 100 rounds or stress.rounds=n. Workers attach programs of each kind to
# what runs all the time, and detach them, some because their process is killed. A round starts and
# stops a tracer and all events, on the functions of the programs, too. Meanwhile modules with
# tracepoints and functions of programs are loaded and removed, kprobes come and go, and a CPU goes
# offline and online. At the end programs count each hit again, and no memory is lost. Prints KTAP.

. /ktap.sh
. /stress-lib.sh
cd /sys/kernel/tracing || exit
plan 6

# Functions that the scheduler, page faults and system calls call often.
HOT=schedule,handle_mm_fault,vfs_read,do_filp_open
CALL=/sys/module/ftrace_probed/parameters/call
HAPPEN=/sys/module/ftrace_events/parameters/happen
PROGRAM=$(command -v probed)
PLACE=$PROGRAM:$(probed offsets | sed -n 's/^user_args //p')

# attach kind place option...: attaches a program while some processes run
attach()
{
	bpf_count "$@" -- ls -R /bin >/dev/null
}

# attach_and_kill kind place option...: ends the process that has attached a program
attach_and_kill()
{
	bpf_count "$@" -- sleep 5 >/dev/null &
	sleep 0.1
	kill -9 $!
	wait $! 2>/dev/null
	return 0
}

event_id() # system/event
{
	cat "events/$1/id"
}

raw_tracepoints()
{
	attach raw sched_switch -g task && attach raw sys_enter -d stack -n 3 &&
		attach raw irq_handler_entry -d output && attach_and_kill raw sched_waking
}

events()
{
	switch=$(event_id sched/sched_switch)
	attach tracepoint "$switch" -d stack && attach tracepoint "$switch" -i -n 5 &&
		attach_and_kill tracepoint "$switch" &&
		attach tracepoint "$(event_id raw_syscalls/sys_enter)" -d output &&
		bpf_count tracepoint "$switch" -r 1 -- perf_tp -s "$switch" ls / >/dev/null
}

system_calls()
{
	[ -d events/syscalls/sys_enter_read ] || return 0
	attach tracepoint "$(event_id syscalls/sys_enter_read)" &&
		attach tracepoint "$(event_id syscalls/sys_exit_openat)" -d stack &&
		attach_and_kill tracepoint "$(event_id syscalls/sys_enter_openat)"
}

# modules: a module has its tracepoint in use by a program, and is removed after that
modules()
{
	modprobe ftrace_events && numbers=$(event_id ftrace_tests/numbers) &&
		bpf_count raw numbers -- sh -c "echo 3 >$HAPPEN" >/dev/null &&
		bpf_count tracepoint "$numbers" -- sh -c "echo 3 >$HAPPEN" >/dev/null &&
		attach_and_kill raw numbers && attach_and_kill tracepoint "$numbers" || return
	until rmmod ftrace_events 2>/dev/null; do
		sleep 0.1
	done
}

module_functions()
{
	modprobe ftrace_probed &&
		bpf_count kprobe probed_args -- sh -c "echo 3 >$CALL" >/dev/null || return
	[ -z "$many" ] ||
		bpf_count session probed_args,probed_nested -- sh -c "echo 3 >$CALL" >/dev/null ||
		return
	until rmmod ftrace_probed 2>/dev/null; do
		sleep 0.1
	done
}

kprobes()
{
	for kind in kprobe kretprobe; do
		attach $kind vfs_read -d stack && attach $kind schedule -i &&
			attach $kind handle_mm_fault -n 2 && attach_and_kill $kind do_filp_open ||
			return
	done
}

kprobe_events()
{
	echo 'p:bpf/read vfs_read' >>kprobe_events && echo 'r:bpf/opened do_filp_open' >>kprobe_events &&
		attach kprobe-event "$(event_id bpf/read)" &&
		attach kprobe-event "$(event_id bpf/opened)" -r 1 -i &&
		attach_and_kill kprobe-event "$(event_id bpf/read)" || return
	# A round may just have enabled all events, and a process that was killed ends a bit later.
	for event in read opened; do
		until echo "-:bpf/$event" 2>/dev/null >>kprobe_events; do
			echo 0 2>/dev/null >"events/bpf/$event/enable"
			sleep 0.1
		done
	done
}

many_functions()
{
	[ -n "$many" ] || return 0
	for kind in kprobe.multi kretprobe.multi session; do
		attach $kind $HOT -d stack && attach $kind $HOT -c 1,2,3,4 -g cookie &&
			attach_and_kill $kind $HOT || return
	done
}

user_places()
{
	for kind in uprobe uretprobe uprobe.multi uretprobe.multi; do
		bpf_count $kind "$PLACE" -- probed call 3 >/dev/null || return
	done
	bpf_count uprobe.multi "$PLACE" -S -- probed call 3 >/dev/null &&
		attach_and_kill uprobe "$PLACE" && attach_and_kill uretprobe.multi "$PLACE" &&
		bpf_count uprobe "$PLACE" -p 1 -- probed call 3 >/dev/null
}

clock()
{
	bpf_count clock 50000 -d stack -- ls -R /bin >/dev/null
}

typed()
{
	[ -e /sys/kernel/btf/vmlinux ] || return 0
	attach tp_btf sched_switch && attach fentry vfs_read -n 3 && attach fexit vfs_read &&
		attach fexit do_filp_open,vfs_read && attach_and_kill fentry do_filp_open &&
		attach_and_kill fexit handle_mm_fault
}

workers="raw_tracepoints events system_calls modules module_functions kprobes kprobe_events"
workers="$workers many_functions user_places clock typed"

many=
! bpf_count kprobe.multi vfs_read -- true >/dev/null 2>&1 || many=yes
tracers=function
! grep -q function_graph available_tracers || tracers="function function_graph"

# is_counted kind place file: a program counts each hit of three writes to the file
is_counted()
{
	[ "$(bpf_count "$1" "$2" -- sh -c "echo 3 >$3; echo 4 >$3; echo 5 >$3" |
		sed -n 's/^hits \([0-9]*\) .*/\1/p')" = 3 ]
}

counts_each_hit()
{
	modprobe ftrace_events && modprobe ftrace_probed || return
	is_counted raw numbers $HAPPEN &&
		is_counted tracepoint "$(event_id ftrace_tests/numbers)" $HAPPEN &&
		is_counted kprobe probed_args $CALL && is_counted kretprobe probed_args $CALL || return
	[ -z "$many" ] || is_counted kprobe.multi probed_args $CALL || return
	rmmod ftrace_events && rmmod ftrace_probed
}

nothing_is_traced()
{
	[ -z "$(cat enabled_functions)" ]
}

try_workers
for tracer in $tracers; do
	echo "$tracer" >current_tracer
done
echo 1 >events/enable
echo 0 >events/enable
echo nop >current_tracer
remember_memory

load &
start_workers
round=0
while [ "$round" -lt "$ROUNDS" ]; do
	# shellcheck disable=SC2086
	nth $round $tracers >current_tracer
	sleep 1
	echo nop >current_tracer
	echo 1 >events/enable
	echo 0 >events/enable
	echo >trace
	round=$((round + 1))
	echo "# round $round of $ROUNDS"
done
stop_background

report_workers
report_hotplug
[ ! -d /sys/module/ftrace_events ] && [ ! -d /sys/module/ftrace_probed ] &&
	[ -z "$(cat dynamic_events)" ]
report $? "the modules and their events are removed"
within_a_minute nothing_is_traced
report $? "no function is traced"
counts_each_hit
report $? "a program counts each hit"

report_memory
all_reported
