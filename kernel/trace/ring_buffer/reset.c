// SPDX-License-Identifier: GPL-2.0
/*
 * Changing a CPU's stream while no writer is between reserve and commit, and the changes that
 * begin the stream anew, without records: its first ring, a reset, and another size of
 * sub-buffers.
 *
 * A change is made on the CPU that owns the stream, in an interrupt that found no writer
 * at work, with rb_cpu.lock held. So neither writers nor readers ever see half of a change. The
 * time that a change takes does not depend on the size of the buffer. Memory for it is
 * allocated before, and unused memory is freed afterwards, in process context. If an
 * allocation fails, nothing is changed.
 *
 * Called by the owner of a buffer, in process context. Must never take a page from a
 * writer or a reader that is using it.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "internal.h"
#include "resize_like.h"
#include "map.h"
#include "write.h"

/* -- Running a function while no writer is at work. -- */

/**
 * struct rb_change - a change of a stream, which rb_try_without_writers() is to make
 * @cpu_stream: the CPU's stream
 * @fn: function to call while no writer is at work
 * @done: set to true if @fn was called
 */
struct rb_change {
	struct rb_cpu	*cpu_stream;
	void		(*fn)(struct rb_cpu *cb);
	bool		done;
};

/*
 * Make the change @info, a struct rb_change, unless a writer is at work. Runs on the CPU that owns
 * the stream, or while that CPU is down; interrupts are off.
 */
static void rb_try_without_writers(void *info)
{
	struct rb_change *change = info;
	struct rb_cpu *cb = change->cpu_stream;

	raw_spin_lock(&cb->lock);
	if (READ_ONCE(cb->depth))
		goto out;
	WRITE_ONCE(cb->depth, 1);
	barrier();
	/* From here on, writers in NMIs drop their records. */
	WRITE_ONCE(cb->exclusive, true);
	barrier();
	if (cb->ring)
		rb_publish(cb);
	change->fn(cb);
	barrier();
	WRITE_ONCE(cb->exclusive, false);
	barrier();
	/* Sets depth to 0. Wakes waiters if an NMI wrote a record before exclusive was set. */
	rb_commit_outermost(cb);
	change->done = true;
out:
	raw_spin_unlock(&cb->lock);
}

static void rb_try_without_writers_on_owner(struct rb_change *change)
{
	int cpu = change->cpu_stream->cpu;
	unsigned long flags;

	guard(preempt)();
	if (cpu_online(cpu) && cpu != smp_processor_id()) {
		smp_call_function_single(cpu, rb_try_without_writers, change, true);
		return;
	}
	local_irq_save(flags);
	rb_try_without_writers(change);
	local_irq_restore(flags);
}

/**
 * rb_run_without_writers - run a function while no writer is at work on a CPU's stream
 * @cb: the stream
 * @fn: the function; called with interrupts off and @cb->lock held
 *
 * Context: process; cpus_read_lock() held, so that a CPU that is down stays so.
 */
void rb_run_without_writers(struct rb_cpu *cb, void (*fn)(struct rb_cpu *cb))
{
	struct rb_change change = { .cpu_stream = cb, .fn = fn };

	for (;;) {
		rb_try_without_writers_on_owner(&change);
		if (change.done)
			return;
		/* The interrupt has interrupted a writer. Try again when that may have finished. */
		cond_resched();
	}
}

