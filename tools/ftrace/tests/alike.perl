# SPDX-License-Identifier: GPL-2.0
# Masks in a line of `trace` what may differ from boot to boot: alike.sh.

sub by { my ($char, $text) = @_; return $char x length $text }

# What only ours tells, where tracing_thresh is set.
$_ = "" if /^# calls left out: \d+$/ .. /^#$/;
# Durations, with the mark in front of them, and the column of time.
s/[ +!#*\@\$] (?=[\d.]+ us)([\d.]+ us *)(?=\|)/"  " . by("t", $1)/e;
s/^ *\d+\.\d{6}(?= \|)/by("t", $&)/e;
# The same of other formats.
s/ *\d+\.\d{6}(?=: )/by("t", $&)/e;
# A column of four digits, which the microseconds since boot may not fit in.
s/ *\d+us[ +!#*\@\$](?=: )/by("t", substr $&, 0, 8)/e;
s/\[ *[\da-f]+\] +\d+\.\d+ms \(\+ *\d+\.\d+ms\)/[time]/;
s/(?<=latency: )\d+(?= us)/N/;
# The stock tracer's own preempt_disable() counts with each entry of function_graph, and on
# some architectures with those of function.
s/(?:\||\d\)) +\S{3}\K[.1](?=\. \|)/1/;
s/(?:\[\d{3}\] | \d)\S{3}\K[.1](?=\.t)/1/;
# Somebody else wants to run.
s/(?<=[ \d][dDbBX.])[nNpP](?=[hHsSzZ.][\da-f.][\da-f.])/./;
s/^ +\S+ +\d+ +\d \K[\da-f] 0{7}[01](?= )/f depth/;
# Thread groups: without events the stock tracer notes none.
s/\((?: *\d+|-{7})\)(?= \[)/"(" . "g" x 7 . ")"/e;
# Pids, of three digits; raw entries.
s/(?<=-)\d{3,}/by("p", $&)/ge;
s/^\d+ \d \d+ (?=[\da-f]{8})/pid cpu time /;
s/^\d+ \d \d+ (type: )\d+$/pid cpu time $1number/;
s/^[\da-f]{8} [\da-f]{8} [\da-f]{16}(?= [\da-f]{8})/pid cpu time/;
s/^ +\S+ +\K\d{3}(?= +\d f depth )/ppp/;
s/\b[89a-f][\da-f]{7,15}\b/by("a", $&)/ge;
# What %p makes of an address.
s/(?:\b|(?<=0x))0{8}(?!0{8})[\da-f]{8}\b/by("a", $&)/ge;

# What was recorded may be old.
s/(?<= age=)\d+/age/;
# Addresses of text, and what the stock tracer cannot show as fields: arrays, masks of CPUs,
# and the event that has the first number.
s/(?<=\(0x)[89a-f][\da-f]{7,15}(?=[:)])/address/g;
s/ \w+=(?:<INVALID-(?:SIZE|TYPE)>|0x[\da-f]+(?:,0x[\da-f]+)+)//g;
s/ cpumask=(?= callsite=0x[\da-f]+ \()//;
s/: initcall_finish: func=0x.*/: UNKNOWN TYPE 20/;
# That many bytes are behind the array, and so is whatever comes next.
s/ new_lladdr [\da-f]{64}\K[\da-f]+//;
s/ val=(?:[\da-f]{2} ){8}\K[\da-f ]+//;
# Numbers of names that min() makes in the text of a format.
s/__UNIQUE_ID_[xy]_\d+/__UNIQUE_ID/g;
