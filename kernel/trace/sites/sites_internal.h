/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of sites.c for extend.c.
 */
#ifndef _KERNEL_TRACE_SITES_INTERNAL_H
#define _KERNEL_TRACE_SITES_INTERNAL_H

struct site_region;

/**
 * region_core() - get the region of the core kernel
 *
 * Context: ftrace_lock held.
 *
 * Return: the region; NULL if it does not exist yet.
 */
struct site_region *region_core(void);

/**
 * region_publish() - make a region visible to readers
 * @r: the region; one without a module becomes the region of the core kernel
 * @old: region that @r replaces and whose whole range it covers, or NULL
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM: nothing has changed.
 */
int region_publish(struct site_region *r, struct site_region *old);

/**
 * region_free() - free a region that was never published
 * @r: the region, or NULL
 *
 * Context: may sleep.
 */
void region_free(struct site_region *r);

#endif /* _KERNEL_TRACE_SITES_INTERNAL_H */
