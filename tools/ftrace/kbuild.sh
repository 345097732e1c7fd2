# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: configures and builds kernels in directories of build/.

. "$TOOLS/packages.sh"

# arch_fragments arch: prints the configuration fragments of its guests; later ones take
# precedence
arch_fragments()
{
	(arch_row "$1" && printf 'base/configs/%s.config\n' guest "$MACHINE" "$1")
}

# kernel_options: sets kernel, the name of the build directory, and fragments. VARIANT=name adds
# base/configs/NAME.config; BENCH=1 adds the options of bench, if the architecture has any.
# shellcheck disable=SC2034
kernel_options()
{
	kernel=$ARCH
	mapfile -t fragments < <(arch_fragments "$ARCH")
	if [ "${BENCH:-0}" = 1 ] && [ -f "$TOOLS/bench/$ARCH.config" ]; then
		kernel=$ARCH-bench
		fragments+=("tools/ftrace/bench/$ARCH.config")
	fi
	[ -z "${VARIANT:-}" ] || variant_options
}

# variant_options: adds the options of VARIANT to kernel and fragments
variant_options()
{
	local name

	read_row variant "$VARIANT" ||
		die "VARIANT=$VARIANT: no such kernel" "There are: ${VARIANTS[*]}"
	kernel+=-$VARIANT
	for name in ${row[over]:-} "$VARIANT"; do
		fragments+=("base/configs/$name.config")
	done
	[ "$VARIANT$KASAN" != debug1 ] || fragments+=(base/configs/kasan.config)
}

# Additional variables for the kernel's make; they take precedence.
KMAKE_WORDS=()

# kmake tree name arguments...: runs the kernel's make for build/NAME
kmake()
{
	local tree=$1 name=$2

	shift 2
	# Time stamps and host names in objects would defeat ccache.
	KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' \
	KBUILD_BUILD_USER=ftrace KBUILD_BUILD_HOST=build \
	make -C "$tree" O="$BUILD/$name" ARCH="$K_ARCH" \
		CROSS_COMPILE="$CROSS" CC="$TOOLS/cc.sh ${CROSS}gcc" -j"$JOBS" \
		"${KMAKE_WORDS[@]}" "$@"
}

# build_kernel tree name fragment...: builds build/NAME
build_kernel()
{
	local tree=$1 name=$2

	shift 2
	lock "$name"
	need_space 3000
	mkdir -p "$BUILD/$name"
	configure "$tree" "$name" "$@"
	# Until the next build without a mutant the kernel may have its fault.
	[ -z "${MUTANT:-}" ] || : >"$BUILD/$name/.mutant"
	compile "$tree" "$name"
	[ -n "${MUTANT:-}" ] || rm -f "$BUILD/$name/.mutant"
}

# configure tree name fragment...: writes .config if fragments or Kconfig files have changed.
# Options are off unless a fragment enables them, or they default to on and depend on one that
# is enabled.
configure()
{
	local tree=$1 name=$2 out=$BUILD/$2 id kconfig

	shift 2
	mapfile -t kconfig < <(find "$tree/kernel/trace" "$tree/arch/$SRC_ARCH" \
		"$tree/lib" -name 'Kconfig*' | sort)
	id=$(fingerprint "$@" "${kconfig[@]}")
	[ -f "$out/.config" ] &&
		[ "$(cat "$out/.stamp-config" 2>/dev/null)" = "$id" ] && return

	step "Configuring build/$name"
	rm -f "$out/.stamp-config"
	logged "config-$name" merge_fragments "$tree" "$out" "$@"
	logged "config-$name" kmake "$tree" "$name" allnoconfig
	cat "$out/.requested" >>"$out/.config"
	logged "config-$name" kmake "$tree" "$name" olddefconfig
	check_requested "$tree" "$out"
	say "$id" >"$out/.stamp-config"
}

# merge_fragments tree out fragment...: writes out/.requested; later fragments take precedence
merge_fragments()
(
	mapfile -t files < <(realpath "${@:3}")
	# merge_config.sh leaves temporary files in its working directory.
	cd "$2" || exit
	KCONFIG_CONFIG=.requested "$1/scripts/kconfig/merge_config.sh" -m -Q "${files[@]}"
)

