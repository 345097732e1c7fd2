# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# The kernels that VARIANT= selects, one row each: base/configs/NAME.config on top of the
# options of an architecture. packages.list names the packages that a kernel needs.
#
#	variant name "title" KEY=value...
#
#   archs     architectures whose suite (make test-all ARCH=name) includes it; on the others
#             only ONLY= selects it
#   over      names of other rows whose options it has, too
#   few       name of the list of cases, tests/NAME.list, that make test-all ARCH=name runs in it
#   left_out  name of the list of cases that it cannot pass (ordinary)
#   ALLOW     console lines that alone do not fail a boot
#   judge     function that adds more results after a boot

variant large "with network, disks and ACPI; make bench measures this kernel" \
	archs=x86_64 few=large
variant debug "with lockdep, allocation failures on demand and, where supported, KASAN" \
	archs=x86_64 few=debug
variant static "call sites are never patched; each function call enters the tracer" \
	archs=mipsel few=small left_out=static
variant discover "without a table of call sites; the tracer finds them when they run" \
	archs=mipsel few=small left_out=discover
variant sections "with the tracers irqsoff and preemptoff, which slow the kernel down"
variant kcsan "with the data race detector KCSAN" left_out=kcsan ALLOW='BUG: KCSAN:' \
	judge=judge_races
variant rt "with PREEMPT_RT: spinlocks sleep, and interrupts run in threads" left_out=rt
variant btf "with BTF, for function arguments by name"
variant bpf "as large, with BTF and whatever takes BPF programs" \
	over="large btf"
