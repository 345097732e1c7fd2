#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# README.md, hacking.rst and api.rst list parts, kernels and headers as tools/ftrace/documents.sh
# writes them. Functions that documents name exist. Each host test and each guest script has a row.
# A test case writes the histograms of the guide, and make picture the one of README.md.

. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/parts.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

"$TOOLS/documents.sh" "$work"
for document in README.md Documentation/trace/{hacking,api}.rst; do
	diff -u "$document" "$work/${document##*/}" || {
		say "$document: run tools/ftrace/documents.sh"
		bad=1
	}
done

# rows_for column: each name on stdin is in that column of a row
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

# The lines of the chapter Questions are those of the case.
diff -u <(sed -n '/^Questions$/,/^Snapshots$/s/^    # //p' Documentation/trace/ftrace.rst) \
	<(grep '^echo ' tools/testing/selftests/ftrace/test.d/control/hist-questions.tc) || {
	say "ftrace.rst, Questions: the lines differ from those of hist-questions.tc"
	bad=1
}

diff -u <(sed -n "/^    # echo 'wakeup /,/^    # cat /{s/^    # \\(echo .*\\) > /\\1 >/p}" README.md) \
	<(sed -n "/echo 'wakeup /,/}/s/^[[:space:]]*\\(echo .*\\)/\\1/p" "$TOOLS/picture/guest.sh") || {
	say "README.md: the histogram differs from that of picture/guest.sh"
	bad=1
}

# documented_exports: prints the files whose kernel-doc is about functions that they export.
# no_snapshot.c has those of snapshot.c, without effect.
documented_exports()
{
	local file

	git grep -l EXPORT_SYMBOL -- 'kernel/trace/*.c' ':!*/no_snapshot.c' | while read -r file; do
		! sed -n '/^\/\*\*$/{n;s/^ \* \([a-z_0-9]*\)\(()\)\? - .*/\1/p}' "$file" |
			sed 's/.*/(&)/' | grep -qFf - <(grep EXPORT_SYMBOL "$file") || say "$file"
	done | sort
}

diff -u <(grep -B 1 ':export:' Documentation/trace/api.rst |
	sed -n 's/^\.\. kernel-doc:: //p' | sort) <(documented_exports) || {
	say "api.rst: has other files than those whose exported functions have kernel-doc"
	bad=1
}

# functions_of document...: prints the names before () in text
functions_of()
{
	grep -ohE '\b[a-z_0-9]+\(\)' "$@" | tr -d '()' | sort -u
}

# Functions that documents name exist, here or, as those below, in the base.
base="__switch_to arch_stack_walk generic_file_open ksys_read trace_sys_enter trace_sys_exit"
{
	git grep -ohE '\b[a-z_0-9]+\b' -- arch base include kernel scripts
	tr ' ' '\n' <<<"$base"
} | sort -u >"$work/words"
unknown=$(functions_of Documentation/trace/{api,design,fprobe,ftrace-design,ftrace-uses,hacking}.rst |
	comm -23 - "$work/words")
[ -z "$unknown" ] || {
	say "documents name functions that do not exist: $unknown"
	bad=1
}

rows_for name < <(cd "$TOOLS/tests" && printf '%s\n' host/*.sh | sed 's/\.sh$//')
rows_for RUN < <(basename -a -s .sh "$TOOLS"/tests/guest/*.sh)
exit $bad
