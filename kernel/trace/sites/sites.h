/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of call sites (D2, D12): which addresses can be traced, and which
 * dispatch set each of them points to. This is the lowest room: it knows of no
 * other but the layout of a record (site_word.h). It patches nothing.
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
 * struct site_region - the sites of one stretch of text
 * @node: in site_regions, by address
 * @mod: the owner, NULL for the core kernel
 * @base: address of the first site; site offsets count from here
 * @last: address of the last site
 * @nr: number of records in @sites, GONE and FAILED ones included
 * @nr_gone: how many of them are GONE
 * @born: rank among all regions there ever were, see sites_latest()
 * @live: the text may be patched and its symbols can be looked up. False from
 *	the moment a module's sites are added until sites_set_live().
 * @paged: @sites are whole pages, as alloc_pages_exact() gives them
 * @bytes: size of the memory behind @sites
 * @sites: the records, by address, no two alike
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
	unsigned int nr_gone;
	unsigned long born;
	bool live;
	bool paged;
	size_t bytes;
	struct site *sites;
	struct site_names *names;
	struct lockless lockless;
};

/* By address. Changed under ftrace_lock, read with RCU or preemption off. */
extern struct list_head site_regions;

/**
 * for_each_site_region() - visit all regions by address
 * @r: &struct site_region cursor
 *
 * Regions that are not live are visited too.
 *
 * Context: ftrace_lock held, or an RCU read-side section. @r must not be
 * removed in the body.
 */
#define for_each_site_region(r)						\
	list_for_each_entry_rcu(r, &site_regions, node,			\
				lockdep_is_held(&ftrace_lock))

/**
 * sites_end() - behind the last record of a region
 * @r: the region
 *
 * Records are walked from @r->sites up to here, usable or not.
 *
 * Context: any, while the region cannot go (ftrace_lock or RCU).
 */
static inline struct site *sites_end(const struct site_region *r)
{
	return r->sites + r->nr;
}

/**
 * site_ip() - address of a site
 * @r: the region it belongs to
 * @s: the site
 *
 * Context: as sites_end().
 */
static __always_inline unsigned long site_ip(const struct site_region *r,
					     const struct site *s)
{
	return r->base + s->offset;
}

/**
 * site_index() - position of a site in its region
 * @r: the region it belongs to
 * @s: the site
 *
 * Context: as sites_end().
 */
static __always_inline unsigned int site_index(const struct site_region *r,
					       const struct site *s)
{
	return s - r->sites;
}

/**
 * sites_init_core() - build the region of the core kernel
 * @start: first of the addresses found at build time
 * @stop: behind the last
 *
 * Zeroes and duplicates are dropped; the order does not matter. The region is
 * live at once.
 *
 * Context: boot, one CPU, slab and vmalloc are up. Takes ftrace_lock.
 * Return: number of sites, -ENOMEM, or -ERANGE if they span more than 4 GiB.
 */
int sites_init_core(const unsigned long *start, const unsigned long *stop);

/**
 * sites_add_module() - add the sites of a module
 * @mod: the module, its memory laid out and filled, not yet running
 * @addrs: their addresses, in any order; zeroes, duplicates and what is not in
 *	@mod's memory are dropped
 * @nr: number of addresses
 *
 * Adds a region for the module's text and one for its init text, as far as
 * either has sites; both are not live.
 *
 * Context: may sleep, ftrace_lock held.
 * Return: number of sites, or an error as sites_add_region(), and nothing has
 * changed.
 */
int sites_add_module(struct module *mod, const unsigned long *addrs,
		     unsigned long nr);

/**
 * sites_add_region() - add one region
 * @mod: owner, NULL for none
 * @addrs: addresses, in any order; zeroes and duplicates are dropped
 * @nr: number of addresses
 *
 * Context: may sleep, ftrace_lock held.
 * Return: the region, not live; NULL if there is no site in it; ERR_PTR() of
 * -ENOMEM, -ERANGE (more than 4 GiB from first to last) or -EEXIST (reaches
 * into another region), and nothing has changed.
 */
struct site_region *sites_add_region(struct module *mod,
				     const unsigned long *addrs,
				     unsigned long nr);

/**
 * sites_extend() - add sites that were found while their text runs
 * @mod: whose text it is, NULL for the core kernel
 * @ips: their addresses, ascending, none twice, none that has a record; either all
 *	or none of them in the init text of @mod
 * @nr: how many, at least one
 *
 * They join the region of that text: a larger one takes its place, so pointers to
 * it, and to its sites, do not outlive the call. The new records are NEW; who has
 * made a nop of such a site makes it usable by site_make_usable(). A region that was not
 * there before is live.
 *
 * Context: may sleep, ftrace_lock held.
 * Return: 0, -ENOMEM, -ERANGE if they span more than 4 GiB, or -EINVAL with a warning
 * if they are of both texts; nothing has changed then.
 */
