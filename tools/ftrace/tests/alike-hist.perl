# SPDX-License-Identifier: GPL-2.0
# Masks in what alike-hist.sh of the guest prints what may differ from boot to boot, and what
# is shown otherwise on purpose, by a rule or as alike-hist.list says: alike.sh.

BEGIN {
	($list = $0) =~ s/perl$/list/;
	open my $in, "<", $list or die "$list: $!";
	while (<$in>) {
		$listed{$2} = $1 if /^(answer|log|caret) (.*)$/;
	}
	# What only ours says: there the stock tracer refuses, and says nothing.
	$ours = join "|", map quotemeta, "There are no keys", "Here is something missing",
		"This is no parameter of a histogram", "Too many keys (Max = 3)",
		"Too many values (Max = 2, besides hitcount)", "A table has 128 to 131072 rows",
		"This is not how often something is to happen", "There is no such trigger",
		"There is no such event", "No filter after 'if'";
	# What only the stock tracer says, which has said before what is wrong.
	$stock = "Couldn't (?:parse|create) field variable";
}

# An answer begins with what was written.
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

# Addresses of text, and how long functions are.
s/\b[89a-f][\da-f]{7,15}\b(?=\] \w| \} hitcount)/"a" x length $&/ge;
s/\+0x0\/0x[\da-f]+ */+0x0\/size /;
# Whose call it is that tells of a system call is in its stack.
$_ = "" if /^ +syscall_trace_enter$/;
# The format of a synthetic event has the length of a string.
s/^\tfield:char \w+\[\K\d+(?=\];\toffset)//;
# 16 bits with a sign have it in a line of a synthetic event.
s/^alike\w*: [ad]=\K6[45]\d{3}\b/$& - 65536/e;
# What is calculated has a column.
s/  \$m\+1: +\d+$//;
