# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by every script here: directories, messages, errors, locks.
# shellcheck disable=SC2034

set -euo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=$TOP/build
LOG=$BUILD/log
TOOLS=$TOP/tools/ftrace
LINUX=$BUILD/linux
PRISTINE=$BUILD/stock-linux
ARCH=${ARCH:-x86_64}
# DEBUG=1 is short for VARIANT=debug.
[ "${DEBUG:-0}" = 0 ] || export VARIANT=debug
unset DEBUG
JOBS=${JOBS:-$(nproc)}

# The kernel's own make must not inherit our variables nor our job server.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS
export LC_ALL=C
# Prefer the tools of Debian's packages, which the targets install.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH

mkdir -p "$LOG"
cd "$TOP"

say()
{
	printf '%s\n' "$*"
}

step()
{
	printf '== %s\n' "$*"
}

# die what-failed [what-to-do...]: prints an error with advice, and exits
die()
{
	printf 'error: %s\n' "$1" >&2
	shift
	[ $# -eq 0 ] || printf '       %s\n' "$@" >&2
	exit 1
}

# show_tail file [lines]: prints the end of a log, indented, on stderr
show_tail()
{
	tail -n "${2:-15}" "$1" | sed 's/^/    | /' >&2
}

# logged name command...: runs the command with its output in build/log/name.log
logged()
{
	local log=$LOG/$1.log

	shift
	"$@" >"$log" 2>&1 </dev/null && return
	show_tail "$log"
	die "'$1' failed" "The full log is $log"
}

# need_space megabytes: exits if the disk of build/ has less free space
need_space()
{
	local free

	free=$(df -Pm "$BUILD" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$1" ] ||
		die "no space: $BUILD has $free MB free, but this step needs $1 MB" \
		    "Free some space, or make build/ a link to a larger disk."
}

# lock name: takes the lock of a build directory until the process ends
lock()
{
	exec {lock_fd}>"$BUILD/.lock-$1"
	flock -n "$lock_fd" && return
	say "   waiting for another make to finish with build/$1"
	flock "$lock_fd"
}

# Closes all inherited lock descriptors. Background processes call it: they may outlive a
# killed script and must not keep its locks.
drop_locks()
{
	local fd

	for fd in "/proc/$BASHPID/fd"/*; do
		[[ $(readlink "$fd") == */.lock-* ]] || continue
		fd=${fd##*/}
		exec {fd}>&-
	done
}

# fingerprint file...: SHA-256 over names and contents
fingerprint()
{
	sha256sum -- "$@" | sha256sum | cut -d' ' -f1
}

# own_repositories: prepares for git commands on repositories that the harness creates. They
# must not find the repository of a hook that runs us, nor the user's configuration of hooks,
# line ends and owners.
own_repositories()
{
	# Each word is the name of a variable.
	# shellcheck disable=SC2046,SC2086
	unset $(git rev-parse --local-env-vars) ${!GIT_AUTHOR_*} \
		${!GIT_COMMITTER_*} GIT_QUARANTINE_PATH GIT_TEMPLATE_DIR
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
	export GIT_CONFIG_COUNT=1
	export GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
}
