// SPDX-License-Identifier: GPL-2.0
/*
 * Exchanging the records of a CPU between two buffers, by which a tracer saves the current
 * records of its buffer without copying them.
 *
 * Called by tracers on the CPU itself, from an interrupt or with the lock of a run queue
 * held. Nothing here may wait: if either stream is in use the exchange fails.
 *
 * Snapshots of all CPUs exchange whole buffers instead, in instance/snapshot.c.
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

static bool rb_recording_is_disabled(struct rb_cpu *cb)
{
	return atomic_read(&cb->buffer->disabled) || atomic_read(&cb->disabled);
}

/* True if a writer, iterator, resize, mapping or consumer uses the stream. */
static bool rb_stream_is_in_use(struct rb_cpu *cb)
{
	return READ_ONCE(cb->depth) || atomic_read(&cb->iterators) ||
	       READ_ONCE(cb->spare_ring) || rb_pages_pinned(cb) || consume_busy(cb->cpu);
}

/*
 * Returns 0 if the streams may be exchanged, otherwise -EINVAL, -EAGAIN or -EBUSY. rb_cpu.lock of
 * both is held.
 */
static int rb_check_swap(struct rb_cpu *a, struct rb_cpu *b)
{
	if (a->ring->nr != b->ring->nr || a->ring->order != b->ring->order)
		return -EINVAL;
	if (rb_recording_is_disabled(a) || rb_recording_is_disabled(b))
		return -EAGAIN;
	return rb_stream_is_in_use(a) || rb_stream_is_in_use(b) ? -EBUSY : 0;
}

/* Keep writers away from the stream, which has none now: NMIs drop their records from here on. */
static void rb_hold_stream(struct rb_cpu *cb)
{
	WRITE_ONCE(cb->depth, 1);
	barrier();
	WRITE_ONCE(cb->exclusive, true);
	barrier();
	rb_publish(cb);
}

/*
 * Undo rb_hold_stream(). If an NMI wrote a record before rb_hold_stream() had set exclusive, wake
 * waiters for it.
 */
static void rb_release_stream(struct rb_cpu *cb)
{
	barrier();
	WRITE_ONCE(cb->exclusive, false);
	barrier();
	rb_commit_outermost(cb);
}

/* Exchange two counters by adding their difference, so that no increment by an NMI is lost. */
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

/* Exchange the streams if rb_check_swap() allows; a->lock is held. Returns 0 or an error. */
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

/* Exchange the streams if rb_check_swap() allows. Returns 0 or an error; waits for no lock. */
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
 * The time that this takes does not depend on the number of records. Records, and the counts of
 * read and lost records, go to the other buffer. Waiters, the clock, and whether recording is
 * disabled, stay with the buffer. Consumers of either buffer have to hold consume_lock(),
 * because the record that they use would go to the other buffer.
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
	 * Without lockdep: the caller may be a tracer of the interrupt state, which is called
	 * before lockdep knows of a change of that state. Nothing is lost, as trylocks cannot
	 * deadlock.
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
