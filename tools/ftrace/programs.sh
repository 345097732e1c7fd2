# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: programs that the tests run in the guest and BusyBox does not have:
# our own, compiled statically, and Debian's with the libraries they need.

. "$TOOLS/foreign.sh"

# static_program source program [flag...]
static_program()
{
	logged "program-$ARCH-$(basename "$2")" "${CROSS}gcc" -O2 -Wall -Werror \
		-I "$(new_headers)" "${@:3}" -static -o "$2" "$1"
}

# A directory with headers of the kernel that the C library's are too old for.
new_headers()
{
	local headers=$BUILD/test/headers

	mkdir -p "$headers/linux"
	cp "$LINUX/include/uapi/linux/trace_mmap.h" "$headers/linux"
	echo "$headers"
}

# base_program directory program: a test of the base's own, from tools/testing/selftests
base_program()
{
	local source

	source=$BUILD/test/$1/$(basename "$2").c
	mkdir -p "$BUILD/test/$1"
	# There may be no events to be set.
	sed -e 's|if (\(__tracefs_write(\(TRACEFS_ROOT"/set_event"\)\)|if (!access(\2, F_OK) \&\& \1|' \
		"$LINUX/tools/testing/selftests/$1/$(basename "$2").c" >"$source"
	static_program "$source" "$2" -I "$LINUX/tools/testing/selftests/$1" \
		-D_GNU_SOURCE -Wno-error
}

# guest_programs root: lays all of them into a directory for the guest
guest_programs()
{
	local root=$1 source program

	mkdir -p "$root/bin"
	for source in "$TOOLS"/tests/programs/*.c; do
		static_program "$source" "$root/bin/$(basename "$source" .c)"
	done
	base_program ring-buffer "$root/bin/map_test"
	# Where Debian has no packages, what needs them is unsupported.
	[ -z "$DEB_SOURCE" ] || return 0
	[ -z "$DEB_ARCH" ] || foreign_packages "${DEBIAN_PROGRAMS[@]}"
	for program in "${DEBIAN_PROGRAMS[@]}"; do
		if [ -n "$DEB_ARCH" ]; then
			copy_foreign "$root" "$program"
		else
			copy_program "$root" "$(command -v "$program")"
		fi
	done
}

# perf_program root: lays it into a directory for the guest
perf_program()
{
	copy_program "$1" "$(command -v perf)"
}

# copy_program root file: with its libraries, by the names that it wants them
# under, in /lib. The loader looks there; where this machine has them, the guest
# may have mounted something. The loader itself has to be where the program says.
copy_program()
{
	local root=$1 file=$2 library name

	cp "$file" "$root/bin/"
	mkdir -p "$root/lib"
	while read -r name library; do
		mkdir -p "$root$(dirname "$name")"
		cp -L "$library" "$root$name"
	done < <(ldd "$file" | sed -n -E \
		-e 's,^\s*(\S*/)?(\S+) => (/\S+).*,/lib/\2 \3,p' \
		-e 's,^\s*(/\S+) \(.*,\1 \1,p')
}
