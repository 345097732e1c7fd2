# SPDX-License-Identifier: GPL-2.0
# Masks in a line of trace what differs from boot to boot. Used by compare-stock.sh of the host.

sub by { my ($char, $text) = @_; return $char x length $text }

# Only ours prints the number of calls below tracing_thresh.
$_ = "" if /^# calls left out: \d+$/ .. /^#$/;
# function_graph: durations with their marks, and times.
s/[ +!#*\@\$] (?=[\d.]+ us)([\d.]+ us *)(?=\|)/"  " . by("t", $1)/e;
s/^ *\d+\.\d{6}(?= \|)/by("t", $&)/e;
# Times of other tracers.
s/ *\d+\.\d{6}(?=: )/by("t", $&)/e;
# The latency format: a column of four digits, which may overflow.
s/ *\d+us[ +!#*\@\$](?=: )/by("t", substr $&, 0, 8)/e;
s/\[ *[\da-f]+\] +\d+\.\d+ms \(\+ *\d+\.\d+ms\)/[time]/;
s/(?<=latency: )\d+(?= us)/N/;
# With the stock tracer the preemption count of function_graph, and on some architectures that of
# function, includes its own preempt_disable().
s/(?:\||\d\)) +\S{3}\K[.1](?=\. \|)/1/;
s/(?:\[\d{3}\] | \d)\S{3}\K[.1](?=\.t)/1/;
# Flags of a pending reschedule.
s/(?<=[ \d][dDbBX.])[nNpP](?=[hHsSzZ.][\da-f.][\da-f.])/./;
s/^ +\S+ +\d+ +\d \K[\da-f] 0{7}[01](?= )/f depth/;
# Thread groups, which the stock tracer only records with events.
s/\((?: *\d+|-{7})\)(?= \[)/"(" . "g" x 7 . ")"/e;
# Pids with three digits, and raw entries.
s/(?<=-)\d{3,}/by("p", $&)/ge;
s/^\d+ \d \d+ (?=[\da-f]{8})/pid cpu time /;
s/^\d+ \d \d+ (type: )\d+$/pid cpu time $1number/;
s/^[\da-f]{8} [\da-f]{8} [\da-f]{16}(?= [\da-f]{8})/pid cpu time/;
s/^ +\S+ +\K\d{3}(?= +\d f depth )/ppp/;
s/\b[89a-f][\da-f]{7,15}\b/by("a", $&)/ge;
# Addresses that %p has hashed.
s/(?:\b|(?<=0x))0{8}(?!0{8})[\da-f]{8}\b/by("a", $&)/ge;

# Ages in injected records.
s/(?<= age=)\d+/age/;
# Addresses of text, and fields that the stock tracer cannot show: arrays, CPU masks, and those of
# the event with the first number.
s/(?<=\(0x)[89a-f][\da-f]{7,15}(?=[:)])/address/g;
s/ \w+=(?:<INVALID-(?:SIZE|TYPE)>|0x[\da-f]+(?:,0x[\da-f]+)+)//g;
s/ cpumask=(?= callsite=0x[\da-f]+ \()//;
s/: initcall_finish: func=0x.*/: UNKNOWN TYPE 20/;
# These arrays are printed beyond their end.
s/ new_lladdr [\da-f]{64}\K[\da-f]+//;
s/ val=(?:[\da-f]{2} ){8}\K[\da-f ]+//;
# Numbers of the unique names that min() generates in a print format.
s/__UNIQUE_ID_[xy]_\d+/__UNIQUE_ID/g;
