#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make test`: the whole suite; ONLY=name one part of it. The last line is
# the sum of all results.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/kbuild.sh"
. "$TOOLS/modules.sh"
. "$TOOLS/ktap.sh"
. "$TOOLS/programs.sh"
. "$TOOLS/console.sh"
. "$TOOLS/overlay.sh"
. "$TOOLS/suites.sh"
. "$TOOLS/configs.sh"
. "$TOOLS/parts.sh"

need_packages "${BUILD_PACKAGES[@]}" "${LINT_PACKAGES[@]}" \
	"${ARCH_PACKAGES[@]}" "${DEBIAN_PROGRAMS[@]}"
mkdir -p "$RESULTS"
lock test
"$TOOLS/prepare.sh"

if [ -n "${ONLY:-}" ]; then
	run_only "$ONLY"
else
	host_tests
	build_for_test "$ARCH"
	build_ahead
	guest_tests "$ARCH"
	stress_test "$ARCH" 100
	anomaly_test "$ARCH"
	boot_trace_test "$ARCH"
	build_for_test "$ARCH-debug"
	lint_ahead
	guest_tests "$ARCH-debug"
	anomaly_test "$ARCH-debug"
	no_memory_test "$ARCH-debug"
	stress_test "$ARCH-debug" 10
	lint_test
fi
ktap_sum
