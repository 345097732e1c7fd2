#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: the tracer is switched 200 times, twice a round, and the
# filters 400 times, while `ls -lR /` loops on every CPU: every other round it is
# function_graph, and every third it is profiled as well. Beside that a return probe
# comes and goes, and a module comes and goes 200 times: its functions are traced from
# its init on, by a filter that names the module, until it is gone. Less often with
# stress.rounds=n on the kernel's command line. Prints KTAP.

ROUNDS=$(sed -ne 's/.*stress.rounds=\([0-9]*\).*/\1/p' /proc/cmdline)
ROUNDS=${ROUNDS:-100}

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 7

load()
{
	while [ ! -e /tmp/stop ]; do
		ls -lR / >/dev/null 2>&1
	done
}

# In an instance, which has a filter of its own. What waits for the module becomes its
# functions when it comes, and goes with them. A trampoline may have come where the
# init text was, and that has no names then.
visit()
{
	set -e
	trap '[ -e /tmp/visited ] || echo "# visit $visits: $(cat set_ftrace_filter trace)"' EXIT
	echo 'visitor_*:mod:ftrace_visitor' >set_ftrace_filter
	echo function >current_tracer
	visits=0
	while [ ! -e /tmp/stop ] || [ "$visits" -lt $((2 * ROUNDS)) ]; do
		echo 'visitor_*:mod:ftrace_visitor' >set_ftrace_filter
		modprobe ftrace_visitor
		grep -q '^visitor_work ' set_ftrace_filter
		grep -qE ': (visitor_init|0x[0-9a-f]*) <-do_one_initcall' trace
		awk '!/^#/ && !/: (visitor_|0x)/ { exit 1 }' trace
		rmmod ftrace_visitor
		probe
		echo >trace
		visits=$((visits + 1))
		echo "$visits" >/tmp/visits
	done
	echo nop >current_tracer
	touch /tmp/visited
}

# Not beside a visit, for its text may come where init text was: that would have its
# names. Where both replace the same return address.
probe()
{
	grep -q ' kprobe_ftrace_handler$' /proc/kallsyms || return 0
	modprobe ftrace_returns function=vfs_open
	rmmod ftrace_returns
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

profile() # 0 or 1
{
	[ -f function_profile_enabled ] || return 0
	write "$1" function_profile_enabled
	expect function_profile_enabled "$1"
}

switch() # tracer
{
	write "$1" current_tracer
	expect current_tracer "$1"
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
mkdir instances/visits
(cd instances/visits && visit) &

round=0
while [ "$round" -lt "$ROUNDS" ]; do
	tracer=function
	[ $((round % 2)) -eq 0 ] || ! grep -q function_graph available_tracers ||
		tracer=function_graph
	profile $((round % 3 == 2))
	switch "$tracer"
	round=$((round + 1))
	[ $((round % 20)) -ne 0 ] || echo "# round $round"
done
profile 0
touch /tmp/stop
wait

[ "$round" -eq "$ROUNDS" ]
report $? "switched in $ROUNDS rounds"
[ $refused -eq 0 ]
report $? "no write refused"
[ $lost -eq 0 ]
report $? "no update lost"
visits=$(cat /tmp/visits 2>/dev/null || echo 0)
[ -e /tmp/visited ] && [ "$visits" -ge $((2 * ROUNDS)) ] &&
	[ ! -d /sys/module/ftrace_visitor ]
report $? "module came, was traced from its init on, and went: $visits times"
rmdir instances/visits
report $? "its instance can go"

# What does not fit is overwritten; dropped would be what an NMI interrupts.
bad=0
for stats in per_cpu/cpu*/stats; do
	grep -q '^dropped events: 0$' "$stats" || bad=1
done
grep -E 'stops:|longest stop:|not recorded:' dyn_ftrace_total_info | sed 's/^/# /'
report $bad "no record dropped"

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
