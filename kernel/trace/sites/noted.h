/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hash in which call sites without a record note their addresses when they call (SPEC D14),
 * for the thread ftraced to convert.
 *
 * Only the address is noted: it may be noted twice, its text may have been freed
 * before ftraced reads it, and it may never have been a call site.
 */
#ifndef _KERNEL_TRACE_SITES_NOTED_H
#define _KERNEL_TRACE_SITES_NOTED_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/mm_types.h>
#include <linux/types.h>

#define NOTED_SLOTS	(PAGE_SIZE / sizeof(unsigned long))
#define NOTED_PAGES_MAX	64U

/* Pages for 16,384 sites: a boot without a table of sites finds some 4,500. */
#define NOTED_BOOT_PAGES	((unsigned int)(16384 / NOTED_SLOTS))

/**
 * struct noted - a hash of addresses
 * @any: an address was noted since the last noted_take()
 * @skipped: number of calls that found no free slot
 * @nr_pages: number of pages of slots
 * @pages: the slots; a free one is 0
 *
 * A hash of zeroes has no slots and skips every call.
 */
struct noted {
	bool		any;
	atomic_long_t	skipped;
	unsigned int	nr_pages ____cacheline_aligned_in_smp;
	unsigned long	*pages[NOTED_PAGES_MAX];
};

/* The hash of the tracer; tests have their own. */
extern struct noted noted_sites;

/**
 * noted_add() - note an address
 * @n: the hash
 * @ip: the address, not 0
 *
 * Takes no lock, allocates no memory, and calls no traced function. If there is no free slot,
 * the call counts as skipped, and the next call of the site tries again.
 *
 * Context: any, NMI too.
 * Return: false if there is no free slot.
 */
bool noted_add(struct noted *n, unsigned long ip);

/**
 * noted_take() - remove addresses from the hash
 * @n: the hash
 * @ips: filled with the addresses, in no order, perhaps with duplicates
 * @max: number of addresses that @ips has room for; noted_capacity() suffices for all
 *
 * An address that is noted meanwhile is either taken, or stays with @n->any set.
 *
 * Context: may sleep; one caller at a time.
 * Return: number of addresses in @ips.
 */
unsigned int noted_take(struct noted *n, unsigned long *ips, unsigned int max);

/**
 * noted_any() - check whether an address was noted since the last noted_take()
 * @n: the hash
 *
 * Context: any.
 * Return: true if one was noted.
 */
static inline bool noted_any(const struct noted *n)
{
	return READ_ONCE(n->any);
}

/**
 * noted_capacity() - get the number of slots
 * @n: the hash
 *
 * Context: any; noted_grow() not running.
 * Return: the number.
 */
static inline unsigned int noted_capacity(const struct noted *n)
{
	return n->nr_pages * NOTED_SLOTS;
}

/**
 * noted_grow() - add slots
 * @n: the hash
 * @pages: number of pages to add
 *
 * Slots are never removed. An address that is noted already may be noted once more.
 *
 * Context: may sleep; one caller at a time.
 * Return: 0; -ENOMEM or, at NOTED_PAGES_MAX, -ENOSPC: some of the pages may have been added.
 */
int noted_grow(struct noted *n, unsigned int pages);

/**
 * noted_skipped() - get the number of calls that found no free slot
 * @n: the hash
 *
 * Context: any.
 * Return: the number since boot.
 */
static inline unsigned long noted_skipped(const struct noted *n)
{
	return atomic_long_read(&n->skipped);
}

#endif /* _KERNEL_TRACE_SITES_NOTED_H */
