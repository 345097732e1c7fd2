// SPDX-License-Identifier: GPL-2.0
/*
 * Changes of a CPU's stream: how they are made, and those after which it begins
 * anew: the first ring, a reset, sub-buffers of another size.
 *
 * A change is made on the CPU that owns the stream, in an interrupt that found
 * no writer at work, under the reader's lock: so neither writers nor readers
 * need to know of it. It takes the same time however large the buffer is. What
 * it needs is allocated before and what it leaves is freed after, by the caller
 * in process context. If anything cannot be allocated, nothing is changed.
 *
 * Called by whoever owns a buffer, in process context. Must never take a page
 * from a writer or a reader that is at work on it.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "alike.h"
#include "map.h"
#include "write.h"

/* -- Changes, while no writer is at work. -- */

struct rb_quiet {
	struct rb_cpu	*cb;
	void		(*fn)(struct rb_cpu *cb);
	bool		done;
};

/* On the CPU that owns the stream, or when that CPU is down; interrupts off. */
static void rb_try_quiet(void *info)
{
	struct rb_quiet *quiet = info;
	struct rb_cpu *cb = quiet->cb;

	raw_spin_lock(&cb->lock);
	if (READ_ONCE(cb->depth))
		goto out;
	WRITE_ONCE(cb->depth, 1);
	barrier();
	/* An NMI that comes from here on drops its record. */
	WRITE_ONCE(cb->advancing, true);
	barrier();
	if (cb->ring)
		rb_publish(cb);
	quiet->fn(cb);
	barrier();
	WRITE_ONCE(cb->advancing, false);
	barrier();
	/* That of an NMI from before it was told not to, for example. */
	rb_commit_rest(cb);
	quiet->done = true;
out:
	raw_spin_unlock(&cb->lock);
}

static void rb_try_quiet_on_owner(struct rb_quiet *quiet)
{
	int cpu = quiet->cb->cpu;
	unsigned long flags;

	guard(preempt)();
	if (cpu_online(cpu) && cpu != smp_processor_id()) {
		smp_call_function_single(cpu, rb_try_quiet, quiet, true);
		return;
	}
	local_irq_save(flags);
	rb_try_quiet(quiet);
	local_irq_restore(flags);
}

/**
 * rb_run_quiet - run a function while no writer is at work on a CPU's stream
 * @cb: the stream
 * @fn: the function; called with interrupts off and @cb->lock held
 *
 * Context: process; cpus_read_lock() held, so that a CPU that is down stays so.
 */
void rb_run_quiet(struct rb_cpu *cb, void (*fn)(struct rb_cpu *cb))
{
	struct rb_quiet quiet = { .cb = cb, .fn = fn };

	for (;;) {
		rb_try_quiet_on_owner(&quiet);
		if (quiet.done)
			return;
		/* It interrupted a writer, who needs a moment to finish. */
		cond_resched();
	}
}

/* Make page @no, which has memory and nothing in it, the one being written. */
static void rb_start_on(struct rb_cpu *cb, unsigned long no, struct rb_page *page)
{
	struct rb_ring *ring = cb->ring;
	unsigned long base = rb_page_base(page);

	page->no = no;
	page->first = 0;
	page->straight = 0;
	page->bytes = 0;
	page->missed = 0;
	page->data->commit = 0;
	local_set(&page->events, 0);
	*rb_slot(ring, no) = rb_slot_word(ring, no, page - ring->pages, RB_OPEN);

	cb->count = 0;
	cb->payload = rb_payload(ring->order);
	WRITE_ONCE(cb->nr, ring->nr);
	cb->tail = page;
	cb->tail_end = base + cb->payload;
	cb->tail_no = no;
	cb->floor = no;
	cb->commit_page = page;
	cb->commit_base = base;
	cb->limit = 0;
	cb->write = base;
}

/* Begin anew on the page after the last, with nothing written, read or lost. */
static void rb_begin_anew(struct rb_cpu *cb)
{
	struct rb_ring *ring = cb->ring;
	unsigned long no = cb->tail_no + 1;

	rb_start_on(cb, no, &ring->pages[rb_word_index(*rb_slot(ring, no))]);

	local_set(&cb->dropped, 0);
	local_set(&cb->overtaken, 0);
	cb->reader = (struct rb_reader) {
		.page		= cb->reader.page,
		.cur.page	= cb->reader.page->data,
		.no		= no,
	};
}

/**
 * rb_restart - forget all records; a function for rb_run_quiet()
 * @cb: the CPU's stream
 *
 * Page numbers go on where they were, so that iterators see what happened. Pages
 * stay in their slots: being before the floor, they are as good as empty.
 */
void rb_restart(struct rb_cpu *cb)
{
	struct rb_ring *ring = cb->ring;
	unsigned long no = cb->tail_no;

	if (!ring)
		return;
	*rb_slot(ring, no) = rb_slot_word(ring, no, cb->tail - ring->pages, RB_CLOSED);
	rb_begin_anew(cb);
	rb_map_tell(cb);
}

