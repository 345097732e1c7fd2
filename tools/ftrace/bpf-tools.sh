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

# compare_bpf_tools: one result for each program, failed if it works with the stock tracer and not
# with ours. Lines that only one of them has printed are no failure, because they depend on what
# else has run; build/test/NAME/lines has them.
compare_bpf_tools()
{
	local dir=$RESULTS/$file name boot

	rm -rf "$dir"
	mkdir -p "$dir"
	for name in "$kernel" "stock-$kernel"; do
		boot=$name-${row[name]//\//-}
		boot_row "$boot" "$name"
		unpack_printed "$LOG/$boot.output" "$dir/$name"
		case_results "$LOG/$boot.output" >"$dir/$name.results"
	done
	ktap_open "$file"
	compare_printed "$dir/stock-$kernel" "$dir/$kernel" 3>"$dir/lines"
	ktap_close
}

# compare_printed stock ours: adds the results; writes lines that differ to descriptor 3
compare_printed()
{
	local there here name bad verdict

	while read -r there name; do
		here=$(sed -n "s,^\([a-z]*\) $name\$,\1,p" "$2.results")
		bad=0
		case $there-$here in
		passed-passed)
			verdict=works
			diff <(kinds_of "$name" "$1") <(kinds_of "$name" "$2") >"$2.diff" ||
				{ verdict+=", prints other lines"; sed "s,^,$name: ," "$2.diff" >&3; }
			;;
		passed-*)	bad=1 verdict="differs: it works with the stock tracer" ;;
		*-passed)	verdict="works, but not with the stock tracer" ;;
		*)		verdict="as stock does not" ;;
		esac
		ktap_case $bad "$name: $verdict"
	done <"$1.results"
	[ -s "$1.results" ] || ktap_case 1 "no program was run with the stock tracer"
}

# kinds_of name dir: prints the lines that a program has to print, without numbers and bars
kinds_of()
{
	grep -aEf <(patterns_of_tool "$1") "$2/${1//\//-}" |
		sed -E 's/0x[0-9a-f]+|[0-9]+/N/g; s/[*@]+ *\|/|/; s/[[:space:]]+/ /g' | sort -u
}

# patterns_of_tool name: prints the patterns of the list
patterns_of_tool()
{
	sed -n "\\,^$1:,,/^[^	]/s/^	//p" "$TOOLS/tests/bpf-tools.list" | grep -v '^cannot: '
}
