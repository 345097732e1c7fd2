#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make bench`: what tracing costs with ours and with the stock tracer, in
# instructions: virtual time under -icount, the same on every machine.
# Measures, and never fails for a number. VARIANT=static measures what a call costs where
# call sites cannot be changed; GROWTH=1 how control operations grow with what they take.

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

# make_root dir: what every guest finds in /bench
make_root()
{
	rm -rf "$1"
	mkdir -p "$1/bench"
	static_program "$TOOLS/bench/timed.c" "$1/bench/timed"
	static_program "$TOOLS/bench/many.c" "$1/bench/many"
}

# run_bench name script rows variables...: boots build/NAME with that script of bench/ and
# adds what it prints to build/bench/ROWS
# Malta's kernel finds out how fast its processor's clock goes by the one that keeps
# the time of day, so that has to go on in virtual time, too.
run_bench()
{
	local name=$1 status=0

	env RUN="$TOOLS/bench/$2" KERNEL="$BUILD/$name" SMP=1 \
		BOOT_NAME="bench-$name" ROOT="$BUILD/bench/root-$name" \
		MODULES="$BUILD/$name/testmods" \
		QEMU_ARGS="-icount $ICOUNT -rtc clock=vm ${QEMU_ARGS:-}" "${@:4}" \
		"$TOOLS/boot.sh" >>"$BUILD/bench/$3" 2>"$LOG/bench-$name.log" || status=$?
	[ $status -eq 0 ] || show_tail "$LOG/bench-$name.log" 40
	[ $status -eq 0 ] || die "the measurement of build/$name failed (status $status)"
}

# measure tree name names: build/bench/NAME.rows
measure()
{
	local tree=$1 name=$2 root=$BUILD/bench/root-$2

	build_modules "$tree" "$name" "$TOOLS/bench"
	make_root "$root"
	say "$3" >"$root/bench/names"
	step "Measuring build/$name"
	rm -f "$BUILD/bench/$name.rows"
	run_bench "$name" guest.sh "$name.rows"
	size_of_events "$name" >>"$BUILD/bench/$name.rows"
}

# CPUs of the guests in which is measured what has to reach all of them.
GROWTH_CPUS=(1 4 16 64)

# growth tree name column: build/bench/NAME-growth.rows, with as many of everything as that
# column of bench/growth says
growth()
{
	local tree=$1 name=$2 root=$BUILD/bench/root-$2 rows=$2-growth.rows cpus

	build_modules "$tree" "$name" "$TOOLS/bench"
	make_root "$root"
	awk -F'|' -v column="$3" '!/^#/ && NF == 4 { print $1, $column }' "$TOOLS/bench/growth" |
		awk '{ print $1, $2 }' >"$root/bench/most"
	rm -f "$BUILD/bench/$rows"
	step "Measuring build/$name with 10, 100, 1,000 and 10,000 of everything"
	run_bench "$name" growth.sh "$rows" QEMU_ARGS="-icount $ICOUNT -rtc clock=vm -m 4G"
	touch "$root/bench/cpus"
	[ "$CPUS" -gt 8 ] || return 0
	for cpus in "${GROWTH_CPUS[@]}"; do
		step "Measuring build/$name with $cpus CPUs"
		run_bench "$name" growth.sh "$rows" SMP="$cpus" ACCEL=tcg,thread=single
	done
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

growth_tables()
{
	local ours=$BUILD/bench/$kernel-growth.rows stock=$BUILD/bench/stock-$kernel-growth.rows

	has_stock || stock=/dev/null
	awk -v ours="$ours" -v stock="$stock" -f "$TOOLS/bench/growth.awk" \
		"$ours" "$stock" "$TOOLS/bench/growth"
	awk -v ours="$ours" -v stock="$stock" -f "$TOOLS/bench/cpus.awk" "$ours" "$stock"
}

mkdir -p "$BUILD/bench"
export BENCH=1
[ "$ARCH" != x86_64 ] || export VARIANT=${VARIANT:-large}
kernel_options
"$TOOLS/kernel.sh"
! has_stock || "$TOOLS/stock.sh"
if [ -n "${GROWTH:-}" ]; then
	growth "$LINUX" "$kernel" 3
	! has_stock || growth "$PRISTINE" "stock-$kernel" 4
	growth_tables
	exit
fi
measure "$LINUX" "$kernel" $OURS_NAMES
! has_stock || measure "$PRISTINE" "stock-$kernel" $STOCK_NAMES
table
