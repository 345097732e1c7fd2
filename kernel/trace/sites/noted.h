/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where call sites without a record are noted while they call (SPEC D14), for the
 * thread ftraced to look at.
 *
 * What is noted is an address and no more: it may be noted twice, its text may be gone
 * by the time that somebody looks, and it may never have been a call site.
 */
#ifndef _KERNEL_TRACE_SITES_NOTED_H
#define _KERNEL_TRACE_SITES_NOTED_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/mm_types.h>
#include <linux/types.h>

#define NOTED_SLOTS	(PAGE_SIZE / sizeof(unsigned long))
#define NOTED_PAGES_MAX	64U

/* For 16,384 sites: a boot without a table of them finds some 4,500. */
#define NOTED_BOOT_PAGES	((unsigned int)(16384 / NOTED_SLOTS))

/**
 * struct noted - a hash of addresses
 * @any: an address was noted since noted_take()
 * @skipped: calls that found no slot
 * @nr_pages: how many pages of slots there are
 * @pages: the slots; 0 in one that is free
 *
 * All zero has no slots: every call is skipped.
 */
struct noted {
	bool		any;
	atomic_long_t	skipped;
	unsigned int	nr_pages ____cacheline_aligned_in_smp;
	unsigned long	*pages[NOTED_PAGES_MAX];
};

/* That of the tracer; tests have their own. */
extern struct noted noted_sites;

/**
 * noted_add() - note an address
 * @n: where
 * @ip: the address, not 0
 *
 * Takes no lock and no memory, and calls nothing that is traced. When there is no slot
 * for it that is counted, and its next call tries again.
 *
 * Context: any, NMI too.
 * Return: false if there is no slot.
 */
bool noted_add(struct noted *n, unsigned long ip);

/**
 * noted_take() - take addresses out
 * @n: where
 * @ips: room for @max of them
 * @max: NOTED_SLOTS for each page takes all
 *
 * What is noted meanwhile is taken, or stays and is announced by @n->any.
 *
 * Context: may sleep; one caller at a time.
 * Return: how many, in no order, and some perhaps twice.
 */
unsigned int noted_take(struct noted *n, unsigned long *ips, unsigned int max);

/**
 * noted_any() - was an address noted since noted_take()
 * @n: where
 *
 * Context: any.
 */
static inline bool noted_any(const struct noted *n)
{
	return READ_ONCE(n->any);
}

/**
 * noted_capacity() - for how many addresses there are slots
 * @n: where
 *
 * Context: as noted_grow().
 */
static inline unsigned int noted_capacity(const struct noted *n)
{
	return n->nr_pages * NOTED_SLOTS;
}

/**
 * noted_grow() - make more slots
 * @n: where
 * @pages: how many pages of them
 *
 * They stay for good. An address that is noted already may be noted once more.
 *
 * Context: may sleep; one caller at a time.
 * Return: 0; -ENOMEM, with some of them there; -ENOSPC if there are NOTED_PAGES_MAX.
 */
int noted_grow(struct noted *n, unsigned int pages);

/**
 * noted_skipped() - how many calls found no slot
 * @n: where
 *
 * Context: any.
 */
static inline unsigned long noted_skipped(const struct noted *n)
{
	return atomic_long_read(&n->skipped);
}

#endif /* _KERNEL_TRACE_SITES_NOTED_H */
