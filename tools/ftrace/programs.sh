# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: programs for guests that BusyBox does not have: our own, linked statically, and
# Debian's, with their libraries.

. "$TOOLS/guest-packages.sh"

# Programs of Debian that each guest gets.
DEBIAN_PROGRAMS=(trace-cmd)

# static_program source program [flag...]: compiles it, unless it is up to date
static_program()
{
	local headers=$BUILD/test/headers uapi=$LINUX/include/uapi/linux file

	# Headers of the kernel that are newer than those of the C library.
	mkdir -p "$headers/linux"
	cp -u "$uapi"/{bpf,bpf_common,btf,trace_mmap,user_events}.h "$headers/linux"
	for file in "$1" "$(dirname "$1")"/*.h "$headers"/linux/*.h "${BASH_SOURCE[0]}"; do
		[ "$2" -nt "$file" ] || break
	done
	[ ! "$2" -nt "$file" ] || return 0
	logged "program-$ARCH-$(basename "$2")" "${CROSS}gcc" -O2 -Wall -Werror \
		-I "$headers" "${@:3}" -static -o "$2" "$1"
}

# base_program directory program: compiles a test of the base from tools/testing/selftests
base_program()
{
	local dir=$LINUX/tools/testing/selftests/$1 source

	source=$BUILD/test/$(basename "$2").c
	# A kernel without events has no set_event, which the test writes to.
	sed -e 's|if (\(__tracefs_write(\(TRACEFS_ROOT"/set_event"\)\)|if (!access(\2, F_OK) \&\& \1|' \
		"$dir/$(basename "$2").c" >"$source.new"
	cmp -s "$source.new" "$source" || mv "$source.new" "$source"
	static_program "$source" "$2" -I "$dir" -D_GNU_SOURCE -Wno-error
}

# guest_programs root: adds all programs to the root of a guest. The lock is for parts that run
# in parallel.
guest_programs()
(
	dir=$BUILD/test/programs-$ARCH
	exec {lock}>"$BUILD/.lock-programs-$ARCH"
	flock "$lock"
	rm -rf "$dir"/lib*
	mkdir -p "$dir/bin" "$1"
	for source in "$TOOLS"/tests/programs/*.c; do
		static_program "$source" "$dir/bin/$(basename "$source" .c)"
	done
	base_program ring-buffer "$dir/bin/map_test"
	for program in abi_test dyn_test ftrace_test perf_test; do
		base_program user_events "$dir/bin/$program"
	done
	# Without Debian packages, cases that need their programs are left out.
	[ -n "$DEB_SOURCE" ] || for program in "${DEBIAN_PROGRAMS[@]}"; do
		[ -z "$DEB_ARCH" ] || unpack_guest_package "$program"
		copy_program "$dir" "$program"
	done
	cp -a "$dir/." "$1"
)

# copy_program root program: copies a program of a Debian package, with its loader, and its
# libraries to /lib, where the loader finds them
copy_program()
{
	local root=$1 file loader

	file=$(debian_file "$2")
	loader=$(readelf -lW "$file" | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
	mkdir -p "$root/bin" "$root$(dirname "$loader")"
	cp -L "$file" "$root/bin/"
	cp -L "$(debian_file "$(basename "$loader")")" "$root$loader"
	copy_libraries "$root" "$file"
}

# copy_libraries root file: copies the libraries that it needs, recursively
copy_libraries()
{
	local root=$1 name library

	mkdir -p "$root/lib"
	while read -r name; do
		[ ! -e "$root/lib/$name" ] || continue
		library=$(debian_file "$name")
		cp -L "$library" "$root/lib/$name"
		copy_libraries "$root" "$library"
	done < <(readelf -dW "$2" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
}

# debian_file name: prints the path of a program or library for the guest's architecture
debian_file()
{
	local file

	if [ -n "$DEB_ARCH" ]; then
		file=$(guest_package_file "$1")
	else
		file=$(command -v "$1" ||
			ldconfig -p | sed -n "s/^\t$1 (.*$(uname -m | tr _ -).* => //p" | head -n 1)
	fi
	[ -n "$file" ] || die "no installed package for the guest contains $1"
	printf '%s\n' "$file"
}
