#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Checks what the kernel prints of the buffers on an oops, for each value of ftrace_dump_on_oops,
# and on sysrq-z, and that a warning stops recording with traceoff_on_warning. Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 23

DUMP=/proc/sys/kernel/ftrace_dump_on_oops
OFF=/proc/sys/kernel/traceoff_on_warning
oops=/sys/module/ftrace_oops/parameters/oops
warn=/sys/module/ftrace_oops/parameters/warn
last=$(($(grep -c ^processor /proc/cpuinfo) - 1))

# mark dir: leaves one record of the first and one of the last CPU in that instance
mark()
{
	echo >"$1/trace"
	echo 1 >"$1/tracing_on"
	taskset 1 sh -c "echo mark-of-first >$1/trace_marker"
	taskset $((1 << last)) sh -c "echo mark-of-last >$1/trace_marker"
}

# oopses value: makes the last CPU oops with that value of ftrace_dump_on_oops; puts the messages
# into /tmp/said
oopses()
{
	echo "$1" >$DUMP
	mark .
	mark instances/foo
	mark instances/bar
	dmesg -c >/dev/null
	echo $last >$oops
	until dmesg | grep -q 'end trace'; do
		sleep 0.1
	done
	dmesg >/tmp/said
}

# dumped: prints the heads and the records of the dump in short form
dumped()
{
	sed -n -e 's/.*Dumping ftrace buffer:$/top:/p' \
		-e 's/.*Dumping ftrace instance \(.*\) buffer:$/\1:/p' \
		-e 's/.*Dumping ftrace instance \(.*\): there is none$/\1?/p' \
		-e 's/.*: mark-of-\(first\|last\)$/\1/p' \
		-e 's/.*(ftrace buffer empty)$/empty/p' /tmp/said | tr '\n' ' '
}

# print_tracing_on: prints tracing_on of the top level, foo and bar. An oops always stops the top
# level.
print_tracing_on()
{
	cat tracing_on instances/foo/tracing_on instances/bar/tracing_on | tr -d '\n'
}

# expect value heads-and-records on: one result for a value of ftrace_dump_on_oops
expect()
{
	oopses "$1"
	[ "$(dumped)" = "$2" ] && [ "$(print_tracing_on)" = "$3" ]
	report $? "ftrace_dump_on_oops=$1"
	[ "$(dumped)" = "$2" ] || echo "# dumped: $(dumped)"
	[ "$(print_tracing_on)" = "$3" ] || echo "# on: $(print_tracing_on)"
}

both="first last"
one=last
[ $last -gt 0 ] || one=$both

[ "$(cat $DUMP) $(cat $OFF)" = "foo=2,bar 1" ]
report $? "the sysctls have the values of the boot parameters"

echo 0 >/proc/sys/kernel/panic_on_oops
modprobe ftrace_oops
mkdir instances/foo instances/bar

# trace_reads: records more than a reader can print, so that it never waits; the buffer is small
trace_reads()
{
	echo 8 >buffer_size_kb
	echo function >current_tracer
	while read -r _ </proc/uptime; do :; done &
	load=$!
}

trace_no_reads()
{
	kill $load
	wait $load
	echo nop >current_tracer
	echo >set_ftrace_filter
	echo 512 >buffer_size_kb
}

# dump_has_ended: true if the dump is complete; a second dump cannot begin before
dump_has_ended()
{
	dmesg | sed -n '/Dumping ftrace buffer:/,$p' >/tmp/said
	grep -q '(ftrace buffer empty)' /tmp/said ||
		[ "$(grep -c -- '----------$' /tmp/said)" -eq 2 ]
}

dumped_and_off()
{
	tries=100
	until dump_has_ended || [ $tries -eq 0 ]; do
		sleep 0.1
		tries=$((tries - 1))
	done
	[ $tries -gt 0 ] && [ "$(cat tracing_on)" -eq 0 ]
}

# This has to be the first oops, because the kernel treats later ones differently.
trace_reads
# trace_pipe ends when recording stops.
while dd if=trace_pipe of=/dev/null bs=4k 2>/dev/null; do :; done &
reader=$!
oopses 1
dumped_and_off
report $? "an oops dumps the buffer while trace_pipe is read"

ok=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
	dmesg -c >/dev/null
	echo 1 >tracing_on
	sleep 0.1
	echo z >/proc/sysrq-trigger
	dumped_and_off || ok=1
done
kill $reader
killall dd
report $ok "sysrq-z dumps the buffer while trace_pipe is read, ten times"

echo 'vfs_read:traceon' >>set_ftrace_filter
echo 1 >tracing_on
timeout 60 sh -c 'echo z >/proc/sysrq-trigger'
report $? "a dump ends although a function command enables recording"
echo '!vfs_read:traceon' >>set_ftrace_filter
trace_no_reads

expect foo=2,bar "foo: $one bar: $both " 000
expect 0 "" 011
expect "" "" 011
expect 1 "top: $both " 011
expect 2 "top: $one " 011
expect orig_cpu "top: $one " 011
expect foo "foo: $both " 001
expect foo,1 "foo: $both 1? " 001
expect foo=orig_cpu "foo: $one " 001
expect 0,bar "bar: $both " 010
expect 1,foo=2,bar=orig_cpu "top: $both foo: $one bar: $one " 000
expect 2,nobody,bar "top: $one nobody? bar: $both " 010

# orig_cpu dumps one CPU: the records of the others stay.
oopses 2
[ $last -eq 0 ] || grep -q mark-of-first trace
report $? "records that are not dumped stay in the buffer"
! grep -q mark-of-last trace
report $? "dumped records are consumed"

dmesg -c >/dev/null
mark .
echo z >/proc/sysrq-trigger
dmesg >/tmp/said
[ "$(dumped)" = "top: $both " ] && [ "$(cat tracing_on)" -eq 0 ]
report $? "sysrq-z dumps the buffer"
echo z >/proc/sysrq-trigger
dmesg >/tmp/said
[ "$(dumped)" = "top: $both top: empty " ]
report $? "a second sysrq-z finds the buffer empty"

# warns: makes the last CPU warn; returns when the warning is printed
warns()
{
	mark .
	dmesg -c >/dev/null
	echo $last >$warn
	until dmesg | grep -q 'end trace'; do
		sleep 0.1
	done
}

warns
[ "$(cat tracing_on)" -eq 0 ] && [ "$(cat instances/foo/tracing_on)" -eq 1 ] &&
	grep -q 'Disabling tracing due to warning' trace
report $? "a warning stops recording and adds a line to the trace"
echo 0 >$OFF
warns
[ "$(cat tracing_on)" -eq 1 ] && ! grep -q 'Disabling' trace
report $? "a warning does not stop recording if traceoff_on_warning is 0"
ok=0
for _ in 1 2 3; do
	echo nop >current_tracer && echo function >current_tracer || ok=1
done
sleep 1
grep -q ' <-' trace || ok=1
echo nop >current_tracer
report $ok "tracing works as before"
all_reported
