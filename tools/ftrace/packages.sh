# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: Debian packages. Nothing is installed without being announced.
# shellcheck disable=SC2034

BUILD_PACKAGES=(
	bc bison ccache cpio flex gcc kmod libc6-dev libelf-dev libssl-dev
	make patch perl python3 rsync xz-utils
)
LINT_PACKAGES=(python3-docutils shellcheck sparse)
# For what reads on this machine what guests have recorded.
READER_PACKAGES=(libtraceevent-dev)
# What VARIANT=btf is built with beyond BUILD_PACKAGES.
TYPE_PACKAGES=(dwarves)

is_installed()
{
	dpkg-query -W -f '${Status}\n' "$1" 2>/dev/null |
		grep -q '^install ok installed$'
}

# need_packages name...: installs those that are missing, or says how to.
need_packages()
{
	local name missing=()

	for name in "$@"; do
		is_installed "$name" || missing+=("$name")
	done
	[ ${#missing[@]} -eq 0 ] && return
	if [ "$(id -u)" -ne 0 ]; then
		die "packages are missing, and only root may install them" \
		    "Run this, then start again:" \
		    "sudo apt-get install --no-install-recommends ${missing[*]}"
	fi
	install_packages "${missing[@]}"
}

# The lists of packages may be missing, or too old to know one or to fetch it:
# asked for anew when it does not work without.
install_packages()
{
	step "Installing Debian packages: $*"
	apt_install "$@" && return
	say "   apt-get update"
	apt_get update || apt_failed update "$@"
	apt_install "$@" || apt_failed install "$@"
}

apt_install()
{
	apt_get install --no-install-recommends "$@"
}

# apt_get what argument...: a fresh machine may be at work on its packages by
# itself. For dpkg's lock apt-get waits, for its own locks it has to be tried
# again.
apt_get()
{
	local log=$LOG/apt-$1.log tries=60

	until DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o DPkg::Lock::Timeout=600 -o Acquire::Retries=5 "$@" \
		>"$log" 2>&1 </dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return
		grep -q 'Could not get lock /var/[a-z]*/apt/' "$log" || return
		[ $tries -lt 59 ] || say "   waiting for another apt-get"
		sleep 10
	done
}

apt_failed()
{
	local what=$1

	shift
	show_tail "$LOG/apt-$what.log"
	die "apt-get $what failed (wanted: $*)" \
	    "Check the network and /etc/apt/sources.list, then start again." \
	    "The full log is $LOG/apt-$what.log"
}
