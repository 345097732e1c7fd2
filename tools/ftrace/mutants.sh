#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make mutants`: how strong the suite is. Each patch of tests/mutants puts a
# fault in and names the part of the suite that has to fail by it. ONLY=name
# takes one, or those that match a pattern; with TOGETHER=n up to so many are in one kernel:
# see together.sh.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/overlay.sh"
. "$TOOLS/parts.sh"
. "$TOOLS/cases.sh"
. "$TOOLS/ktap.sh"
. "$TOOLS/mutate.sh"
. "$TOOLS/together.sh"

passed=0
failed=0

# What the children would take for theirs.
pattern=${ONLY:-*}
unset ONLY MUTANT
# A fault may hang the guest: no longer than this.
export TIMEOUT=${TIMEOUT:-600} QUIET=${QUIET:-300}

mapfile -t mutants < <(mutant_names "$pattern")
[ ${#mutants[@]} -gt 0 ] ||
	die "no mutant is called '$pattern'" "There are:" "$(mutant_names '*')"

mapfile -t ids < <(for name in "${mutants[@]}"; do mutant_part "$name"; done | sort -u |
	while read -r part; do ids_named "$part" || true; done)
mapfile -t packages < <(packages_of_ids "${ids[@]}")
needs mutants "${packages[@]}"
lock mutants
trap '"$TOOLS/prepare.sh" >"$LOG/mutant-prepare.log" 2>&1' EXIT
trap 'exit 130' INT TERM

# try_all name...: after what has to catch them without
try_all()
{
	local left=("$@")

	without_mutants "$@"
	[ "${TOGETHER:-1}" -le 1 ] || mapfile -t left < <(by_part "$@")
	while [ ${#left[@]} -gt 0 ]; do
		next_group "${TOGETHER:-1}" "${left[@]}"
		# It sets them.
		# shellcheck disable=SC2154
		try_together "${group[@]}"
		left=("${others[@]}")
	done
}

step "${#mutants[@]} mutants, after what has to catch them without"
# Those first that share their boots: the others take as long again.
mapfile -t first < <(share_boots "${mutants[@]}")
mapfile -t rest < <(printf '%s\n' "${mutants[@]}" | grep -vxFf <(printf '%s\n' "${first[@]}"))
try_all "${first[@]}"
try_all "${rest[@]}"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
