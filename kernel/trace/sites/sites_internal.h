/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What sites.c does for extend.c, all of it under ftrace_lock.
 */
#ifndef _KERNEL_TRACE_SITES_INTERNAL_H
#define _KERNEL_TRACE_SITES_INTERNAL_H

struct site_region;

/* The region of the core kernel, NULL as long as there is none. */
struct site_region *region_core(void);

/*
 * Have a region found; in place of @old, unless that is NULL, and then it covers all of
 * what @old did. One without a module is that of the core kernel. Return: 0 or -ENOMEM,
 * and nothing has changed.
 */
int region_publish(struct site_region *r, struct site_region *old);

/* Free a region that nobody ever saw. */
void region_free(struct site_region *r);

#endif /* _KERNEL_TRACE_SITES_INTERNAL_H */
