#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Stress of the event side, in 100 rounds or stress.rounds=n. Each round enables and disables all
# events. Meanwhile workers load and remove modules with events, create and remove instances and
# probes, use perf, change filters, pids, options, function commands, triggers, histograms and
# synthetic events, inject records, and read all files; a CPU goes offline and online. At the end
# nothing is enabled, events still record, and no memory is lost. Prints KTAP.

. /ktap.sh
. /stress-lib.sh
cd /sys/kernel/tracing || exit
plan 8

SWITCH=events/sched/sched_switch

# modules: loads a module, enables its events, and removes it, with their files and records
modules()
{
	modprobe ftrace_events && echo 1 >events/ftrace_tests/enable &&
		echo 'tiny == 3' >events/ftrace_tests/numbers/filter &&
		echo 3 >/sys/module/ftrace_events/parameters/happen &&
		cat events/ftrace_tests/numbers/format >/dev/null && rmmod ftrace_events
}

# module_events: makes a module add and remove events of its own. An event can only be removed while
# it is disabled, so this waits until no round has it enabled.
module_events()
{
	there=/sys/module/ftrace_maker/parameters/there
	modprobe ftrace_maker && echo 1 >$there && echo 1 >events/ftrace_made/enable &&
		echo 5 >/sys/module/ftrace_maker/parameters/happen || return
	until echo 0 >events/ftrace_made/enable && echo 0 >$there; do
		sleep 0.1
	done
	rmmod ftrace_maker
}

# perf: opens events with perf_event_open()
perf()
{
	[ -e $SWITCH/id ] || return 0
	# A CPU that goes offline meanwhile has no events.
	{ perf_tp -a "$(cat $SWITCH/id)" true >/dev/null 2>/tmp/stress/all ||
		grep -q 'No such device' /tmp/stress/all; } &&
		perf_tp -s -f 'prev_pid != 0' "$(cat $SWITCH/id)" ls / >/dev/null &&
		perf_tp "$(cat events/raw_syscalls/sys_enter/id)" ls / >/dev/null &&
		perf_tp -s -f 'ip == vfs_*' "$(cat events/ftrace/function/id)" ls / >/dev/null
}

# in_instance: enables events in a new instance, and removes it
in_instance()
{
	mkdir instances/stress && cd instances/stress && echo 1 >events/sched/enable &&
		echo 1 >events/syscalls/enable && echo 'prev_pid > 100' >$SWITCH/filter &&
		ls / >/dev/null && cat trace >/dev/null && echo 1 >events/enable &&
		cd ../.. && rmdir instances/stress
}

filters()
{
	echo 'prev_pid == 0 || next_comm ~ "s*" && !(next_prio & 3)' >$SWITCH/filter &&
		echo 'pid > 5' >events/sched/filter && echo 0 >$SWITCH/filter &&
		! echo 'prev_pid == ' >$SWITCH/filter 2>/dev/null &&
		echo 'COMM == "ls"' >events/syscalls/filter && echo 0 >events/syscalls/filter &&
		echo 0 >events/sched/filter
}

pids()
{
	echo $$ >set_event_pid && echo 1 >options/event-fork && echo 1 >set_event_notrace_pid &&
		ls / >/dev/null && echo >set_event_pid && echo >set_event_notrace_pid &&
		echo 0 >options/event-fork
}

toggle_options()
{
	for option in stacktrace userstacktrace record-cmd record-tgid hash-ptr; do
		[ ! -f options/$option ] || echo 1 >options/$option || return
	done
	echo 'prev_pid=1 next_comm="made up"' >$SWITCH/inject || return
	for option in stacktrace userstacktrace record-tgid; do
		[ ! -f options/$option ] || echo 0 >options/$option || return
	done
}

function_commands()
{
	echo 'vfs_open:enable_event:irq:irq_handler_entry' >set_ftrace_filter &&
		ls / >/dev/null &&
		echo '!vfs_open:enable_event:irq:irq_handler_entry' >set_ftrace_filter
}

