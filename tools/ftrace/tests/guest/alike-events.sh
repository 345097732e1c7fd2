#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs with our tracer and with the stock one. Sends the list of events, their formats, and injected
# records of each event to the host, which compares them (tools/ftrace/compare-stock.sh).

. /send.sh
cd /sys/kernel/tracing || exit

# formats: prints the formats of all events, without the numbers, which differ
formats()
{
	while IFS=: read -r system event; do
		echo "$system:$event"
		sed '/^ID: /d' "events/$system/$event/format"
	done <"$names"
}

# made_up value: prints FIELD=VALUE for each field that can be injected, of the format on stdin
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

# inject value: injects a record of each event, except those of system calls: the injected number of
# the call would not be that of the event, and the record would not be printed.
inject()
{
	while IFS=: read -r system event; do
		dir=events/$system/$event
		words=$(made_up "$1" <"$dir/format")
		printf %s "$words" 2>/dev/null >"$dir/inject" ||
			echo "$system:$event: $words" >>"$refused"
	done <$called
}

# shown value option...: prints the trace with each of the options
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
send_file events.names <$names
formats | send_file events.formats
pass_pids
# The stock tracer expands the buffer only when an event is enabled.
echo 4096 >buffer_size_kb
echo "cannot be injected:" >$refused
for value in 0 1 77; do
	echo >trace
	inject $value
	shown $value plain fields raw verbose
done | send_file events.lines
send_file events.refused <$refused
echo 'that is all' | send_file events.end
