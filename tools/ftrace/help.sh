#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make help`: lists targets, variables, kernels and the parts of the suite.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/parts.sh"

# texts table: prints names and titles of a table
texts()
{
	texts_of "$1" | awk -F '\t' '{ printf "  %-17s %s\n", $1, $2 }'
}

cat <<'TEXT'
Targets
  make demo       builds and boots a kernel and traces a workload, on a fresh Debian machine
  make picture    records a workload and draws the pictures of README.md
  make test       what every change has to pass, on x86_64 or in a guest of ARCH=name: some
                  minutes; ONLY=name runs one part, case or KUnit suite
  make test-all   also what takes longer, and guests of all architectures: an hour; ARCH=name
                  runs everything for one architecture
  make mutants    tests the suite: builds each fault of tools/ftrace/tests/mutants into a kernel
                  and prints which test catches it; ONLY=name selects one, TOGETHER=14 puts up
                  to 14 into one kernel
  make run        an interactive shell in the guest; GDB=1 waits for a debugger
  make lint       checks our files (checkpatch, sparse, W=1), the documents and the harness
                  (shellcheck)
  make prepare    the base kernel with our files laid over it, in build/linux
  make kernel     our kernel, in build/$ARCH; FRAGMENT=file adds options, VARIANT=name builds
                  another kernel (below) in build/$ARCH-NAME
  make boot       runs RUN=script.sh in the guest and returns its exit status
  make stock      the same kernel with the base's own tracer, in build/stock-$ARCH
  make bench      costs of our tracer and of the stock tracer, in instructions. Budgets are
                  numbers on x86_64, and mostly shares of the stock tracer's cost elsewhere.
                  VARIANT=static measures a call with call sites that are never patched, GROWTH=1
                  how control operations grow with their input (an hour)
  make series     the patch for a pristine tree, in build/series
  make clean      removes build/

Variables
  ARCH=x86_64       architecture: x86_64, i386, mips64el, mips or mipsel
  JOBS=n            parallel jobs of a kernel build (all CPUs)
  VARIANT=name      kernel, stock, boot, run, bench, test: another kernel (below)
  ONLY=name         test: a part of the suite (below; debug/stress is one in another kernel),
                    a group of parts (boot-trace, host), all parts in a kernel (debug), the
                    part of a group (harness), a .tc case (splice.tc), or a KUnit suite
                    (ftrace_filter). A pattern selects cases, in one boot; if it matches none,
                    KUnit suites; if it matches none, parts. Several names may be given for
                    cases and suites
  SEED=n            test: runs the cases in another order, which depends on n
  RUN=script.sh     boot: the script to run as root in the guest
  ROOT=dir          boot, run: a directory whose content is added to the initramfs
  DISK=1            boot, run: a Debian with bpftrace, bpftool, perf and others as root file
                    system; VARIANT=bpf has the drivers
  MODULES=dir       boot, run: a directory whose modules go to /lib/modules
  SMP=n             boot, run: CPUs of the guest (1)
  QEMU_ARGS='...'   boot, run: more arguments for QEMU
  APPEND='...'      boot, run: more kernel parameters
  QUIET=s           boot, test: seconds without output after which a guest counts as hung: CPU
                    time while it computes, clock time while it sleeps (900)
  TIMEOUT=s         boot, test, bench: seconds after which a guest is ended in any case (never)
  ROUNDS=n          test: rounds of stress, stress-events and tracers
  MINUTES=n         test-all: minutes after which no other architecture begins (40)
  BOOTS=n           test: how often ONLY=boots repeats each boot (1)
  MATCH=regex       test: selects boots of ONLY=boots, and programs of ONLY=bpf/tools
  DEBUG=1           the same as VARIANT=debug
  KERNEL=dir        boot, run: build directory of another kernel (build/$ARCH, or that of
                    VARIANT)
  ACCEL=tcg         QEMU's accelerator
  ALLOW=regex       boot: console lines that do not count as a failure
  ENDS=regex        boot: a console line that the guest has to print; its status does not count
  MONITOR=1         boot: the guest may send commands to QEMU's monitor
  VERBOSE=1         boot: shows the console, too

Kernels
TEXT
texts variant
say "
Parts of the suite"
texts part
