# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: packages for guests of architectures whose programs this machine cannot run. Debian's
# packages are not installed but unpacked below build/debian; without one BusyBox is built.

# guest_packages_dir: prints the directory into which the packages of $DEB_ARCH are unpacked
guest_packages_dir()
{
	printf '%s\n' "$BUILD/debian/$DEB_ARCH/root"
}

# unpack_guest_package name: unpacks a package of $DEB_ARCH and its dependencies, once
unpack_guest_package()
(
	dir=$BUILD/debian/$DEB_ARCH

	lock "debian-$DEB_ARCH"
	[ ! -f "$dir/has/$1" ] || exit 0
	step "Fetching Debian's package $1 for $DEB_ARCH"
	prepare_guest_apt "$dir"
	guest_apt install --download-only --no-install-recommends "$1" ||
		apt_failed install "$1"
	for name in "$dir"/cache/archives/*.deb; do
		logged "dpkg-$DEB_ARCH" dpkg-deb -x "$name" "$dir/root"
	done
	: >"$dir/has/$1"
)

# prepare_guest_apt dir: fetches separate package lists for $DEB_ARCH, from the sources that this
# machine uses
prepare_guest_apt()
{
	local dir=$1

	[ ! -d "$dir/has" ] || return 0
	mkdir -p "$dir"/{root,state/lists/partial,cache/archives/partial}
	: >"$dir/state/status"
	# Not every mirror has all lists. If a needed one is missing, the download fails.
	guest_apt update || say "   some lists of packages could not be fetched"
	mkdir -p "$dir/has"
}

# guest_source_dir: prints the directory in which programs for $DEB_ARCH are built from source
guest_source_dir()
{
	printf '%s\n' "$BUILD/debian/$DEB_ARCH/source"
}

# build_busybox: builds Debian's source package with the configuration of busybox-static
build_busybox()
(
	dir=$(guest_source_dir)
	lock "debian-$DEB_ARCH"
	[ ! -x "$dir/busybox/busybox" ] || exit 0
	step "Building BusyBox for $DEB_ARCH from Debian's source package"
	rm -rf "$dir"
	mkdir -p "$dir"/{busybox,lists/partial,archives/partial}
	(cd "$dir" && guest_source_apt update && guest_source_apt source --download-only busybox) ||
		apt_failed source busybox
	tar -xf "$dir"/busybox_*.orig.tar.* -C "$dir/busybox" --strip-components=1
	tar -xf "$dir"/busybox_*.debian.tar.* -C "$dir/busybox"
	cp "$dir/busybox/debian/config/pkg/static" "$dir/busybox/.config"
	logged "busybox-$DEB_ARCH" make -C "$dir/busybox" CROSS_COMPILE="$CROSS" \
		-j"$JOBS" busybox
)

# guest_source_apt command argument...: apt-get for source packages, from the sources of this
# machine's packages
guest_source_apt()
{
	local dir file

	dir=$(guest_source_dir)
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

# guest_apt command argument...: apt-get for packages of $DEB_ARCH
guest_apt()
{
	local dir=$BUILD/debian/$DEB_ARCH

	apt_get "$1" -o APT::Architecture="$DEB_ARCH" \
		-o APT::Architectures="$DEB_ARCH" -o Dir::State="$dir/state" \
		-o Dir::State::status="$dir/state/status" \
		-o Dir::Cache="$dir/cache" -o APT::Sandbox::User=root "${@:2}"
}

# guest_package_file name: prints the path of a program or library in the unpacked packages
guest_package_file()
{
	find "$(guest_packages_dir)" -xtype f -name "$1" | head -n 1
}
