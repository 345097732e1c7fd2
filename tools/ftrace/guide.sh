# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: examples of documents, which tests/guide.py reads: they run in a guest, and print what
# the documents show. file is that of the part.
# shellcheck disable=SC2154

GUIDES=(Documentation/trace/{ftrace,ftrace-uses,fprobe}.rst)

# add_guide root: adds the examples, and perf
add_guide()
{
	guide scripts "$1/guide"
	add_perf "$1"
}

# guide command argument: runs guide.py for the documents
guide()
{
	python3 -B "$TOOLS/tests/guide.py" "$@" "${GUIDES[@]}"
}

# guide_modules: prints a directory with the sources of the modules in documents
guide_modules()
{
	guide modules "$BUILD/guide-modules"
	say "$BUILD/guide-modules"
}

# report_guide: reports the examples, and prints those that cannot run
report_guide()
{
	guide judge "$LOG/$file.output" >"$RESULTS/$file.ktap"
	sed -n 's/^ok [0-9]* \(.*\) # SKIP \(.*\)/   not run: \1: \2/p' "$RESULTS/$file.ktap"
	ktap_report "$file"
}
