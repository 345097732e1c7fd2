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

#include <linux/types.h>

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

/**
 * discover_is_unfinished() - true if the last discover_convert() ran out of memory
 *
 * The next discover_convert() then has work to do even if nothing new was noted.
 *
 * Context: any.
 */
bool discover_is_unfinished(void);

/**
 * discover_note() - note the call site of a function as if it had been called
 * @addr: address of the function; any other address is allowed
 *
 * Context: process.
 *
 * Return: 0; -ENOENT if there is no call site near @addr, or if it no longer looks as the
 * compiler left it; -ENOSPC if no slot is free until the next discover_convert().
 */
int discover_note(unsigned long addr);

/**
 * ftraced_is_enabled() - true if the kthread ftraced converts noted sites
 *
 * Context: any.
 */
bool ftraced_is_enabled(void);

/**
 * ftraced_enable() - enable or disable the kthread ftraced
 * @on: true to convert noted sites; if false, sites are only noted, as long as slots are free
 *
 * Context: any.
 */
void ftraced_enable(bool on);

#endif /* _KERNEL_TRACE_DISCOVER_H */
