/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of sites.c and remove.c for the other files of this room, and for its tests.
 */
#ifndef _KERNEL_TRACE_SITES_INTERNAL_H
#define _KERNEL_TRACE_SITES_INTERNAL_H

struct site;
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
 * @old: region that @r replaces and whose whole range it covers, without names; or NULL
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

/**
 * region_unlist() - take a region out of the table
 * @r: the region, without names; none of its sites points to a set
 *
 * The memory is freed after a grace period for readers without a lock.
 *
 * Context: ftrace_lock held.
 */
void region_unlist(struct site_region *r);

/**
 * site_retire() - mark a single site RETIRED
 * @r: the region of the site
 * @s: the site; does not point to a set
 *
 * Context: ftrace_lock held.
 */
void site_retire(struct site_region *r, struct site *s);

/**
 * site_region_at() - find the region that contains an address
 * @ip: the address
 *
 * Calls no traced function.
 *
 * Context: any, NMI included. The result is valid under ftrace_lock, in an RCU
 * read-side section or with preemption off.
 * Return: the region with base <= @ip <= last, or NULL.
 */
struct site_region *site_region_at(unsigned long ip);

/**
 * sites_first_in() - find the first site in a range of text that is not RETIRED
 * @start: first address
 * @end: last address, inclusive; in the same text section as @start
 *
 * Context: any, NMI included; under ftrace_lock, in an RCU read-side section or with
 * preemption off.
 * Return: address of the site, 0 if there is none.
 */
unsigned long sites_first_in(unsigned long start, unsigned long end);

/**
 * sites_remove_region() - remove a region that sites_add_region() has added
 * @r: the region; none of its sites points to a set
 *
 * The memory is freed after a grace period for readers without a lock.
 *
 * Context: ftrace_lock held.
 */
void sites_remove_region(struct site_region *r);

#endif /* _KERNEL_TRACE_SITES_INTERNAL_H */
