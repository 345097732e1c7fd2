# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: what differs between architectures, one row each. A new one is a
# row here, on a machine that there is or on one of its own, and
# base/configs/NAME.config.
# shellcheck disable=SC2034

# All that there are, in the order in which they are tested: the one of the machines that this
# is developed on first, and last what the others have between them.
ARCHES=(x86_64 i386 mips64el mips mipsel)

# arch_row ARCH: sets
#   K_ARCH     what the kernel's make calls it
#   SRC_ARCH   its directory below arch/
#   MACHINE    what QEMU plays: base/configs has what its kernels are made with
#   CROSS      prefix of the cross compiler, empty for none
#   IMAGE      kernel image, below the build directory
#   QEMU       emulator with its machine and processor
#   KERNEL_ARGS  what its kernel is told besides. On a busy host a time stamp
#              counter that is fine looks unstable, and the timer's interrupts
#              may come too late for the check at boot, which then panics.
#   ARGS_BUILT_IN  set where QEMU passes 255 characters at the most: then what every
#              kernel is told is in base/configs
#   KASAN      set where the base has it
#   ICOUNT     how QEMU counts instructions for bench. A MIPS guest whose idle time is
#              skipped (sleep=off) hangs in QEMU.
#   CPUS       how many its guest may have at the most
#   TCG_THREADS  where it has several: multi, a thread for each, or single. QEMU 7.2
#              does not stop a 34Kf's other thread while one writes its registers, as
#              the kernel does to interrupt it; both sleep for good sooner or later,
#              or an interrupt is lost, if they do not take turns.
#   STEPS      about how many there are when its usual kernel is built from nothing
#   STRESS_ROUNDS  of the stress run, for it to last two minutes or so
#   CONSOLES   names of the first two serial lines in the guest
#   CROSS_PACKAGES  Debian packages that compile for it, beyond those for this machine
#   QEMU_PACKAGES  and those that its guest is booted with
#   DEB_ARCH   what Debian calls it, where its programs do not run on this machine
#   DEB_SOURCE set where Debian has no packages for it: BusyBox is built then
arch_row()
{
	CROSS=
	CROSS_PACKAGES=()
	KERNEL_ARGS=
	ARGS_BUILT_IN=
	KASAN=
	CONSOLES=(ttyS0 ttyS1)
	DEB_ARCH=
	DEB_SOURCE=
	case $1 in
	x86_64)
		pc_row x86_64 max
		KASAN=1
		;;
	i386)
		pc_row i386 max,vendor=GenuineIntel
		debian_cross i386 i686-linux-gnu
		STRESS_ROUNDS=30
		;;
	mipsel)
		malta_row mipsel 34Kf
		debian_cross mipsel mipsel-linux-gnu
		CPUS=2
		;;
	mips64el)
		malta_row mips64el MIPS64R2-generic
		debian_cross mips64el mips64el-linux-gnuabi64
		;;
	mips)
		malta_row mips 34Kf
		debian_cross mips mips-linux-gnu
		DEB_SOURCE=1
		QEMU_PACKAGES+=(bzip2)
		;;
	*)
		die "ARCH=$1 is not known" \
		    "Known: ${ARCHES[*]} (tools/ftrace/arch.sh)"
		;;
	esac
}

# pc_row emulator cpu
pc_row()
{
	K_ARCH=$1
	SRC_ARCH=x86
	MACHINE=pc
	IMAGE=arch/x86/boot/bzImage
	QEMU=("qemu-system-$1" -M pc -cpu "$2")
	KERNEL_ARGS="tsc=reliable no_timer_check"
	ICOUNT=shift=0,sleep=off
	CPUS=64
	STEPS=1600
	TCG_THREADS=multi
	STRESS_ROUNDS=60
	QEMU_PACKAGES=(qemu-system-x86 busybox-static)
}

# malta_row emulator cpu
malta_row()
{
	K_ARCH=mips
	SRC_ARCH=mips
	MACHINE=malta
	IMAGE=vmlinux
	QEMU=("qemu-system-$1" -M malta -cpu "$2")
	ARGS_BUILT_IN=1
	ICOUNT=shift=0
	CPUS=1
	STEPS=1400
	TCG_THREADS=single
	STRESS_ROUNDS=10
	QEMU_PACKAGES=(qemu-system-mips busybox-static)
}

# debian_cross deb-arch triplet: another architecture than this machine's
debian_cross()
{
	DEB_ARCH=$1
	CROSS=$2-
	CROSS_PACKAGES=("gcc-$2" "libc6-dev-$1-cross")
}

# every_arch packages: those of all rows, one a line
every_arch()
{
	local arch

	for arch in "${ARCHES[@]}"; do
		(arch_row "$arch" && declare -n of_row=$1 && printf '%s\n' "${of_row[@]}" | grep .) || true
	done
}

# other_archs: all but $ARCH, one a line
other_archs()
{
	printf '%s\n' "${ARCHES[@]}" | grep -vx -- "${ARCH:?}"
}
