#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make help`: the targets and variables of the driver, the kernels and the parts of the
# suite.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/parts.sh"

# texts table
texts()
{
	texts_of "$1" | awk -F '\t' '{ printf "  %-17s %s\n", $1, $2 }'
}

cat <<'TEXT'
Targets
  make demo       everything from a fresh Debian machine to a trace on the console
  make picture    what a workload does, in KernelShark and as a flame graph, for the README
  make test       what a change has to pass on x86_64, or in a guest of ARCH=name: some minutes;
                  ONLY=name runs one part, case or KUnit suite
  make test-all   that, what takes longer, and guests of all architectures: an hour; ARCH=name is
                  all that there is for one
  make mutants    puts each fault of tools/ftrace/tests/mutants in, and says what catches it; ONLY=name takes one,
                  TOGETHER=14 puts up to fourteen at once into a kernel
  make run        an interactive shell in the guest; GDB=1 waits for a debugger
  make lint       checkpatch, sparse and W=1 on our files, shellcheck on the harness
  make prepare    the base kernel with our files laid over it, in build/linux
  make kernel     our kernel, in build/$ARCH; FRAGMENT=file adds options, DEBUG=1 is lockdep + KASAN
                  (VARIANT=debug), VARIANT=name another one (below), in build/$ARCH-NAME
  make boot       runs RUN=script.sh in the guest; its exit status is make's
  make stock      the same kernel with its own tracer, in build/stock-$ARCH
  make bench      ours and stock side by side, in instructions; budgets of x86_64 are numbers,
                  those of the others mostly parts of what stock takes; VARIANT=static measures
                  what a call costs where call sites are never changed, GROWTH=1 how control
                  operations grow with what they take (an hour)
  make series     the patch series for a pristine tree, in build/series
  make clean      removes build/

Variables
  ARCH=x86_64       architecture: x86_64, i386, mips64el, mips or mipsel
  JOBS=n            parallel jobs of a kernel build (all CPUs)
  VARIANT=name      kernel, stock, boot, run, bench, test: another kernel (below)
  ONLY=name         test: a .tc case (splice.tc), a KUnit suite (ftrace_filter), or a part of the
                    suite (below), a group of parts (boot-trace, or host, or a kernel: debug),
                    or what is in one (harness). A pattern is one for cases, all in one boot;
                    if it fits none, for KUnit suites; if it fits none, for parts. Of cases and
                    suites it may be several names
  SEED=n            test: runs the cases in another order, which n determines
  RUN=script.sh     boot: the script to run as root in the guest
  ROOT=dir          boot, run: its content is laid into the initramfs
  MODULES=dir       boot, run: its modules go under /lib/modules
  SMP=n             boot, run: CPUs of the guest (1)
  QEMU_ARGS='...'   boot, run: more arguments for QEMU
  APPEND='...'      boot, run: more kernel parameters
  QUIET=s           boot, test: seconds without a word from a guest until it counts as hung: of
                    CPU time if it computes, of the clock if it sleeps (900)
  TIMEOUT=s         boot, test, bench: seconds until a guest is ended in any case (never)
  ROUNDS=n          test: how often stress and tracers switch
  MINUTES=n         test-all: after how many it begins no other architecture any more (40)
  BOOTS=n           test: how often ONLY=boots boots each of its lines (1), of which MATCH=regex
                    takes some
  DEBUG=1           VARIANT=debug
  KERNEL=dir        boot, run: another kernel's build directory (build/$ARCH, or that of
                    VARIANT)
  ACCEL=tcg         QEMU's accelerator
  ALLOW=regex       boot: console lines that are no failure although they look like one
  ENDS=regex        boot: the console line with which the guest has to end
  VERBOSE=1         boot: shows the console too

Kernels
TEXT
texts variant
say "
Parts of the suite"
texts part
