/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace_lock, which serializes all changes of traced functions.
 */
#ifndef _KERNEL_TRACE_SITES_LOCK_H
#define _KERNEL_TRACE_SITES_LOCK_H

#include <linux/mutex.h>

/*
 * ftrace_lock protects the list of regions,
 * the words and names of the sites, the ops, their filters and the dispatch
 * sets. Lock order: it is taken after kprobe_mutex, and before module_mutex, text_mutex and
 * the CPU hotplug lock.
 */
extern struct mutex ftrace_lock;

#endif /* _KERNEL_TRACE_SITES_LOCK_H */
