#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Each patch of tests/mutants applies, and its head says what it breaks and which part of the
# suite has to catch it.

. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/overlay.sh"
. "$TOOLS/mutate.sh"

LOG=$(mktemp -d)
MUTATED=$LOG/mutated
trap 'rm -rf "$LOG"' EXIT
bad=0

for file in "$MUTANTS"/*.patch; do
	name=$(basename "$file" .patch)
	if [ -z "$(mutant_part "$name")" ] || [ -z "$(mutant_header "$name" 'what it breaks')" ]; then
		say "$name: its head lacks '# what it breaks:' or '# caught by: ONLY=name'"
		bad=1
	fi
	mutate "$name" || {
		say "$name: does not apply, see above"
		bad=1
	}
done
exit $bad
