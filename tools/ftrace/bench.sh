#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make bench`: compares the costs of our tracer and of the stock tracer, in instructions: the
# virtual time of QEMU's -icount, which is the same on every machine. It never fails because of
# a number. VARIANT=static measures a call with call sites that cannot be patched; VARIANT=bpf also
# measures BPF programs that know the kernel's types; GROWTH=1 measures how control operations grow
# with the size of their input.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
needs bench
. "$TOOLS/kbuild.sh"
. "$TOOLS/modules.sh"
. "$TOOLS/programs.sh"

# Function names to write to a filter. The cost per name does not change, but the stock tracer
# takes minutes for a thousand: it gets a few.
OURS_NAMES=1000
STOCK_NAMES=25

# make_root dir: makes the root of the guests, with the programs in /bench
make_root()
{
	rm -rf "$1"
	mkdir -p "$1/bench"
	static_program "$TOOLS/bench/timed.c" "$1/bench/timed"
	static_program "$TOOLS/bench/many.c" "$1/bench/many"
	static_program "$TOOLS/tests/programs/bpf_count.c" "$1/bench/bpf_count"
}

# run_bench name script rows variables...: boots build/NAME with a script of bench/ and appends
# the output to build/bench/ROWS
#
# A Malta's kernel calibrates the processor's clock with the real time clock, which therefore
# has to run in virtual time, too.
run_bench()
{
	local name=$1 status=0

	env RUN="$TOOLS/bench/$2" KERNEL="$BUILD/$name" SMP=1 \
		BOOT_NAME="bench-$name" ROOT="$BUILD/bench/root-$name" \
		MODULES="$BUILD/$name/testmods" \
		QEMU_ARGS="-icount $ICOUNT -rtc clock=vm ${QEMU_ARGS:-}" "${@:4}" \
		"$TOOLS/boot.sh" >>"$BUILD/bench/$3" 2>"$LOG/bench-$name.log" || status=$?
	[ $status -eq 0 ] || show_tail "$LOG/bench-$name.log" 40
	[ $status -eq 0 ] || die "measuring build/$name failed (status $status)"
}

# measure tree name nr: measures the kernel in build/NAME, with modules built for TREE, and writes
# build/bench/NAME.rows. The guest writes NR function names to a filter.
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

# Numbers of CPUs with which operations that interrupt all CPUs are measured.
GROWTH_CPUS=(1 4 16 64)

# measure_growth tree name column: measures the kernel in build/NAME, with modules built for TREE;
# writes build/bench/NAME-growth.rows. Column number COLUMN of bench/growth has the maximum number
# of items of each operation.
measure_growth()
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

# size_of_events name: prints the size of an average event in build/NAME/vmlinux, without its
# tracepoint. Events of system calls, which have no code, are not counted.
size_of_events()
{
	nm -S -t d --defined-only "$BUILD/$1/vmlinux" | awk '
		$4 ~ /^(__)?event_(enter|exit)_/ { next }
		$4 ~ /^trace_event_(raw_event|fields|type_funcs|get_offsets|ops)_/ ||
		$4 ~ /^(perf_trace_|__bpf_trace_|trace_raw_output_|event_|__event_|print_fmt_)/ ||
		$4 ~ /^str__.*__trace_system_name/ { bytes += $2 }
		$4 ~ /^__event_/ { nr++ }
		END { if (nr) printf "row te_size %d\n", bytes / nr }'
}

# has_stock: false for VARIANT=static on i386, where the stock tracer always patches call sites
has_stock()
{
	[ "$ARCH-${VARIANT:-}" != i386-static ]
}

print_table()
{
	local ours=$BUILD/bench/$kernel.rows stock=$BUILD/bench/stock-$kernel.rows

	has_stock || stock=/dev/null

	awk -F'|' -v arch="$ARCH" -v ours="$ours" -v stock="$stock" \
		-f "$TOOLS/bench/table.awk" "$ours" "$stock" "$TOOLS/bench/rows"
}

print_growth_tables()
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
	measure_growth "$LINUX" "$kernel" 3
	! has_stock || measure_growth "$PRISTINE" "stock-$kernel" 4
	print_growth_tables
	exit
fi
measure "$LINUX" "$kernel" $OURS_NAMES
! has_stock || measure "$PRISTINE" "stock-$kernel" $STOCK_NAMES
print_table
