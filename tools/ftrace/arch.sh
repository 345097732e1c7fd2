# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: what differs between architectures, one row each. A new one is a
# row here, base/configs/NAME.config, and its packages.
# shellcheck disable=SC2034

# All that there are, the one of the machines that this is developed on first.
ARCHES=(x86_64 i386 mipsel mips64el mips)

# arch_row ARCH: sets
#   K_ARCH     what the kernel's make calls it
#   SRC_ARCH   its directory below arch/
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
#   STRESS_ROUNDS  of the stress run, for it to last two minutes or so
#   CONSOLES   names of the first two serial lines in the guest
#   ARCH_PACKAGES  Debian packages for building and booting it
#   DEB_ARCH   what Debian calls it, where its programs do not run on this machine
#   DEB_SOURCE set where Debian has no packages for it: BusyBox is built then
arch_row()
{
	case $1 in
	x86_64)
		K_ARCH=x86_64
		SRC_ARCH=x86
		CROSS=
		IMAGE=arch/x86/boot/bzImage
		QEMU=(qemu-system-x86_64 -M pc -cpu max)
		KERNEL_ARGS="tsc=reliable no_timer_check"
		ARGS_BUILT_IN=
		KASAN=1
		ICOUNT=shift=0,sleep=off
		CPUS=8
		TCG_THREADS=multi
		STRESS_ROUNDS=100
		CONSOLES=(ttyS0 ttyS1)
		ARCH_PACKAGES=(qemu-system-x86 busybox-static)
		DEB_ARCH=
		DEB_SOURCE=
		;;
	i386)
		K_ARCH=i386
		SRC_ARCH=x86
		CROSS=i686-linux-gnu-
		IMAGE=arch/x86/boot/bzImage
		QEMU=(qemu-system-i386 -M pc -cpu "max,vendor=GenuineIntel")
		KERNEL_ARGS="tsc=reliable no_timer_check"
		ARGS_BUILT_IN=
		KASAN=
		ICOUNT=shift=0,sleep=off
		CPUS=8
		TCG_THREADS=multi
		STRESS_ROUNDS=100
		CONSOLES=(ttyS0 ttyS1)
		ARCH_PACKAGES=(qemu-system-x86 busybox-static gcc-i686-linux-gnu
			libc6-dev-i386-cross)
		DEB_ARCH=i386
		DEB_SOURCE=
		;;
	mipsel)
		K_ARCH=mips
		SRC_ARCH=mips
		CROSS=mipsel-linux-gnu-
		IMAGE=vmlinux
		QEMU=(qemu-system-mipsel -M malta -cpu 34Kf)
		KERNEL_ARGS=
		ARGS_BUILT_IN=1
		KASAN=
		ICOUNT=shift=0
		CPUS=2
		TCG_THREADS=single
		STRESS_ROUNDS=10
		CONSOLES=(ttyS0 ttyS1)
		ARCH_PACKAGES=(qemu-system-mips busybox-static gcc-mipsel-linux-gnu
			libc6-dev-mipsel-cross)
		DEB_ARCH=mipsel
		DEB_SOURCE=
		;;
	mips64el)
		K_ARCH=mips
		SRC_ARCH=mips
		CROSS=mips64el-linux-gnuabi64-
		IMAGE=vmlinux
		QEMU=(qemu-system-mips64el -M malta -cpu MIPS64R2-generic)
		KERNEL_ARGS=
		ARGS_BUILT_IN=1
		KASAN=
		ICOUNT=shift=0
		CPUS=1
		TCG_THREADS=single
		STRESS_ROUNDS=10
		CONSOLES=(ttyS0 ttyS1)
		ARCH_PACKAGES=(qemu-system-mips busybox-static
			gcc-mips64el-linux-gnuabi64 libc6-dev-mips64el-cross)
		DEB_ARCH=mips64el
		DEB_SOURCE=
		;;
	mips)
		K_ARCH=mips
		SRC_ARCH=mips
		CROSS=mips-linux-gnu-
		IMAGE=vmlinux
		QEMU=(qemu-system-mips -M malta -cpu 34Kf)
		KERNEL_ARGS=
		ARGS_BUILT_IN=1
		KASAN=
		ICOUNT=shift=0
		CPUS=1
		TCG_THREADS=single
		STRESS_ROUNDS=10
		CONSOLES=(ttyS0 ttyS1)
		ARCH_PACKAGES=(qemu-system-mips busybox-static gcc-mips-linux-gnu
			libc6-dev-mips-cross bzip2)
		DEB_ARCH=mips
		DEB_SOURCE=1
		;;
	*)
		die "ARCH=$1 is not known" \
		    "Known: ${ARCHES[*]} (tools/ftrace/arch.sh)"
		;;
	esac
}

# every_arch_packages: those of all rows, one a line
every_arch_packages()
{
	local arch

	for arch in "${ARCHES[@]}"; do
		(arch_row "$arch" && printf '%s\n' "${ARCH_PACKAGES[@]}")
	done | sort -u
}

# other_archs: all but $ARCH, one a line
other_archs()
{
	printf '%s\n' "${ARCHES[@]}" | grep -vx -- "${ARCH:?}"
}
