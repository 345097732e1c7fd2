# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: what our headers make of each event of the base is what the stock tracer's headers
# make of it, text by text. file and row[] are those of the part.
# shellcheck disable=SC2154

# formats_ready name: build/NAME has what all the options of the base bring along in headers
formats_ready()
(
	lock "$1"
	mkdir -p "$BUILD/$1"
	[ -f "$BUILD/$1/.config" ] ||
		KCONFIG_ALLCONFIG=$TOOLS/tests/formats.config kmake "$LINUX" "$1" allmodconfig
	kmake "$LINUX" "$1" prepare0 </dev/null
)

# formats_compared name: a line for each header, as formats.py says
formats_compared()
{
	python3 -B "$TOOLS/tests/formats.py" --ours "$LINUX" --stock "$PRISTINE" \
		--out "$BUILD/$1" --arch "$SRC_ARCH" --log "$LOG/$file-differs.log" \
		-- "${CROSS}gcc"
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
		say "   $(tail -n 1 "$LOG/$file-differs.log")"
		[ -s "$lines" ] || ktap_case 1 "there are headers"
	else
		ktap_case 1 "the headers are compared" "$log"
	fi
	ktap_close
}
