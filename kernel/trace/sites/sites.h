/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of call sites (SPEC D2, D12): the addresses that can be traced, and the
 * dispatch set that each of them points to. This is the lowest layer: it uses no
 * other one, and it patches nothing. site_word.h has the layout of a record.
 *
 * Sites live in regions: one for the core kernel, one for the text of each
 * module and one for the init text of each module that has any. Regions never
 * overlap, are kept in address order, and hold their sites in address order.
 */
#ifndef _KERNEL_TRACE_SITES_H
#define _KERNEL_TRACE_SITES_H

#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/types.h>

#include "lock.h"
#include "lockless.h"
#include "site_word.h"

struct module;
struct site_names;

/**
 * struct site_region - the sites of one range of text
 * @node: in site_regions, by address
 * @mod: the module of the text, NULL for the core kernel
 * @base: address of the first site; site offsets are relative to it
 * @last: address of the last site
 * @nr: number of records in @sites, including RETIRED and FAILED ones
 * @nr_retired: number of RETIRED records in @sites
 * @born: serial number of the region, see sites_latest()
 * @live: the text may be patched and its symbols can be looked up. False from
 *	the time when the sites of a module are added until sites_set_live().
 * @paged: @sites was allocated by alloc_pages_exact()
 * @bytes: size in bytes of the memory of @sites
 * @sites: the records in the order of addresses, each address once
 * @names: names of the sites, NULL until built (names.h)
 * @lockless: frees the region after its last reader
 *
 * @mod, @base, @last, @nr, @born and @sites do not change while the region is listed.
 */
struct site_region {
	struct list_head node;
	struct module *mod;
	unsigned long base;
	unsigned long last;
	unsigned int nr;
	unsigned int nr_retired;
	unsigned long born;
	bool live;
	bool paged;
	size_t bytes;
	struct site *sites;
	struct site_names *names;
	struct lockless lockless;
};

/* All regions by address. Changed under ftrace_lock, read under RCU or with preemption off. */
extern struct list_head site_regions;

/**
 * for_each_site_region() - visit all regions by address
 * @r: &struct site_region cursor
 *
 * Also visits regions that are not live.
 *
 * Context: ftrace_lock held, or an RCU read-side section. @r must not be
 * removed in the body.
 */
#define for_each_site_region(r)						\
	list_for_each_entry_rcu(r, &site_regions, node,			\
				lockdep_is_held(&ftrace_lock))

/**
 * sites_end() - get the end of the records of a region
 * @r: the region
 *
 * The records from @r->sites up to the end include unusable ones.
 *
 * Context: any, while the region cannot be freed (ftrace_lock or RCU).
 *
 * Return: pointer after the last record.
 */
static inline struct site *sites_end(const struct site_region *r)
{
	return r->sites + r->nr;
}

/**
 * site_ip() - get the address of a site
 * @r: the region of the site
 * @s: the site
 *
 * Context: any, while the region cannot be freed (ftrace_lock or RCU).
 * Return: address of the patched instruction.
 */
static __always_inline unsigned long site_ip(const struct site_region *r,
					     const struct site *s)
{
	return r->base + s->offset;
}

/**
 * site_index() - get the index of a site in its region
 * @r: the region of the site
 * @s: the site
 *
 * Context: any, while the region cannot be freed (ftrace_lock or RCU).
 * Return: the index, from 0.
 */
static __always_inline unsigned int site_index(const struct site_region *r,
					       const struct site *s)
{
	return s - r->sites;
}

/**
 * sites_init_core() - build the region of the core kernel
 * @start: array of the addresses that were found at build time, in any order
 * @stop: end of the array
 *
 * Zeroes and duplicates are dropped. The region is live at once.
 *
 * Context: boot, on one CPU, after slab and vmalloc are initialized. Takes ftrace_lock.
 * Return: number of sites, -ENOMEM, or -ERANGE if they span more than 4 GiB.
 */
int sites_init_core(const unsigned long *start, const unsigned long *stop);

/**
 * sites_add_module() - add the sites of a module
 * @mod: the module, in its final memory, not yet running
 * @addrs: addresses of the sites, in any order; zeroes, duplicates and addresses outside of
 *	the memory of @mod are dropped
 * @nr: number of addresses
 *
 * Adds a region for the text of the module and one for its init text, unless
 * that has no sites. The regions are not live.
 *
 * Context: may sleep, ftrace_lock held.
 * Return: number of sites, or an error of sites_add_region(); on error, nothing has
 * changed.
 */
int sites_add_module(struct module *mod, const unsigned long *addrs,
		     unsigned long nr);

/**
 * sites_add_region() - add one region
 * @mod: the module of the text, NULL for none
 * @addrs: addresses of the sites, in any order; zeroes and duplicates are dropped
 * @nr: number of addresses
 *
 * Context: may sleep, ftrace_lock held.
 * Return: the region, not live; NULL if there is no site in it; ERR_PTR() of
 * -ENOMEM, -ERANGE (more than 4 GiB from first to last site) or -EEXIST (overlaps
 * another region); on error, nothing has changed.
 */
