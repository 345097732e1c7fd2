# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: makes the initramfs of the guest: BusyBox with our init, modules, the content of ROOT,
# and the script to run.

. "$TOOLS/guest-packages.sh"

BUSYBOX=/bin/busybox

# guest_busybox: prints the path of a BusyBox for the guest's architecture
guest_busybox()
{
	if [ -n "$DEB_SOURCE" ]; then
		build_busybox >&2
		echo "$(guest_source_dir)/busybox/busybox"
	elif [ -n "$DEB_ARCH" ]; then
		unpack_guest_package busybox-static >&2
		echo "$(guest_packages_dir)/bin/busybox"
	else
		echo "$BUSYBOX"
	fi
}

# pack dir: prints its content as a cpio archive, owned by root
pack()
{
	(cd "$1" && find . -mindepth 1 -print0 | sort -z |
		cpio --null --quiet -o -H newc -R 0:0) ||
		die "cpio could not pack $1" "Is the disk full?"
}

# make_initramfs file kernel-dir [script]: writes the archive
make_initramfs()
{
	local file=$1 kernel=$2 script=${3:-} dir=$1.d

	rm -rf "$dir"
	mkdir -p "$dir"/{bin,dev,disk,etc,lib/modules,proc,root,sys,tmp,usr,var/log}
	ln -s ../bin "$dir/usr/bin"
	ln -s bin "$dir/sbin"
	# The guest's BusyBox cannot run here: assume the same applets as in this machine's.
	"$BUSYBOX" --install -s "$dir/bin"
	cp --remove-destination "$(guest_busybox)" "$dir/bin/busybox"
	[ -e "$dir/bin/nice" ] || install "$TOOLS/guest/nice" "$dir/bin/nice"
	cp "$TOOLS/guest/init" "$TOOLS/guest/"{ktap,send,alike-lib,stress-lib}.sh "$dir/"
	printf '%s\n' root:x:0:0:root:/root:/bin/sh daemon:x:1:1::/:/bin/false >"$dir/etc/passwd"
	printf 'root:x:0:\nusers:x:100:\n' >"$dir/etc/group"
	add_modules "$dir" "$kernel"
	[ -z "${ROOT:-}" ] || add_root "$dir"
	[ -z "$script" ] || install -m 755 "$script" "$dir/run.sh"
	pack "$dir" >"$file"
	rm -rf "$dir"
}

# add_root dir: adds the content of ROOT
add_root()
{
	[ -d "$ROOT" ] || die "ROOT=$ROOT is not a directory"
	# bin and sbin are links in the guest: keep them.
	rsync -a --keep-dirlinks "$ROOT/" "$1/"
}

# add_modules dir kernel-dir: adds the kernel's modules and those of MODULES to
# /lib/modules/VERSION
add_modules()
{
	local dir=$1 kernel=$2 version

	[ ! -d "$kernel/modroot/lib" ] || cp -a "$kernel/modroot/lib" "$dir/"
	[ -n "${MODULES:-}" ] || return 0
	[ -d "$MODULES" ] || die "MODULES=$MODULES is not a directory"
	version=$(cat "$kernel/include/config/kernel.release")
	if [ -d "$MODULES/lib/modules" ]; then
		cp -a "$MODULES/lib" "$dir/"
	else
		mkdir -p "$dir/lib/modules/$version/extra"
		find "$MODULES" -name '*.ko' -exec \
			cp -t "$dir/lib/modules/$version/extra" {} +
	fi
	/sbin/depmod -b "$dir" "$version" 2>"$LOG/depmod-$ARCH.log" ||
		die "depmod failed on MODULES=$MODULES" "See $LOG/depmod-$ARCH.log"
}
