#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# On one CPU under -icount: measures each row of bench/rows, and prints "row NAME NUMBER".
# /bench/names has the number of names to write to a filter; the time that is printed is scaled to
# 1,000 names.

cd /sys/kernel/tracing || exit
names=$(cat /bench/names)
params=/sys/module/ftrace_bench/parameters
target=ftrace_bench_target

row()
{
	echo "row $1 $2"
}

# cost [parameter]: prints three measurements
cost()
{
	cat $params/"${1:-cost}"
	cat $params/"${1:-cost}"
	cat $params/"${1:-cost}"
}

least()
{
	sort -n | head -n 1
}

timed()
{
	/bench/timed "$@"
}

put() # text file: nanoseconds of a write
{
	echo "$1" >/tmp/text
	timed write "$2" /tmp/text
}

clear_filters()
{
	echo nop >current_tracer
	echo >set_ftrace_filter
	echo >trace
}

names_are_decoded()
{
	grep -q '^memory:' dyn_ftrace_total_info &&
		! grep -q ' 0 bytes of names' dyn_ftrace_total_info
}

# come_to_rest: waits until the tracer has freed the names that it has decoded
come_to_rest()
{
	while names_are_decoded; do
		sleep 1
	done
}

# memory_per_function: prints thousandths of a byte. Both tracers print the pages of site records;
# only ours prints the other memory.
memory_per_function()
{
	awk 'NR == 1 { functions = $1; sub("pages:", "", $2); bytes = $2 * 4096 }
		/^memory:/ { bytes += $6 }
		END { printf "%d\n", bytes * 1000 / functions }' dyn_ftrace_total_info
}

# sample_names n: prints the names of n functions from the whole kernel
sample_names()
{
	grep -v '\[' available_filter_functions | cut -d' ' -f1 | sort | uniq -u |
		awk -v n="$1" '{ name[NR] = $1 }
			END { step = int(NR / n)
			      for (i = 1; i <= n; i++) print name[i * step] }'
}

# check_unit: exits unless an instruction takes a nanosecond, which all rows rely on
check_unit()
{
	picos=$(cat $params/nop)
	[ "$picos" -ge 990 ] && [ "$picos" -le 1010 ] && return
	echo "# an instruction seems to take $picos thousandths of a nanosecond"
	exit 1
}

# measure_static: measures a kernel whose call sites cannot be patched; it has no other rows
measure_static()
{
	row static_none "$(cost | least)"
	echo 1 >$params/others
	row static_one "$(cost | least)"
	echo 2 >$params/others
	row static_two "$(cost | least)"
	echo 0 >$params/others
	echo function >current_tracer
	row static_event "$(cost | least)"
	echo nop >current_tracer
}

on_off_times() # on off file row-on row-off
{
	rm -f /tmp/on /tmp/off
	for _ in 1 2 3; do
		put "$1" "$3" >>/tmp/on
		put "$2" "$3" >>/tmp/off
	done
	row "$4" "$(least </tmp/on)"
	row "$5" "$(least </tmp/off)"
}

switch_times() # tracer row-on row-off
{
	on_off_times "$1" nop current_tracer "$2" "$3"
}

line_cost() # tracer row
{
	echo "$1" >current_tracer
	line_cost_of "$2"
	clear_filters
}

# line_cost_of row: measures a line of trace, with the records of the enabled tracer and events
line_cost_of()
{
	ls -lR /bin >/dev/null
	echo 0 >tracing_on
	timed read trace >/tmp/trace
	# shellcheck disable=SC2046
	set -- "$1" $(cat /tmp/trace)
	row "$1" $(($2 / $3))
	echo "# $3 lines of trace"
	echo 1 >tracing_on
}

measure_profile()
{
	echo $target >set_ftrace_filter
	echo 1 >function_profile_enabled
	row profile "$(cost | least)"
	echo 0 >options/graph-time
	row profile_self "$(cost | least)"
	echo 1 >options/graph-time
	echo 0 >function_profile_enabled
	clear_filters
}

