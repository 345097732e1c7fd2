# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: results. Every test reports in KTAP, which the base's tools/testing/kunit parses; the
# sums are added up here.

RESULTS=$BUILD/test
passed=0
failed=0
failed_reports=()

# ktap_report name: parses build/test/name.ktap, prints failures, adds to the sums
ktap_report()
{
	local name=$1 parsed=$RESULTS/$1.parsed good bad

	python3 "$LINUX/tools/testing/kunit/kunit.py" parse "$RESULTS/$name.ktap" \
		>"$parsed" 2>&1 || true
	good=$(ktap_count passed "$parsed")
	bad=$(($(ktap_count failed "$parsed") + $(ktap_count crashed "$parsed") +
		$(ktap_count errors "$parsed")))
	[ $((good + bad)) -gt 0 ] || bad=1
	if [ -n "${ONLY:-}" ]; then
		cat "$parsed"
	elif [ $bad -ne 0 ]; then
		grep -v -F '[PASSED]' "$parsed"
	fi
	say "   $name: $good passed, $bad failed, $(ktap_count skipped "$parsed") skipped"
	passed=$((passed + good))
	failed=$((failed + bad))
	[ $bad -eq 0 ] || failed_reports+=("$name")
}

# ktap_count passed|failed|... file: prints that number from the parser's last summary line
ktap_count()
{
	sed -n "s/.*Testing complete\..* $1: \([0-9]*\).*/\1/p" "$2" |
		tail -n 1 | grep . || echo 0
}

# ktap_open name: begins build/test/name.ktap, for ktap_case
ktap_open()
{
	ktap_file=$RESULTS/$1.ktap
	ktap_cases=0
	printf 'KTAP version 1\n' >"$ktap_file"
}

# ktap_case status name [log]: adds a result; a failure includes the log
ktap_case()
{
	local verdict=ok

	[ "$1" -eq 0 ] || verdict='not ok'
	ktap_cases=$((ktap_cases + 1))
	[ "$1" -eq 0 ] || [ -z "${3:-}" ] || sed 's/^/# /' "$3" >>"$ktap_file"
	printf '%s %d %s\n' "$verdict" $ktap_cases "$2" >>"$ktap_file"
}

# ktap_compare name left right: adds a result, passed if both files are the same and not empty
ktap_compare()
{
	local bad=0 log=$3.diff

	{ [ -s "$2" ] && diff -u "$2" "$3"; } >"$log" 2>&1 || bad=1
	sed -i '40,$d' "$log"
	ktap_case $bad "$1" "$log"
}

# ktap_close: ends the file of ktap_open, and reports it
ktap_close()
{
	sed -i "1a1..$ktap_cases" "$ktap_file"
	ktap_report "$(basename "$ktap_file" .ktap)"
}

# ktap_print_failures: prints each failure with the lines before it; then all failures again in a
# few lines, next to the sum, for readers who only see the end of a log
ktap_print_failures()
{
	local name bad='\[(FAILED|CRASHED|ERROR)\]'

	for name in "${failed_reports[@]}"; do
		say "== How $name failed (all results: build/test/$name.parsed)"
		grep -v -F '[PASSED]' "$RESULTS/$name.parsed" >"$RESULTS/bad"
		{ grep -B 16 -E "$bad" "$RESULTS/bad" || tail "$RESULTS/bad"; } |
			cut -c -160 | head -n 60 || true
	done
	[ ${#failed_reports[@]} -eq 0 ] || say "== Failed"
	for name in "${failed_reports[@]}"; do
		{ grep -E "^\[[0-9:]*\] [= ]*$bad|report\| " "$RESULTS/$name.parsed" ||
			echo "   $name: no result"; } |
			sed -E "s/.*(report\|)/      \1/; s/^\[[0-9:]*\] /   $name: /" |
			head -n 12 || true
	done
}

# ktap_save_sums name: writes the sums so far to a file for ktap_take_over
ktap_save_sums()
{
	printf '%s\n' "$passed" "$failed" "${failed_reports[@]}" >"$RESULTS/$1.sum"
}

# ktap_not_ended name what why: saves one failure as the sums of a part that has saved none
ktap_not_ended()
{
	passed=0 failed=0 failed_reports=()
	ktap_open "$1-end"
	ktap_case 1 "$2 did not finish: $3"
	ktap_close
	ktap_save_sums "$1"
}

# ktap_take_over name what: adds the sums of ktap_save_sums to ours
ktap_take_over()
{
	local sum

	[ -f "$RESULTS/$1.sum" ] || (ktap_not_ended "$1" "$2" "there are no results")
	mapfile -t sum <"$RESULTS/$1.sum"
	passed=$((passed + sum[0]))
	failed=$((failed + sum[1]))
	failed_reports+=("${sum[@]:2}")
}

# ktap_longest: prints the parts that took longest
ktap_longest()
{
	[ "$(wc -l <"$RESULTS/seconds")" -gt 1 ] || return 0
	say "== Longest parts, in minutes"
	sort -rn "$RESULTS/seconds" | head -n 10 |
		awk '{ printf "   %6.1f  %s, %s\n", $1 / 60, $3, $2 }'
}

# ktap_sum: prints the sum, as the last line. Fails if a test failed or none ran.
ktap_sum()
{
	ktap_longest
	ktap_print_failures
	printf '%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
