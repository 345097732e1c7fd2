# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: compares the code and the formats that our headers and the stock headers generate for
# each event of the base, and parses our formats. row[] has the columns of the part (see
# tests/parts.sh); file is that of the part, too.
# shellcheck disable=SC2154

# generate_headers name: generates the headers of an allmodconfig in build/NAME
generate_headers()
(
	lock "$1"
	mkdir -p "$BUILD/$1"
	[ -f "$BUILD/$1/.config" ] ||
		KCONFIG_ALLCONFIG=$TOOLS/tests/formats.config kmake "$LINUX" "$1" allmodconfig
	kmake "$LINUX" "$1" prepare0 </dev/null
)

# compare_formats name: prints the result of formats.py, a line per header
compare_formats()
{
	python3 -B "$TOOLS/tests/formats.py" --ours "$LINUX" --stock "$PRISTINE" \
		--out "$BUILD/$1" --arch "$SRC_ARCH" --log "$LOG/$file-differs.log" \
		--formats "$RESULTS/$file.formats" -- "${CROSS}gcc"
}

# parse_formats: prints the formats that libtraceevent does not understand, one per line, and last
# the number of the others
parse_formats()
{
	logged parse_formats gcc -O2 -Wall -Werror -o "$RESULTS/parse_formats" \
		"$TOOLS/tests/host-programs/parse_formats.c" -ltraceevent
	"$RESULTS/parse_formats" "$RESULTS/$file.formats"
}

# listed_formats: prints the lines of tests/formats.list whose events exist on this architecture
listed_formats()
{
	grep -v '^#' "$TOOLS/tests/formats.list" |
		awk -v formats="$RESULTS/$file.formats" -v arch="$ARCH" '
			BEGIN { while ((getline line < formats) > 0) if (line ~ /^== /) has[substr(line, 4)] = 1 }
			$1 !~ "/" { if ($1 != arch) next; sub(/^[^ ]* /, "") }
			{ event = $0; sub(/: .*/, "", event) } event in has'
}

# check_parsed_formats: one result: libtraceevent understands all formats but those that
# tests/formats.list has
check_parsed_formats()
{
	local log=$LOG/$file-parsed.log said=$RESULTS/$file.said bad=0 number

	parse_formats >"$said" 2>"$log" || bad=1
	number=$(sed -n '$s/^\([0-9]*\) understood$/\1/p' "$said")
	diff <(listed_formats | LC_ALL=C sort) <(sed '$d' "$said" | LC_ALL=C sort) >>"$log" || bad=1
	[ "${number:-0}" -gt 0 ] || bad=1
	ktap_case $bad \
		"libtraceevent understands ${number:-no} formats, all but $(listed_formats | wc -l)" "$log"
}

# formats_test: a result for each header of the base, and one for the parser
formats_test()
{
	local out=formats-$ARCH log=$LOG/$file.log lines=$RESULTS/$file.lines bad text

	ktap_open "$file"
	if generate_headers "$out" >"$log" 2>&1 && compare_formats "$out" >"$lines" 2>>"$log"; then
		while read -r bad text; do
			[ "$bad" != skip ] || bad=0 text="${text%%: *} # SKIP ${text#*: }"
			ktap_case "$bad" "$text"
		done <"$lines"
		say "   $(grep -E '^[0-9]+ headers, ' "$LOG/$file-differs.log")"
		[ -s "$lines" ] || ktap_case 1 "no header was found"
		check_parsed_formats
	else
		ktap_case 1 "the headers could not be compared" "$log"
	fi
	ktap_close
}
