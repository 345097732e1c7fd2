#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Boots two more kernels while all functions are traced: the second with kexec, the third when the
# second one panics. No code of the tracer may run when the next kernel is entered (SPEC D13).
# Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
stage=$(sed -ne 's/.*kexec.stage=\([0-9]\).*/\1/p' /proc/cmdline)

trace_all()
{
	echo function >current_tracer && ls -lR /sys/devices >/dev/null &&
		grep -q ' <-' trace
}

# is_new: true if nothing has been traced, as in a kernel that has just booted
is_new()
{
	[ "$(cat current_tracer)" = nop ] && ! grep -q ' <-' trace
}

# load now|crash stage word...: loads or boots the next kernel, with the initramfs of this one
load()
{
	how=$1
	next=$2
	shift 2
	# -xdev: without mounted file systems.
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
	report $? "nothing is traced in the second kernel"
	load crash 3 nr_cpus=1
	report $? "a crash kernel is loaded"
	trace_all
	report $? "all functions are traced in the second kernel"
	echo c >/proc/sysrq-trigger
	;;
3)
	plan_goes_on 5
	[ -e /proc/vmcore ] && is_new
	report $? "the third kernel is entered, and nothing is traced in it"
	trace_all
	report $? "all functions are traced in the third kernel"
	;;
esac
all_reported
