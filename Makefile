# SPDX-License-Identifier: GPL-2.0
#
# Driver of the ftrace overlay. Each target is a script in tools/ftrace; this
# file only hands the variables over. `make help` lists targets and variables.

JOBS ?= $(shell nproc)
export ARCH JOBS
export ACCEL ALLOW APPEND BOOTS DEBUG DISK ENDS FRAGMENT GDB GROWTH KERNEL MATCH MINUTES MODULES MONITOR ONLY
export QEMU_ARGS QUIET ROOT ROUNDS RUN SEED SMP TIMEOUT VARIANT VERBOSE

TARGETS := help prepare kernel stock boot run test test-all lint demo picture bench series mutants

.PHONY: $(TARGETS) clean
.NOTPARALLEL:
.DEFAULT_GOAL := help

$(TARGETS):
	@exec tools/ftrace/$@.sh

clean:
	rm -rf build
