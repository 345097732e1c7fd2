#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, booted with parameters that somebody chose: what these began is there. Then,
# by boots.do= of the kernel's command line,
#   use    each tracer and each clock is switched on, has a filter, records, and is off again
#   off    what ftrace= began is switched off, and the kernel goes on
#   noted  the log names the parameter for which self-tests are left out
#   count  by each clock of the kernel at most 1 entry in 100 is the tracer's reading of it
# and the kernel has had nothing to report. What is wrong is printed, a line each, and what was
# found behind a #.

cd /sys/kernel/tracing || exit
bad=0

fault()
{
	echo "$*"
	bad=1
}

put() # text file
{
	echo "$1" 2>/dev/null >"$2" || fault "'$1' to $2 was refused"
}

parameter() # name: what the command line says last
{
	tr ' ' '\n' </proc/cmdline | sed -n "s/^$1=//p" | tail -n 1
}

# are_set value file: each word of it is there
are_set()
{
	for word in $(echo "$1" | tr ',' ' '); do
		grep -qF -- "$word" "$2" || fault "$2 does not have $word"
	done
}

# A name that is a pattern is there by what it stands for.
begun()
{
	tracer=$(parameter ftrace)
	[ "$(cat current_tracer)" = "${tracer:-nop}" ] || fault "$tracer does not run"
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

# has_clock_source name: a while after the boot, as a counter is calibrated first
has_clock_source()
{
	[ -n "$1" ] || return
	tries=100
	until [ "$1" = "$(clock_source)" ] || [ $tries -eq 0 ]; do
		sleep 0.1
		tries=$((tries - 1))
	done
	[ $tries -gt 0 ] || fault "it goes by $(clock_source)"
}

# everything_as_usual: whatever parameters have left
everything_as_usual()
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

# some_is_recorded tracer what: while that is called which a filter is about
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
	# Words.
	# shellcheck disable=SC2013
	for tracer in $(cat available_tracers); do
		put "$tracer" current_tracer
		sleep 0.3
		head -n 20 trace >/dev/null
		[ "$(cat current_tracer)" = "$tracer" ] || fault "$tracer does not stay"
		put nop current_tracer
	done
}

# first_event_has_room: and there is none before somebody asks
first_event_has_room()
{
	grep -qE "trace|kunit.enable=1" /proc/cmdline && return
	grep -q expanded buffer_size_kb || fault "the buffer is large before anybody traces"
	put sched:sched_process_exec set_event
	! grep -q expanded buffer_size_kb || fault "set_event leaves the buffer small"
	put '' set_event
}

use()
{
	first_event_has_room
	everything_as_usual
	use_tracers
	put 'vfs_*' set_ftrace_filter
	for clock in $(tr -d '[]' <trace_clock); do
		put "$clock" trace_clock
		some_is_recorded function "by $clock"
		some_is_recorded function_graph "by $clock"
	done
	put '' set_ftrace_filter
	put vfs_open set_graph_function
	some_is_recorded function_graph "of what vfs_open calls"
	put '' set_graph_function
	off
}

off()
{
	put nop current_tracer
	put 0 /proc/sys/kernel/stack_tracer_enabled
	sleep 1
	[ "$(cat current_tracer)" = nop ] || fault "current_tracer is $(cat current_tracer)"
	[ ! -s enabled_functions ] || fault "$(wc -l <enabled_functions) functions are still traced"
}

noted()
{
	name=$(dmesg | sed -n 's/.*self-tests left out: the boot is traced (\([a-z_]*=\))$/\1/p')
	grep -q " ${name:-none}" /proc/cmdline || fault "self-tests are not left out for it"
}

# What reads a clock, with who may call it for what is traced. function tells the caller,
# function_graph whose block it is in.
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

# count_entries tracer clock: as that tracer prints them, but not traced by it
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
		fault "$(clock_source) $2 $1: $own of $all entries are the tracer's"
	fi
}

# In a small buffer, which is read soon; by the clock of the command line alone, if it names
# one.
count()
{
	clocks=$(parameter trace_clock)
	everything_as_usual
	put 128 buffer_size_kb
	for clock in ${clocks:-$(tr -d '[]' <trace_clock)}; do
		put "$clock" trace_clock
		count_entries function "$clock"
		count_entries function_graph "$clock"
	done
	off
}

# What kernels say of old CPUs is none of it.
nothing_reported()
{
	dmesg | grep -vE '(Speculative Return Stack Overflow|RETBleed): WARNING: ' |
		grep -E -m 3 'WARNING|BUG|Oops|lockup|detected stall|blocked for more|FAILED|not ok ' &&
		bad=1
}

read -r up _ </proc/uptime
echo "# up after $up s"
begun
case $(parameter boots.do) in
use)	use ;;
off)	off ;;
noted)	noted ;;
count)	count ;;
*)	fault "boots.do= says nothing" ;;
esac
nothing_reported
exit $bad
