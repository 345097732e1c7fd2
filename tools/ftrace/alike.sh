# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: what the stock tracer and ours print of the same calls is the same,
# but for times.

# alike_test: both kernels, with every latency tracer, and one guest script
alike_test()
{
	local ours=$ARCH-sections dir=$RESULTS/$ARCH-alike

	step "The same calls in build/$ours and build/stock-$ours"
	VARIANT=sections "$TOOLS/kernel.sh"
	VARIANT=sections "$TOOLS/stock.sh"
	rm -rf "$dir"
	shown_by "$LINUX" "$ours" "$dir/ours"
	shown_by "$PRISTINE" "stock-$ours" "$dir/stock"
	compare_shown "$dir"
}

# shown_by tree kernel dir: what the guest of build/KERNEL shows, as files in dir. Not all of
# our test modules can be built with the stock tracer.
shown_by()
{
	local module=$RESULTS/alike-module

	mkdir -p "$module"
	cp "$TOOLS/tests/modules/ftrace_nested.c" "$module/"
	say 'obj-m := ftrace_nested.o' >"$module/Kbuild"
	build_modules "$1" "$2" V=0 "$module"
	build_modules "$1" "$2" CONFIG_PREEMPTIRQ_DELAY_TEST=m kernel/trace/delay_test
	mkdir -p "$3" "$RESULTS/root-alike/bin"
	static_program "$TOOLS/tests/programs/chrt.c" "$RESULTS/root-alike/bin/chrt"
	boot_test "$2-alike" "$2" "$GUEST_SCRIPTS/alike.sh" SMP=1 \
		ROOT="$RESULTS/root-alike" APPEND=kunit.enable=0
	unload "$LOG/$2-alike.output" "$3"
	boot_judged "$2-alike"
}

# compare_shown dir: all that the stock tracer shows. What only ours has, on MIPS what
# functions return, there is nothing to compare with.
compare_shown()
{
	local file name

	ktap_open "$ARCH-alike"
	for file in "$1"/stock/*; do
		name=${file##*/}
		mask "$name" "$1/ours" >"$1/ours.$name" || true
		mask "$name" "$1/stock" >"$1/stock.$name"
		compare_case "$name: shown as by the stock tracer" \
			"$1/stock.$name" "$1/ours.$name"
	done
	ktap_close
}

# mask name dir: what may differ from boot to boot, replaced by as many other characters:
# durations with their marks, times, pids and addresses; in the head of a latency also by
# fewer. Of a latency only the head is compared, and who was woken late is up to the machine.
mask()
{
	local program=$TOOLS/tests/alike.perl

	[ ! -s "$2/$1" ] || perl -p "$program" "$2/$1" | case $1 in
	wakeup*)
		sed -E '/^#/!d; s/#[0-9]+\/[0-9]+/#N\/N/; s/(task: ).*( \(uid)/\1TASK\2/
			s/[0-9]+(:?[ )])/N\1/g' ;;
	irqsoff* | preempt*)
		sed -E '/^#/!d; s/#[0-9]+\/[0-9]+/#N\/N/' ;;
	*)		cat ;;
	esac
}