/* The stream begins anew, on the ring in spare_ring that is all its own. */
static void rb_first_ring(struct rb_cpu *cb)
{
	struct rb_ring *ring = cb->spare_ring;

	/* A lap before the first page, so that no page of the ring is before it. */
	ring->origin = cb->tail_no + 1 - ring->nr;
	cb->reader.page = &ring->pages[ring->nr];
	swap(cb->ring, cb->spare_ring);
	rb_begin_anew(cb);
}

/* -- What others call. -- */

/**
 * rb_cpu_add_ring - give a CPU's stream its memory
 * @cb: the stream; nobody writes to it or reads from it yet
 *
 * Context: process; trace_buffer.mutex held.
 * Return: 0 or -ENOMEM.
 */
int rb_cpu_add_ring(struct rb_cpu *cb)
{
	struct trace_buffer *buffer = cb->buffer;
	unsigned long nr = buffer->nr, flags;
	struct rb_ring *ring;

	ring = rb_ring_alloc(cb->cpu, nr, nr + 1, buffer->order);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	cb->spare_ring = ring;
	raw_spin_lock_irqsave(&cb->lock, flags);
	rb_first_ring(cb);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
	return 0;
}

/* Does anybody hold on to the present size of sub-buffers? */
static bool rb_order_stays(struct trace_buffer *buffer)
{
	int cpu;

	for_each_cpu(cpu, buffer->cpumask) {
		struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

		if (atomic_read(&cb->iterators) || rb_pages_stay(cb))
			return true;
	}
	return false;
}

int ring_buffer_may_set_order(struct trace_buffer *buffer)
{
	guard(mutex)(&buffer->mutex);
	return rb_order_stays(buffer) ? -EBUSY : 0;
}

static int rb_prepare_order(struct trace_buffer *buffer, unsigned int order)
{
	struct rb_ring *ring;
	int cpu;

	for_each_cpu(cpu, buffer->cpumask) {
		struct rb_cpu *cb = rb_cpu_of(buffer, cpu);
		unsigned long bytes = READ_ONCE(cb->nr) * rb_payload(buffer->order);
		unsigned long nr = rb_pages_for(bytes, order);

		ring = rb_ring_alloc(cpu, nr, nr + 1, order);
		if (IS_ERR(ring))
			return PTR_ERR(ring);
		cb->spare_ring = ring;
	}
	return 0;
}

static void rb_set_order(struct trace_buffer *buffer, unsigned int order)
{
	unsigned long bytes = buffer->nr * rb_payload(buffer->order);
	int cpu;

	buffer->order = order;
	buffer->nr = rb_pages_for(bytes, order);
	WRITE_ONCE(buffer->max_len, rb_event_max_len(rb_payload(order)));
	for_each_cpu(cpu, buffer->cpumask)
		rb_run_quiet(rb_cpu_of(buffer, cpu), rb_first_ring);
}

/**
 * ring_buffer_subbuf_order_set - change the size of sub-buffers
 * @buffer: the buffer
 * @order: a sub-buffer shall be 2^order pages of memory
 *
 * The capacity stays, or grows by less than a sub-buffer per CPU. The content is
 * lost.
 *
 * Context: process, may sleep; takes cpus_read_lock().
 * Return: 0; -EINVAL for an impossible @order, -EBUSY while there are iterators or
 *	pages are mapped, -ENOMEM or -EINTR as for ring_buffer_resize(): nothing is changed.
 */
int ring_buffer_subbuf_order_set(struct trace_buffer *buffer, int order)
{
	int ret;

	if (!buffer || order < 0 || order > MAX_PAGE_ORDER)
		return -EINVAL;
	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	if (buffer->order == order)
		return 0;
	if (rb_order_stays(buffer))
		return -EBUSY;
	ret = rb_prepare_order(buffer, order);
	if (!ret)
		rb_set_order(buffer, order);
	rb_free_spares(buffer);
	return ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_set);

static void rb_reset(struct rb_cpu *cb)
{
	rb_run_quiet(cb, rb_restart);
	rb_map_flush(cb);
}

/**
 * ring_buffer_reset_cpu - forget the records of a CPU, and its statistics
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: process, may sleep; takes cpus_read_lock().
 */
void ring_buffer_reset_cpu(struct trace_buffer *buffer, int cpu)
{
	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	if (cpumask_test_cpu(cpu, buffer->cpumask))
		rb_reset(rb_cpu_of(buffer, cpu));
}
EXPORT_SYMBOL_GPL(ring_buffer_reset_cpu);

/**
 * ring_buffer_reset_online_cpus - forget the records of all CPUs that are up
 * @buffer: the buffer
 *
 * Context: process, may sleep; takes cpus_read_lock().
 */
void ring_buffer_reset_online_cpus(struct trace_buffer *buffer)
{
	int cpu;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	for_each_cpu_and(cpu, buffer->cpumask, cpu_online_mask)
		rb_reset(rb_cpu_of(buffer, cpu));
}

/**
 * ring_buffer_reset - forget the records of all CPUs
 * @buffer: the buffer
 *
 * Context: process, may sleep; takes cpus_read_lock().
 */
void ring_buffer_reset(struct trace_buffer *buffer)
{
	int cpu;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	for_each_cpu(cpu, buffer->cpumask)
		rb_reset(rb_cpu_of(buffer, cpu));
}
EXPORT_SYMBOL_GPL(ring_buffer_reset);
