#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make mutants`: tests the suite. Each patch of tests/mutants (a mutant) puts a fault into the
# tracer and names the part of the suite that has to fail. ONLY=name selects a mutant, or some by
# a pattern; TOGETHER=n puts up to n of them into one kernel: see mutant-groups.sh.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/overlay.sh"
. "$TOOLS/parts.sh"
. "$TOOLS/cases.sh"
. "$TOOLS/ktap.sh"
. "$TOOLS/mutate.sh"
. "$TOOLS/mutant-groups.sh"

passed=0
failed=0

# The scripts that run below use variables of the same names.
pattern=${ONLY:-*}
unset ONLY MUTANT
# A fault may hang the guest: end it early.
export TIMEOUT=${TIMEOUT:-600} QUIET=${QUIET:-300}

mapfile -t mutants < <(mutant_names "$pattern")
[ ${#mutants[@]} -gt 0 ] ||
	die "ONLY=$pattern: no such mutant" "There are:" "$(mutant_names '*')"

mapfile -t ids < <(for name in "${mutants[@]}"; do mutant_part "$name"; done | sort -u |
	while read -r part; do ids_named "$part" || true; done)
mapfile -t names < <(package_names "${ids[@]}")
needs mutants "${names[@]}"
lock mutants
trap '"$TOOLS/prepare.sh" >"$LOG/mutant-prepare.log" 2>&1' EXIT
trap 'exit 130' INT TERM

# try_all name...: tries mutants, after checking that their tests pass without them
try_all()
{
	local left=("$@")

	check_parts_of "$@"
	[ "${TOGETHER:-1}" -le 1 ] || mapfile -t left < <(sort_by_part "$@")
	while [ ${#left[@]} -gt 0 ]; do
		next_group "${TOGETHER:-1}" "${left[@]}"
		# next_group sets group and remaining.
		# shellcheck disable=SC2154
		try_group "${group[@]}"
		left=("${remaining[@]}")
	done
}

step "${#mutants[@]} mutants, after their tests without a mutant"
# Mutants whose tests can share a boot come first: each of the others takes a boot of its own.
mapfile -t first < <(mutants_sharing_boots "${mutants[@]}")
mapfile -t rest < <(printf '%s\n' "${mutants[@]}" | grep -vxFf <(printf '%s\n' "${first[@]}"))
try_all "${first[@]}"
try_all "${rest[@]}"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
