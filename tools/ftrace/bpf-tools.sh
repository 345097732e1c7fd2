# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: programs that trace with BPF, in guests with a disk. tests/bpf-tools.list has them, and
# tests/guest/bpf-tools.sh runs them. row[], file and kernel are those of the part.
# shellcheck disable=SC2154

# add_bpf_tools root: adds the load, and the rows of the list whose names MATCH= selects
add_bpf_tools()
{
	cp "$TOOLS/tests/bpf-load.py" "$1/"
	MATCH=${MATCH:-.} awk -F : '/^#/ { next } /^[^\t]/ { on = $1 ~ ENVIRON["MATCH"] } on' \
		"$TOOLS/tests/bpf-tools.list" >"$1/bpf-tools.list"
}

# report_bpf_tools: reports the results, and leaves what the programs have printed in
# build/test/NAME
report_bpf_tools()
{
	unpack_printed "$LOG/$file.output" "$RESULTS/$file"
	script_result
}

# unpack_printed output dir: unpacks a file for each program, with what it has printed
unpack_printed()
{
	rm -rf "$2"
	mkdir -p "$2"
	unpack_files "$1" "$2"
	tar -C "$2" -xf "$2/printed" || true
}

# patterns_of_tool name: prints the patterns of the list
patterns_of_tool()
{
	sed -n "\\,^$1:,,/^[^	]/s/^	//p" "$TOOLS/tests/bpf-tools.list" | grep -v '^cannot: '
}
