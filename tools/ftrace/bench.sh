#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make bench`: what tracing costs with ours and with the stock tracer, in
# instructions: virtual time under -icount, the same on every machine.
# Measures, and never fails for a number. VARIANT=static measures what a call costs where
# call sites cannot be changed.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
needs bench
. "$TOOLS/kbuild.sh"
. "$TOOLS/modules.sh"
. "$TOOLS/programs.sh"

# A thousand names take the stock tracer minutes of a host's time, and as
# much for each: a few are enough to know.
OURS_NAMES=1000
STOCK_NAMES=25

# bench_root dir names: what the guest finds in /bench
bench_root()
{
	mkdir -p "$1/bench"
	static_program "$TOOLS/bench/timed.c" "$1/bench/timed"
	say "$2" >"$1/bench/names"
}

# measure tree name names: build/bench/NAME.rows
# Malta's kernel finds out how fast its processor's clock goes by the one that keeps
# the time of day, so that has to go on in virtual time, too.
measure()
{
	local tree=$1 name=$2 root=$BUILD/bench/root-$2 status=0

	build_modules "$tree" "$name" "$TOOLS/bench"
	bench_root "$root" "$3"
	step "Measuring build/$name"
	env RUN="$TOOLS/bench/guest.sh" KERNEL="$BUILD/$name" SMP=1 \
		BOOT_NAME="bench-$name" ROOT="$root" \
		MODULES="$BUILD/$name/testmods" \
		QEMU_ARGS="-icount $ICOUNT -rtc clock=vm ${QEMU_ARGS:-}" \
		"$TOOLS/boot.sh" >"$BUILD/bench/$name.rows" 2>"$LOG/bench-$name.log" ||
		status=$?
	[ $status -eq 0 ] || show_tail "$LOG/bench-$name.log" 40
	[ $status -eq 0 ] || die "the measurement of build/$name failed (status $status)"
	size_of_events "$name" >>"$BUILD/bench/$name.rows"
}

# size_of_events name: what an event takes in build/NAME/vmlinux, its tracepoint aside.
# Those of system calls, which are data alone, are not counted.
size_of_events()
{
	nm -S -t d --defined-only "$BUILD/$1/vmlinux" | awk '
		$4 ~ /^(__)?event_(enter|exit)_/ { next }
		$4 ~ /^trace_event_(raw_event|fields|type_funcs|get_offsets|ops)_/ ||
		$4 ~ /^(perf_trace_|trace_raw_output_|event_|__event_|print_fmt_)/ ||
		$4 ~ /^str__.*__trace_system_name/ { bytes += $2 }
		$4 ~ /^__event_/ { nr++ }
		END { if (nr) printf "row te_size %d\n", bytes / nr }'
}

# On i386 the stock tracer always changes call sites.
has_stock()
{
	[ "$ARCH-${VARIANT:-}" != i386-static ]
}

table()
{
	local ours=$BUILD/bench/$kernel.rows stock=$BUILD/bench/stock-$kernel.rows

	has_stock || stock=/dev/null

	awk -F'|' -v arch="$ARCH" -v ours="$ours" -v stock="$stock" \
		-f "$TOOLS/bench/table.awk" "$ours" "$stock" "$TOOLS/bench/rows"
}

mkdir -p "$BUILD/bench"
export BENCH=1
[ "$ARCH" != x86_64 ] || export VARIANT=${VARIANT:-large}
kernel_options
"$TOOLS/kernel.sh"
! has_stock || "$TOOLS/stock.sh"
measure "$LINUX" "$kernel" $OURS_NAMES
! has_stock || measure "$PRISTINE" "stock-$kernel" $STOCK_NAMES
table
