/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes: users name a place in the kernel or in a program, and values to fetch there, and get an
 * event whose records have these values (SPEC E3).
 *
 *	# echo 'p:opened do_sys_openat2 name=+0($arg2):ustring' >> kprobe_events
 *
 * The event can be used like any other event: it can be enabled, filtered and read, can have
 * triggers, and perf can open it.
 */
#ifndef _KERNEL_TRACE_PROBES_H
#define _KERNEL_TRACE_PROBES_H

struct instance_part;

/* Registers the kinds of probes as kinds of dynamic events at boot. */
extern struct instance_part probes_part;

#endif /* _KERNEL_TRACE_PROBES_H */
