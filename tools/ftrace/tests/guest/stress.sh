#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Stress of the function side, in 100 rounds or stress.rounds=n. Each round starts and stops a
# tracer (function and function_graph in turn, or every tracer with stress.tracers=all), changes
# the filters and takes a snapshot, unless the tracer uses the snapshot itself; every third round
# is also profiled. Meanwhile ls -lR runs on every CPU, the last CPU goes offline and online, a
# return probe is added and removed, and a module is loaded and removed two times a round: a
# filter that names the module traces its functions from its init on. At the end no memory is
# lost. Prints KTAP.

. /ktap.sh
. /stress-lib.sh
cd /sys/kernel/tracing || exit
plan 10

tracers=function
! grep -q function_graph available_tracers || tracers="function function_graph"
! grep -q stress.tracers=all /proc/cmdline || tracers=$(sed 's/nop//' available_tracers)


# visit: loads and removes the module. It runs in an instance with a filter of its own, which waits
# for the module, is replaced by its functions when it is loaded, and waits again when it is
# removed. The init text may be reused for a trampoline; then its address has no name.
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

# probe: adds and removes a return probe, if probes replace the same return address as the tracer.
# Not while the module is loaded: the probe's text may be where the init text was, and would be
# shown with the names of the latter.
probe()
{
	grep -q ' kprobe_ftrace_handler$' /proc/kallsyms || return 0
	modprobe ftrace_returns function=vfs_open
	rmmod ftrace_returns
}

# expect file text: the file contains the text that was written
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

keeps_a_snapshot() # tracer
{
	case $1 in
	wakeup* | irqsoff | preemptoff | preemptirqsoff) ;;
	*) false ;;
	esac
}

taken=0
# busy text file: writing fails with EBUSY
busy()
{
	! (echo "$1" >"$2") 2>/tmp/why && grep -q 'resource busy' /tmp/why && return
	echo "# writing '$1' to $2 did not fail with EBUSY: $(cat /tmp/why)"
	taken=$((taken + 1))
}

snapshot() # 0, 1 or 2
{
	[ -f snapshot ] || return 0
	if keeps_a_snapshot "$(cat current_tracer)"; then
		busy "$1" snapshot
	else
		write "$1" snapshot
	fi
}

shadow_stacks()
{
	sed -n 's/^tasks with a stack for returns: \([0-9]*\),.*/\1/p' dyn_ftrace_total_info
}

# few_stacks: true if few tasks have a shadow stack. A task that sleeps in a traced call keeps it
# until it returns, and an idle kernel worker may sleep for long; if no stack were freed, all
# tasks would have one.
few_stacks()
{
	stacks=$(shadow_stacks)
	[ "${stacks:-0}" -le $(($(find /proc -maxdepth 1 -name '[1-9]*' | wc -l) / 4)) ]
}

memory_and_stacks_are_back()
{
	memory_is_back
	back=$?
	few_stacks && [ $back -eq 0 ]
}

switch() # tracer
{
	write "$1" current_tracer
	expect current_tracer "$1"
	snapshot 1
	write 'vfs_*' set_ftrace_filter
	grep -q '^vfs_read$' set_ftrace_filter || lost=$((lost + 1))
	write vfs_read set_ftrace_notrace
	expect set_ftrace_notrace vfs_read
	write '' set_ftrace_filter
	expect set_ftrace_filter '#### all functions enabled ####'
	write '' set_ftrace_notrace
	snapshot 2
	write nop current_tracer
	expect current_tracer nop
	snapshot 0
}

# The first use allocates memory that is kept, and does not count as lost.
# shellcheck disable=SC2086 # words
for round in $(seq "$(echo $tracers | wc -w)"); do
	switch "$(nth "$round" $tracers)"
done
within_a_minute few_stacks
remember_memory
for _ in $(seq "$(nproc)"); do
	load &
done
start_workers
mkdir instances/visits
(cd instances/visits && visit) &

round=0
while [ "$round" -lt "$ROUNDS" ]; do
	profile $((round % 3 == 2))
	# shellcheck disable=SC2086 # words
	switch "$(nth "$round" $tracers)"
	round=$((round + 1))
	[ $((round % 5)) -ne 0 ] || echo "# round $round"
done
profile 0
stop_background

[ "$round" -eq "$ROUNDS" ]
report $? "$ROUNDS rounds are complete"
[ $refused -eq 0 ]
report $? "no write failed"
[ $taken -eq 0 ]
report $? "no snapshot is taken of a tracer that uses the snapshot itself"
[ $lost -eq 0 ]
report $? "no write is lost"
visits=$(cat /tmp/visits 2>/dev/null || echo 0)
[ -e /tmp/visited ] && [ "$visits" -ge $((2 * ROUNDS)) ] &&
	[ ! -d /sys/module/ftrace_visitor ]
report $? "a module was loaded, traced from its init on, and removed: $visits times"
rmdir instances/visits
report $? "the instance of the module can be removed"
report_hotplug

# A full buffer overwrites records; only an NMI during a write could drop one.
bad=0
for stats in per_cpu/cpu*/stats; do
	grep -q '^dropped events: 0$' "$stats" || bad=1
done
grep -E 'stops:|longest stop:|not recorded:' dyn_ftrace_total_info | sed 's/^/# /'
report $bad "no record is dropped"

echo >trace
echo function >current_tracer
ls / >/dev/null
echo nop >current_tracer
echo 'vfs_*' >set_ftrace_filter
echo function >current_tracer
ls / >/dev/null
grep -q vfs_open trace
report $? "the tracer still records"
echo nop >current_tracer
echo >set_ftrace_filter

report_memory memory_and_stacks_are_back
echo "# $stacks shadow stacks"
all_reported
