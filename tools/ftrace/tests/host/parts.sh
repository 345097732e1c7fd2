#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The table of parts: its rows, and how names and patterns select them. How parts run: their
# results, their limits, the cases of their guests.

unset ALL IN_PARALLEL EVERY_ARCH FRAGMENT MUTANT ONLY QUIET SEED TIMEOUT VARIANT

EVERY_ARCH=
. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/jobs.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/kbuild.sh"
. "$TOOLS/ktap.sh"
. "$TOOLS/programs.sh"
. "$TOOLS/console.sh"
. "$TOOLS/overlay.sh"
. "$TOOLS/parts.sh"
. "$TOOLS/cases.sh"
. "$TOOLS/recordings.sh"
. "$TOOLS/compare-stock.sh"
. "$TOOLS/bpf-tools.sh"
. "$TOOLS/configs.sh"
. "$TOOLS/formats.sh"
. "$TOOLS/boots.sh"
. "$TOOLS/races.sh"
. "$TOOLS/guide.sh"
. "$TOOLS/runner.sh"
. "$TOOLS/other-archs.sh"
. "$TOOLS/tests/checks.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LOG=$work/log
RESULTS=$work/results
mkdir -p "$LOG" "$RESULTS"

# ONLY= accepts the names and patterns of suites and cases, and rejects others.
finds_named_tests()
{
	cd "$TOP" || exit
	for name in ring_buffer 'ring_buffer*' '*' 'ftrace_ip_set.repeated_*'; do
		has_suite "$name" || fault "no suite $name"
	done
	for name in nosuch 'ring_buffe' 'ftrace_ip_set.nosuch'; do
		! has_suite "$name" || fault "a suite $name"
	done
	LINUX=$TOP ALL=1
	same "case" control/tasks.tc "$(find_case tasks)"
	same "cases" "control/latency-wakeup-graph.tc control/latency-wakeup.tc" \
		"$(find_case 'latency-wakeup*' | xargs)"
	! find_case '*' | grep static.tc || fault "a case that the kernel cannot pass"
	same "in another kernel" control/static.tc "$(VARIANT=static find_case 'stat*')"
	for text in "no such test" ftrace_ip_set trace-cmd.tc boot-trace/all; do
		refuses "$text" run_only nosuch
	done
}

# The rows have only known columns, and name only functions that exist.
reads_the_table()
{
	local name key known='^(name|title|kernels|hand|archs|once|all|parallel|takes|longer|add'

	known+='|result|run|which|stock|cases|has|options|cc|boots|[A-Z_]+)$'

	for name in "${PARTS[@]}"; do
		read_row part "$name"
		for key in "${!row[@]}"; do
			[[ $key =~ $known ]] || fault "$name: $key"
		done
		for key in run which add result boots; do
			[ -z "${row[$key]:-}" ] || declare -F "${row[$key]}" >/dev/null ||
				fault "$name: no function ${row[$key]}"
		done
	done
}

# documented_parameters: prints the boot parameters of the table in ftrace.rst
documented_parameters()
{
	# shellcheck disable=SC2016
	sed -n '/^Boot parameters$/,/^Sysctls$/s/^``\([a-z_]*\)[=`].*/\1/p' \
		"$TOP/Documentation/trace/ftrace.rst" | sort -u
}

# Each boot parameter is tested by a boot and documented in ftrace.rst.
boots_each_parameter()
{
	local name params=""

	for name in "${PARTS[@]}"; do
		read_row part "$name"
		params+=" $(xargs <<<"${row[APPEND]:-}")"
	done
	for name in $(documented_parameters); do
		[[ "$params " == *" $name"[=\ ]* ]] || fault "no boot with $name"
	done
	same "parameters" "$(documented_parameters)" "$(cd "$TOP" && overlay_files |
		grep '^kernel/trace/.*\.c$' | xargs sed -n 's/^__setup("\([a-z_]*\).*/\1/p' |
		sort -u)"
}

# combinations: prints the lines of tests/combinations: a kind, another kind, names of tests
combinations()
{
	sed -n 's/^\([a-z]*\) \/ \([a-z]*\): \(.*\)/\1 \2 \3/p' "$TOOLS/tests/combinations"
}

# tests/combinations has a line for each two features. It names tests that exist and use both at a
# time, or says why there is none.
has_all_combinations()
{
	local one other names name pairs

	cd "$TOP" || exit
	pairs=$(combinations | cut -d ' ' -f 1,2)
	same "twice" "" "$(sort <<<"$pairs" | uniq -d)"
	while read -r one other names; do
		[[ $names != [-?]* ]] || names=
		for name in $names; do
			all_cases | grep -xF "control/$name" >"$work/found" ||
				has_suite "$name" ||
				all_ids | grep -xE "(.*/)?$name" >"$work/found" ||
				fault "$one / $other: no $name"
		done
	done < <(combinations)
	for one in $(xargs -n 1 <<<"$pairs" | sort -u); do
		for other in $(xargs -n 1 <<<"$pairs" | sort -u); do
			[[ ! $one < $other ]] || grep -qx "$one $other" <<<"$pairs" ||
				fault "$one / $other: not in tests/combinations"
		done
	done
}

