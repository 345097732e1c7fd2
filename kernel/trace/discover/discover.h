/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Discovery of call sites at run time (SPEC D14), where there is no table of call sites: in a
 * kernel whose build made none, and in modules that were built without one.
 *
 * The first call of such a site enters the tracer, which notes the site (sites/noted.h). At most
 * once a second, the kthread ftraced adds records for the noted sites and patches them to nops.
 * From then on they are like all other sites.
 */
#ifndef _KERNEL_TRACE_DISCOVER_H
#define _KERNEL_TRACE_DISCOVER_H

/**
 * discover_convert() - convert the noted addresses into call sites
 *
 * Attaches the ops that trace the new sites. Noted addresses that are no site, or that are no
 * longer one, are ignored. Adds slots for notes if there were too few.
 *
 * Context: sleeps, for a grace period of Tasks RCU where a site may be split
 * (arch_site_is_split()). Takes kprobe_mutex, then ftrace_lock, then the locks of patch_run();
 * the caller holds none of them.
 *
 * Return: 0, also if nothing was noted; -ENOMEM if a later call must continue; -EBUSY if two ops
 * may not share a new site: then the later ops is attached to none of the new sites; -ENODEV if
 * ftrace is shut down; another error if ftrace was shut down by a fault in this call.
 */
int discover_convert(void);

#endif /* _KERNEL_TRACE_DISCOVER_H */
