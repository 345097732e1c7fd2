#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Records functions, and sends the recordings to the host, which may have another word size or byte
# order (tools/ftrace/recordings.sh).

. /send.sh
cd /sys/kernel/tracing || exit

# work: calls functions, with a pause that does not fit into the time delta of an entry
work()
{
	ls -lR /bin /proc/self /dev
	sleep 1
	ls /
}

# reads_pages pid: true if the process has trace_pipe_raw open
reads_pages()
{
	for fd in "/proc/$1"/fd/*; do
		case $(readlink "$fd") in
		*trace_pipe_raw) return 0 ;;
		esac
	done
	return 1
}

# waiting: prints the number of recorders that wait for pages
waiting()
{
	for pid in $(pidof trace-cmd); do
		reads_pages "$pid" && grep -q '^State:.*sleeping' "/proc/$pid/status" &&
			echo "$pid"
	done | wc -l
}

# The command that trace-cmd runs. If a recorder has not begun to wait when the command ends, it
# loses the records of its CPU: therefore the command waits for all recorders.
if [ "$1" = work ]; then
	until [ "$(waiting)" -ge "$(nproc)" ]; do
		sleep 1
	done
	work
	exit
fi

# The text of trace for each CPU, then the same records as pages.
size=$(sed -ne 's/.*char data;.*offset:\([0-9]*\);.*size:\([0-9]*\);.*/\1 + \2/p' \
	events/header_page)
size=$((size))
echo 'vfs_*' >set_ftrace_filter
echo function >current_tracer
work >/dev/null
echo 0 >tracing_on
for cpu in per_cpu/cpu*; do
	cat "$cpu/trace" >>/tmp/trace
	while [ "$(sed -ne 's/^entries: //p' "$cpu/stats")" -gt 0 ]; do
		dd if="$cpu/trace_pipe_raw" bs="$size" count=1 2>/dev/null
	done >>/tmp/pages
done
# The library looks for an address between two symbols: _end is after all traced functions.
sed -ne 's/.*: \([^ ]*\) <-\([^ ]*\)$/\1\n\2/p' -e '$a_end' /tmp/trace >/tmp/names
awk 'NR == FNR { names[$1]; next } $3 in names' /tmp/names /proc/kallsyms | send_file kallsyms
send_file trace </tmp/trace
send_file pages </tmp/pages
send_file header_page <events/header_page
send_file format <events/ftrace/function/format
echo nop >current_tracer
echo 1 >tracing_on
echo >set_ftrace_filter

command -v trace-cmd >/dev/null || exit 0

trace-cmd record -q -o /tmp/recorded.dat -p function -l 'vfs_*' "$0" work >/dev/null
trace-cmd report -N -i /tmp/recorded.dat | send_file report
send_file recorded.dat </tmp/recorded.dat

trace-cmd start -p function -l 'vfs_*'
work >/dev/null
trace-cmd stop
send_file extracted <trace
trace-cmd extract -o /tmp/extracted.dat >/dev/null
send_file extracted.dat </tmp/extracted.dat
trace-cmd reset
