# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: the parts alike/... run the same guest script with the stock tracer and with ours, and
# compare what they show, except for times. file and kernel are those of the part.
# shellcheck disable=SC2154

# compare_calls: compares traces and latencies, also of calls of two modules
compare_calls()
{
	boot_and_compare build_callers
}

# compare_output: compares all files that the guest script sends
compare_output()
{
	boot_and_compare :
}

# compare_hist: compares all files, except for the differences that tests/alike-hist.list names
compare_hist()
{
	boot_and_compare :
	check_listed_differences "$RESULTS/$file"
}

# compare_base_cases: compares the results of the base's cases
compare_base_cases()
{
	local ours=$kernel-alike-cases stock=stock-$kernel-alike-cases

	boot_row "$ours" "$kernel"
	boot_row "$stock" "stock-$kernel"
	case_results "$LOG/$ours.output" >"$RESULTS/$ours"
	case_results "$LOG/$stock.output" >"$RESULTS/$stock"
	ktap_open "$file"
	compare_results "$RESULTS/$stock" "$RESULTS/$ours"
	ktap_close
}

# case_results output: prints the results of ftracetest, a line each: a result and the name of the
# case, with a number if several cases have that name
case_results()
{
	sed -nE 's/^(ok|not ok) [0-9]+ (.*)/\1 \2/; T
		s/^(not )?ok (.*) # SKIP.*/skipped \2/
		s/^ok /passed /; s/^not ok /failed /; s/ # .*//; p' "$1" |
		awk '{ name = substr($0, index($0, " ") + 1)
			print $0 (nr[name]++ ? ", case " nr[name] : "") }'
}

# compare_results stock ours: one result for each case that the stock tracer ran, failed if only the
# stock tracer passes it
compare_results()
{
	local result name here bad

	while read -r result name; do
		here=$(sed -n "s/^\([a-z]*\) \($(quoted_for_sed "$name")\)\$/\1/p" "$2")
		bad=0
		[ "$result" != passed ] || [ "$here" = passed ] || bad=1
		ktap_case $bad "$name: ${here:-not run} here, $result there"
	done <"$1"
	[ -s "$1" ] || ktap_case 1 "the stock tracer ran no case"
}

# quoted_for_sed text: prints it as a pattern of sed
quoted_for_sed()
{
	sed 's/[][\.*^$/]/\\&/g' <<<"$1"
}

# boot_and_compare build: boots both kernels with the script of the part, and compares what they
# show. build is a function that builds modules for the guest, from a tree and for a kernel.
boot_and_compare()
{
	local dir=$RESULTS/$file

	rm -rf "$dir"
	"$1" "$LINUX" "$kernel"
	record_output "$kernel" "$dir/ours"
	"$1" "$PRISTINE" "stock-$kernel"
	record_output "stock-$kernel" "$dir/stock"
	compare_outputs "$dir"
}

# build_callers tree kernel: builds the two test modules that also work with the stock tracer
build_callers()
{
	local module=$RESULTS/alike-module

	mkdir -p "$module"
	cp "$TOOLS/tests/modules/ftrace_nested.c" "$module/"
	say 'obj-m := ftrace_nested.o' >"$module/Kbuild"
	build_modules "$1" "$2" "$module"
	build_modules "$1" "$2" kernel/trace/delay_test CONFIG_PREEMPTIRQ_DELAY_TEST=m
}

# record_output kernel dir: boots build/KERNEL; puts the files that the guest sends into dir
record_output()
{
	local name=$1-${row[name]//\//-}

	mkdir -p "$2"
	boot_row "$name" "$1"
	unpack_files "$LOG/$name.output" "$2"
	keep_console_if_failed "$name"
}

# compare_outputs dir: compares each file that the guest with the stock tracer has sent. On MIPS
# that tracer shows no return values, and does not send their files.
compare_outputs()
{
	local shown name

	ktap_open "$file"
	for shown in "$1"/stock/*; do
		name=${shown##*/}
		mask "$name" "$1/ours" >"$1/ours.$name" || true
		mask "$name" "$1/stock" >"$1/stock.$name"
		ktap_compare "$name: the same as with the stock tracer" \
			"$1/stock.$name" "$1/ours.$name"
	done
	ktap_close
}

# mask name dir: prints a file with everything masked that differs from boot to boot: durations
# and their marks, times, pids, addresses. Masks keep the width, except in the head of a latency
# trace. Of a latency trace only the head is printed; the task with the longest delay is masked.
mask()
{
	local program=$TOOLS/tests/alike.perl

	[[ $1 != hist.* ]] || program=$TOOLS/tests/alike-hist.perl
	[[ $1 != probes.* ]] || program=$TOOLS/tests/alike-probes.perl
	[ ! -s "$2/$1" ] || perl -p "$program" "$2/$1" | case $1 in
	wakeup*)
		sed -E '/^#/!d; s/#[0-9]+\/[0-9]+/#N\/N/; s/(task: ).*( \(uid)/\1TASK\2/
			s/[0-9]+(:?[ )])/N\1/g' ;;
	irqsoff* | preempt*)
		sed -E '/^#/!d; s/#[0-9]+\/[0-9]+/#N\/N/' ;;
	*)		cat ;;
	esac
}

# answers_to dir text: prints what the guest of dir showed each time after it had written the text
answers_to()
{
	cat "$1"/hist.* | TEXT="> $2" awk '/^> / { on = $0 == ENVIRON["TEXT"] } on'
}

# check_listed_differences dir: one result: both guests have written each text in
# tests/alike-hist.list, and the tracers answered differently
check_listed_differences()
{
	local text log=$1/listed bad=0

	while read -r _ text; do
		! cmp -s <(answers_to "$1/ours" "$text") <(answers_to "$1/stock" "$text") ||
			say "$text: same answer as from the stock tracer, or not written"
	done < <(grep -E '^(answer|log|caret) ' "$TOOLS/tests/alike-hist.list") >"$log"
	[ ! -s "$log" ] || bad=1
	ktap_open "$file-listed"
	ktap_case $bad "the differences in tests/alike-hist.list exist" "$log"
	ktap_close
}
