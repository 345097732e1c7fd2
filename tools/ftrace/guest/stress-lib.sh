# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced in the guest by stress scripts: load, a CPU that goes offline and online, and a check
# for lost memory. Background functions run until the file /tmp/stop exists.

last_cpu=/sys/devices/system/cpu/cpu$(($(nproc) - 1))/online

load()
{
	while [ ! -e /tmp/stop ]; do
		ls -lR /bin /dev /proc /sys/devices >/dev/null 2>&1
	done
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

cpus_are_back()
{
	[ ! -e "$last_cpu" ] || [ "$(cat "$last_cpu")" = 1 ]
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
