/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Noting call sites, and the kthread ftraced: interface between the files of discover/.
 */
#ifndef _KERNEL_TRACE_DISCOVER_INTERNAL_H
#define _KERNEL_TRACE_DISCOVER_INTERNAL_H

#include <linux/types.h>

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

#endif /* _KERNEL_TRACE_DISCOVER_INTERNAL_H */
