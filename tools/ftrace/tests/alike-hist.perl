# SPDX-License-Identifier: GPL-2.0
# Masks in the output of alike-hist.sh of the guest what differs from boot to boot, and intended
# differences: those in alike-hist.list and some by rule. Used by compare-stock.sh of the host.

BEGIN {
	($list = $0) =~ s/perl$/list/;
	open my $in, "<", $list or die "$list: $!";
	while (<$in>) {
		$listed{$2} = $1 if /^(answer|log|caret) (.*)$/;
	}
	# Messages of ours for which the stock tracer has none: it refuses without a message.
	$ours = join "|", map quotemeta, "There are no keys", "Here is something missing",
		"This is no parameter of a histogram", "Too many keys (Max = 3)",
		"Too many values (Max = 2, besides hitcount)", "A table has 128 to 131072 rows",
		"This is not how often something is to happen", "There is no such trigger",
		"There is no such event", "No filter after 'if'";
	# A message that the stock tracer adds after the one for the actual error.
	$stock = "Couldn't (?:parse|create) field variable";
}

# An answer begins with the line that was written.
if (/^> (.*)/) {
	$kind = $listed{$1} // "";
	$variable = $drop = 0;
} elsif ($kind eq "answer") {
	$_ = "";
} elsif (/: error: (.*)/) {
	$drop = $kind eq "log" || $1 =~ /^(?:$ours|$stock)$/ ||
		$variable && $1 eq "Couldn't find field";
	$variable = 1 if $1 eq "Couldn't find variable";
}
$caret = /^ +\^$/;
$_ = "" if $drop || $caret && $kind eq "caret";
$drop = 0 if $caret;

# Addresses of text, and sizes of functions.
s/\b[89a-f][\da-f]{7,15}\b(?=\] \w| \} hitcount)/"a" x length $&/ge;
s/\+0x0\/0x[\da-f]+ */+0x0\/size /;
# Only one of the tracers has this function in stacks of system calls.
$_ = "" if /^ +syscall_trace_enter$/;
# With ours the format of a synthetic event has the length of strings.
s/^\tfield:char \w+\[\K\d+(?=\];\toffset)//;
# Ours prints signed 16-bit fields of synthetic events with their sign.
s/^alike\w*: [ad]=\K6[45]\d{3}\b/$& - 65536/e;
# With ours an expression has a column.
s/  \$m\+1: +\d+$//;
