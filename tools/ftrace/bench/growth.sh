#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# On one CPU under -icount: measures each operation of bench/growth with 10, 100, 1,000 and 10,000
# items, as far as /bench/most allows, which has the maximum number of items of each. Prints
# "grow NAME N NANOSECONDS". If /bench/cpus exists, measures operations that interrupt all CPUs
# instead.

cd /sys/kernel/tracing || exit
event=events/ftrace_bench/bench_numbers

row() # name n nanoseconds
{
	echo "grow $1 $2 $3"
}

many()
{
	/bench/many "$@"
}

# measure_row row n arguments...: runs many with the arguments, and prints its time as a row
measure_row()
{
	row "$1" "$2" "$(shift 2; many "$@")"
}

# each row function argument...: calls the function with each n that the row allows
each()
{
	most=$(sed -n "s/^$1 //p" /bench/most)
	shift
	for n in 10 100 1000 10000; do
		[ "$n" -gt "${most:-0}" ] || "$@" "$n"
	done
}

# numbered_lines n text: prints n lines of the text, with the line number in place of each #
numbered_lines()
{
	seq "$1" | sed "s|.*|$2|" | awk '{ gsub(/#/, NR); print }'
}

# named_lines n text: prints n lines of the text, with the line number in place of each # and the
# name of a function in place of each @
named_lines()
{
	head -n "$1" /tmp/names | awk -v text="$2" '
		{ line = text; gsub(/#/, NR, line); gsub(/@/, $1, line); print line }'
}

# list_names: selects functions from the whole kernel that have unique names and can have a kprobe.
# Parts of functions (name.part) are left out, because the blacklist does not have them.
list_names()
{
	{
		awk '{ print $NF }' /sys/kernel/debug/kprobes/blacklist
		awk '{ print $3 }' /proc/kallsyms | sort | uniq -d
	} >/tmp/blacklist
	grep -v '\[' available_filter_functions | cut -d ' ' -f 1 | sort | uniq -u |
		grep -v -e '^__ftrace_invalid' -e '\.' | grep -vxFf /tmp/blacklist |
		awk '{ name[NR] = $1 }
			END { for (i = 0; i < 10000; i++)
				print name[int(i * NR / 10000) + 1] }' | uniq >/tmp/names
	echo "# $(wc -l </tmp/names) functions are selected"
}

# ------------------------------------------------------------------

filter_of() # n
{
	named_lines "$1" @ >/tmp/text
	measure_row fn_names "$1" write set_ftrace_filter /tmp/text
	measure_row fn_list "$1" read set_ftrace_filter
	echo function >/tmp/text
	measure_row fn_on "$1" write current_tracer /tmp/text
	echo nop >current_tracer
	measure_row fn_clear "$1" write set_ftrace_filter /dev/null
}

# probes kind file text n: measures defining, listing, enabling, disabling and deleting n probes
probes()
{
	kind=$1 file=$2 text=$3 n=$4
	case $text in
	*@*)	named_lines "$n" "$text" ;;
	*)	numbered_lines "$n" "$text" ;;
	esac >/tmp/text
	measure_row "${kind}_define" "$n" append "$file" /tmp/text
	[ "$(wc -l <"$file")" -eq "$n" ] || echo "# $kind: $(wc -l <"$file") of $n are defined"
	measure_row "${kind}_list" "$n" read "$file"
	if [ -e events/grow/enable ]; then
		echo 1 >/tmp/text
		measure_row "${kind}_on" "$n" write events/grow/enable /tmp/text
		echo 0 >/tmp/text
		measure_row "${kind}_off" "$n" write events/grow/enable /tmp/text
	fi
	measure_row "${kind}_delete" "$n" write "$file" /dev/null
}

set_events() # n
{
	grep -v '^syscalls:' available_events | head -n "$1" >/tmp/text
	[ "$(wc -l </tmp/text)" -eq "$1" ] || return
	measure_row ev_names "$1" write set_event /tmp/text
	echo >set_event
}

