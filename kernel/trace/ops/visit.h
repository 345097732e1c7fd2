/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walking the call sites that a filter lets through. Of this room.
 */
#ifndef _KERNEL_TRACE_OPS_VISIT_H
#define _KERNEL_TRACE_OPS_VISIT_H

struct ftrace_filter;
struct site;

/* Return: 0 to go on, else what ops_visit_sites() is to return. */
typedef int (*site_fn)(struct site *site, unsigned long ip, void *data);

/**
 * ops_visit_sites - call a function for the sites that a filter lets through
 * @filter: the filter; NULL lets all through
 * @fn: called for each usable site, in the order of their addresses
 * @data: for @fn
 *
 * Context: ftrace_lock held; as @fn.
 * Return: 0, or what @fn has returned that was not.
 */
int ops_visit_sites(const struct ftrace_filter *filter, site_fn fn, void *data);

#endif /* _KERNEL_TRACE_OPS_VISIT_H */
