#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Checks that the boot parameters have had their effect, and that the kernel has reported
# nothing. boots.do= on the command line selects another check:
#   use    each tracer and each clock can be enabled, records with a filter, and can be disabled
#   off    the tracer of ftrace= can be stopped
#   noted  the log names the parameter because of which self-tests are left out
#   count  with each clock at most 1 of 100 entries is a read of the clock by the tracer itself
# Prints a line for each fault. Lines that begin with # are information.

cd /sys/kernel/tracing || exit
bad=0

fault()
{
	echo "$*"
	bad=1
}

# put text file: writes the text
put()
{
	echo "$1" 2>/dev/null >"$2" || fault "writing '$1' to $2 failed"
}

# parameter name: prints its last value on the command line
parameter()
{
	tr ' ' '\n' </proc/cmdline | sed -n "s/^$1=//p" | tail -n 1
}

# are_set value file: checks that the file has each word of the value
are_set()
{
	for word in $(echo "$1" | tr ',' ' '); do
		grep -qF -- "$word" "$2" || fault "$2 does not have $word"
	done
}

# check_boot_parameters: checks that the boot parameters have had their effect. The files list the
# functions that a pattern matches, so its * is dropped.
check_boot_parameters()
{
	tracer=$(parameter ftrace)
	[ "$(cat current_tracer)" = "${tracer:-nop}" ] || fault "the tracer is not ${tracer:-nop}"
	are_set "$(parameter trace_clock)" trace_clock
	are_set "$(parameter trace_options)" trace_options
	are_set "$(parameter ftrace_graph_filter)" set_graph_function
	are_set "$(parameter ftrace_graph_notrace)" set_graph_notrace
	are_set "$(parameter ftrace_graph_max_depth)" max_graph_depth
	are_set "$(parameter ftrace_filter | sed 's/\*//g')" set_ftrace_filter
	are_set "$(parameter ftrace_notrace)" set_ftrace_notrace
	are_set "$(parameter stacktrace_filter | sed 's/\*//g')" stack_trace_filter
	are_set "$(parameter tracing_thresh)" tracing_thresh
	has_clock_source "$(parameter clocksource)"
}

clock_source()
{
	cat /sys/devices/system/clocksource/clocksource0/current_clocksource
}

# has_clock_source name: checks that the kernel uses the clock source. It may switch to it some time
# after the boot, as it calibrates a counter first.
has_clock_source()
{
	[ -n "$1" ] || return
	tries=100
	until [ "$1" = "$(clock_source)" ] || [ $tries -eq 0 ]; do
		sleep 0.1
		tries=$((tries - 1))
	done
	[ $tries -gt 0 ] || fault "the clock source is $(clock_source), not $1"
}

# reset_tracing: resets everything that boot parameters may have set
reset_tracing()
{
	put nop current_tracer
	put 0 /proc/sys/kernel/stack_tracer_enabled
	for file in set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace; do
		put '' "$file"
	done
	put 0 max_graph_depth
	put 0 tracing_thresh
	put 0 options/func_stack_trace
}

# some_is_recorded tracer what: checks that the tracer records calls that the filter allows
some_is_recorded()
{
	put "$1" current_tracer
	echo >trace
	cat /proc/version >/dev/null
	grep -v '^#' trace | grep -q vfs_ || fault "$1 $2: nothing was recorded"
	put nop current_tracer
}

use_tracers()
{
	# Each word is a tracer.
	# shellcheck disable=SC2013
	for tracer in $(cat available_tracers); do
		put "$tracer" current_tracer
		sleep 0.3
		head -n 20 trace >/dev/null
		[ "$(cat current_tracer)" = "$tracer" ] || fault "$tracer does not keep running"
		put nop current_tracer
	done
}

# first_event_has_room: checks that enabling the first event expands the buffer
first_event_has_room()
{
	grep -qE "trace|kunit.enable=1" /proc/cmdline && return
	grep -q expanded buffer_size_kb || fault "the buffer is expanded although nothing is traced"
	put sched:sched_process_exec set_event
	! grep -q expanded buffer_size_kb || fault "set_event does not expand the buffer"
	put '' set_event
}