# triggers: adds triggers and removes each by name, as truncating the file keeps most of them
triggers()
{
	echo 'stacktrace:5 if prev_pid > 0' >>$SWITCH/trigger &&
		echo 'enable_event:irq:irq_handler_entry:3' >>$SWITCH/trigger &&
		echo 'traceon' >>$SWITCH/trigger && echo 'snapshot:2' >>$SWITCH/trigger &&
		ls / >/dev/null && cat $SWITCH/trigger >/dev/null || return
	for trigger in stacktrace enable_event:irq:irq_handler_entry traceon snapshot; do
		echo "!$trigger" >>$SWITCH/trigger || return
	done
}

# histograms: adds and removes histograms; that of a module's event is removed with the module
histograms()
{
	waking=events/sched/sched_waking
	for text in 'hist:keys=pid,common_stacktrace:size=128' \
		'hist:keys=comm:vals=prio.avg,prio.max:sort=prio.avg:name=stress' \
		'hist:keys=target_cpu,common_cpu'; do
		only=' if prio > 100'
		echo "$text$only" >>$waking/trigger && ls / >/dev/null &&
			cat $waking/hist >/dev/null && echo "$text:pause$only" >>$waking/trigger &&
			echo "$text:clear$only" >>$waking/trigger &&
			echo "!$text$only" >>$waking/trigger || return
	done
	[ ! -d events/ftrace_tests ] ||
		echo 'hist:keys=tiny:vals=big' >events/ftrace_tests/numbers/trigger 2>/dev/null
	return 0
}

# synthetics: adds histograms that generate a synthetic event. A histogram that reads a variable
# has to be removed before the one that sets it.
synthetics()
{
	from='hist:keys=pid:at=common_timestamp.usecs if prio < 200'
	to='hist:keys=next_pid'
	to="$to:waited=common_timestamp.usecs-\$at:onmatch(sched.sched_wakeup).stress_wait(next_pid,\$waited)"
	to="$to:onmax(\$waited).save(next_comm,prev_pid)"
	by='hist:keys=pid:vals=us.max:sort=us.max'

	echo 'stress_wait pid_t pid; u64 us' >>synthetic_events &&
		echo "$from" >>events/sched/sched_wakeup/trigger &&
		echo "$to" >>$SWITCH/trigger &&
		echo "$by" >events/synthetic/stress_wait/trigger &&
		echo 1 >events/synthetic/stress_wait/enable && ls / >/dev/null && sleep 0.1 &&
		cat events/synthetic/stress_wait/hist $SWITCH/hist >/dev/null &&
		! echo "!$from" >>events/sched/sched_wakeup/trigger 2>/dev/null &&
		echo "!$by" >>events/synthetic/stress_wait/trigger &&
		echo "!$to" >>$SWITCH/trigger &&
		echo "!$from" >>events/sched/sched_wakeup/trigger || return
	# A round may just have enabled all events.
	until echo 0 >events/synthetic/stress_wait/enable &&
		echo '!stress_wait' >>synthetic_events 2>/dev/null; do
		sleep 0.1
	done
}

# remove_probes group: removes all probes of a group, also if a round enables them meanwhile
remove_probes()
{
	while [ -e "events/$1" ]; do
		echo 0 2>/dev/null >"events/$1/enable"
		for event in "events/$1"/*/; do
			event=${event%/}
			echo "-:$1/${event##*/}" 2>/dev/null >>dynamic_events
		done
		sleep 0.1
	done
}

# Functions that the scheduler, timers and page faults call most often.
HOT="schedule try_to_wake_up handle_mm_fault update_process_times hrtimer_start_range_ns"

kernel_probes()
{
	[ -e kprobe_events ] || return 0
	for func in $HOT; do
		echo "p:stress_k/in $func comm=\$comm" >>kprobe_events &&
			echo "p:stress_k/in_$func $func s=\$stack0" >>kprobe_events &&
			echo "r:stress_k/out_$func $func back=\$retval" >>kprobe_events || return
	done
	echo 1 >events/stress_k/enable && echo 'comm == "ls"' >events/stress_k/in/filter &&
		ls / >/dev/null && cat events/stress_k/*/format kprobe_profile >/dev/null
	remove_probes stress_k
}

function_probes()
{
	grep -q 'f\[:' README || return 0
	for func in $HOT; do
		echo "f:stress_f/in_$func $func" >>dynamic_events &&
			echo "f:stress_f/out_$func $func%return back=\$retval" >>dynamic_events ||
			return
	done
	echo 't:stress_f/switched sched_switch' >>dynamic_events &&
		echo 1 >events/stress_f/enable && ls / >/dev/null &&
		cat events/stress_f/*/format >/dev/null
	remove_probes stress_f
}