int sites_extend(struct module *mod, const unsigned long *ips, unsigned int nr);

/**
 * sites_found() - number of sites that sites_extend() has added, for statistics
 *
 * Context: ftrace_lock held.
 */
unsigned long sites_found(void);

/**
 * sites_remove_region() - drop a region added by sites_add_region()
 * @r: the region
 *
 * Context: ftrace_lock held, no site of it points to a set. The memory is
 * freed after a grace period, so lock-free readers may finish.
 */
void sites_remove_region(struct site_region *r);

/**
 * sites_remove_module() - drop all regions of a module
 * @mod: the module; one without sites is fine
 *
 * Context: as sites_remove_region().
 */
void sites_remove_module(struct module *mod);

/**
 * sites_set_live() - a module's text may be patched from now on
 * @mod: the module, past MODULE_STATE_UNFORMED
 *
 * Context: ftrace_lock held.
 */
void sites_set_live(struct module *mod);

/**
 * sites_mark_gone() - text is about to be freed
 * @start: its first byte
 * @end: behind its last byte
 *
 * Marks the sites in it GONE. A module's region that has no other site left is
 * removed, also one whose sites were all GONE already if it lies in there: so
 * pointers to regions and sites do not outlive the call.
 *
 * Context: ftrace_lock held, the sites no longer point to a set.
 * Return: number of sites newly marked.
 */
unsigned int sites_mark_gone(unsigned long start, unsigned long end);

/**
 * site_retire() - mark a single site GONE
 * @r: its region
 * @s: the site, pointing to no set
 *
 * Context: ftrace_lock held.
 */
void site_retire(struct site_region *r, struct site *s);

/**
 * site_region_at() - the region an address belongs to
 * @ip: the address
 *
 * Context: any, NMI included. The result is good under ftrace_lock, in an RCU
 * read-side section or with preemption off. Calls nothing that is traced.
 * Return: the region with base <= @ip <= last, or NULL.
 */
struct site_region *site_region_at(unsigned long ip);

/**
 * site_at() - the site at exactly this address
 * @ip: the address of the patched instruction
 * @region: set to the site's region, when one is found; may be NULL
 *
 * The site found may be GONE, FAILED or in a region that is not live.
 *
 * Context: as site_region_at().
 * Return: the site or NULL.
 */
struct site *site_at(unsigned long ip, struct site_region **region);

/**
 * sites_index_from() - where to start reading a region
 * @r: the region
 * @ip: an address
 *
 * Context: as site_region_at().
 * Return: index of the first site at or after @ip, @r->nr if there is none.
 */
unsigned int sites_index_from(const struct site_region *r, unsigned long ip);

/**
 * sites_first_in() - the first site in a stretch of text
 * @start: first address
 * @end: last address, inclusive; in the same text section as @start
 *
 * Sites that are GONE do not count.
 *
 * Context: as site_region_at().
 * Return: the site's address, 0 if there is none.
 */
unsigned long sites_first_in(unsigned long start, unsigned long end);

/**
 * sites_latest() - rank of the region that came last
 *
 * Who keeps addresses of sites keeps this as well: a site that is found at one of
 * them later is the same only if it is in a region that was not born after that.
 *
 * Context: ftrace_lock held.
 */
unsigned long sites_latest(void);

/**
 * sites_losses() - how often sites have gone, one by one or with their region
 *
 * As long as it is the same, whoever keeps addresses of sites finds all of them there.
 *
 * Context: ftrace_lock held.
 */
unsigned long sites_losses(void);

/**
 * sites_total() - number of records that are not GONE (D6)
 *
 * Context: ftrace_lock held.
 */
unsigned long sites_total(void);

/**
 * sites_regions() - number of regions, those that are not live included
 *
 * Context: ftrace_lock held.
 */
unsigned int sites_regions(void);

/**
 * sites_bytes() - memory held by the table, without the names
 *
 * Context: ftrace_lock held.
 */
size_t sites_bytes(void);

/**
 * module_may_come - may a word wait for this module?
 * @name: the module's name
 *
 * Return: false if it is there with a table of its call sites, or no module ever comes
 * to this kernel.
 */
#ifdef CONFIG_MODULES
bool module_may_come(const char *name);
#else
static inline bool module_may_come(const char *name)
{
	return false;
}
#endif

#endif /* _KERNEL_TRACE_SITES_H */
