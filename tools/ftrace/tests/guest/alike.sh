#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs with our tracer and with the stock one. Sends traces of the same function calls, and latency
# traces, with many options, to the host, which compares them (tools/ftrace/compare-stock.sh).

. /send.sh
cd /sys/kernel/tracing || exit
run=/sys/module/ftrace_nested/parameters/run
delay=/tmp/delay

begin()
{
	echo 0 >tracing_on
	echo >trace
	echo 1 >tracing_on
}

# record [slow]: records one run of the functions of the module, on the first CPU
record()
{
	begin
	taskset 1 sh -c "echo ${1:-fast} >$run"
	echo 0 >tracing_on
}

# record_two_tasks: records two tasks, of which the slow one sleeps for a second between its calls
record_two_tasks()
{
	begin
	taskset 1 sh -c "echo slow >$run" &
	until grep -q nested_wait trace; do :; done
	taskset 1 sh -c "echo fast >$run"
	wait
	echo 0 >tracing_on
}

# with name option...: records and prints with these options inverted
with()
{
	name=$1
	shift
	for option in "$@"; do
		[ -f "options/$option" ] || return 0
	done
	turn "$@"
	record
	send_file "$name" <trace
	turn "$@"
}

turn() # option...
{
	for option in "$@"; do
		echo $((1 - $(cat "options/$option"))) >"options/$option"
	done
}

graph()
{
	echo 'nested_*' >set_ftrace_filter
	echo function_graph >current_tracer
	send_file graph.empty <trace
	with graph
	for option in cpu overhead duration proc abstime tail overrun irqs retval; do
		with "graph.$option" "funcgraph-$option"
	done
	with graph.hexadecimal funcgraph-retval funcgraph-retval-hex
	with graph.values.tail funcgraph-retval funcgraph-tail
	with graph.values.proc funcgraph-retval funcgraph-proc funcgraph-abstime
	with graph.all funcgraph-proc funcgraph-abstime funcgraph-tail funcgraph-overrun
	with graph.little funcgraph-cpu funcgraph-overhead funcgraph-duration
	with graph.times funcgraph-abstime funcgraph-cpu
	with graph.latency latency-format
	with graph.latency.all latency-format funcgraph-proc funcgraph-abstime
	with graph.without.context context-info
	graph_lists
	graph_of_tasks_and_cpus
}

graph_lists()
{
	echo 2 >max_graph_depth
	with graph.depth
	echo 0 >max_graph_depth
	echo nested_middle >set_graph_function
	with graph.function
	echo >set_graph_function
	echo nested_middle >set_graph_notrace
	with graph.notrace
	echo >set_graph_notrace
	echo 500000 >tracing_thresh
	echo nop >current_tracer
	echo function_graph >current_tracer
	record slow
	send_file graph.thresh <trace
	with graph.thresh.none
	echo 0 >tracing_thresh
	echo nop >current_tracer
	echo function_graph >current_tracer
}

# graph_of_tasks_and_cpus: sends lines that function_graph adds for tasks and markers, and the files
# of a CPU and trace_pipe
graph_of_tasks_and_cpus()
{
	record_two_tasks
	send_file graph.tasks <trace
	turn funcgraph-proc
	send_file graph.tasks.proc <trace
	turn funcgraph-proc
	begin
	taskset 1 sh -c 'echo hello >trace_marker'
	echo 0 >tracing_on
	send_file graph.marker <trace
	record
	send_file graph.of.cpu <per_cpu/cpu0/trace
	send_file graph.pipe <trace_pipe
	echo nop >current_tracer
}

functions()
{
	echo 'nested_*' >set_ftrace_filter
	echo function >current_tracer
	send_file function.empty <trace
	with function
	for option in print-parent sym-offset irq-info record-tgid verbose \
		latency-format raw hex; do
		with "function.$(echo "$option" | tr -- - .)" "$option"
	done
	with function.verbose.latency verbose latency-format
	with function.without.context context-info
	record
	send_file function.pipe <trace_pipe
	echo nop >current_tracer
	echo >set_ftrace_filter
}

# load_delay irq|preempt: loads the module that disables interrupts or preemption for a while
load_delay()
{
	rmmod preemptirq_delay_test 2>/dev/null
	modprobe preemptirq_delay_test test_mode="$1" delay=700000 cpu_affinity=0
}

# section tracer irq|preempt suffix: prints the latency trace of a section. Without functions,
# which differ, because those of a tracer itself are never traced.
section()
{
	[ ! -f options/function-trace ] || echo 0 >options/function-trace
	echo 1 >tracing_on
	echo 0 >tracing_max_latency
	echo "$1" >current_tracer
	load_delay "$2"
	cat trace >"$delay"
	echo 0 >tracing_on
	send_file "$1.$2$3" <"$delay"
	echo nop >current_tracer
}

wakeup() # tracer suffix
{
	echo 1 >tracing_on
	echo 0 >tracing_max_latency
	echo "$1" >current_tracer
	chrt -f 7 sleep 1
	echo 0 >tracing_on
	send_file "$1$2" <trace
	echo nop >current_tracer
}

latencies() # suffix
{
	section irqsoff irq "$1"
	section preemptoff preempt "$1"
	section preemptirqsoff irq "$1"
	section preemptirqsoff preempt "$1"
	for tracer in wakeup wakeup_rt wakeup_dl; do
		wakeup $tracer "$1"
	done
}

modprobe ftrace_nested || exit
pass_pids
graph
functions
latencies
turn display-graph
latencies .graph
