// SPDX-License-Identifier: GPL-2.0
/*
 * Noting call sites. An NMI may come in between any two instructions of noted_add() and
 * note something itself: whoever gets the slot has it, and nobody waits.
 */
#include <linux/gfp.h>
#include <linux/hash.h>
#include <linux/kernel.h>

#include "noted.h"

/* Slots that are looked at for one address. */
#define PROBES	16

struct noted noted_sites;

/* Upper bits of a hash choose the page, so lower ones are left for the slot. */
#define SLOT_SHIFT	8

/* Does the slot hold the address now? */
static __always_inline bool slot_take(unsigned long *slot, unsigned long ip)
{
	unsigned long was = READ_ONCE(*slot);

	if (!was)
		was = cmpxchg(slot, 0, ip);
	return !was || was == ip;
}

bool noted_add(struct noted *n, unsigned long ip)
{
	/* Pairs with the release in noted_grow(): the pages are there. */
	unsigned int nr = smp_load_acquire(&n->nr_pages);
	u32 hash = hash_long(ip, 32);
	unsigned int slot = hash >> SLOT_SHIFT;
	unsigned int i;

	for (i = 0; nr && i < PROBES; i++) {
		unsigned long *page = n->pages[reciprocal_scale(hash, nr)];

		if (!slot_take(&page[(slot + i) % NOTED_SLOTS], ip))
			continue;
		/*
		 * Behind the slot. Who filled it has cmpxchg() in between, a full barrier that
		 * pairs with the xchg() in noted_take(). If the address was there already,
		 * whoever put it there announces it. Only if need be: all CPUs read that line.
		 */
		if (!READ_ONCE(n->any))
			WRITE_ONCE(n->any, true);
		return true;
	}
	atomic_long_inc(&n->skipped);
	return false;
}

static unsigned int take_page(unsigned long *page, unsigned long *ips, unsigned int max)
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

	/* In front of the slots; pairs with noted_add(): what is missed sets it again. */
	xchg(&n->any, false);
	for (i = 0; i < n->nr_pages; i++)
		nr += take_page(n->pages[i], ips + nr, max - nr);
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
