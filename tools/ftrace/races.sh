# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: data races that KCSAN (VARIANT=kcsan) reports in our code. kernel is that of the part.
# shellcheck disable=SC2154

# own_functions: prints the functions of our objects in this kernel, without suffixes that the
# compiler adds
own_functions()
{
	local source object

	overlay_files | grep -v '_kunit\.c$' | sed -n 's/\.[cS]$/.o/p' | while read -r source; do
		object=$BUILD/$kernel/$source
		[ ! -f "$object" ] || nm --defined-only "$object"
	done | awk '$2 ~ /^[tTwW]$/ { sub(/\..*/, "", $3); print $3 }' | sort -u
}

# own_races console: prints the races in which at least one function is ours: a line each, with
# both functions
own_races()
{
	own_functions >"$LOG/own-functions"
	sed -n 's/.*BUG: KCSAN: data-race in //p' "$1" | tr -d '\r' | sort -u |
		awk -v list="$LOG/own-functions" '
			BEGIN { while ((getline name <list) > 0) own[name] }
			{
				ours = 0
				for (i = 1; i <= NF; i++) {
					name = $i
					sub(/[.+].*/, "", name)
					ours += name in own
				}
				if (ours) print
			}'
}

# judge_races name: reports the races of a boot, with KCSAN's report of each
judge_races()
{
	local console=$LOG/$1.console log=$LOG/$1-races race

	own_races "$console" >"$log.list"
	ktap_open "$1-races"
	while read -r race; do
		grep -F -A 30 "data-race in $race" "$console" | sed '/=====/,$d' >"$log"
		ktap_case 1 "data race in $race" "$log"
	done <"$log.list"
	[ -s "$log.list" ] || ktap_case 0 "no data race in our code"
	ktap_close
}