event_probes()
{
	echo "e:stress_e/switched sched.sched_switch to=\$next_pid who=\$next_comm:string" \
		>>dynamic_events && echo 1 >events/stress_e/switched/enable && ls / >/dev/null &&
		echo 'hist:keys=to' >events/stress_e/switched/trigger &&
		cat events/stress_e/switched/hist >/dev/null &&
		echo '!hist:keys=to' >>events/stress_e/switched/trigger
	remove_probes stress_e
}

program_probes()
{
	[ -e uprobe_events ] || return 0
	program=$(command -v probed)
	at=$(probed offsets | sed -n 's/^user_args //p')
	echo "p:stress_u/in $program:$at comm=\$comm" >>uprobe_events &&
		echo "r:stress_u/out $program:$at" >>uprobe_events &&
		echo 1 >events/stress_u/enable && probed call 3 >/dev/null &&
		cat uprobe_profile >/dev/null
	remove_probes stress_u
}

# module_probes: a probe stays when its module is removed
module_probes()
{
	[ -e kprobe_events ] || return 0
	echo 'p:stress_m/in ftrace_probed:probed_args' >>kprobe_events &&
		echo 'r:stress_m/out ftrace_probed:probed_args' >>kprobe_events &&
		echo 1 >events/stress_m/enable && modprobe ftrace_probed &&
		echo 3 >/sys/module/ftrace_probed/parameters/call && rmmod ftrace_probed &&
		modprobe ftrace_probed && echo 0 >events/stress_m/in/enable && rmmod ftrace_probed
	remove_probes stress_m
}

readers()
{
	cat available_events set_event events/irq/*/format printk_formats saved_cmdlines \
		events/sched/*/enable >/dev/null || return
	# Some files are removed meanwhile.
	cat events/*/filter >/dev/null 2>&1
	timeout 1 head -c 200000 trace >/dev/null
	timeout 0.3 cat trace_pipe >/dev/null
	timeout 0.3 dd if=per_cpu/cpu1/trace_pipe_raw of=/dev/null bs=64k 2>/dev/null
	return 0
}

workers="modules module_events perf in_instance filters pids toggle_options function_commands"
workers="$workers triggers histograms"
workers="$workers synthetics kernel_probes function_probes event_probes program_probes"
workers="$workers module_probes readers"

all_off()
{
	echo 0 >events/enable && echo >set_event && [ -z "$(cat set_event)" ]
}

no_triggers()
{
	! cat events/*/*/trigger | grep -v '^#' && [ -z "$(cat synthetic_events dynamic_events)" ]
}

try_workers
echo 1 >events/enable
all_off
remember_memory

# The workers are load enough for the other half of the CPUs.
for _ in $(seq $((($(nproc) + 1) / 2))); do
	load &
done
start_workers
round=0
refused=0
while [ "$round" -lt "$ROUNDS" ]; do
	echo 1 >events/enable || refused=$((refused + 1))
	echo >trace
	sleep 1
	echo 0 >events/enable || refused=$((refused + 1))
	echo 'sched:* !sched:sched_switch irq timer:timer_start' >set_event ||
		refused=$((refused + 1))
	echo >set_event
	round=$((round + 1))
	echo "# round $round of $ROUNDS"
done
stop_background

[ $refused -eq 0 ]
report $? "all events were enabled and disabled in $ROUNDS rounds"
report_workers
[ ! -d /sys/module/ftrace_events ] && [ ! -d /sys/module/ftrace_maker ] &&
	[ ! -d /sys/module/ftrace_probed ] && ! grep -q '^ftrace_' available_events
report $? "the modules and their events are removed"
report_hotplug
all_off && no_triggers && [ "$(ls instances)" = "" ] && [ "$(wc -l <enabled_functions)" = 0 ]
report $? "nothing is enabled"
echo >trace
ls / >/dev/null
[ "$(grep -vc '^#' trace)" = 0 ]
report $? "nothing is recorded"
echo 1 >events/sched/enable
ls / >/dev/null
echo 0 >events/sched/enable
grep -q ': sched_switch: prev_comm=' trace
report $? "an enabled event is recorded"

echo 0 >options/record-tgid
report_memory
all_reported
