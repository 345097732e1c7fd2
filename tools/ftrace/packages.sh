# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: Debian packages. A target first installs the packages of all programs that it runs,
# and announces them.

. "$TOOLS/arch.sh"
. "$TOOLS/rows.sh"
. "$TOOLS/variants.sh"

arch_row "$ARCH"

# Packages to build a kernel, with its source.
BASE_PACKAGE=$(cat "$TOP/base/package")
BUILD_PACKAGES=(
	"$BASE_PACKAGE" bc binutils bison ccache cpio flex gcc kmod libc6-dev libelf-dev
	libssl-dev make patch perl python3 rsync xz-utils
)
LINT_PACKAGES=(python3-docutils shellcheck sparse)
# Packages to read recordings of guests on this machine.
READER_PACKAGES=(libtraceevent-dev)
# Programs for guests. A guest of another architecture gets DEBIAN_PROGRAMS unpacked. It does not
# get perf, which is larger with its libraries than everything else together.
DEBIAN_PROGRAMS=(trace-cmd)
PERF_PACKAGES=(binutils file linux-perf perf-tools-unstable)
PICTURE_PACKAGES=(gnuplot imagemagick kernelshark trace-cmd xdotool xvfb)

# packages_for target: prints the packages that it and the targets that it calls need for this
# ARCH and VARIANT. Parts of the suite may need more: see their rows. A word that is no target is
# a package. tests/host/packages.sh compares this to the programs in the scripts.
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

# needs target package...: the first command in the script of a target: installs the packages of
# the target, and additional ones
needs()
{
	local what packages

	mapfile -t packages < <(for what; do packages_for "$what"; done | sort -u | grep .)
	need_packages "${packages[@]}"
}

# missing_packages name...: prints those that are not installed, one per line
missing_packages()
{
	printf '%s\n' "$@" | grep -vxFf <(
		dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
			sed -n 's/^installed //p') || true
}

# need_packages name...: installs missing packages; without root, exits and prints how to
# install them
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

# install_packages name...: installs them; if that fails, updates the package lists, which may be
# missing or too old, and tries again
install_packages()
{
	step "Installing Debian packages: $*"
	apt_install "$@" && return
	say "   updating the package lists"
	apt_get update || apt_failed update "$@"
	apt_install "$@" || apt_failed install "$@"
}

apt_install()
{
	apt_get install --no-install-recommends "$@"
}

# apt_get command argument...: runs apt-get, with a log. Another process may be installing
# packages, as on a machine that has just booted. apt-get waits for the lock of dpkg, but not
# for its own locks: then it has to be tried again.
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
		[ $tries -lt 59 ] || say "   waiting for another apt-get to finish"
		sleep 10
	done
}

# A Debian that was not set up by its installer may lack the security updates.
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