# check_requested tree out: exits if .config lacks a requested option. diffconfig prints a
# different value as " NAME value -> requested", and a missing option as "+NAME requested".
check_requested()
{
	local lost

	lost=$("$1/scripts/diffconfig" "$2/.config" "$2/.requested" |
		grep -E '^ |^\+.* [^n]$' || true)
	[ -z "$lost" ] ||
		die "Kconfig did not accept these options:" "$lost" \
		    "A dependency is missing, or they no longer exist in this base."
}

# how_compiled name: prints compiler, make variables and a checksum of the configuration
how_compiled()
{
	"${CROSS}gcc" --version | sed -n 1p
	say "${KMAKE_WORDS[*]}"
	cksum <"$BUILD/$1/.config"
}

# is_compiled tree name: true if nothing has changed since the last build. Each of our targets
# asks this, and the kernel's make would take seconds to find out.
is_compiled()
{
	local out=$BUILD/$2 stamp=$BUILD/$2/.stamp-compiled changed

	[ -f "$out/$IMAGE" ] && [ -f "$out/vmlinux" ] &&
		[ "$(cat "$stamp" 2>/dev/null)" = "$(how_compiled "$2")" ] || return
	changed=$(find "$1" "$TOOLS/kbuild.sh" -newer "$stamp" -print -quit)
	[ -z "$changed" ]
}

# compile tree name: builds build/NAME, which is configured, unless it is up to date
compile()
{
	local tree=$1 name=$2 log=$LOG/kernel-$2.log start=$SECONDS stamp=$BUILD/$2/.stamp-compiled

	if is_compiled "$@"; then
		say "   build/$name/$IMAGE is up to date"
		return
	fi
	step "Building build/$name (log: build/log/kernel-$name.log)"
	rm -f "$stamp"
	# Files that change during the build have to be newer than the stamp.
	touch "$stamp.begun"
	if ! kmake "$tree" "$name" all </dev/null 2>&1 |
		tee "$log" | show_progress "$(steps_of "$name")"; then
		grep -E -A6 'error:|Error [0-9]|undefined reference|\*\*\*' "$log" |
			head -n 40 | sed 's/^/    | /' >&2
		die "the kernel does not build" "The full log is $log"
	fi
	grep -E -A4 'warning:' "$log" || true
	install_modules "$tree" "$name"
	how_compiled "$name" >"$stamp"
	touch -r "$stamp.begun" "$stamp"
	say "   build/$name/$IMAGE is up to date ($((SECONDS - start)) s)"
}

# steps_of name: prints the number of steps of a full build, or nothing for a partial one
steps_of()
{
	[ -f "$BUILD/$1/vmlinux.o" ] || say "$STEPS"
}

# show_progress [steps]: reads the output of make, prints a line of progress every 15 seconds
show_progress()
{
	awk -v all="${1:-0}" '
		function to_go(n, seconds)
		{
			return all > n ? sprintf(" of %d, %.0f min to go", all,
				(all - n) * seconds / n / 60 + 0.5) : ""
		}
		$1 ~ /^(CC|AS|AR|LD|HOSTCC|LD\[M\]|CC\[M\])$/ { n++; at = $2 }
		BEGIN { began = then = systime() }
		n && systime() - then >= 15 {
			then = systime()
			printf "   %5d steps%s, at %s\n", n, to_go(n, then - began), at
			fflush()
		}'
}

# install_modules tree name: installs the modules into build/NAME/modroot, for the initramfs
install_modules()
{
	local tree=$1 name=$2 root=$BUILD/$2/modroot

	grep -q '=m$' "$BUILD/$name/.config" || return 0
	rm -rf "$root"
	logged "modules-$name" kmake "$tree" "$name" modules_install \
		INSTALL_MOD_PATH="$root" INSTALL_MOD_STRIP=1
	rm -f "$root"/lib/modules/*/build
}