/* Make @page, which gets number @no, the empty tail and commit page of the stream. */
static void rb_open_first_page(struct rb_cpu *cb, unsigned long no, struct rb_page *page)
{
	struct rb_ring *ring = cb->ring;
	unsigned long base = rb_page_base(page);

	page->no = no;
	page->first_record = 0;
	page->nr_fast_before = 0;
	page->bytes_before = 0;
	page->dropped_before = 0;
	page->data->commit = 0;
	local_set(&page->nr_slow, 0);
	*rb_slot(ring, no) = rb_slot_word(ring, no, page - ring->pages, RB_OPEN);

	cb->nr_fast = 0;
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

/* Begin the stream anew, without records, on the page after the tail, and clear all counters. */
static void rb_begin_stream(struct rb_cpu *cb)
{
	struct rb_ring *ring = cb->ring;
	unsigned long no = cb->tail_no + 1;

	rb_open_first_page(cb, no, &ring->pages[rb_word_index(*rb_slot(ring, no))]);

	local_set(&cb->dropped, 0);
	local_set(&cb->overtaken, 0);
	cb->reader = (struct rb_reader) {
		.page		= cb->reader.page,
		.cur.page	= cb->reader.page->data,
		.no		= no,
	};
}

/**
 * rb_restart_stream - drop all records of a CPU's stream
 * @cb: the stream
 *
 * Page numbers continue after that of the tail, so that iterators notice the reset. The old
 * pages stay in their slots; readers ignore them, because their numbers are below rb_cpu.floor.
 *
 * Context: to be called by rb_run_without_writers().
 */
void rb_restart_stream(struct rb_cpu *cb)
{
	struct rb_ring *ring = cb->ring;
	unsigned long no = cb->tail_no;

	if (!ring)
		return;
	*rb_slot(ring, no) = rb_slot_word(ring, no, cb->tail - ring->pages, RB_CLOSED);
	rb_begin_stream(cb);
	rb_map_update_meta(cb);
}

/* Begin the stream anew in the ring rb_cpu.spare_ring, whose pages must all have memory. */
static void rb_install_ring(struct rb_cpu *cb)
{
	struct rb_ring *ring = cb->spare_ring;

	/*
	 * The origin is one lap before the first page, because readers look for pages of up to
	 * one lap before the tail: none of them is before the origin.
	 */
	ring->origin = cb->tail_no + 1 - ring->nr;
	cb->reader.page = &ring->pages[ring->nr];
	swap(cb->ring, cb->spare_ring);
	rb_begin_stream(cb);
}

/* -- The first ring, the size of sub-buffers, and resets. -- */

/**
 * rb_cpu_add_ring - give a CPU's stream its first ring
 * @cb: the stream; it must have no writers and readers yet
 *
 * Context: process; trace_buffer.mutex held.
 * Return: 0, -ENOMEM, or -EINTR if the task is being killed.
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
	rb_install_ring(cb);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
	return 0;
}

/* True if the size of sub-buffers must not change, because of an iterator or a mapping. */
static bool rb_order_is_pinned(struct trace_buffer *buffer)
{
	int cpu;

	for_each_cpu(cpu, buffer->cpumask) {
		struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

		if (atomic_read(&cb->iterators) || rb_pages_pinned(cb))
			return true;
	}
	return false;
}

int ring_buffer_may_set_order(struct trace_buffer *buffer)
{
	guard(mutex)(&buffer->mutex);
	return rb_order_is_pinned(buffer) ? -EBUSY : 0;
}

/*
 * Allocate rings with pages of 2^@order in rb_cpu.spare_ring of all CPUs. Returns 0, -ENOMEM or
 * -EINTR.
 */
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

/* Replace the rings of all CPUs by those that rb_prepare_order() allocated. */
static void rb_apply_order(struct trace_buffer *buffer, unsigned int order)
{
	unsigned long bytes = buffer->nr * rb_payload(buffer->order);
	int cpu;

	buffer->order = order;
	buffer->nr = rb_pages_for(bytes, order);
	WRITE_ONCE(buffer->max_len, rb_event_max_len(rb_payload(order)));
	for_each_cpu(cpu, buffer->cpumask)
		rb_run_without_writers(rb_cpu_of(buffer, cpu), rb_install_ring);
}

/**
 * ring_buffer_subbuf_order_set - change the size of sub-buffers
 * @buffer: the buffer
 * @order: a sub-buffer shall be 2^order pages of memory
 *
 * The capacity does not change, or grows by less than a sub-buffer per CPU. All records
 * are lost.
 *
 * Context: process, may sleep; takes cpus_read_lock() and trace_buffer.mutex.
 * Return: 0; on failure nothing is changed: -EINVAL for an impossible @order, -EBUSY
 *	while there are iterators or mapped pages, -ENOMEM, or -EINTR if the task is being
 *	killed.
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
	if (rb_order_is_pinned(buffer))
		return -EBUSY;
	ret = rb_prepare_order(buffer, order);
	if (!ret)
		rb_apply_order(buffer, order);
	rb_free_spares(buffer);
	return ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_set);

static void rb_reset_cpu(struct rb_cpu *cb)
{
	rb_run_without_writers(cb, rb_restart_stream);
	rb_map_flush(cb);
}

/**
 * ring_buffer_reset_cpu - drop the records of a CPU, and clear its statistics
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: process, may sleep; takes cpus_read_lock() and trace_buffer.mutex.
 */
void ring_buffer_reset_cpu(struct trace_buffer *buffer, int cpu)
{
	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	if (cpumask_test_cpu(cpu, buffer->cpumask))
		rb_reset_cpu(rb_cpu_of(buffer, cpu));
}
EXPORT_SYMBOL_GPL(ring_buffer_reset_cpu);

/**
 * ring_buffer_reset_online_cpus - drop the records and statistics of all CPUs that are up
 * @buffer: the buffer
 *
 * Context: process, may sleep; takes cpus_read_lock() and trace_buffer.mutex.
 */
void ring_buffer_reset_online_cpus(struct trace_buffer *buffer)
{
	int cpu;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	for_each_cpu_and(cpu, buffer->cpumask, cpu_online_mask)
		rb_reset_cpu(rb_cpu_of(buffer, cpu));
}

/**
 * ring_buffer_reset - drop the records and statistics of all CPUs
 * @buffer: the buffer
 *
 * Context: process, may sleep; takes cpus_read_lock() and trace_buffer.mutex.
 */
void ring_buffer_reset(struct trace_buffer *buffer)
{
	int cpu;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	for_each_cpu(cpu, buffer->cpumask)
		rb_reset_cpu(rb_cpu_of(buffer, cpu));
}
EXPORT_SYMBOL_GPL(ring_buffer_reset);
