# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by host tests: checks, which exit with a message if they fail.

# refuses text command...: the command fails, and its output contains the text
refuses()
{
	local text=$1 said

	shift
	if said=$("$@" 2>&1); then
		fault "'$*' did not fail"
	fi
	[[ $said == *"$text"* ]] || fault "'$*' did not print '$text', but: $said"
}

fault()
{
	echo "FAULT: $*"
	exit 1
}

# same what expected found: both are equal
same()
{
	[ "$2" = "$3" ] || fault "$1: expected '$2', found '$3'"
}
