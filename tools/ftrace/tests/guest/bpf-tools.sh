#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# On the disk of DISK=1: runs each program of bpf-tools.list until it is attached and some rounds of
# a known load (bpf-load.py) have gone by, then interrupts it. A program works if it ends without an
# error and has printed what the list says. Sends what all of them have printed to the host.

. /ktap.sh
. /send.sh

list=/guest/bpf-tools.list out=/tmp/known_out small=/sys/fs/cgroup/known_small

# names: prints the names in the list
names()
{
	sed -n 's/^\([^#	:]*\):.*/\1/p' $list
}

# command_of name
command_of()
{
	sed -n "s,^$1: *,,p" $list
}

# patterns_of name: prints the patterns that have to match lines of the output, one per line
patterns_of()
{
	sed -n "\\,^$1:,,/^[^	]/s/^	//p" $list
}

# attached group: prints how often the processes of a group are attached
attached()
{
	pgrep -g "$1" | xargs -I % find /proc/%/fd -lname 'anon_inode:bpf_link' \
		-o -lname 'anon_inode:\[perf_event\]' 2>/dev/null | wc -l
}

# wait_attached group: waits until all programs of a group are attached: until there are links or
# events, and no more of them a second later. Fails if the group ends before, or after a minute.
wait_attached()
{
	local n before=0 tries=60

	while kill -0 -- "-$1" 2>/dev/null && [ $((tries -= 1)) -gt 0 ]; do
		n=$(attached "$1")
		[ "$n" = 0 ] || [ "$n" != "$before" ] || return 0
		before=$n
		sleep 1
	done
	return 1
}

# wait_rounds n group: waits until the load has begun and ended n more rounds, and three seconds at
# least, or until the group ends
wait_rounds()
{
	local end=$(($(cat /tmp/known_rounds) + $1 + 1)) until=$((SECONDS + 4))

	while kill -0 -- "-$2" 2>/dev/null &&
		{ [ "$(cat /tmp/known_rounds)" -lt $end ] || [ $SECONDS -lt $until ]; }; do
		sleep 0.2
	done
}

# during command word...: runs the words while the command is attached
during()
{
	eval "$1" >/dev/null &
	wait_attached $BASHPID
	"${@:2}"
	kill $!
}

# short_of_memory word...: runs the words while tasks of a small cgroup are killed
short_of_memory()
{
	while sleep 1; do
		sh -c "echo \$\$ >$small/cgroup.procs; exec tail /dev/zero"
	done &
	"$@"
	kill $!
}

# run_row name: runs a program; sets status and what, the file of its output
run_row()
{
	what=$out/${1//\//-}
	set -m
	eval "$(command_of "$1")" </dev/null >"$what" 2>&1 &
	set +m
	! wait_attached $! || wait_rounds 2 $!
	kill -INT -- -$! 2>/dev/null
	timeout 30 tail -f -s 0.2 --pid=$! /dev/null
	kill -KILL -- -$! 2>/dev/null
	status=0
	wait $! || status=$?
	[ $status != 130 ] || status=0
}

# report_row name: reports the result of run_row, behind parts of the output if it is bad. A
# program that cannot work in this guest may fail.
report_row()
{
	local pattern bad=$status cannot=

	while read -r pattern; do
		case $pattern in
		cannot:*)	cannot=${pattern#cannot: } ;;
		*)		grep -qaE -- "$pattern" "$what" || bad=1 ;;
		esac
	done < <(patterns_of "$1")
	[ "$bad" = 0 ] || { head -n 5 "$what"; tail -n 15 "$what"; echo "status $status"; } |
		cut -c -150 | sed 's/^/# /'
	if [ "$bad" != 0 ] && [ -n "$cannot" ]; then
		skipped "$cannot" "$1"
	else
		report "$bad" "$1"
	fi
}

mkdir -p $out $small
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
echo 20M >$small/memory.max
echo 0 >/tmp/known_rounds
python3 /guest/bpf-load.py >/tmp/load.log 2>&1 &
load=$!
plan $(($(names | wc -l) + 1))
for name in $(names); do
	run_row "$name"
	report_row "$name"
done
bad=0
kill -0 $load || bad=1
sed 's/^/# /' /tmp/load.log
report $bad "the load has run all the time"
tar -C $out -c . | send_file printed
all_reported
