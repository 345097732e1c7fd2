#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, with our tracer or with the stock one: which events there are, what their
# format files say, and how records of each of them print whose fields somebody has made up.
# Each is printed as a file for the host to compare (alike.sh of the host).

. /carry.sh
cd /sys/kernel/tracing || exit

# Those of the tracer are others on purpose, and so are the numbers.
formats()
{
	while IFS=: read -r system event; do
		echo "$system:$event"
		sed '/^ID: /d' "events/$system/$event/format"
	done <"$names"
}

# made_up value: FIELD=VALUE for what can be made up, of the format that comes in
made_up()
{
	awk -F'[;:\t]+' -v value="$1" '
		/^\tfield:/ && name_of($3) !~ /^common_/ && $3 !~ /char *\*/ {
			if ($3 ~ /char.*\[/ && $3 !~ /unsigned/)
				printf "%s%s=\"text%s\"", blank, name_of($3), value
			else if ($3 !~ /\[|_loc /)
				printf "%s%s=%s", blank, name_of($3), value
			else
				next
			blank = " "
		}
		function name_of(field) {
			sub(/\[.*\] *$/, "", field)
			sub(/.*[ *]/, "", field)
			return field
		}'
}

# A system call that is made up has a number which is not that of its event: it is no line.
inject() # value
{
	while IFS=: read -r system event; do
		dir=events/$system/$event
		words=$(made_up "$1" <"$dir/format")
		printf %s "$words" 2>/dev/null >"$dir/inject" ||
			echo "$system:$event: $words" >>"$refused"
	done <$called
}

# shown value option...
shown()
{
	value=$1
	shift
	for option; do
		echo "$value: $option"
		[ "$option" = plain ] || echo 1 >"options/$option"
		grep -v '^#' trace
		[ "$option" = plain ] || echo 0 >"options/$option"
	done
}

names=/tmp/names called=/tmp/called refused=/tmp/refused
sort available_events >$names
grep -v ^syscalls: $names >$called
carry events.names <$names
formats | carry events.formats
pass_pids
# As stock grows the buffer only when an event is switched on.
echo 4096 >buffer_size_kb
echo "what cannot be made up:" >$refused
for value in 0 1 77; do
	echo >trace
	inject $value
	shown $value plain fields raw verbose
done | carry events.lines
carry events.refused <$refused
echo 'that is all' | carry events.end
