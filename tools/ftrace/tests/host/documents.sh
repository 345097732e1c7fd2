#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# README.md and hacking.rst list the parts and the kernels that there are, as
# tools/ftrace/documents.sh writes them; each host test and each script for the guest has its
# row; what the guide asks histograms is what a case asks them, and what README asks them is
# what make picture draws.

. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/parts.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

"$TOOLS/documents.sh" "$work"
for document in README.md Documentation/trace/hacking.rst; do
	diff -u "$document" "$work/${document##*/}" || {
		say "$document: run tools/ftrace/documents.sh"
		bad=1
	}
done

# rows_for what: all that comes in is named in the table
rows_for()
{
	local name

	while read -r name; do
		for part in "${PARTS[@]}"; do
			read_row part "$part"
			[ "$name" != "${row[$1]:-}" ] || continue 2
		done
		say "$name has no row in tests/parts.sh"
		bad=1
	done
}

# What the guide's questions are answered by is what the case writes, line by line.
diff -u <(sed -n '/^Questions$/,/^Snapshots$/s/^    # //p' Documentation/trace/ftrace.rst) \
	<(grep '^echo ' tools/testing/selftests/ftrace/test.d/control/hist-questions.tc) || {
	say "the questions of ftrace.rst and hist-questions.tc are not the same"
	bad=1
}

diff -u <(sed -n "/^    # echo 'wakeup /,/^    # cat /{s/^    # \\(echo .*\\) > /\\1 >/p}" README.md) \
	<(sed -n "/echo 'wakeup /,/}/s/^[[:space:]]*\\(echo .*\\)/\\1/p" "$TOOLS/picture/guest.sh") || {
	say "the histogram of README.md and that of picture/guest.sh are not the same"
	bad=1
}

rows_for name < <(cd "$TOOLS/tests" && printf '%s\n' host/*.sh | sed 's/\.sh$//')
rows_for RUN < <(basename -a -s .sh "$TOOLS"/tests/guest/*.sh)
exit $bad
