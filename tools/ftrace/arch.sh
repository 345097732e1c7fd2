# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: the architectures, one row each. A new architecture needs a row here, based on one of
# the machines below or on a new one, base/configs/NAME.config, and lines in packages.list.
# shellcheck disable=SC2034

# All architectures, in the order of the tests: first that of the development machines, last
# the one that shares most with the others.
ARCHES=(x86_64 i386 mips64el mips mipsel)

# arch_row ARCH: sets
#   K_ARCH     ARCH= of the kernel's make
#   SRC_ARCH   directory below arch/
#   MACHINE    machine that QEMU emulates; base/configs/MACHINE.config has its options
#   CROSS      prefix of the cross compiler, empty for none
#   IMAGE      kernel image, below the build directory
#   QEMU       emulator with its machine and processor
#   KERNEL_ARGS  additional kernel parameters. On a busy host a good time stamp
#              counter looks unstable, and timer interrupts may be too late for the
#              check at boot, which then panics.
#   ARGS_BUILT_IN  set if QEMU passes no more than 255 characters: then base/configs has
#              the common kernel parameters
#   KASAN      set if the base supports KASAN
#   ICOUNT     argument of QEMU's -icount for bench. With sleep=off, which skips idle
#              time, a MIPS guest hangs in QEMU.
#   CPUS       maximum number of CPUs of the guest
#   TCG_THREADS  how QEMU runs several CPUs: multi (a thread for each) or single. To
#              interrupt the other thread of a 34Kf, the kernel writes its registers;
#              QEMU 7.2 does not stop that thread meanwhile. Unless they run in turns,
#              an interrupt is lost sooner or later, or both sleep forever.
#   STEPS      approximate number of steps of a full build of the usual kernel
#   STRESS_ROUNDS  rounds of stress that take about two minutes
#   CONSOLES   names of the first two serial lines in the guest
#   DEB_ARCH   Debian's name of the architecture, if this machine cannot run its programs
#   DEB_SOURCE set if Debian has no packages for it: then BusyBox is built from source
arch_row()
{
	CROSS=
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
		;;
	*)
		die "ARCH=$1 is not known" \
		    "Known: ${ARCHES[*]} (tools/ftrace/arch.sh)"
		;;
	esac
}

# pc_row emulator cpu: sets the columns of a PC
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
}

# malta_row emulator cpu: sets the columns of a Malta board
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
}

# debian_cross deb-arch triplet: sets the columns of an architecture that needs a cross compiler
debian_cross()
{
	DEB_ARCH=$1
	CROSS=$2-
}

# other_archs: prints all architectures but $ARCH, one per line
other_archs()
{
	printf '%s\n' "${ARCHES[@]}" | grep -vx -- "${ARCH:?}"
}
