# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: configures and builds a kernel tree into a directory of build/.

. "$TOOLS/packages.sh"

# arch_fragments arch: what guests of it are configured with, the last word last
arch_fragments()
{
	(arch_row "$1" && printf 'base/configs/%s.config\n' guest "$MACHINE" "$1")
}

# kernel_options: sets kernel, the name of the guest's build directory, and fragments.
# With BENCH=1 it is the kernel that bench measures, where that has to be another, and
# with VARIANT=name one that is configured with base/configs/NAME.config as well.
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

variant_options()
{
	read_row variant "$VARIANT" ||
		die "VARIANT=$VARIANT: no such kernel" "There are: ${VARIANTS[*]}"
	kernel+=-$VARIANT
	fragments+=("base/configs/$VARIANT.config")
	[ "$VARIANT$KASAN" != debug1 ] || fragments+=(base/configs/kasan.config)
}

# What each make of the kernel is told besides: the last word on a variable.
KMAKE_WORDS=()

# kmake tree name arguments...: the kernel's own make
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

# build_kernel tree name fragment...
build_kernel()
{
	local tree=$1 name=$2

	shift 2
	lock "$name"
	need_space 3000
	mkdir -p "$BUILD/$name"
	configure "$tree" "$name" "$@"
	# From here until it is built without, the kernel may have that fault.
	[ -z "${MUTANT:-}" ] || : >"$BUILD/$name/.mutant"
	compile "$tree" "$name"
	[ -n "${MUTANT:-}" ] || rm -f "$BUILD/$name/.mutant"
}

# Writes .config when what it comes from changed: no option that is not in the
# fragments, or on by default below one that is.
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

# merge_fragments tree out fragment...: out/.requested, with the last word on each option
merge_fragments()
(
	mapfile -t files < <(realpath "${@:3}")
	# It leaves things where it is for a while.
	cd "$2" || exit
	KCONFIG_CONFIG=.requested "$1/scripts/kconfig/merge_config.sh" -m -Q "${files[@]}"
)

# check_requested tree out: what there is of what was requested. diffconfig shows what is
# another way as " NAME value -> requested", and what is not there as "+NAME requested".
check_requested()
{
	local lost

	lost=$("$1/scripts/diffconfig" "$2/.config" "$2/.requested" |
		grep -E '^ |^\+.* [^n]$' || true)
	[ -z "$lost" ] ||
		die "options that were asked for did not stick:" "$lost" \
		    "They miss a dependency, or no longer exist in this base."
}

# how_compiled name: by what, and with which options
how_compiled()
{
	"${CROSS}gcc" --version | sed -n 1p
	say "${KMAKE_WORDS[*]}"
	cksum <"$BUILD/$1/.config"
}

# is_compiled tree name: has nothing changed since it was? The kernel's make takes seconds to
# find that out, and each of our targets asks.
is_compiled()
{
	local out=$BUILD/$2 stamp=$BUILD/$2/.stamp-compiled changed

	[ -f "$out/$IMAGE" ] && [ -f "$out/vmlinux" ] &&
		[ "$(cat "$stamp" 2>/dev/null)" = "$(how_compiled "$2")" ] || return
	changed=$(find "$1" "$TOOLS/kbuild.sh" -newer "$stamp" -print -quit)
	[ -z "$changed" ]
}

compile()
{
	local tree=$1 name=$2 log=$LOG/kernel-$2.log start=$SECONDS stamp=$BUILD/$2/.stamp-compiled

	if is_compiled "$@"; then
		say "   build/$name/$IMAGE is up to date"
		return
	fi
	step "Building build/$name (log: build/log/kernel-$name.log)"
	rm -f "$stamp"
	# What changes from here on is newer.
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

# steps_of name: how many there are if nothing of it has been built, or nothing
steps_of()
{
	[ -f "$BUILD/$1/vmlinux.o" ] || say "$STEPS"
}

# show_progress [steps]: compiler lines in, one line of progress every 15 seconds out
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

install_modules()
{
	local tree=$1 name=$2 root=$BUILD/$2/modroot

	grep -q '=m$' "$BUILD/$name/.config" || return 0
	rm -rf "$root"
	logged "modules-$name" kmake "$tree" "$name" modules_install \
		INSTALL_MOD_PATH="$root" INSTALL_MOD_STRIP=1
	rm -f "$root"/lib/modules/*/build
}
