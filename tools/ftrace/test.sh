#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make test`: runs the parts of the suite (tests/parts.sh) that every change has to pass, on
# x86_64 or ARCH=name. ONLY=name runs one part, case or KUnit suite. `make test-all` sets ALL=1
# and adds the parts that take longer and the guests of the other architectures; with ARCH=name
# it runs everything for that one. The last line is the sum of all results.

EVERY_ARCH=
[ -z "${ALL:-}" ] || [ -n "${ARCH:-}${ONLY:-}" ] || EVERY_ARCH=1
. "$(dirname "$0")/lib.sh"
. "$TOOLS/jobs.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/kbuild.sh"
. "$TOOLS/modules.sh"
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

mapfile -t ids < <(chosen_ids)
mapfile -t names < <(package_names "${ids[@]}")
needs "test${EVERY_ARCH:+-all}" "${names[@]}"
mkdir -p "$RESULTS"
if [ -n "${IN_PARALLEL:-}" ]; then
	run_ids "${ids[@]}"
	ktap_save_sums "$ARCH"
	exit
fi

lock test
: >"$RESULTS/seconds"
"$TOOLS/prepare.sh"
if [ ${#ids[@]} -eq 0 ]; then
	run_only "$ONLY"
else
	[ -z "$EVERY_ARCH" ] || begin_other_archs
	# If parts run two at a time, their kernel is built first, in the foreground.
	[ -n "${ONLY:-}" ] || may_run_in_parallel "${ids[@]}" || begin build_ahead >"$LOG/ahead.log" 2>&1
	run_ids "${ids[@]}"
	[ -z "$EVERY_ARCH" ] || report_other_archs
fi
ktap_sum
