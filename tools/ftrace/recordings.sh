# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: recordings of a guest, which this machine reads with libtraceevent and trace-cmd,
# although its word size or byte order may differ. file and kernel are those of the part.
# shellcheck disable=SC2154

# compare_recordings: reports whether this machine reads from the recordings of the boot named $file
# what the guest has read
compare_recordings()
{
	local dir=$RESULTS/$file

	rm -rf "$dir"
	mkdir -p "$dir"
	unpack_files "$LOG/$file.output" "$dir"
	# A file that the guest did not send counts as empty, and fails.
	touch "$dir"/{trace,report,extracted}
	ktap_open "$file"
	compare_raw_pages "$dir" "$kernel"
	[ -n "$DEB_SOURCE" ] || compare_trace_cmd_files "$dir"
	ktap_close
}

# unpack_files output dir: unpacks the files that a guest has sent with send_file()
unpack_files()
{
	local name

	while read -r name; do
		sed -n "/^file $name\$/,/^end of $name\$/p" "$1" | sed '1d;$d' |
			base64 -d | gzip -d >"$2/$name" || true
	done < <(sed -n 's/^file \([a-z_.]*\)$/\1/p' "$1")
}

# trace_calls: turns lines of the guest's file trace into those that the program trace_pages prints
trace_calls()
{
	sed -nE -e 's/.*-([0-9]+) +\[[0-9]+\] \S+ +([0-9]+)\.([0-9]{6}): (\S+) <-(\S+)$/\1 \2\3 \4 \5/; T' \
		-e 's/ 0+([0-9])/ \1/; p'
}

# report_calls: turns lines of trace-cmd report into those that the program trace_pages prints
report_calls()
{
	sed -nE -e 's/.*-([0-9]+) +\[[0-9]+\] +([0-9]+)\.([0-9]{6}): function: +(\S+) <-- (\S+)$/\1 \2\3 \4 \5/; T' \
		-e 's/ 0+([0-9])/ \1/; p'
}

# compare_raw_pages dir kernel: one result: the program trace_pages, which uses libtraceevent, reads
# the same calls from the pages of trace_pipe_raw as the file trace shows
compare_raw_pages()
{
	local dir=$1 kernel=$BUILD/$2/vmlinux order=little word=4

	! readelf -h "$kernel" | grep -q 'big endian' || order=big
	! readelf -h "$kernel" | grep -q 'Class: *ELF64' || word=8
	logged "trace_pages-$ARCH" gcc -O2 -Wall -Werror -o "$dir/trace_pages" \
		"$TOOLS/tests/host-programs/trace_pages.c" -ltraceevent
	trace_calls <"$dir/trace" >"$dir/trace.calls" || true
	"$dir/trace_pages" "$dir" $order $word >"$dir/pages.calls" || true
	ktap_compare "pages of $word-byte words, $order endian: libtraceevent reads what trace says" \
		"$dir/trace.calls" "$dir/pages.calls"
}

# compare_trace_cmd_files dir: two results: trace-cmd reads the file that it has recorded in the
# guest (recorded.dat), and the one into which it has extracted the buffers. -N: without plugins,
# which the guest lacks.
compare_trace_cmd_files()
{
	local dir=$1 name

	for name in recorded extracted; do
		trace-cmd report -N -i "$dir/$name.dat" >"$dir/$name.report" 2>&1 || true
		report_calls <"$dir/$name.report" >"$dir/$name.calls"
	done
	ktap_compare "trace-cmd reports the same on this machine as in the guest" \
		"$dir/report" "$dir/recorded.report"
	trace_calls <"$dir/extracted" >"$dir/extracted.expected"
	ktap_compare "trace-cmd reports on this machine what trace shows in the guest" \
		"$dir/extracted.expected" "$dir/extracted.calls"
}
