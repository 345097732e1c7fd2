// SPDX-License-Identifier: GPL-2.0
/*
 * Noting call sites that have no record. An NMI may interrupt noted_add() at any instruction
 * and note another address: slots are claimed with cmpxchg(), and no caller waits.
 */
#include <linux/gfp.h>
#include <linux/hash.h>
#include <linux/kernel.h>

#include "noted.h"

/* Number of slots that are tried for one address. */
#define NOTED_PROBES	16

struct noted noted_sites;

/* The upper bits of a hash choose the page, lower ones the slot; the lowest are not used. */
#define NOTED_SLOT_SHIFT	8

/* Claim a free slot for @ip. Return: true if the slot holds @ip now. */
static __always_inline bool noted_claim_slot(unsigned long *slot, unsigned long ip)
{
	unsigned long was = READ_ONCE(*slot);

	if (!was)
		was = cmpxchg(slot, 0, ip);
	return !was || was == ip;
}

bool noted_add(struct noted *n, unsigned long ip)
{
	/* Pairs with the release in noted_grow(): the page pointers are valid. */
	unsigned int nr = smp_load_acquire(&n->nr_pages);
	u32 hash = hash_long(ip, 32);
	unsigned int slot = hash >> NOTED_SLOT_SHIFT;
	unsigned int i;

	for (i = 0; nr && i < NOTED_PROBES; i++) {
		unsigned long *page = n->pages[reciprocal_scale(hash, nr)];

		if (!noted_claim_slot(&page[(slot + i) % NOTED_SLOTS], ip))
			continue;
		/*
		 * Must follow the write of the slot. The cmpxchg() that filled the slot is a
		 * full barrier that pairs with the xchg() in noted_take(). If the slot held the
		 * address already, the CPU that wrote it sets the flag. Written only if it is not
		 * set: all CPUs read this cache line.
		 */
		if (!READ_ONCE(n->any))
			WRITE_ONCE(n->any, true);
		return true;
	}
	atomic_long_inc(&n->skipped);
	return false;
}

static unsigned int noted_take_page(unsigned long *page, unsigned long *ips, unsigned int max)
{
	unsigned int slot, nr = 0;

	for (slot = 0; slot < NOTED_SLOTS && nr < max; slot++)
		if (READ_ONCE(page[slot]))
			ips[nr++] = xchg(&page[slot], 0);
	return nr;
}

unsigned int noted_take(struct noted *n, unsigned long *ips, unsigned int max)
{
	unsigned int i, nr = 0;

	/*
	 * Must precede the reads of the slots. Pairs with the cmpxchg() in noted_add(): an
	 * address that the reads miss sets the flag again.
	 */
	xchg(&n->any, false);
	for (i = 0; i < n->nr_pages; i++)
		nr += noted_take_page(n->pages[i], ips + nr, max - nr);
	if (nr == max)
		WRITE_ONCE(n->any, true);
	return nr;
}

int noted_grow(struct noted *n, unsigned int pages)
{
	while (pages--) {
		unsigned long page;

		if (n->nr_pages == NOTED_PAGES_MAX)
			return -ENOSPC;
		page = get_zeroed_page(GFP_KERNEL);
		if (!page)
			return -ENOMEM;
		n->pages[n->nr_pages] = (unsigned long *)page;
		/* Pairs with the acquire in noted_add(). */
		smp_store_release(&n->nr_pages, n->nr_pages + 1);
	}
	return 0;
}