toy_table()
{
	VARIANTS=() PARTS=() rows=() ARCH=$1
	arch_row "$ARCH"
	variant debug "with all" archs=x86_64
	variant static "with less"
	variant large "with more" archs=x86_64
	part host "those for the host"
	part host/one "one" kernels=none once=yes run=one
	part load "under load" kernels="usual debug" RUN=load
	part boot "booted"
	part boot/all "of all" parallel=no RUN=boot
	part boot/mips "of MIPS" archs=mips RUN=boot
	part late "by hand" kernels=debug hand=usual RUN=late
	part rare "by hand" kernels= hand=static RUN=rare
	part slow "takes long" kernels="usual large" all=yes RUN=slow
}

finds_parts()
{
	toy_table x86_64
	same "suite" "host/one load boot/all" "$(suite_ids | xargs)"
	same "whole suite" "host/one load boot/all slow debug/load debug/late large/slow" \
		"$(ALL=1 && suite_ids | xargs)"
	same "in parallel" "load slow" "$(ALL=1 IN_PARALLEL=1 && suite_ids | xargs)"
	same "of all" "host/one load boot/all slow" \
		"$(ALL=1 EVERY_ARCH=1 && suite_ids | xargs)"
	same "a part" load "$(ids_named load)"
	same "by hand" late "$(ids_named late)"
	same "a group" boot/all "$(ids_named boot)"
	same "a kernel" "debug/load debug/late" "$(ids_named debug | xargs)"
	same "in a group" host/one "$(ids_named one)"
	same "in another kernel" static/rare "$(ids_named rare)"
	same "none" "" "$(ids_named lo || true)"
	same "a pattern" "boot/all" "$(all_ids | matching_names 'b*')"
	same "in a variant" "debug/load host/one" \
		"$(VARIANT=debug && in_variant load host/one | xargs)"
	same "names in packages.list" "ONLY=load ONLY=late VARIANT=debug" \
		"$(package_names load debug/late | xargs)"
	toy_table mipsel
	same "suite of MIPS" "load boot/all boot/mips" "$(suite_ids | xargs)"
}

# Parts of counts_parts(): one passes, one fails, and one is stuck.
toy_part()
{
	ktap_open "$file"
	ktap_case 0 "it works"
	ktap_close
}

toy_hang()
{
	command sleep 60 &
	wait
}

counts_parts()
{
	PARTS=() rows=()
	part good "a good one" kernels=none run=toy_part
	part bad "ends by itself" kernels=none run=false
	part long "is stuck" kernels=none run=toy_hang
	part more "one that comes after it" kernels=none run=toy_part
	part two "another good one" kernels=none run=toy_part
	JOB_QUIET=1
	run_ids good bad long more two >"$work/said"
	same "sum" "3 passed, 2 failed" "$passed passed, $failed failed"
	grep -q 'written nothing' "$RESULTS/x86_64-long-end.ktap" || fault "no reason for the failure"
	grep -q '^== 3 of 5, 90 s to go: long: is stuck' "$work/said" || fault "no remaining time"
	same "how long" "5" "$(ktap_longest | grep -c ', x86_64$')"
}

# Parts run two at a time, and each of them once: the first one waits for the last one.
runs_two_at_a_time()
{
	local name

	PARTS=() rows=()
	mkdir -p "$work/lanes/tests"
	ln -s "$TOOLS/watch.py" "$work/lanes"
	for name in first second third; do
		part $name "the $name one" kernels=none run=host_test takes=60
		printf '#!/bin/sh\necho %s >>%s/ran\n' $name "$work" >"$work/lanes/tests/$name.sh"
	done
	printf 'until grep -q third %s/ran; do sleep 0.1; done\n' "$work" \
		>>"$work/lanes/tests/first.sh"
	chmod +x "$work"/lanes/tests/*.sh
	TOOLS=$work/lanes JOB_QUIET=5
	run_ids first second third >"$work/said"
	same "sum" "3 passed, 0 failed" "$passed passed, $failed failed"
	same "each once" "first second third" "$(sort "$work/ran" | xargs)"
	grep -q '^== 1 of 3, 90 s to go: first' "$work/said" || fault "no remaining time"
	! (ALL=1 && may_run_in_parallel first second) || fault "two at a time while others are tested"
}

# Three architectures, each of which takes half of the time: the last one is left out and named,
# and does not count as a failure.
leaves_out_architectures()
{
	ARCH=x86_64 ARCHES=(x86_64 one two three) TOOLS=$work RESULTS=$work/others MINUTES=20
	mkdir "$RESULTS"
	# The time depends on the number of results so far.
	# shellcheck disable=SC2317
	minutes_since_begin()
	{
		say $(($(find "$RESULTS" -name '*.sum' | wc -l) * 10))
	}
	# shellcheck disable=SC2016
	printf '#!/bin/sh\nprintf "2\\n1\\n" >"%s/$ARCH.sum"\n' "$RESULTS" >"$work/test.sh"
	chmod +x "$work/test.sh"
	begin_other_archs >"$work/said"
	report_other_archs >>"$work/said"
	same "sum" "4 passed, 2 failed" "$passed passed, $failed failed"
	same "named" "three" "$(sed -n 's/.*NOT TESTED: \([a-z]*\),.*/\1/p' "$work/said")"
}

