/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sites that are found while they run (SPEC D14): where there is no table of them, a
 * kernel of which the build made none, or a module from elsewhere.
 *
 * Such a site calls the tracer's entry, which notes it (sites/noted.h). The thread
 * ftraced makes a record of what was noted, and a nop, at most once a second; from then
 * on it is a site like any other.
 */
#ifndef _KERNEL_TRACE_DISCOVER_H
#define _KERNEL_TRACE_DISCOVER_H

#include <linux/types.h>

/**
 * discover_convert - make sites of what was noted
 *
 * Whoever traces them is attached. What was noted and is no site, or is none any more,
 * is left alone. When there were not enough slots, more are made.
 *
 * Context: sleeps, for a grace period of Tasks RCU where a site may be split
 * (arch_site_is_split()). Takes kprobe_mutex, then ftrace_lock, then what patch_run()
 * takes: to be called with none of these held.
 *
 * Return: 0, also if nothing was noted; -ENOMEM, and a later call goes on with it; -EBUSY
 * if two ops may not share a site that was found: the later one goes without all that
 * were found with it; -ENODEV when the tracer is dead; another error when it has died on
 * the way.
 */
int discover_convert(void);

/**
 * discover_is_unfinished - has memory not sufficed for all that was noted
 *
 * Then discover_convert() has something to do although nothing new was noted.
 *
 * Context: any.
 */
bool discover_is_unfinished(void);

/**
 * discover_note - note the site of a function as if it had called
 * @addr: the function, or anything else
 *
 * Context: process.
 *
 * Return: 0; -ENOENT if there is none as the compiler left it; -ENOSPC if there is no
 * slot for it, before a discover_convert().
 */
int discover_note(unsigned long addr);

/**
 * ftraced_is_enabled - does ftraced convert what is noted
 *
 * Context: any.
 */
bool ftraced_is_enabled(void);

/**
 * ftraced_enable - have ftraced convert what is noted, or not
 * @on: whether it shall; while it does not, sites are noted as long as there are slots
 *
 * Context: any.
 */
void ftraced_enable(bool on);

#endif /* _KERNEL_TRACE_DISCOVER_H */
