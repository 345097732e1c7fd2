# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0
# Sourced by guest scripts that print results as KTAP.

# plan count: announces the number of results
plan()
{
	echo "KTAP version 1"
	echo "1..$1"
	ktap_number=0
	ktap_failed=0
}

# plan_goes_on count: continues the numbers after results that a previous kernel has reported
plan_goes_on()
{
	ktap_number=$1
	ktap_failed=0
}

# report status name: prints a result, passed if status is 0
report()
{
	ktap_number=$((ktap_number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $ktap_number $2"
	else
		echo "not ok $ktap_number $2"
		ktap_failed=1
	fi
}

# skipped why name: prints a result for a test that cannot run in this guest
skipped()
{
	report 0 "$2 # SKIP $1"
}

# all_reported: exits; the last command of a script
all_reported()
{
	exit "$ktap_failed"
}