# bench_cost_get, the function that reads the parameter, calls the target in a loop.
measure_graph()
{
	echo $target >set_ftrace_filter
	echo function_graph >current_tracer
	row graph "$(cost | least)"
	echo bench_cost_get >set_graph_function
	row graph_list "$(cost | least)"
	echo $target >set_graph_function
	row graph_listed "$(cost | least)"
	echo >set_graph_function
	echo $$ >set_ftrace_pid
	echo function-fork >trace_options
	row graph_pids "$(cost | least)"
	echo nofunction-fork >trace_options
	echo >set_ftrace_pid
	echo 0 >tracing_on
	row graph_off_record "$(cost | least)"
	echo 1 >tracing_on
	mkdir instances/bench
	echo $target >instances/bench/set_ftrace_filter
	echo function_graph >instances/bench/current_tracer
	row graph_two "$(cost | least)"
	echo nop >instances/bench/current_tracer
	rmdir instances/bench
	echo bench_cost_get >>set_ftrace_filter
	echo 1 >max_graph_depth
	row graph_deep "$(cost | least)"
	echo 0 >max_graph_depth
	clear_filters
	switch_times function_graph graph_on graph_off
	line_cost function_graph graph_line
}

# measure_events: measures the events of the module
measure_events()
{
	on=events/ftrace_bench/bench_numbers
	echo 1 >$on/enable
	row te "$(cost event | least)"
	echo 'one == 2' >$on/filter
	row te_filtered "$(cost event | least)"
	echo 'one == 1' >$on/filter
	row te_passed "$(cost event | least)"
	echo 'one == 1 && two == 2 && two != 3' >$on/filter
	row te_three "$(cost event | least)"
	echo 0 >$on/filter
	echo 0 >tracing_on
	row te_off_record "$(cost event | least)"
	echo 1 >tracing_on
	echo 1 >set_event_pid
	row te_not_pid "$(cost event | least)"
	echo >set_event_pid
	mkdir instances/bench
	echo 1 >instances/bench/$on/enable
	row te_two "$(cost event | least)"
	rmdir instances/bench
	echo 0 >$on/enable
	echo 1 >events/ftrace_bench/bench_string/enable
	row te_string "$(cost event_string | least)"
	echo 0 >events/ftrace_bench/bench_string/enable
	measure_syscalls
	measure_hists
	on_off_times 1 0 events/enable te_on te_off
	measure_event_lists
	clear_filters
}

cost_with() # trigger what
{
	echo "$1" >$on/trigger
	cost "${2:-event}" | least
	echo "!$1" >>$on/trigger
}

trigger_cost() # row trigger what
{
	row "$1" "$(cost_with "$2" "$3")"
}

# half_filtered_cost row histogram: measures hits of which half pass the filter
half_filtered_cost()
{
	row "$1" $((($(cost_with "$2 if one == 1") + $(cost_with "$2 if one != 1")) / 2))
}

# measure_hists: measures triggers, mostly histograms, on events of the module; the events
# themselves are not recorded
measure_hists()
{
	on=events/ftrace_bench/bench_numbers
	trigger_cost te_trigger traceon
	[ -e $on/hist ] || return
	trigger_cost hist_one 'hist:keys=one'
	trigger_cost hist_two 'hist:keys=one,two:vals=two'
	trigger_cost hist_three 'hist:keys=one,two,common_pid'
	trigger_cost hist_stack 'hist:keys=common_stacktrace'
	half_filtered_cost hist_log2 'hist:keys=one.log2'
	on=events/ftrace_bench/bench_string
	trigger_cost hist_string 'hist:keys=text' event_string
	on=events/ftrace_bench/bench_numbers
	echo 'hist:keys=one:sort=one' >$on/trigger
	echo 2048 >$params/fill
	timed read $on/hist >/tmp/hist
	row hist_read "$(cut -d' ' -f1 </tmp/hist)"
	echo '!hist:keys=one:sort=one' >>$on/trigger
	measure_latency_by_hists
}

# measure_latency_by_hists: measures the most common use of histograms, wake-up latency
measure_latency_by_hists()
{
	waking=events/sched/sched_waking/trigger
	switch=events/sched/sched_switch/trigger
	shown=events/synthetic/bench_latency/trigger
	since='hist:keys=pid:ts=common_timestamp'
	# shellcheck disable=SC2016
	until='hist:keys=next_pid:lat=common_timestamp-$ts:onmatch(sched.sched_waking).bench_latency($lat,next_pid)'

	off=$(cost wake | least)
	echo 'bench_latency u64 lat; pid_t pid' >synthetic_events
	echo "$since" >$waking
	echo "$until" >$switch
	echo 'hist:keys=pid:vals=lat' >$shown
	row hist_wake $(($(cost wake | least) - off))
	echo '!hist:keys=pid:vals=lat' >>$shown
	echo "!$until" >>$switch
	echo "!$since" >>$waking
	# A histogram with common_timestamp has changed the clock to global.
	echo local >trace_clock
	echo >synthetic_events
}

