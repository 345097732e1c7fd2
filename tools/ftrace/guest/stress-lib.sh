# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced in the guest by stress scripts: load, a CPU that goes offline and online, and a check
# for lost memory. Background functions run until the file /tmp/stop exists.
# $workers are functions of the script.
# shellcheck disable=SC2154

# Number of rounds of a script: 100, or stress.rounds=n of the command line
ROUNDS=$(sed -ne 's/.*stress.rounds=\([0-9]*\).*/\1/p' /proc/cmdline)
ROUNDS=${ROUNDS:-100}

mkdir -p /tmp/stress /tmp/turns
last_cpu=/sys/devices/system/cpu/cpu$(($(nproc) - 1))/online

load()
{
	while [ ! -e /tmp/stop ]; do
		ls -lR /bin /dev /proc /sys/devices >/dev/null 2>&1
	done
}

# repeat worker: calls the function worker until /tmp/stop exists, and writes the number of calls to
# /tmp/turns. Stops and prints the error if the function fails.
repeat()
{
	count=0
	while [ ! -e /tmp/stop ]; do
		if ! "$1" 2>"/tmp/stress/$1"; then
			echo "# $1 failed: $(cat "/tmp/stress/$1")"
			return
		fi
		count=$((count + 1))
	done
	echo $count >"/tmp/turns/$1"
}

# try_workers: calls each of the functions in $workers once. Their first use allocates memory that
# is kept, and does not count as lost.
try_workers()
{
	for worker in $workers; do
		"$worker" || echo "# $worker failed the first time"
	done
}

# start_workers: repeats each of the functions in $workers, if there are any, in the background,
# while a CPU goes offline and online
start_workers()
{
	hotplug &
	plugger=$!
	for worker in ${workers:-}; do
		repeat "$worker" &
	done
}

# stop_background: ends all background functions
stop_background()
{
	touch /tmp/stop
	wait "$plugger"
	plugged=$?
	wait
}

# report_workers: reports whether one of $workers has failed, and prints how often each was called
report_workers()
{
	bad=0
	for worker in $workers; do
		[ -e "/tmp/turns/$worker" ] || bad=1
		echo "# $worker: $(cat "/tmp/turns/$worker") times"
	done
	report $bad "no worker failed"
}

# hotplug: takes the last CPU offline and online, with pauses in which tasks can return to it
hotplug()
{
	turns=0
	[ -w "$last_cpu" ] || return 0
	while [ ! -e /tmp/stop ]; do
		echo 0 >"$last_cpu" && sleep 0.2 && echo 1 >"$last_cpu" && sleep 0.5 || return
		turns=$((turns + 1))
	done
	echo "# a CPU went offline and online $turns times"
}

# report_hotplug: reports whether the CPU went offline and online
report_hotplug()
{
	[ "$plugged" -eq 0 ] && { [ ! -e "$last_cpu" ] || [ "$(cat "$last_cpu")" = 1 ]; }
	report $? "a CPU went offline and online"
}

# nth n word...: prints the word at that index, modulo their number
nth()
{
	shift $(($1 % ($# - 1) + 1))
	echo "$1"
}

# free_kb: prints the free memory, with empty caches
free_kb()
{
	sync
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	sed -n 's/^MemFree: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# within_a_minute command: repeats it until it succeeds; fails after a minute. Memory is freed
# with a delay, which may be long on a busy machine.
within_a_minute()
{
	deadline=$(($(cut -d. -f1 /proc/uptime) + 60))
	until "$1"; do
		[ "$(cut -d. -f1 /proc/uptime)" -lt "$deadline" ] || return
		sleep 1
	done
}

remember_memory()
{
	free_before=$(free_kb)
}

# memory_is_back: true if there is as much free memory as before, except for $limit
memory_is_back()
{
	lost_kb=$((free_before - $(free_kb)))
	[ "$lost_kb" -lt "$limit" ]
}

# report_memory [command]: reports whether the command succeeds within a minute: memory_is_back, or
# one that calls it. A page per round may be lost, but at least 2,000 kB. KASAN keeps freed memory
# in quarantine.
report_memory()
{
	limit=$((ROUNDS * 4))
	[ $limit -gt 2000 ] || limit=2000
	! grep -q ' kasan_quarantine' /proc/kallsyms || limit=65536
	within_a_minute "${1:-memory_is_back}"
	report $? "no memory is lost"
	echo "# $lost_kb kB less free memory than before"
}