# boots_test() repeats boots with BOOTS=, selects them with MATCH=, and reports a result for each.
toy_boots()
{
	printf '%s\n' "1 - first" "2 EPYC second third"
}

boots_each_line()
{
	file=toy row=([boots]=toy_boots)
	# shellcheck disable=SC2317
	one_boot()
	{
		say "$1,$2,$3" >>"$work/booted"
		ktap_case "$((${1} - 1))" "$3"
		[ "$1" = 1 ]
	}
	BOOTS=2 MATCH="" boots_test >"$work/said"
	same "boots" "1,-,first 1,-,first 2,EPYC,second third 2,EPYC,second third" \
		"$(paste -sd ' ' "$work/booted")"
	same "sum" "2 passed, 2 failed" "$passed passed, $failed failed"
	grep -q '4 boots, 2 failed' "$work/said" || fault "no sum"
	rm "$work/booted"
	BOOTS="" MATCH=EPYC boots_test >"$work/said"
	same "one of them" "2,EPYC,second third" "$(cat "$work/booted")"
	same "parameters" "" "$(listed_boots | grep -vE '^[1-8]	[A-Za-z0-9-]+($|	)' || true)"
}

# A job and all that it has started end when it is stuck, and when its script ends.
ends_jobs()
{
	local status=0

	begin bash -c 'sleep 61 & wait'
	(JOB_QUIET=1 && finish "$job" "$work/why") || status=$?
	same "stuck" 124 "$status"
	grep -q "written nothing" "$work/why" || fault "no reason for the end"
	begin false
	finish "$job" || status=$?
	same "failed" 1 "$status"
	(begin bash -c "sleep 62 & wait" && command sleep 0.5)
	command sleep 0.5
	! grep -lsz 'sleep' /proc/[0-9]*/cmdline | xargs -r grep -lsz '^6[12]$' | grep . ||
		fault "a process that a job has started is still running"
}

orders_cases()
{
	printf '%s\n' one two three four five >"$work/names"
	same "no seed" "one two three four five" "$(seed_order <"$work/names" | xargs)"
	first=$(SEED=1 && seed_order <"$work/names" | xargs)
	same "the same seed" "$first" "$(SEED=1 && seed_order <"$work/names" | xargs)"
	[ "$first" != "$(SEED=2 && seed_order <"$work/names" | xargs)" ] || fault "not shuffled"
	same "none lost" "five four one three two" "$(xargs -n 1 <<<"$first" | sort | xargs)"
}

# The lists of cases, tests/NAME.list, contain only cases that exist. Each list applies to the
# kernels and suites that it is for, and to no others.
leaves_out_cases()
{
	cd "$TOP" || exit
	for name in ordinary discover static mips small debug btf parallel rare slow; do
		same "missing cases of $name.list" "" \
			"$(listed_cases $name | grep -vxFf <(all_cases))"
	done
	all_cases | suitable_cases static >"$work/cases"
	! grep -x control/filter-words.tc "$work/cases" || fault "filter-words not left out"
	grep -qx control/options.tc "$work/cases" || fault "options left out"
	variant='' row=([name]=cases/own [which]=own_cases)
	grep -qx control/users.tc <(part_cases) || fault "users left out of make test"
	! part_cases | grep -x control/trace-cmd.tc || fault "slow case not left out of make test"
	ALL=1
	grep -qx control/trace-cmd.tc <(part_cases) || fault "slow case left out of make test-all"
	! (IN_PARALLEL=1 && part_cases) | grep -x control/users.tc ||
		fault "users not left out in parallel to another architecture"
	! (EVERY_ARCH=1 && part_cases) | grep -x control/own-calls.tc ||
		fault "own-calls not left out of the suite of all architectures"
	grep -qx control/own-calls.tc <(part_cases) || fault "own-calls left out with ARCH="
	grep -qx control/events.tc <(IN_PARALLEL=1 && part_cases) ||
		fault "events left out in parallel to another architecture"
	grep -qx control/users.tc <(IN_PARALLEL=1 ONLY=cases && part_cases) ||
		fault "users left out although ONLY= is given"
}