# measure_event_lists: measures set_event with every second event, and reading a trace
measure_event_lists()
{
	timed read available_events >/tmp/avail
	row te_avail "$(cut -d' ' -f1 </tmp/avail)"
	awk 'NR % 2' available_events >/tmp/events
	row te_names "$(timed write set_event /tmp/events)"
	echo "# $(wc -l <set_event) events of $(wc -l </tmp/events) names"
	echo >set_event
	echo >trace
	echo 'sched irq timer syscalls' >set_event
	line_cost_of te_line
	echo >set_event
}

measure_syscalls()
{
	on=events/syscalls/sys_enter_getppid/enable
	off=events/syscalls/sys_exit_getppid/enable
	bare=$(timed call)
	echo 1 >$on
	echo 1 >$off
	row te_syscall $(($(timed call) - bare))
	echo 0 >$on
	echo 0 >$off
}

above() # row without with
{
	row "$1" $(($3 - $2))
}

# probe_cost row file definition: measures how much a probe adds to the cost of a call
probe_cost()
{
	echo "$3" >"$2" || return
	echo 1 >events/bench/enable
	above "$1" "$bare" "$(cost | least)"
	echo 0 >events/bench/enable
	echo >"$2"
}

# make_many_probes: defines probes of a hundred functions; not all functions can have one
make_many_probes()
{
	for name in $(sample_names 200); do
		[ "$(wc -l <kprobe_events)" -lt 100 ] || return
		echo "p:many/$name $name" >>kprobe_events
	done 2>/dev/null
}

measure_probes()
{
	bare=$(cost | least)
	probe_cost kp kprobe_events "p:bench/probe $target"
	probe_cost kp_return kprobe_events "r:bench/probe $target"
	probe_cost kp_retval kprobe_events "r:bench/probe $target \$retval"
	# shellcheck disable=SC2016
	ten='$stack0 $stack1 $stack2 $stack3 $stack4 +0($stack) +8($stack) +16($stack) +24($stack) +32($stack)'
	probe_cost kp_ten kprobe_events "p:bench/probe $target $ten"
	make_many_probes
	on_off_times 1 0 events/many/enable kp_on kp_off
	echo >kprobe_events
	if grep -q 'f\[:' README; then
		probe_cost fp dynamic_events "f:bench/probe $target"
		probe_cost fp_return dynamic_events "f:bench/probe $target%return"
	fi
	[ ! -e $params/fprobe ] || on_off_times 1 0 $params/fprobe fp_on fp_off
	[ ! -e uprobe_events ] || measure_uprobe
	echo >trace
}

measure_uprobe()
{
	bare=$(timed function)
	echo "p:bench/probe /bench/timed:$(timed place)" >uprobe_events || return
	echo 1 >events/bench/enable
	above up "$bare" "$(timed function)"
	echo 0 >events/bench/enable
	echo >uprobe_events
}

# bpf_cost row bare programs kind place command...: measures how much that many empty BPF programs
# add to what the command measures
bpf_cost()
{
	row=$1 bare=$2 programs=$3 kind=$4 place=$5
	shift 5
	above "$row" "$bare" \
		"$(/bench/bpf_count "$kind" "$place" -e -n "$programs" -- "$@" | least)"
}

# measure_bpf: measures empty BPF programs. 32 bit has no multi links to functions.
measure_bpf()
{
	/bench/bpf_count kprobe $target -e -- true 2>/dev/null || return
	numbers=$(cat events/ftrace_bench/bench_numbers/id)
	bpf_cost bpf_raw 0 1 raw bench_numbers cat $params/event $params/event
	bpf_cost bpf_tp 0 1 tracepoint "$numbers" cat $params/event $params/event
	off=$(cost | least)
	for kind in kprobe kretprobe; do
		bpf_cost bpf_$kind "$off" 1 $kind $target cat $params/cost $params/cost
	done
	measure_bpf_uprobes
	! /bench/bpf_count session $target -e -- true 2>/dev/null || measure_bpf_functions
	[ ! -e /sys/kernel/btf/vmlinux ] || measure_bpf_types
}

# measure_bpf_functions: measures programs of multi links to functions
measure_bpf_functions()
{
	off=$(cost | least)
	for kind in kprobe.multi kretprobe.multi session; do
		bpf_cost "bpf_$(echo $kind | tr . _)" "$off" 1 $kind $target \
			cat $params/cost $params/cost
	done
	sample_names 20000 | measure_attaching kprobe.multi bpf_multi
}

