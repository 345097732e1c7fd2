// SPDX-License-Identifier: GPL-2.0
/*
 * Changing the number of pages of a CPU's stream, which keeps its records.
 *
 * The stream gets a new ring, and continues in it at once; the pages move from the old ring to
 * the new one in batches. See "Resizing" in internal.h. Interrupts are never off for longer
 * than one batch takes, however many pages there are.
 *
 * Called by the owner of a buffer, in process context. Must never take a page from a writer
 * or a reader that is using it.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/oom.h>
#include <linux/sched.h>

#include "internal.h"
#include "resize_like.h"
#include "consume.h"
#include "write.h"

/* Number of pages that move at once, with interrupts off on the owning CPU. */
#define RB_MOVE_BATCH	256

/*
 * Move page @no from the old ring to the new one. If the page has moved already, because
 * the writer claimed it or because it was the tail when the resize began, only take its
 * memory from the old ring.
 */
static void rb_move_page(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *old = cb->spare_ring, *ring = cb->ring;
	unsigned long *from = rb_slot(old, no), *to = rb_slot(ring, no);
	struct rb_page *page = &old->pages[rb_word_index(*from)];
	enum rb_slot_state state = rb_word_state(*from);
	unsigned long index = rb_word_index(*to);

	if (state != RB_AWAY) {
		ring->pages[index] = *page;
		*to = rb_slot_word(ring, no, index, state);
		*from = rb_word_with_state(*from, RB_AWAY);
	}
	page->data = NULL;
}

/**
 * rb_resize_start - switch a CPU's stream to the new ring in rb_cpu.spare_ring
 * @cb: the stream
 *
 * Moves the tail and the page of the reader. The slots of the other pages are AWAY until
 * rb_resize_step() moves the pages, or the writer claims the slots.
 *
 * Context: to be called by rb_run_without_writers().
 */
void rb_resize_start(struct rb_cpu *cb)
{
	struct rb_ring *old = cb->ring, *ring = cb->spare_ring;
	unsigned long next = cb->tail_no + 1;

	/* Readers must not look for pages before the oldest one of the old ring in the new one. */
	cb->floor = rb_first_remaining_no(cb, cb->floor);
	ring->origin = next - ring->nr;
	ring->away_end = next;
	ring->away = next - min(old->nr, ring->nr);
	swap(cb->ring, cb->spare_ring);
	WRITE_ONCE(cb->nr, ring->nr);

	old->spare = cb->reader.page;
	ring->pages[ring->nr] = *old->spare;
	cb->reader.page = &ring->pages[ring->nr];
	rb_move_page(cb, cb->tail_no);
	cb->tail = &ring->pages[rb_word_index(*rb_slot(ring, cb->tail_no))];
	/* The caller has published everything, so the tail is the commit page. */
	cb->commit_page = cb->tail;
}

/**
 * rb_resize_step - move a batch of pages from the old ring to the new one
 * @cb: the CPU's stream, after rb_resize_start()
 *
 * Context: to be called by rb_run_without_writers().
 */
void rb_resize_step(struct rb_cpu *cb)
{
	struct rb_ring *ring = cb->ring;
	unsigned int n;

	for (n = 0; rb_is_resizing(ring) && n < RB_MOVE_BATCH; n++)
		rb_move_page(cb, ring->away++);
	/* The reader has this memory, see rb_reader_spare_page(): do not free it with the ring. */
	cb->spare_ring->spare->data = NULL;
}

/* Returns 0 if the ring of @cb may get @nr slots; -EBUSY if that changes a mapped stream. */
static int rb_check_resize(const struct rb_cpu *cb, unsigned long nr)
{
	return READ_ONCE(cb->nr) != nr && rb_pages_pinned(cb) ? -EBUSY : 0;
}

/*
 * Allocate a ring with @nr slots in rb_cpu.spare_ring, unless the stream has that many. Memory
 * is allocated only for pages in excess of those of the old ring, whose memory moves. Returns
 * 0, -EBUSY, -ENOMEM or -EINTR.
 */
