# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced in the guest by what runs for long: load on all CPUs, of which one goes and comes
# until there is a file /tmp/stop, and memory that is counted.

last_cpu=/sys/devices/system/cpu/cpu$(($(nproc) - 1))/online

load()
{
	while [ ! -e /tmp/stop ]; do
		ls -lR /bin /dev /proc /sys/devices >/dev/null 2>&1
	done
}

# The first CPU may not go. Not all the time: what loops there has to go elsewhere.
hotplug()
{
	turns=0
	[ -w "$last_cpu" ] || return 0
	while [ ! -e /tmp/stop ]; do
		echo 0 >"$last_cpu" && sleep 0.2 && echo 1 >"$last_cpu" && sleep 0.5 || return
		turns=$((turns + 1))
	done
	echo "# CPU went and came $turns times"
}

cpus_are_back()
{
	[ ! -e "$last_cpu" ] || [ "$(cat "$last_cpu")" = 1 ]
}

nth() # n words...: the word, the first one is 0
{
	shift $(($1 % ($# - 1) + 1))
	echo "$1"
}

# What lies in caches is not lost.
free_kb()
{
	sync
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	sed -n 's/^MemFree: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# What goes a little later may take its time on a busy machine.
within_a_minute() # command
{
	deadline=$(($(cut -d. -f1 /proc/uptime) + 60))
	until "$1"; do
		[ "$(cut -d. -f1 /proc/uptime)" -lt "$deadline" ] || return
		sleep 1
	done
}
