#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: the tracer is switched 200 times, twice a round, and the
# filters 400 times, while `ls -lR /` loops on every CPU and a module comes
# and goes; less often with stress.rounds=n on the kernel's command line.
# Prints KTAP.

ROUNDS=$(sed -ne 's/.*stress.rounds=\([0-9]*\).*/\1/p' /proc/cmdline)
ROUNDS=${ROUNDS:-100}

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 5

load()
{
	while [ ! -e /tmp/stop ]; do
		ls -lR / >/dev/null 2>&1
	done
}

visit()
{
	visits=0
	while [ ! -e /tmp/stop ]; do
		modprobe ftrace_visitor || break
		rmmod ftrace_visitor || break
		visits=$((visits + 1))
		echo "$visits" >/tmp/visits
	done
}

# expect file text: the file reads back as it was written
expect()
{
	[ "$(cat "$1")" = "$2" ] && return
	echo "# $1 reads '$(head -n 3 "$1")', not '$2'"
	lost=$((lost + 1))
}

refused=0
lost=0
write() # text file
{
	echo "$1" 2>/dev/null >"$2" && return
	echo "# writing '$1' to $2 failed"
	refused=$((refused + 1))
}

switch()
{
	write function current_tracer
	expect current_tracer function
	write 'vfs_*' set_ftrace_filter
	grep -q '^vfs_read$' set_ftrace_filter || lost=$((lost + 1))
	write vfs_read set_ftrace_notrace
	expect set_ftrace_notrace vfs_read
	write '' set_ftrace_filter
	expect set_ftrace_filter '#### all functions enabled ####'
	write '' set_ftrace_notrace
	write nop current_tracer
	expect current_tracer nop
}

for _ in $(seq "$(nproc)"); do
	load &
done
visit &

round=0
while [ "$round" -lt "$ROUNDS" ]; do
	switch
	round=$((round + 1))
	[ $((round % 20)) -ne 0 ] || echo "# round $round"
done
touch /tmp/stop
wait

[ "$round" -eq "$ROUNDS" ]
report $? "switched in $ROUNDS rounds"
[ $refused -eq 0 ]
report $? "no write refused"
[ $lost -eq 0 ]
report $? "no update lost"
[ "$(cat /tmp/visits 2>/dev/null || echo 0)" -gt 0 ] && [ ! -d /sys/module/ftrace_visitor ]
report $? "module came and went"

echo >trace
echo function >current_tracer
ls / >/dev/null
echo nop >current_tracer
echo 'vfs_*' >set_ftrace_filter
echo function >current_tracer
ls / >/dev/null
grep -q vfs_open trace
report $? "still traces"
echo nop >current_tracer
echo >set_ftrace_filter
all_reported