static int rb_prepare_resize(struct rb_cpu *cb, unsigned long nr)
{
	/* Not cb->ring->nr: ring_buffer_swap_cpu() may give the ring away, and it may be freed. */
	unsigned long old = READ_ONCE(cb->nr);
	int ret = rb_check_resize(cb, nr);
	struct rb_ring *ring;

	if (ret || old == nr)
		return ret;
	ring = rb_ring_alloc(cb->cpu, nr, nr > old ? nr - old : 0, cb->buffer->order);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	WRITE_ONCE(cb->spare_ring, ring);
	return 0;
}

/* Install the ring that rb_prepare_resize() allocated, and move all pages to it. */
static void rb_resize_cpu(struct rb_cpu *cb)
{
	rb_run_without_writers(cb, rb_resize_start);
	while (rb_is_resizing(cb->ring)) {
		rb_run_without_writers(cb, rb_resize_step);
		cond_resched();
	}
}

static int rb_resize_cpus(struct trace_buffer *buffer, const struct cpumask *cpus,
			  unsigned long nr)
{
	int cpu, ret;

	for_each_cpu(cpu, cpus) {
		ret = rb_prepare_resize(rb_cpu_of(buffer, cpu), nr);
		if (ret)
			return ret;
	}
	for_each_cpu(cpu, cpus) {
		struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

		if (cb->spare_ring)
			rb_resize_cpu(cb);
	}
	return 0;
}

/**
 * ring_buffer_resize - change the size of a buffer
 * @buffer: the buffer; NULL does nothing
 * @size: bytes for each CPU, rounded up to whole sub-buffers, at least two
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 *
 * Writers and readers continue meanwhile. The records in the buffer are kept; if they do
 * not fit, the newest ones are kept. Interrupts on the owning CPU are off for some 20 ns
 * per sub-buffer, but not for more than RB_MOVE_BATCH sub-buffers at once.
 *
 * Context: process, may sleep; takes cpus_read_lock() and trace_buffer.mutex.
 * Return: 0; on failure nothing is changed: -ENOMEM, -EINTR if the task is being killed,
 *	-EBUSY while pages are mapped.
 */
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu)
{
	const struct cpumask *cpus;
	unsigned long nr;
	int ret;

	if (!buffer)
		return 0;
	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	if (cpu != RING_BUFFER_ALL_CPUS && !cpumask_test_cpu(cpu, buffer->cpumask))
		return 0;
	cpus = cpu == RING_BUFFER_ALL_CPUS ? buffer->cpumask : cpumask_of(cpu);
	nr = rb_pages_for(size, buffer->order);
	/* If memory runs out, the OOM killer shall choose this task. */
	if (current->mm)
		set_current_oom_origin();
	ret = rb_resize_cpus(buffer, cpus, nr);
	if (current->mm)
		clear_current_oom_origin();
	if (!ret && cpu == RING_BUFFER_ALL_CPUS)
		buffer->nr = nr;
	rb_free_spares(buffer);
	return ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_resize);

int ring_buffer_may_resize(struct trace_buffer *buffer, unsigned long size, int cpu)
{
	int i, ret = 0;

	guard(mutex)(&buffer->mutex);
	for_each_cpu(i, buffer->cpumask)
		if (cpu == RING_BUFFER_ALL_CPUS || cpu == i)
			ret = ret ?: rb_check_resize(rb_cpu_of(buffer, i),
						     rb_pages_for(size, buffer->order));
	return ret;
}

int ring_buffer_resize_like(struct trace_buffer *buffer, struct trace_buffer *model)
{
	unsigned int order = READ_ONCE(model->order);
	unsigned long size = READ_ONCE(model->nr) * rb_payload(order);
	int cpu, ret = consume_set_order(buffer, order);

	/* This also sets the size for CPUs that have yet to come up. */
	if (!ret)
		ret = ring_buffer_resize(buffer, size, RING_BUFFER_ALL_CPUS);
	for_each_possible_cpu(cpu) {
		size = ring_buffer_size(model, cpu);
		if (!ret && size)
			ret = ring_buffer_resize(buffer, size, cpu);
	}
	return ret;
}
