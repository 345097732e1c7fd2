#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make test`: the whole suite on x86-64, and what runs in guests on the other
# architectures; ARCH=x86_64 leaves these out, ARCH=name is what runs in the guests of
# one, ONLY=name one part of the suite. The last line is the sum of all results.

ARCH=${ARCH:-all}
. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/kbuild.sh"
. "$TOOLS/modules.sh"
. "$TOOLS/ktap.sh"
. "$TOOLS/programs.sh"
. "$TOOLS/console.sh"
. "$TOOLS/overlay.sh"
. "$TOOLS/suites.sh"
. "$TOOLS/carried.sh"
. "$TOOLS/alike.sh"
. "$TOOLS/configs.sh"
. "$TOOLS/parts.sh"
. "$TOOLS/beside.sh"

# Of everything, what needs no guest, and the kernel with lockdep and KASAN.
whole_suite()
{
	host_tests
	build_for_test "$ARCH"
	[ -z "$EVERY_ARCH" ] || begin_others
	build_ahead
	arch_tests "$ARCH"
	build_for_test "$ARCH-debug"
	lint_ahead
	FEW_CASES=debug ROUNDS=${ROUNDS:-5} debug_tests "$ARCH-debug"
	small_tests "$ARCH"
	[ -z "$EVERY_ARCH" ] || end_others
	lint_test
}

needs test
mkdir -p "$RESULTS"
if [ -n "${BESIDE:-}" ]; then
	"$BESIDE" "$ARCH"
	ktap_hand_over "$ARCH-$BESIDE"
	exit
fi

lock test
"$TOOLS/prepare.sh"

if [ -n "${ONLY:-}" ]; then
	run_only "$ONLY"
elif [ "$ARCH" = x86_64 ]; then
	whole_suite
else
	arch_tests "$ARCH"
	small_tests "$ARCH"
fi
ktap_sum
