// SPDX-License-Identifier: GPL-2.0
/*
 * Exchanging the records of a CPU between two buffers, which lets a tracer save the
 * records of a moment without copying them.
 *
 * Called by tracers on the CPU itself, from an interrupt or with the lock of a run queue
 * held. Nothing here may wait: if either stream is in use the exchange fails.
 *
 * Whole buffers are exchanged in instance/snapshot.c.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/smp.h>

#include "internal.h"
#include "write.h"

static bool rb_is_disabled(struct rb_cpu *cb)
{
	return atomic_read(&cb->buffer->disabled) || atomic_read(&cb->disabled);
}

/* True if a writer, iterator, resize, mapping or consumer uses the stream. */
static bool rb_in_use(struct rb_cpu *cb)
{
	return READ_ONCE(cb->depth) || atomic_read(&cb->iterators) ||
	       READ_ONCE(cb->spare_ring) || rb_pages_pinned(cb) || consume_busy(cb->cpu);
}

/* Test whether the streams may be exchanged; both locks held. 0, -EINVAL, -EAGAIN or -EBUSY. */
static int rb_check_swap(struct rb_cpu *a, struct rb_cpu *b)
{
	if (a->ring->nr != b->ring->nr || a->ring->order != b->ring->order)
		return -EINVAL;
	if (rb_is_disabled(a) || rb_is_disabled(b))
		return -EAGAIN;
	return rb_in_use(a) || rb_in_use(b) ? -EBUSY : 0;
}

/* Keep writers away from the stream: NMIs that come from here on drop their records. */
static void rb_hold_stream(struct rb_cpu *cb)
{
	WRITE_ONCE(cb->depth, 1);
	barrier();
	WRITE_ONCE(cb->advancing, true);
	barrier();
	rb_publish(cb);
}

/* Let writers use the stream again; wake waiters for a record that an NMI wrote meanwhile. */
static void rb_release_stream(struct rb_cpu *cb)
{
	barrier();
	WRITE_ONCE(cb->advancing, false);
	barrier();
	rb_commit_rest(cb);
}

/* Exchange two counters by adding the difference, so that nothing an NMI adds is lost. */
static void rb_swap_counts(local_t *a, local_t *b)
{
	long diff = local_read(b) - local_read(a);

	local_add(diff, a);
	local_sub(diff, b);
}

static void rb_swap_streams(struct rb_cpu *a, struct rb_cpu *b)
{
	rb_hold_stream(a);
	rb_hold_stream(b);
	swap(a->stream, b->stream);
	rb_swap_counts(&a->dropped, &b->dropped);
	rb_swap_counts(&a->overtaken, &b->overtaken);
	rb_release_stream(a);
	rb_release_stream(b);
}

/* Exchange the streams if possible; the lock of @a is held. */
static int rb_try_swap_locked(struct rb_cpu *a, struct rb_cpu *b)
{
	int ret;

	if (!raw_spin_trylock(&b->lock))
		return -EBUSY;
	ret = rb_check_swap(a, b);
	if (!ret)
		rb_swap_streams(a, b);
	raw_spin_unlock(&b->lock);
	return ret;
}

/* Exchange the streams if possible, without waiting for a lock. */
static int rb_try_swap(struct rb_cpu *a, struct rb_cpu *b)
{
	int ret;

	if (!raw_spin_trylock(&a->lock))
		return -EBUSY;
	ret = rb_try_swap_locked(a, b);
	raw_spin_unlock(&a->lock);
	return ret;
}

/**
 * ring_buffer_swap_cpu - exchange the records of a CPU between two buffers
 * @buffer_a: a buffer
 * @buffer_b: another buffer
 * @cpu: this CPU, or a CPU that is down and stays down
 *
 * The time does not depend on the number of records. Records and the counts of read and
 * lost records go to the other buffer; waiters, switches and the clock stay. Consumers of
 * either buffer hold consume_lock(), because their current record would go, too.
 *
 * Context: any but NMI; the lock of a run queue may be held; never waits.
 * Return: 0; -EINVAL if the sizes of the buffers or of their sub-buffers differ, if
 *	a buffer has no stream of @cpu, or if @cpu is another CPU that is up; -EAGAIN if
 *	recording is disabled in either buffer; -EBUSY if either stream is being written,
 *	has iterators, is being resized or is mapped, or if its records are being consumed.
 */
int ring_buffer_swap_cpu(struct trace_buffer *buffer_a,
			 struct trace_buffer *buffer_b, int cpu)
{
	unsigned long flags;
	int ret = -EINVAL;

	if (buffer_a == buffer_b || !cpumask_test_cpu(cpu, buffer_a->cpumask) ||
	    !cpumask_test_cpu(cpu, buffer_b->cpumask))
		return -EINVAL;
	/*
	 * raw_ and lockdep_off(): the caller may be a tracer of interrupt state, which runs
	 * before lockdep has noted a change of that state. Trylocks cannot deadlock.
	 */
	raw_local_irq_save(flags);
	lockdep_off();
	if (cpu == raw_smp_processor_id() || !cpu_online(cpu))
		ret = rb_try_swap(rb_cpu_of(buffer_a, cpu), rb_cpu_of(buffer_b, cpu));
	lockdep_on();
	raw_local_irq_restore(flags);
	return ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_swap_cpu);
