# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: the disk of a guest (DISK=1), for programs that do not fit into an initramfs: a small
# Debian with the packages that packages.list has for guest-disk, in build/disk. The disk is made
# once, and again if the list or this file changes. A guest writes to a snapshot, which is gone when
# the guest ends. guest/init makes the disk the root of the script.

# What the programs do not need.
DISK_WITHOUT=(/usr/share/{doc,info,locale,man}/'*')

# find_disk: with DISK=1 sets disk, an image of a file system, which is made unless it is up to date;
# otherwise disk is empty
find_disk()
{
	disk=
	[ "${DISK:-0}" != 0 ] || return 0
	[ -z "$DEB_ARCH" ] || die "DISK=1: there is no disk for ARCH=$ARCH" \
		"The packages of a disk are installed by programs that run on this machine."
	disk=$BUILD/disk/$ARCH.ext4
	make_disk "$disk"
}

# make_disk file: makes the image, unless it is up to date
make_disk()
(
	packages=$(packages_for guest-disk | paste -sd ,)
	id=$(fingerprint "$TOOLS/disk.sh")-$packages
	mkdir -p "$BUILD/disk"
	lock "disk-$ARCH"
	[ "$(cat "$1.id" 2>/dev/null)" != "$id" ] || exit 0
	need_space 2000
	step "Making ${1#"$TOP/"}: a Debian with ${packages//,/ }"
	rm -rf --one-file-system "$1.id" "$1.root"
	install_debian "$1.root" "$packages"
	# A fifth more than the files take is free for the guest, and 64 MB.
	logged "mke2fs-$ARCH" mke2fs -q -F -t ext4 -i 8192 -d "$1.root" "$1.new" \
		"$(($(du -sm "$1.root" | cut -f 1) * 6 / 5 + 64))M"
	rm -rf --one-file-system "$1.root"
	mv "$1.new" "$1"
	say "$id" >"$1.id"
)

# install_debian dir packages: installs a Debian of essential packages and those, a list with commas.
# What mmdebstrap mounts there ends with it.
install_debian()
{
	local sources

	mapfile -t sources < <(debian_sources)
	# The shell of the hook expands the variable.
	# shellcheck disable=SC2016
	logged "mmdebstrap-$ARCH" unshare --mount --fork --kill-child \
		mmdebstrap --mode=root --variant=essential --include="$2" \
		--dpkgopt=force-unsafe-io "${DISK_WITHOUT[@]/#/--dpkgopt=path-exclude=}" \
		--customize-hook='echo 127.0.0.1 localhost >"$1/etc/hosts"' \
		bookworm "$1" "${sources[@]}"
}

# debian_sources: prints the places of Debian's packages that this machine uses, as in sources.list
debian_sources()
{
	# apt-get expands these variables.
	# shellcheck disable=SC2016
	local list=(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)'
		'Created-By: Packages' 'Origin: Debian')

	"${list[@]}" | grep . || { apt_get update >&2 && "${list[@]}"; } | sort -u
}
