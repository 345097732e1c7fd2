/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of names of a region, built by names_build.c and used by names.c. extend.c and remove.c
 * drop the names of a region that they replace or remove.
 */
#ifndef _KERNEL_TRACE_NAMES_INTERNAL_H
#define _KERNEL_TRACE_NAMES_INTERNAL_H

#include <linux/limits.h>
#include <linux/types.h>

struct site_region;

#define NO_NAME		U32_MAX

/**
 * struct site_names - the names of a region, one block of memory
 * @nr_named: number of sites that have a name
 * @nr_orphans: number of sites without a name that could not be retired yet
 * @bytes: size of the block in bytes
 * @name_off: for each site, offset of its name in @pool, or NO_NAME
 * @by_name: indices of the sites that have a name, by name, then by address
 * @pool: the names, each with its NUL
 * @mem: memory of @name_off, @by_name and @pool
 */
struct site_names {
	unsigned int nr_named;
	unsigned int nr_orphans;
	size_t bytes;
	u32 *name_off;
	u32 *by_name;
	char *pool;
	u32 mem[];
};

/**
 * names_build() - decode the names of the sites of a region
 * @r: the region
 *
 * Context: may sleep; ftrace_lock held.
 *
 * Return: the table, to be freed with kvfree(); NULL if there is no memory.
 */
struct site_names *names_build(const struct site_region *r);

/**
 * names_drop() - free the names of a region
 * @r: the region; its next names_get() decodes them again
 *
 * Context: ftrace_lock held.
 */
void names_drop(struct site_region *r);

/**
 * names_drop_all() - free the names of all regions
 *
 * Names are also freed some seconds after the last names_get(), and when memory
 * is short.
 *
 * Context: ftrace_lock held.
 */
void names_drop_all(void);

#endif /* _KERNEL_TRACE_NAMES_INTERNAL_H */
