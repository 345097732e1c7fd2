/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lock of whatever changes what is traced.
 */
#ifndef _KERNEL_TRACE_SITES_LOCK_H
#define _KERNEL_TRACE_SITES_LOCK_H

#include <linux/mutex.h>

/*
 * ftrace_lock serialises every change of what is traced: the list of regions,
 * the words and names of the sites, the ops, their filters and the dispatch
 * sets. It is taken before module_mutex, text_mutex and the CPU hotplug lock,
 * never while one of those is held, and behind that of kprobes.
 */
extern struct mutex ftrace_lock;

#endif /* _KERNEL_TRACE_SITES_LOCK_H */
