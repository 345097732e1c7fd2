/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk over the call sites that a filter selects, for files of ops/ only.
 */
#ifndef _KERNEL_TRACE_OPS_VISIT_H
#define _KERNEL_TRACE_OPS_VISIT_H

struct ftrace_filter;
struct site;

/* Visitor of ops_visit_sites(). Return: 0 to continue; any other value ends the walk. */
typedef int (*site_fn)(struct site *site, unsigned long ip, void *data);

/**
 * ops_visit_sites() - call a function for each usable site that a filter selects
 * @filter: the filter; NULL selects all sites
 * @fn: the function, called in the order of the addresses of the sites
 * @data: passed to @fn
 *
 * Context: ftrace_lock held; may sleep if @fn may.
 * Return: 0, or the first value other than 0 that @fn has returned.
 */
int ops_visit_sites(const struct ftrace_filter *filter, site_fn fn, void *data);

#endif /* _KERNEL_TRACE_OPS_VISIT_H */