struct site_region *sites_add_region(struct module *mod,
				     const unsigned long *addrs,
				     unsigned long nr);

/**
 * sites_extend() - add sites that were found while their text runs
 * @mod: the module of the text, NULL for the core kernel
 * @ips: addresses of the sites, ascending, without duplicates and without addresses that
 *	have a record; either all or none of them in the init text of @mod
 * @nr: number of addresses, at least one
 *
 * The region of the text is replaced by a larger one, so pointers to the
 * old region and to its sites become invalid. The new records are NEW; after the caller has
 * turned such a site into a nop, it calls site_make_usable(). If the text had no region
 * before, its new region is live.
 *
 * Context: may sleep, ftrace_lock held.
 * Return: 0, -ENOMEM, -ERANGE if the sites span more than 4 GiB, or -EINVAL with a warning
 * if some are in the text and others in the init text of @mod; on error, nothing has changed, but
 * the names of the old region may have been freed.
 */
int sites_extend(struct module *mod, const unsigned long *ips, unsigned int nr);

/**
 * sites_found() - get the number of sites that sites_extend() has added, for statistics
 *
 * Context: ftrace_lock held.
 * Return: the number since boot.
 */
unsigned long sites_found(void);

/**
 * sites_remove_module() - remove all regions of a module
 * @mod: the module, with or without sites; none of them points to a set
 *
 * Context: ftrace_lock held.
 */
void sites_remove_module(struct module *mod);

/**
 * sites_set_live() - make the regions of a module live: their text may be patched from now on
 * @mod: the module, past MODULE_STATE_UNFORMED
 *
 * Context: ftrace_lock held.
 */
void sites_set_live(struct module *mod);

/**
 * sites_retire_range() - retire the sites of text that is about to be freed
 * @start: first address of the text
 * @end: address after the text
 *
 * Marks the sites RETIRED. A region of a module that has no other sites is
 * removed, also if all its sites were RETIRED before and it lies within the text, so
 * pointers to regions and sites become invalid.
 *
 * Context: ftrace_lock held; the sites no longer point to a set.
 * Return: number of sites that were not RETIRED before.
 */
unsigned int sites_retire_range(unsigned long start, unsigned long end);

/**
 * site_at() - find the site at an address
 * @ip: address of the patched instruction
 * @region: set to the region of the site, if there is one; may be NULL
 *
 * The site may be RETIRED, FAILED or in a region that is not live. Calls no traced function.
 *
 * Context: any, NMI included. The result is valid under ftrace_lock, in an RCU
 * read-side section or with preemption off.
 * Return: the site at exactly @ip, or NULL.
 */
struct site *site_at(unsigned long ip, struct site_region **region);

/**
 * sites_index_from() - find the first site of a region at or after an address
 * @r: the region
 * @ip: the address
 *
 * Context: any, NMI included, while the region cannot be freed.
 * Return: index of the site, @r->nr if there is none.
 */
unsigned int sites_index_from(const struct site_region *r, unsigned long ip);

/**
 * sites_latest() - get the serial number of the newest region
 *
 * Users that keep addresses of sites keep this number, too: a site found later at such an
 * address is the same one only if &site_region.born of its region is not larger.
 *
 * Context: ftrace_lock held.
 * Return: the number.
 */
unsigned long sites_latest(void);

/**
 * sites_losses() - get the number of times that a site was retired or a region removed
 *
 * As long as the number does not change, addresses of sites stay valid.
 *
 * Context: ftrace_lock held.
 * Return: the number since boot.
 */
unsigned long sites_losses(void);

/**
 * sites_total() - get the number of records that are not RETIRED (SPEC D6)
 *
 * Context: ftrace_lock held.
 * Return: the number.
 */
unsigned long sites_total(void);

/**
 * sites_regions() - get the number of regions, live or not
 *
 * Context: ftrace_lock held.
 * Return: the number.
 */
unsigned int sites_regions(void);

/**
 * sites_bytes() - get the size in bytes of the memory of the table, without names
 *
 * Context: ftrace_lock held.
 * Return: the size.
 */
size_t sites_bytes(void);

/**
 * module_may_be_loaded() - check whether a filter word may wait for functions of a module
 * @name: name of the module
 *
 * Context: any but NMI.
 *
 * Return: false if the module is loaded and has a table of its call sites, or if this
 * kernel does not support modules.
 */
#ifdef CONFIG_MODULES
bool module_may_be_loaded(const char *name);
#else
static inline bool module_may_be_loaded(const char *name)
{
	return false;
}
#endif

#endif /* _KERNEL_TRACE_SITES_H */