histograms() # n
{
	numbered_lines "$1" 'hist:keys=one:size=128 if two == #' >/tmp/text
	measure_row hist_set "$1" lines $event/trigger /tmp/text
	measure_row hist_list "$1" read $event/trigger
	measure_row hist_clear "$1" write $event/trigger /dev/null
}

triggers() # n
{
	grep -v '^\(syscalls\|ftrace_bench\):' available_events | head -n "$1" |
		sed 's/^/enable_event:/' >/tmp/text
	[ "$(wc -l </tmp/text)" -eq "$1" ] || return
	measure_row tr_set "$1" lines $event/trigger /tmp/text
	measure_row tr_clear "$1" write $event/trigger /dev/null
}

instances() # n
{
	measure_row in_make "$1" mkdir instances "$1"
	echo 1 >/tmp/text
	time=0
	for dir in instances/*; do
		time=$((time + $(many write "$dir/$event/enable" /tmp/text)))
	done
	row in_on "$1" "$time"
	measure_row in_remove "$1" rmdir instances "$1"
}

pids() # n
{
	seq "$1" | tr '\n' ' ' >/tmp/text
	measure_row fn_pids "$1" write set_ftrace_pid /tmp/text
	echo >set_ftrace_pid
	measure_row ev_pids "$1" write set_event_pid /tmp/text
	echo >set_event_pid
}

terms() # n
{
	numbered_lines "$1" 'one == #' | paste -sd '@' | sed 's/@/ || /g' >/tmp/text
	measure_row terms "$1" write $event/filter /tmp/text
	echo 0 >$event/filter
}

modules() # n
{
	measure_row mod_load "$1" load "$module" "$1"
	measure_row mod_unload "$1" unload ftrace_grow_ "$1"
}

modules_traced() # n
{
	echo function >current_tracer
	echo 1 >events/enable
	measure_row mod_traced "$1" load "$module" "$1"
	many unload ftrace_grow_ "$1" >/tmp/time
	echo 0 >events/enable
	echo nop >current_tracer
}

perf_events() # n
{
	# shellcheck disable=SC2046
	set -- "$1" $(many perf "$(cat $event/id)" "$1")
	row perf_open "$1" "$2"
	row perf_close "$1" "$3"
}

# measure_cpus: measures operations that interrupt all CPUs
measure_cpus()
{
	n=$(nproc)
	for text in function nop; do
		echo $text >/tmp/text
		measure_row "cpus_$text" "$n" write current_tracer /tmp/text
	done
	for text in 1 0; do
		echo $text >/tmp/text
		measure_row "cpus_events_$text" "$n" write events/enable /tmp/text
	done
	echo 2048 >/tmp/text
	measure_row cpus_resize "$n" write buffer_size_kb /tmp/text
	measure_row cpus_empty "$n" write trace /dev/null
	measure_row cpus_read "$n" read trace
}

modprobe ftrace_bench || exit
module=$(find /lib/modules -name ftrace_grow_00000.ko)
echo >trace
if [ -e /bench/cpus ]; then
	measure_cpus
	exit
fi
list_names
each fn_names filter_of
each p_define probes p kprobe_events 'p:grow/p# @'
each r_define probes r kprobe_events 'r:grow/r# @'
each f_define probes f dynamic_events 'f:grow/f# @'
each fx_on probes fx dynamic_events 'f:grow/x# @%return'
each t_define probes t dynamic_events 't:grow/t# bench_numbers'
# $one is a field of the event bench_numbers.
# shellcheck disable=SC2016
each e_define probes e dynamic_events 'e:grow/e# ftrace_bench.bench_numbers one=$one'
each u_define probes u uprobe_events "p:grow/u# /bench/timed:$(/bench/timed place)"
each one_on probes one kprobe_events 'p:grow/o# ftrace_bench_target'
each s_define probes s synthetic_events 's# u64 a'
each ev_names set_events
each hist_set histograms
each tr_set triggers
each in_make instances
each fn_pids pids
each terms terms
each mod_load modules
each mod_traced modules_traced
each perf_open perf_events
