#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make test`: the whole suite; ONLY=name one part of it, ARCH=name what runs in
# the guests of one architecture. The last line is the sum of all results.

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
. "$TOOLS/beside.sh"

need_packages "${BUILD_PACKAGES[@]}" "${LINT_PACKAGES[@]}" \
	"${ARCH_PACKAGES[@]}" "${DEBIAN_PROGRAMS[@]}"
mkdir -p "$RESULTS"
if [ -n "${BESIDE:-}" ]; then
	arch_tests "$ARCH"
	ktap_hand_over "$ARCH"
	exit
fi

lock test
"$TOOLS/prepare.sh"

if [ -n "${ONLY:-}" ]; then
	run_only "$ONLY"
elif [ -n "${EVERY_ARCH:-}" ]; then
	mapfile -t packages < <(every_arch_packages)
	need_packages "${packages[@]}"
	host_tests
	build_for_test "$ARCH"
	begin_others
	build_ahead
	arch_tests "$ARCH"
	lint_ahead
	debug_tests "$ARCH-debug"
	end_others
	lint_test
else
	arch_tests "$ARCH"
fi
ktap_sum
