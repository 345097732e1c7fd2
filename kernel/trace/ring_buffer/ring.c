// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of the ring buffer: pages of records, and rings.
 *
 * Called in process context by the files that create or change a ring. Memory allocated
 * here belongs to no stream yet; memory freed here must no longer belong to one.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "internal.h"

/* Flags for allocations: they may be large, and shall fail rather than invoke the OOM killer. */
#define RB_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * rb_data_alloc - allocate the memory of a page of records
 * @cpu: the CPU that will write to the memory
 * @order: the size is 2^order pages
 *
 * Context: process, may sleep.
 * Return: the zeroed memory, NULL if there is none.
 */
struct rb_data_page *rb_data_alloc(int cpu, unsigned int order)
{
	struct page *page;

	page = alloc_pages_node(cpu_to_node(cpu),
				RB_GFP | __GFP_COMP | __GFP_ZERO, order);
	return page ? page_address(page) : NULL;
}

/**
 * rb_data_free - free the memory of a page of records
 * @data: the memory from rb_data_alloc(), or NULL
 * @order: order with which it was allocated
 *
 * Context: any.
 */
void rb_data_free(struct rb_data_page *data, unsigned int order)
{
	free_pages((unsigned long)data, order);
}

/**
 * rb_ring_free - free a ring, and the memory that its pages still have
 * @ring: the ring, or NULL
 *
 * Context: process, may sleep.
 */
void rb_ring_free(struct rb_ring *ring)
{
	unsigned long i;

	if (!ring)
		return;
	for (i = 0; ring->pages && i <= ring->nr + 1; i++) {
		rb_data_free(ring->pages[i].data, ring->order);
		cond_resched();
	}
	kvfree(ring->pages);
	kvfree(ring);
}

DEFINE_FREE(rb_ring, struct rb_ring *, rb_ring_free(_T))

/*
 * Initialize the slot words of a new ring: slot i has page i. The first @nr_backed slots are EMPTY,
 * the others AWAY.
 */
static void rb_init_slots(struct rb_ring *ring, unsigned long nr_backed)
{
	enum rb_slot_state state;
	unsigned long i;

	for (i = 0; i < ring->nr; i++) {
		state = i < nr_backed ? RB_EMPTY : RB_AWAY;
		ring->slots[i] = rb_slot_word(ring, ring->origin + i, i, state);
		cond_resched();
	}
}

/**
 * rb_ring_alloc - allocate a ring
 * @cpu: the CPU that will write to the ring
 * @nr: number of slots
 * @nr_backed: number of pages that get memory, beginning with the first page; @nr + 1 for all
 *	pages, including that of the reader. The other pages will get the memory of the ring
 *	that this one replaces; until then their slots are RB_AWAY.
 * @order: each page is 2^order pages of memory
 *
 * Context: process, may sleep.
 * Return: the ring; -ENOMEM, or -EINTR if the task is being killed.
 */
struct rb_ring *rb_ring_alloc(int cpu, unsigned long nr, unsigned long nr_backed,
			      unsigned int order)
{
	struct rb_ring *ring __free(rb_ring) = NULL;
	unsigned long i;

	if (nr > RB_MAX_PAGES || nr_backed << order > si_mem_available())
		return ERR_PTR(-ENOMEM);
	ring = kvzalloc(struct_size(ring, slots, nr), RB_GFP);
	if (!ring)
		return ERR_PTR(-ENOMEM);
	ring->nr = nr;
	ring->order = order;
	ring->vacant = nr + 1;
	ring->pages = kvcalloc(nr + 2, sizeof(*ring->pages), RB_GFP);
	if (!ring->pages)
		return ERR_PTR(-ENOMEM);

	rb_init_slots(ring, nr_backed);
	for (i = 0; i < nr_backed; i++) {
		if (fatal_signal_pending(current))
			return ERR_PTR(-EINTR);
		ring->pages[i].data = rb_data_alloc(cpu, order);
		if (!ring->pages[i].data)
			return ERR_PTR(-ENOMEM);
		cond_resched();
	}
	return no_free_ptr(ring);
}

/**
 * rb_free_spares - free rb_cpu.spare_ring of all CPUs, after a change of their rings
 * @buffer: the buffer
 *
 * These are old rings that were replaced, and new ones that were not installed after a failure.
 *
 * Context: process; trace_buffer.mutex held.
 */
void rb_free_spares(struct trace_buffer *buffer)
{
	int cpu;

	for_each_cpu(cpu, buffer->cpumask) {
		struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

		rb_ring_free(cb->spare_ring);
		WRITE_ONCE(cb->spare_ring, NULL);
	}
}

/**
 * rb_pages_for - number of slots that a ring of a given size needs
 * @size: bytes of records that the ring shall hold
 * @order: each page is 2^order pages of memory
 *
 * Context: any.
 * Return: the number of slots, at least RB_MIN_PAGES.
 */
unsigned long rb_pages_for(unsigned long size, unsigned int order)
{
	unsigned long payload = rb_payload(order);

	return max(size / payload + !!(size % payload), RB_MIN_PAGES);
}
