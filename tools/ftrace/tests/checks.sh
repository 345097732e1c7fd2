# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by host tests: how they find fault.

# refuses text command...: the command fails and says so
refuses()
{
	local text=$1 said

	shift
	if said=$("$@" 2>&1); then
		fault "'$*' did not fail"
	fi
	[[ $said == *"$text"* ]] || fault "'$*' said: $said"
}

fault()
{
	echo "FAULT: $*"
	exit 1
}

same() # what expected found
{
	[ "$2" = "$3" ] || fault "$1: expected '$2', found '$3'"
}
