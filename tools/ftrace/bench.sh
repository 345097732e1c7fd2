#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make bench`: what tracing costs with ours and with the stock tracer, in
# instructions: virtual time under -icount, the same on every machine.
# Measures, and never fails for a number.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/kbuild.sh"
. "$TOOLS/modules.sh"
. "$TOOLS/programs.sh"

# A thousand names take the stock tracer minutes of a host's time, and as
# much for each: a few are enough to know.
OURS_NAMES=1000
STOCK_NAMES=25

need_packages "${BUILD_PACKAGES[@]}" "${ARCH_PACKAGES[@]}"

# bench_root dir names: what the guest finds in /bench
bench_root()
{
	mkdir -p "$1/bench"
	static_program "$TOOLS/bench/timed.c" "$1/bench/timed"
	say "$2" >"$1/bench/names"
}

# measure tree name names: build/bench-NAME.rows
measure()
{
	local tree=$1 name=$2 root=$BUILD/bench/root-$2 status=0

	build_modules "$tree" "$name" V=0 "$TOOLS/bench"
	bench_root "$root" "$3"
	step "Measuring build/$name"
	env RUN="$TOOLS/bench/guest.sh" KERNEL="$BUILD/$name" SMP=1 \
		BOOT_NAME="bench-$name" ROOT="$root" TIMEOUT="${TIMEOUT:-1800}" \
		MODULES="$BUILD/$name/testmods" \
		QEMU_ARGS="-icount shift=0,sleep=off ${QEMU_ARGS:-}" \
		APPEND="kunit.enable=0 ${APPEND:-}" \
		"$TOOLS/boot.sh" >"$BUILD/bench/$name.rows" 2>"$LOG/bench-$name.log" ||
		status=$?
	[ $status -eq 0 ] || show_tail "$LOG/bench-$name.log" 40
	[ $status -eq 0 ] || die "the measurement of build/$name failed (status $status)"
}

table()
{
	awk -F'|' '
	function trim(s) { gsub(/^ +| +$/, "", s); return s }
	function cell(s, unit) { return s == "" ? "-" : sprintf("%.1f", s / unit) }
	FILENAME ~ /\.rows$/ {
		split($0, f, " ")
		if (f[1] == "functions") total[FILENAME] = f[2]
		if (f[1] == "row") value[FILENAME, f[2]] = f[3]
		next
	}
	FNR == 1 {
		printf "%-44s %-6s %9s %9s %9s %8s\n", "", "unit", "budget", \
			"ours", "stock", "ratio"
	}
	/^#/ || NF < 5 { next }
	{
		name = trim($1); o = value[ours, name]; s = value[stock, name]
		over = (o / $4 > trim($5) + 0) ? "  over budget" : ""
		ratio = o > 0 ? cell(s, o) : "-"
		printf "%-44s %-6s %9s %9s %9s %8s%s\n", trim($2), trim($3), \
			trim($5), cell(o, $4), cell(s, $4), ratio, over
	}
	END { printf "Functions that can be traced: %d, stock %d.\n", total[ours], total[stock] }
	' ours="$BUILD/bench/$ARCH.rows" stock="$BUILD/bench/stock-$ARCH.rows" \
		"$BUILD/bench/$ARCH.rows" "$BUILD/bench/stock-$ARCH.rows" \
		"$TOOLS/bench/rows"
}

mkdir -p "$BUILD/bench"
"$TOOLS/kernel.sh"
"$TOOLS/stock.sh"
measure "$LINUX" "$ARCH" $OURS_NAMES
measure "$PRISTINE" "stock-$ARCH" $STOCK_NAMES
table
