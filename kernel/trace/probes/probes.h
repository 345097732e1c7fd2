/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes: users say where in the kernel, and what is to be fetched there, and have an event of
 * it (SPEC E3).
 *
 *	# echo 'p:opened do_sys_openat2 name=+0($arg2):ustring' >> kprobe_events
 *
 * Such an event is an event like any other: it is switched, filtered and read, it has
 * triggers, and perf can open it.
 */
#ifndef _KERNEL_TRACE_PROBES_H
#define _KERNEL_TRACE_PROBES_H

struct instance_part;

/* Makes them kinds of dynamic events. */
extern struct instance_part probes_part;

#endif /* _KERNEL_TRACE_PROBES_H */