measure_bpf_uprobes()
{
	off=$(timed function)
	for kind in uprobe uprobe.multi; do
		bpf_cost "bpf_$(echo $kind | tr . _)" "$off" 1 $kind "/bench/timed:$(timed place)" \
			/bench/timed function
	done
}

# measure_bpf_types: measures programs that know the kernel's types
measure_bpf_types()
{
	bpf_cost bpf_tp_btf "$(cost wake | least)" 1 tp_btf sched_waking \
		cat $params/wake $params/wake $params/wake
	off=$(timed call)
	bpf_cost bpf_fentry "$off" 1 fentry __x64_sys_getppid /bench/timed call
	bpf_cost bpf_fexit "$off" 1 fexit __x64_sys_getppid /bench/timed call
	bpf_cost bpf_fentry_two "$off" 2 fentry __x64_sys_getppid /bench/timed call
	grep -o '^__x64_sys_[^ ]*' available_filter_functions | head -n 100 |
		measure_attaching fentry bpf_fentry
}

# measure_attaching kind row: measures how long it takes to attach to the functions whose names it
# reads, and to detach from them
measure_attaching()
{
	cat >/tmp/functions
	# shellcheck disable=SC2046
	set -- "$2" $(/bench/bpf_count "$1" @/tmp/functions -e -t -- true)
	row "$1_on" "$3"
	row "$1_off" "$5"
	echo "# $(wc -l </tmp/functions) functions"
}

is_tracer() # name
{
	grep -q "\<$1\>" available_tracers
}

# below_longest tracer: starts a latency tracer with a maximum that nothing exceeds
below_longest()
{
	echo "$1" >current_tracer
	echo 4000000 >tracing_max_latency
}

measure_latency()
{
	echo 0 >options/function-trace
	if is_tracer irqsoff; then
		row pair_off "$(cost pair | least)"
		below_longest irqsoff
		row pair_on "$(cost pair | least)"
	fi
	echo nop >current_tracer
	if is_tracer wakeup; then
		off=$(cost wake | least)
		below_longest wakeup
		row wake $(($(cost wake | least) - off))
	fi
	clear_filters
	echo 1 >options/function-trace
}

modprobe ftrace_bench || exit
check_unit
if [ ! -e set_ftrace_filter ]; then
	measure_static
	exit
fi
clear_filters
echo "functions $(wc -l <available_filter_functions)"

row nop "$(cost | least)"

echo $target >set_ftrace_filter
echo function >current_tracer
row event "$(cost | least)"
echo 0 >tracing_on
row off_record "$(cost | least)"
echo 1 >tracing_on
clear_filters

# Five ftrace_ops minus one: an architecture may treat the first one differently, which is not part
# of the cost of a further one.
echo 1 >$params/others
one=$(cost | least)
echo 5 >$params/others
row further_op $((($(cost | least) - one) / 4))
echo 1 >$params/others
alone=$(cost | least)
echo 'vfs_*' >set_ftrace_filter
echo function >current_tracer
row elsewhere $(($(cost | least) - alone))
clear_filters
echo 0 >$params/others

switch_times function all_on all_off
# The longest stop since the boot. The stock tracer does not print it.
stop=$(sed -ne 's/^longest stop: \([0-9]*\) ns.*/\1/p' dyn_ftrace_total_info)
[ -z "$stop" ] || row stop "$stop"

come_to_rest
row memory "$(memory_per_function)"
row first_name "$(put vfs_read set_ftrace_filter)"
clear_filters
come_to_rest
row first_glob "$(put '*lock*' set_ftrace_filter)"
clear_filters

# From here on the names are decoded.
sample_names "$names" >/tmp/names
ns=$(timed write set_ftrace_filter /tmp/names)
row names $((ns * 1000 / names))
[ "$(wc -l <set_ftrace_filter)" -ge "$names" ] || echo "# not all names are in the filter"
clear_filters

put '*lock*' set_ftrace_filter >/tmp/glob
clear_filters
put '*lock*' set_ftrace_filter >>/tmp/glob
row glob "$(least </tmp/glob)"
clear_filters

timed read available_filter_functions >/tmp/avail
row avail "$(cut -d' ' -f1 </tmp/avail)"

line_cost function line
! is_tracer function_graph || measure_graph
[ ! -f function_profile_enabled ] || measure_profile
[ ! -e tracing_max_latency ] || measure_latency
[ ! -e set_event ] || measure_events
[ ! -e kprobe_events ] || measure_probes
[ ! -e /sys/bus/event_source/devices/kprobe ] || measure_bpf
rmmod ftrace_bench
