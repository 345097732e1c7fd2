# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: Debian packages. What a target runs is installed before it begins anything,
# and nothing without being announced.

. "$TOOLS/arch.sh"
. "$TOOLS/rows.sh"
. "$TOOLS/variants.sh"

arch_row "$ARCH"

# The base, and what builds a kernel of it.
BASE_PACKAGE=$(cat "$TOP/base/package")
BUILD_PACKAGES=(
	"$BASE_PACKAGE" bc binutils bison ccache cpio flex gcc kmod libc6-dev libelf-dev
	libssl-dev make patch perl python3 rsync xz-utils
)
LINT_PACKAGES=(python3-docutils shellcheck sparse)
# For what reads on this machine what guests have recorded.
READER_PACKAGES=(libtraceevent-dev)
# Programs that guests run, which those of another architecture get unpacked; and one that
# only those of this machine's have, as with its libraries it is larger than all else.
DEBIAN_PROGRAMS=(trace-cmd)
PERF_PACKAGES=(binutils file linux-perf perf-tools-unstable)
PICTURE_PACKAGES=(gnuplot imagemagick kernelshark trace-cmd xdotool xvfb)

# packages_for target: what it runs with this ARCH and VARIANT, and what the targets run
# that it calls. Parts of the suite have more in their rows. What is no target is a package.
# tests/host/packages.sh holds the scripts against this.
packages_for()
{
	case $1 in
	prepare | series)
		printf '%s\n' "${BUILD_PACKAGES[@]}" ;;
	kernel | stock)
		packages_for prepare
		printf '%s\n' "${CROSS_PACKAGES[@]}"
		[ -z "${VARIANT:-}" ] || cell variant "$VARIANT" packages ;;
	boot | run | demo)
		packages_for kernel
		printf '%s\n' "${QEMU_PACKAGES[@]}" ;;
	bench)
		packages_for boot ;;
	picture)
		packages_for boot
		printf '%s\n' "${PICTURE_PACKAGES[@]}" ;;
	lint)
		packages_for kernel
		packages_for crossed
		printf '%s\n' "${LINT_PACKAGES[@]}" ;;
	test | mutants)
		packages_for boot
		printf '%s\n' "${DEBIAN_PROGRAMS[@]}" "${READER_PACKAGES[@]}"
		[ -n "$DEB_ARCH" ] || printf '%s\n' "${PERF_PACKAGES[@]}"
		[ -z "${EVERY_ARCH:-}" ] || every_arch QEMU_PACKAGES ;;
	crossed)
		every_arch CROSS_PACKAGES ;;
	*)
		say "$1" ;;
	esac
}

# needs what...: the first thing that a target's script says: its name, and what else it
# needs this time
needs()
{
	local what packages

	mapfile -t packages < <(for what; do packages_for "$what"; done | sort -u | grep .)
	need_packages "${packages[@]}"
}

# missing_packages name...: those that are not installed, a line each
missing_packages()
{
	printf '%s\n' "$@" | grep -vxFf <(
		dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
			sed -n 's/^installed //p') || true
}

# need_packages name...: installs those that are missing, or says how to.
need_packages()
{
	local missing

	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -eq 0 ] && return
	if [ "$(id -u)" -ne 0 ]; then
		die "packages are missing, and only root may install them" \
		    "Run this, then start again:" \
		    "sudo apt-get update" \
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
		-o DPkg::Lock::Timeout=600 -o Acquire::Retries=5 \
		-o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 "$@" \
		>"$log" 2>&1 </dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return
		grep -q 'Could not get lock /var/[a-z]*/apt/' "$log" || return
		[ $tries -lt 59 ] || say "   waiting for another apt-get"
		sleep 10
	done
}

# A Debian that was not installed by its installer may have no security updates.
WHERE_BASE=(
	"Debian 12 has $BASE_PACKAGE in its security updates. Add this line to"
	"/etc/apt/sources.list, then start again:"
	"deb http://deb.debian.org/debian-security bookworm-security main"
)

apt_failed()
{
	local what=$1 hint=("Check the network and /etc/apt/sources.list, then start again.")

	shift
	show_tail "$LOG/apt-$what.log"
	! grep -q "Unable to locate package $BASE_PACKAGE" "$LOG/apt-$what.log" ||
		hint=("${WHERE_BASE[@]}")
	die "apt-get $what failed (wanted: $*)" "${hint[@]}" \
	    "The full log is $LOG/apt-$what.log"
}
