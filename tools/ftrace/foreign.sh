# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: what Debian has for a guest of another architecture. It is unpacked
# below build/debian, and nothing on this machine changes by it.

# foreign_dir: where files of $DEB_ARCH's packages are
foreign_dir()
{
	printf '%s\n' "$BUILD/debian/$DEB_ARCH/root"
}

# foreign_package name: unpacks that of $DEB_ARCH if it is not there yet, and what it
# depends on
foreign_package()
(
	dir=$BUILD/debian/$DEB_ARCH

	lock "debian-$DEB_ARCH"
	[ ! -f "$dir/has/$1" ] || exit 0
	step "Fetching Debian's package $1 for $DEB_ARCH"
	foreign_prepare "$dir"
	foreign_apt install --download-only --no-install-recommends "$1" ||
		apt_failed install "$1"
	for name in "$dir"/cache/archives/*.deb; do
		logged "dpkg-$DEB_ARCH" dpkg-deb -x "$name" "$dir/root"
	done
	: >"$dir/has/$1"
)

# Lists of packages of its own, from the places that this machine's come from.
foreign_prepare()
{
	local dir=$1

	[ ! -d "$dir/has" ] || return 0
	mkdir -p "$dir"/{root,state/lists/partial,cache/archives/partial}
	: >"$dir/state/status"
	# A list that a mirror lacks is none that is needed, or the download says so.
	foreign_apt update || say "   some lists of packages could not be fetched"
	mkdir -p "$dir/has"
}

# source_dir: where the sources for $DEB_ARCH are, and what was built from them
source_dir()
{
	printf '%s\n' "$BUILD/debian/$DEB_ARCH/source"
}

# build_busybox: from Debian's source package, as Debian's busybox-static is made
build_busybox()
(
	dir=$(source_dir)
	lock "debian-$DEB_ARCH"
	[ ! -x "$dir/busybox/busybox" ] || exit 0
	step "Building BusyBox for $DEB_ARCH from Debian's source package"
	rm -rf "$dir"
	mkdir -p "$dir"/{busybox,lists/partial,archives/partial}
	(cd "$dir" && source_apt update && source_apt source --download-only busybox) ||
		apt_failed source busybox
	tar -xf "$dir"/busybox_*.orig.tar.* -C "$dir/busybox" --strip-components=1
	tar -xf "$dir"/busybox_*.debian.tar.* -C "$dir/busybox"
	cp "$dir/busybox/debian/config/pkg/static" "$dir/busybox/.config"
	logged "busybox-$DEB_ARCH" make -C "$dir/busybox" CROSS_COMPILE="$CROSS" \
		-j"$JOBS" busybox
)

# source_apt what argument...: with the places that this machine's packages come
# from, for their sources
source_apt()
{
	local dir file

	dir=$(source_dir)
	mkdir -p "$dir/places"
	sed 's/^deb /deb-src /' /etc/apt/sources.list >"$dir/places.list" 2>/dev/null ||
		: >"$dir/places.list"
	for file in /etc/apt/sources.list.d/*.list; do
		[ ! -f "$file" ] ||
			sed 's/^deb /deb-src /' "$file" >"$dir/places/${file##*/}"
	done
	for file in /etc/apt/sources.list.d/*.sources; do
		[ ! -f "$file" ] ||
			sed 's/^Types:.*/Types: deb-src/' "$file" >"$dir/places/${file##*/}"
	done
	apt_get "$1" -o Dir::Etc::sourcelist="$dir/places.list" \
		-o Dir::Etc::sourceparts="$dir/places" -o Dir::State::lists="$dir/lists" \
		-o Dir::Cache::archives="$dir/archives" -o Dir::Cache::srcpkgcache= \
		-o Dir::Cache::pkgcache= -o APT::Sandbox::User=root "${@:2}"
}

# foreign_apt what argument...
foreign_apt()
{
	local dir=$BUILD/debian/$DEB_ARCH

	apt_get "$1" -o APT::Architecture="$DEB_ARCH" \
		-o APT::Architectures="$DEB_ARCH" -o Dir::State="$dir/state" \
		-o Dir::State::status="$dir/state/status" \
		-o Dir::Cache="$dir/cache" -o APT::Sandbox::User=root "${@:2}"
}

# foreign_file name: where the unpacked packages have it
foreign_file()
{
	find "$(foreign_dir)" -xtype f -name "$1" | head -n 1
}