# The log of a case comes before its result.
puts_logs_first()
{
	printf '%s\n' 1..3 'not ok 1 one' '# why one' 'ok 2 two' 'not ok 3 three' \
		'# why three' 'noise' '' '# Totals' >"$work/said"
	same "in order" "1..3 # why one not ok 1 one ok 2 two # why three not ok 3 three" \
		"$(logs_first "$work/said" | head -n 6 | xargs)"
	same "the rest" "noise # Totals" "$(logs_first "$work/said" | tail -n +7 | xargs)"
}

# Cases of the same name get numbers. A case that passes with the stock tracer has to pass.
numbers_cases_of_one_name()
{
	printf '%s\n' 'ok 1 one' 'not ok 2 one' '# why' 'ok 3 two # SKIP' 'ok 4 three' \
		>"$work/there"
	case_results "$work/there" >"$work/stock"
	same "results" "passed one failed one, case 2 skipped two passed three" \
		"$(xargs <"$work/stock")"
	printf '%s\n' 'ok 1 one' 'ok 2 one' 'not ok 3 two' 'not ok 4 three' >"$work/here"
	case_results "$work/here" >"$work/ours"
	ktap_open toy
	compare_results "$work/stock" "$work/ours"
	ktap_close
	same "that fail" "three: failed here, passed there" \
		"$(sed -n 's/^not ok [0-9]* //p' "$RESULTS/toy.ktap")"
}

# Each program of tests/bpf-tools.list has patterns, which grep understands, or a reason why it
# cannot work.
lists_programs()
{
	local name

	MATCH="" add_bpf_tools "$work"
	sed -n 's/^\([^\t:]*\):.*/\1/p' "$work/bpf-tools.list" >"$work/names"
	same "twice" "" "$(sort "$work/names" | uniq -d)"
	while read -r name; do
		patterns_of_tool "$name" >"$work/patterns" || fault "$name: no pattern"
		grep -Ef "$work/patterns" "$TOOLS/lib.sh" >"$work/found" || [ $? -eq 1 ] ||
			fault "$name: bad patterns"
	done <"$work/names"
	MATCH='^lesson/1$' add_bpf_tools "$work"
	same "one of them" 2 "$(wc -l <"$work/bpf-tools.list")"
}

# A program that works with the stock tracer has to work. Numbers in what it prints do not count.
compares_programs()
{
	mkdir -p "$work/printed/stock" "$work/printed/ours"
	printf '%s\n' 'passed vfscount.bt' 'passed lesson/2' 'passed loads.bt' 'skipped mdflush' \
		>"$work/printed/stock.results"
	printf '%s\n' 'passed vfscount.bt' 'passed lesson/2' 'failed loads.bt' 'skipped mdflush' \
		>"$work/printed/ours.results"
	echo "@[vfs_read]: 7" >"$work/printed/stock/vfscount.bt"
	echo "@[vfs_read]: 12" >"$work/printed/ours/vfscount.bt"
	echo "hello world" >"$work/printed/stock/lesson-2"
	echo "hello world, too" >"$work/printed/ours/lesson-2"
	ktap_open toy
	compare_printed "$work/printed/stock" "$work/printed/ours" 3>"$work/lines"
	ktap_close
	same "works" "ok 1 vfscount.bt: works" "$(sed -n 3p "$RESULTS/toy.ktap")"
	same "prints other lines" "ok 2 lesson/2: works, prints other lines" \
		"$(sed -n 4p "$RESULTS/toy.ktap")"
	same "fails" "loads.bt: differs: it works with the stock tracer" \
		"$(sed -n 's/^not ok [0-9]* //p' "$RESULTS/toy.ktap")"
	same "neither" "ok 4 mdflush: as stock does not" "$(sed -n 6p "$RESULTS/toy.ktap")"
	grep -q '^lesson/2: > hello world, too' "$work/lines" || fault "lines that differ are lost"
}

for test in finds_named_tests reads_the_table boots_each_parameter has_all_combinations \
	finds_parts counts_parts runs_two_at_a_time leaves_out_architectures boots_each_line ends_jobs \
	orders_cases leaves_out_cases puts_logs_first numbers_cases_of_one_name \
	lists_programs compares_programs; do
	("$test")
	echo "$test: fine"
done
