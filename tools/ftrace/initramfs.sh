# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: what the guest finds at boot. Two cpio archives in a row: BusyBox
# with our init, made once, and what this boot adds to it.

. "$TOOLS/foreign.sh"

BUSYBOX=/bin/busybox

# find_busybox: sets guest_busybox, that of the guest's architecture
find_busybox()
{
	guest_busybox=$BUSYBOX
	if [ -n "$DEB_SOURCE" ]; then
		build_busybox
		guest_busybox=$(source_dir)/busybox/busybox
	elif [ -n "$DEB_ARCH" ]; then
		foreign_packages busybox-static
		guest_busybox=$(foreign_dir)/bin/busybox
	fi
}

# base_archive: build/initramfs-$ARCH.cpio, made again when a part changed. A
# subshell, so that the lock is not kept for as long as the guest runs.
base_archive()
(
	dir=$BUILD/initramfs-$ARCH
	archive=$dir.cpio
	guest=$TOOLS/guest

	lock "initramfs-$ARCH"
	[ "$archive" -nt "$guest/init" ] && [ "$archive" -nt "$guest/ktap.sh" ] &&
		[ "$archive" -nt "$BUSYBOX" ] &&
		[ "$archive" -nt "${BASH_SOURCE[0]}" ] && exit
	rm -rf "$dir"
	mkdir -p "$dir"/{bin,dev,etc,lib/modules,proc,root,sys,tmp,usr,var/log}
	ln -s ../bin "$dir/usr/bin"
	ln -s bin "$dir/sbin"
	find_busybox
	cp "$guest_busybox" "$dir/bin/busybox"
	cp "$guest/init" "$guest/ktap.sh" "$dir/"
	# The same applets as on this machine, where it can be asked.
	for applet in $("$BUSYBOX" --list); do
		[ "$applet" = busybox ] || ln -s busybox "$dir/bin/$applet"
	done
	printf 'root:x:0:0:root:/root:/bin/sh\n' >"$dir/etc/passwd"
	printf 'root:x:0:\nusers:x:100:\n' >"$dir/etc/group"
	pack "$dir" >"$archive.new"
	mv "$archive.new" "$archive"
)

# pack dir: its content as a cpio archive, owned by root
pack()
{
	(cd "$1" && find . -mindepth 1 -print0 | sort -z |
		cpio --null --quiet -o -H newc -R 0:0) ||
		die "cpio could not pack $1" "Is there space left on the disk?"
}

# make_initramfs file kernel-dir [script]
make_initramfs()
{
	local file=$1 kernel=$2 script=${3:-} dir=$1.d

	base_archive
	rm -rf "$dir"
	mkdir -p "$dir"
	add_modules "$dir" "$kernel"
	[ -z "${ROOT:-}" ] || add_root "$dir"
	[ -z "$script" ] || install -m 755 "$script" "$dir/run.sh"
	{ cat "$BUILD/initramfs-$ARCH.cpio"; pack "$dir"; } >"$file"
	rm -rf "$dir"
}

add_root()
{
	[ -d "$ROOT" ] || die "ROOT=$ROOT is not a directory"
	# bin and sbin are links in the guest: keep them.
	cp -a --no-preserve=ownership "$ROOT/." "$1/"
}

# The kernel's own modules, then those of MODULES, under /lib/modules/VERSION.
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
