# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: runs the same guest script with the stock tracer and with ours, and compares what
# they show, except for times. file and kernel are those of the part.
# shellcheck disable=SC2154

alike_calls()
{
	alike_test build_callers
}

# alike_shown: everything that is shown is the same
alike_shown()
{
	alike_test :
}

# alike_hist: everything is the same, except the differences that tests/alike-hist.list names
alike_hist()
{
	alike_test :
	differs_as_listed "$RESULTS/$file"
}

# alike_cases: our tracer passes each case of the base that the stock tracer passes
alike_cases()
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

# case_results output: prints the results of ftracetest, a result and a name per line; cases of
# the same name are numbered
case_results()
{
	sed -nE 's/^(ok|not ok) [0-9]+ (.*)/\1 \2/; T
		s/^(not )?ok (.*) # SKIP.*/skipped \2/
		s/^ok /passed /; s/^not ok /failed /; s/ # .*//; p' "$1" |
		awk '{ name = substr($0, index($0, " ") + 1)
			print $0 (nr[name]++ ? ", case " nr[name] : "") }'
}

# compare_results stock ours: one result for each case, with both results in its name
compare_results()
{
	local result name here bad

	while read -r result name; do
		here=$(sed -n "s/^\([a-z]*\) \($(literally "$name")\)\$/\1/p" "$2")
		bad=0
		[ "$result" != passed ] || [ "$here" = passed ] || bad=1
		ktap_case $bad "$name: ${here:-not run} here, $result there"
	done <"$1"
	[ -s "$1" ] || ktap_case 1 "the stock tracer ran no case"
}

# literally text: prints it as a pattern of sed
literally()
{
	sed 's/[][\.*^$/]/\\&/g' <<<"$1"
}

# alike_test build: boots both kernels with the script of the part, and compares what they show.
# The function build is called with a tree and a kernel, and builds modules for the guest.
alike_test()
{
	local dir=$RESULTS/$file

	rm -rf "$dir"
	"$1" "$LINUX" "$kernel"
	shown_by "$kernel" "$dir/ours"
	"$1" "$PRISTINE" "stock-$kernel"
	shown_by "stock-$kernel" "$dir/stock"
	compare_shown "$dir"
}

# build_callers tree kernel: builds the test modules that also work with the stock tracer
build_callers()
{
	local module=$RESULTS/alike-module

	mkdir -p "$module"
	cp "$TOOLS/tests/modules/ftrace_nested.c" "$module/"
	say 'obj-m := ftrace_nested.o' >"$module/Kbuild"
	build_modules "$1" "$2" "$module"
	build_modules "$1" "$2" kernel/trace/delay_test CONFIG_PREEMPTIRQ_DELAY_TEST=m
}

# shown_by kernel dir: boots build/KERNEL; puts what the guest shows into files in dir
shown_by()
{
	local name=$1-${row[name]//\//-}

	mkdir -p "$2"
	boot_row "$name" "$1"
	unload "$LOG/$name.output" "$2"
	boot_judged "$name"
}

# compare_shown dir: compares everything that the stock tracer shows. On MIPS it shows no return
# values, so ours are not compared.
compare_shown()
{
	local shown name

	ktap_open "$file"
	for shown in "$1"/stock/*; do
		name=${shown##*/}
		mask "$name" "$1/ours" >"$1/ours.$name" || true
		mask "$name" "$1/stock" >"$1/stock.$name"
		compare_case "$name: the same as with the stock tracer" \
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

# answers dir text: prints what the guest showed each time after it wrote the text
answers()
{
	cat "$1"/hist.* | TEXT="> $2" awk '/^> / { on = $0 == ENVIRON["TEXT"] } on'
}

# differs_as_listed dir: one result: each text in alike-hist.list was written, and the tracers
# answered differently
differs_as_listed()
{
	local text log=$1/listed bad=0

	while read -r _ text; do
		! cmp -s <(answers "$1/ours" "$text") <(answers "$1/stock" "$text") ||
			say "$text: same answer as from the stock tracer, or not written"
	done < <(grep -E '^(answer|log|caret) ' "$TOOLS/tests/alike-hist.list") >"$log"
	[ ! -s "$log" ] || bad=1
	ktap_open "$file-listed"
	ktap_case $bad "the differences in tests/alike-hist.list exist" "$log"
	ktap_close
}
