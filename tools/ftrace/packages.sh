# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: Debian packages. A target first installs those that packages.list names for it, and
# announces them.

. "$TOOLS/arch.sh"
. "$TOOLS/rows.sh"
. "$TOOLS/variants.sh"

arch_row "$ARCH"

# The package with the source of the base kernel.
BASE_PACKAGE=$(cat "$TOP/base/package")

# packages_for name...: prints the packages that these names have in packages.list, one per line. A
# variant or a part that has no line there needs none.
packages_for()
{
	local name words word

	for name; do
		words=$(awk -v name="$name:" '$1 == name { $1 = ""; print }' "$TOOLS/packages.list")
		words=${words//\$ARCH/$ARCH}
		words=${words//\$VARIANT/${VARIANT:-}}
		for word in ${words//\$BASE_PACKAGE/$BASE_PACKAGE}; do
			case $word in
			+*)	packages_for "${word#+}" ;;
			*)	say "$word" ;;
			esac
		done
	done | sort -u
}

# needs name...: installs the packages of these names, if any are missing. The script of a target
# calls it first.
needs()
{
	local packages

	mapfile -t packages < <(packages_for "$@")
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
