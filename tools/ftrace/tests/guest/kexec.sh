#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: three kernels one after the other, the second entered by kexec and the
# third because the second has crashed, each while all functions are traced. Nothing of
# the tracer may run when the next kernel is entered (SPEC D13). Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
stage=$(sed -ne 's/.*kexec.stage=\([0-9]\).*/\1/p' /proc/cmdline)

trace_all()
{
	echo function >current_tracer && ls -lR /sys/devices >/dev/null &&
		grep -q ' <-' trace
}

# A kernel that has just come up records nothing.
is_new()
{
	[ "$(cat current_tracer)" = nop ] && ! grep -q ' <-' trace
}

# load how stage word...: the kernel to come, with the same programs as this one
load()
{
	how=$1
	next=$2
	shift 2
	# Not what is mounted.
	(cd / && find . -xdev | cpio -o -H newc 2>/dev/null) >/tmp/initrd
	kexec_into "$how" /kexec/kernel /tmp/initrd \
		"$(sed 's/ kexec.stage=[0-9]//' /proc/cmdline) kexec.stage=$next $*"
}

case $stage in
1)
	plan 7
	trace_all
	report $? "all functions are traced"
	load now 2
	report 1 "the second kernel is entered"
	;;
2)
	plan_goes_on 1
	report 0 "the second kernel is entered"
	is_new
	report $? "nothing is traced there"
	load crash 3 nr_cpus=1
	report $? "a third one is loaded for a crash"
	trace_all
	report $? "all functions are traced again"
	echo c >/proc/sysrq-trigger
	;;
3)
	plan_goes_on 5
	[ -e /proc/vmcore ] && is_new
	report $? "the third kernel is entered, and nothing is traced there"
	trace_all
	report $? "until somebody wants it"
	;;
esac
all_reported
