# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0
# /ktap.sh in the guest, sourced by scripts that print results as KTAP.

# plan count: that many results will follow
plan()
{
	echo "KTAP version 1"
	echo "1..$1"
	ktap_number=0
	ktap_failed=0
}

# plan_goes_on count: so many results were reported before this kernel came up
plan_goes_on()
{
	ktap_number=$1
	ktap_failed=0
}

# report status name: one result, good if status is 0
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

# skipped why name: one result that this guest cannot have
skipped()
{
	report 0 "$2 # SKIP $1"
}

# The script's last command.
all_reported()
{
	exit "$ktap_failed"
}
