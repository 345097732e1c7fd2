# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: this machine, which may have another word size or byte order, reads what a guest has
# recorded. file and kernel are those of the part.
# shellcheck disable=SC2154

# compare_carried: reports the recordings of the boot whose files are named $file
compare_carried()
{
	local dir=$RESULTS/$file

	rm -rf "$dir"
	mkdir -p "$dir"
	unload "$LOG/$file.output" "$dir"
	# A missing file counts as empty, and fails.
	touch "$dir"/{trace,report,extracted}
	ktap_open "$file"
	compare_pages "$dir" "$kernel"
	[ -n "$DEB_SOURCE" ] || compare_files "$dir"
	ktap_close
}

# unload output dir: unpacks the files that a guest has printed with carry()
unload()
{
	local name

	while read -r name; do
		sed -n "/^file $name\$/,/^end of $name\$/p" "$1" | sed '1d;$d' |
			base64 -d | gzip -d >"$2/$name" || true
	done < <(sed -n 's/^file \([a-z_.]*\)$/\1/p' "$1")
}

# compare_case name left right: one result, passed if both files are the same and not empty
compare_case()
{
	local bad=0 log=$3.diff

	{ [ -s "$2" ] && diff -u "$2" "$3"; } >"$log" 2>&1 || bad=1
	sed -i '40,$d' "$log"
	ktap_case $bad "$1" "$log"
}

# trace_calls: turns lines of the file trace into those that trace_pages prints
trace_calls()
{
	sed -nE -e 's/.*-([0-9]+) +\[[0-9]+\] \S+ +([0-9]+)\.([0-9]{6}): (\S+) <-(\S+)$/\1 \2\3 \4 \5/; T' \
		-e 's/ 0+([0-9])/ \1/; p'
}

# report_calls: turns lines of trace-cmd report into those that trace_pages prints
report_calls()
{
	sed -nE -e 's/.*-([0-9]+) +\[[0-9]+\] +([0-9]+)\.([0-9]{6}): function: +(\S+) <-- (\S+)$/\1 \2\3 \4 \5/; T' \
		-e 's/ 0+([0-9])/ \1/; p'
}

# compare_pages dir kernel: libtraceevent parses the pages of trace_pipe_raw
compare_pages()
{
	local dir=$1 kernel=$BUILD/$2/vmlinux order=little word=4

	! readelf -h "$kernel" | grep -q 'big endian' || order=big
	! readelf -h "$kernel" | grep -q 'Class: *ELF64' || word=8
	logged "trace_pages-$ARCH" gcc -O2 -Wall -Werror -o "$dir/trace_pages" \
		"$TOOLS/tests/host-programs/trace_pages.c" -ltraceevent
	trace_calls <"$dir/trace" >"$dir/trace.calls" || true
	"$dir/trace_pages" "$dir" $order $word >"$dir/pages.calls" || true
	compare_case "pages of $word-byte words, $order endian: libtraceevent reads what trace says" \
		"$dir/trace.calls" "$dir/pages.calls"
}

# compare_files dir: trace-cmd reads its files. -N: without plugins, which the guest lacks.
compare_files()
{
	local dir=$1 name

	for name in recorded extracted; do
		trace-cmd report -N -i "$dir/$name.dat" >"$dir/$name.report" 2>&1 || true
		report_calls <"$dir/$name.report" >"$dir/$name.calls"
	done
	compare_case "trace-cmd reports the same on this machine as in the guest" \
		"$dir/report" "$dir/recorded.report"
	trace_calls <"$dir/extracted" >"$dir/extracted.expected"
	compare_case "trace-cmd reports on this machine what trace shows in the guest" \
		"$dir/extracted.expected" "$dir/extracted.calls"
}
