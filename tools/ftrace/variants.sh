# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# The kernels that VARIANT= takes, a row each: base/configs/NAME.config over the options of
# an architecture.
#
#	variant name "what it is" KEY=value...
#
#   archs     those for which ALL=1 ARCH=name has it; in the others only ONLY= takes it
#   few       the list of cases, tests/NAME.list, that ARCH=name runs in it
#   left_out  the list of those that it cannot pass (ordinary)
#   packages  what it is built with besides
#   ALLOW     lines of the console that are no failure of a boot by themselves
#   judge     the function that tells what else a boot has shown

variant large "with a network, disks and ACPI: the kernel that bench measures" \
	archs=x86_64 few=large
variant debug "with lockdep, allocations that fail on demand and, where there is one, KASAN" \
	archs=x86_64 few=debug
variant static "call sites are never changed, each call of a function enters the tracer" \
	archs=mipsel few=small left_out=static
variant discover "there is no table of call sites, they are found while they run" \
	archs=mipsel few=small left_out=discover
variant sections "with the tracers irqsoff and preemptoff, which make a kernel slower"
variant kcsan "with a detector of data races (KCSAN)" left_out=kcsan ALLOW='BUG: KCSAN:' \
	judge=judge_races
variant rt "for real time (PREEMPT_RT): spinlocks sleep, and interrupts are threads" left_out=rt
variant btf "with types of its own (BTF), for arguments by name" packages=dwarves
