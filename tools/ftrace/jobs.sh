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

# Seconds in which a job may write nothing and not compute. A guest of it that is stuck is
# ended before, and tells more.
JOB_QUIET=1800

# finish job [file]: waits for it. When it is stuck it is ended, the file says why, and the
# status is 124.
finish()
{
	local status=0 why=${2:-/dev/null}

	"$TOOLS/watch.py" --quiet "$JOB_QUIET" --group "$1" "$LOG" >"$why" || status=124
	[ $status -eq 0 ] || end_group "$1"
	unset "jobs[$1]"
	{ wait "$1" 2>/dev/null; } || return $((status ? status : $?))
	return $status
}

# end_group job: also one that does not want to end
end_group()
{
	kill -- "-$1" 2>/dev/null || true
	timeout --foreground 10 tail -f -s 0.2 --pid="$1" /dev/null || true
	kill -KILL -- "-$1" 2>/dev/null || true
}
