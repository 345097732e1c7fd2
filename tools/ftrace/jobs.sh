# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: what goes on in the background, with all that it starts, and ends when we do.

declare -A jobs=()

# begin command...: sets job
begin()
{
	set -m
	{ trap - EXIT; jobs=(); "$@"; } </dev/null &
	job=$!
	set +m
	jobs[$job]=1
	trap end_jobs EXIT
}

end_jobs()
{
	local job

	for job in "${!jobs[@]}"; do
		kill -- "-$job" 2>/dev/null || true
	done
}

# finish job [seconds]: waits for it; when it takes longer it is ended, and the status is 124
finish()
{
	local status=0

	timeout --foreground "${2:-0}" tail -f -s 0.2 --pid="$1" /dev/null || status=$?
	if [ $status -eq 124 ]; then
		kill -- "-$1" 2>/dev/null || true
		timeout --foreground 10 tail -f -s 0.2 --pid="$1" /dev/null || true
		kill -KILL -- "-$1" 2>/dev/null || true
	fi
	unset "jobs[$1]"
	{ wait "$1" 2>/dev/null; } || return $((status ? status : $?))
	return $status
}