# use: boots.do=use
use()
{
	first_event_has_room
	reset_tracing
	use_tracers
	put 'vfs_*' set_ftrace_filter
	for clock in $(tr -d '[]' <trace_clock); do
		put "$clock" trace_clock
		some_is_recorded function "with the clock $clock"
		some_is_recorded function_graph "with the clock $clock"
	done
	put '' set_ftrace_filter
	put vfs_open set_graph_function
	some_is_recorded function_graph "with set_graph_function"
	put '' set_graph_function
	off
}

# off: boots.do=off
off()
{
	put nop current_tracer
	put 0 /proc/sys/kernel/stack_tracer_enabled
	sleep 1
	[ "$(cat current_tracer)" = nop ] || fault "current_tracer is $(cat current_tracer)"
	[ ! -s enabled_functions ] || fault "$(wc -l <enabled_functions) functions are still traced"
}

# noted: boots.do=noted
noted()
{
	name=$(dmesg | sed -n 's/.*self-tests left out: the boot is traced (\([a-z_]*=\))$/\1/p')
	grep -q " ${name:-none}" /proc/cmdline ||
		fault "the log does not name a parameter for which self-tests are left out"
}

# own_entries: prints the number of entries in which the tracer reads its clock, and of all. An
# entry counts if it is a function of the trace clock, or reads a clock for a caller that is not
# timekeeping. The tracer function records the caller; with function_graph it is the enclosing
# call.
own_entries()
{
	awk -v reader='^(read_tsc|read_hpet|acpi_pm_read.*|jiffies_read|(kvm|pvclock)_clock.*)$' \
		-v trace_clock='^ktime_get_.*fast_ns$' \
		-v timekeeping='^_*(time|ktime|tick_|clocksource|acpi_pm|hrtimer)' '
		function is_own(name, caller) {
			return name ~ trace_clock || name ~ reader &&
				(caller ~ trace_clock || caller !~ timekeeping)
		}
		/^#/			{ next }
		/ <-/			{
			sub(/^.*: /, ""); sub(/<-/, "")
			all++; own += is_own($1, $2)
			next
		}
		/\|.*\(\)/		{
			cpu = $1; line = $0
			sub(/^[^|]*\|/, "", line)
			match(line, /^ */); depth = RLENGTH
			sub(/^ */, "", line); sub(/\(.*/, "", line)
			at[cpu, depth] = line
			all++; own += is_own(line, at[cpu, depth - 2])
		}
		END { print own + 0, all + 0 }' trace
}

# count_entries tracer clock: counts entries. While the trace is read, nothing is traced.
count_entries()
{
	put "$1" current_tracer
	echo >trace
	ls -l /proc >/dev/null
	sleep 0.2
	put 0 tracing_on
	put kernel_restart set_ftrace_filter
	own_entries >/tmp/entries
	put nop current_tracer
	put '' set_ftrace_filter
	put 1 tracing_on
	read -r own all </tmp/entries
	echo "# $(clock_source) $2 $1: $own of $all"
	if [ "$all" -lt 100 ] || [ $((own * 100)) -gt "$all" ]; then
		fault "$(clock_source) $2 $1: in $own of $all entries the tracer reads the clock"
	fi
}

# count: boots.do=count, with each clock, or only with that of the command line. The buffer is
# small, so that reading it takes little time.
count()
{
	clocks=$(parameter trace_clock)
	reset_tracing
	put 128 buffer_size_kb
	for clock in ${clocks:-$(tr -d '[]' <trace_clock)}; do
		put "$clock" trace_clock
		count_entries function "$clock"
		count_entries function_graph "$clock"
	done
	off
}

# nothing_reported: checks that the kernel has reported no error. Warnings about old CPUs do not
# count.
nothing_reported()
{
	dmesg | grep -vE '(Speculative Return Stack Overflow|RETBleed): WARNING: ' |
		grep -E -m 3 'WARNING|BUG|Oops|lockup|detected stall|blocked for more|FAILED|not ok ' &&
		bad=1
}

read -r up _ </proc/uptime
echo "# up after $up s"
check_boot_parameters
case $(parameter boots.do) in
use)	use ;;
off)	off ;;
noted)	noted ;;
count)	count ;;
*)	fault "boots.do= is missing or unknown" ;;
esac
nothing_reported
exit $bad
