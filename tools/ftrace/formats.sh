# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: compares the code and the formats that our headers and the stock headers generate for
# each event of the base, and parses our formats. file and row[] are those of the part.
# shellcheck disable=SC2154

# formats_ready name: generates the headers of an allmodconfig in build/NAME
formats_ready()
(
	lock "$1"
	mkdir -p "$BUILD/$1"
	[ -f "$BUILD/$1/.config" ] ||
		KCONFIG_ALLCONFIG=$TOOLS/tests/formats.config kmake "$LINUX" "$1" allmodconfig
	kmake "$LINUX" "$1" prepare0 </dev/null
)

# formats_compared name: prints the result of formats.py, a line per header
formats_compared()
{
	python3 -B "$TOOLS/tests/formats.py" --ours "$LINUX" --stock "$PRISTINE" \
		--out "$BUILD/$1" --arch "$SRC_ARCH" --log "$LOG/$file-differs.log" \
		--formats "$RESULTS/$file.formats" -- "${CROSS}gcc"
}

# formats_parsed: prints the formats that libtraceevent does not understand, one per line
formats_parsed()
{
	logged parse_formats gcc -O2 -Wall -Werror -o "$RESULTS/parse_formats" \
		"$TOOLS/tests/host-programs/parse_formats.c" -ltraceevent
	"$RESULTS/parse_formats" "$RESULTS/$file.formats"
}

# formats_listed: prints the lines of tests/formats.list whose events exist on this architecture
formats_listed()
{
	grep -v '^#' "$TOOLS/tests/formats.list" |
		awk -v formats="$RESULTS/$file.formats" -v arch="$ARCH" '
			BEGIN { while ((getline line < formats) > 0) if (line ~ /^== /) has[substr(line, 4)] = 1 }
			$1 !~ "/" { if ($1 != arch) next; sub(/^[^ ]* /, "") }
			{ event = $0; sub(/: .*/, "", event) } event in has'
}

# formats_understood: one result: libtraceevent understands exactly the formats that are not
# listed
formats_understood()
{
	local log=$LOG/$file-parsed.log said=$RESULTS/$file.said bad=0 number

	formats_parsed >"$said" 2>"$log" || bad=1
	number=$(sed -n '$s/^\([0-9]*\) understood$/\1/p' "$said")
	diff <(formats_listed | LC_ALL=C sort) <(sed '$d' "$said" | LC_ALL=C sort) >>"$log" || bad=1
	[ "${number:-0}" -gt 0 ] || bad=1
	ktap_case $bad \
		"libtraceevent understands ${number:-no} formats, all but $(formats_listed | wc -l)" "$log"
}

formats_test()
{
	local out=formats-$ARCH log=$LOG/$file.log lines=$RESULTS/$file.lines bad text

	ktap_open "$file"
	if formats_ready "$out" >"$log" 2>&1 && formats_compared "$out" >"$lines" 2>>"$log"; then
		while read -r bad text; do
			[ "$bad" != skip ] || bad=0 text="${text%%: *} # SKIP ${text#*: }"
			ktap_case "$bad" "$text"
		done <"$lines"
		say "   $(grep -E '^[0-9]+ headers, ' "$LOG/$file-differs.log")"
		[ -s "$lines" ] || ktap_case 1 "no header was found"
		formats_understood
	else
		ktap_case 1 "the headers could not be compared" "$log"
	fi
	ktap_close
}
