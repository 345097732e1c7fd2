# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: background jobs. Each is a process group, which is killed when this process ends.

declare -A jobs=()

# begin command...: runs it as a background job; sets job
begin()
{
	set -m
	{ trap - EXIT; jobs=(); "$@"; } </dev/null &
	job=$!
	set +m
	jobs[$job]=1
	trap end_jobs EXIT
}

# end_jobs: terminates all background jobs, when this process ends
end_jobs()
{
	local job

	for job in "${!jobs[@]}"; do
		kill -- "-$job" 2>/dev/null || true
	done
}

# Seconds without output or CPU use after which a job counts as stuck. Longer than the limit for
# guests: boot.sh kills a stuck guest earlier, with a better report.
JOB_QUIET=1800

# finish job [file]: waits for a job and returns its status. A stuck job is killed: then the
# status is 124, and the file says why.
finish()
{
	local status=0 why=${2:-/dev/null}

	"$TOOLS/watch.py" --quiet "$JOB_QUIET" --group "$1" "$LOG" >"$why" || status=124
	[ $status -eq 0 ] || end_group "$1"
	unset "jobs[$1]"
	{ wait "$1" 2>/dev/null; } || return $((status ? status : $?))
	return $status
}

# end_group job: terminates a process group; kills it after 10 seconds
end_group()
{
	kill -- "-$1" 2>/dev/null || true
	timeout --foreground 10 tail -f -s 0.2 --pid="$1" /dev/null || true
	kill -KILL -- "-$1" 2>/dev/null || true
}
