// SPDX-License-Identifier: GPL-2.0
/*
 * Exchanging what a CPU has recorded in one buffer with what it has in another:
 * how a tracer puts the records of a moment aside without copying them.
 *
 * Called by tracers on the CPU itself, from an interrupt or under the lock of a
 * run queue: so nothing here waits, and if anybody is at work on either stream
 * the exchange is refused.
 *
 * Whole buffers are exchanged by whoever has two of them: instance/snapshot.c.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/smp.h>

#include "consume.h"
#include "write.h"

static bool rb_is_disabled(struct rb_cpu *cb)
{
	return atomic_read(&cb->buffer->disabled) || atomic_read(&cb->disabled);
}

/* Is anybody at work on the stream, or relies on its being where it is? */
static bool rb_in_use(struct rb_cpu *cb)
{
	return READ_ONCE(cb->depth) || atomic_read(&cb->iterators) ||
	       READ_ONCE(cb->spare_ring) || rb_pages_stay(cb) || consume_busy(cb->cpu);
}

/* Both locks held. */
static int rb_may_swap(struct rb_cpu *a, struct rb_cpu *b)
{
	if (a->ring->nr != b->ring->nr || a->ring->order != b->ring->order)
		return -EINVAL;
	if (rb_is_disabled(a) || rb_is_disabled(b))
		return -EAGAIN;
	return rb_in_use(a) || rb_in_use(b) ? -EBUSY : 0;
}

/* An NMI that comes from here on drops its record. */
static void rb_hold(struct rb_cpu *cb)
{
	WRITE_ONCE(cb->depth, 1);
	barrier();
	WRITE_ONCE(cb->advancing, true);
	barrier();
	rb_publish(cb);
}

static void rb_let_go(struct rb_cpu *cb)
{
	barrier();
	WRITE_ONCE(cb->advancing, false);
	barrier();
	rb_commit_rest(cb);
}

/* Add to each what the other had; what an NMI adds meanwhile stays where it was. */
static void rb_swap_counts(local_t *a, local_t *b)
{
	long diff = local_read(b) - local_read(a);

	local_add(diff, a);
	local_sub(diff, b);
}

static void rb_swap_streams(struct rb_cpu *a, struct rb_cpu *b)
{
	rb_hold(a);
	rb_hold(b);
	swap(a->stream, b->stream);
	rb_swap_counts(&a->dropped, &b->dropped);
	rb_swap_counts(&a->overtaken, &b->overtaken);
	rb_let_go(a);
	rb_let_go(b);
}

/* The lock of @a held. */
static int rb_try_swap_with(struct rb_cpu *a, struct rb_cpu *b)
{
	int ret;

	if (!raw_spin_trylock(&b->lock))
		return -EBUSY;
	ret = rb_may_swap(a, b);
	if (!ret)
		rb_swap_streams(a, b);
	raw_spin_unlock(&b->lock);
	return ret;
}

static int rb_try_swap(struct rb_cpu *a, struct rb_cpu *b)
{
	int ret;

	if (!raw_spin_trylock(&a->lock))
		return -EBUSY;
	ret = rb_try_swap_with(a, b);
	raw_spin_unlock(&a->lock);
	return ret;
}

/**
 * ring_buffer_swap_cpu - exchange a CPU's records of two buffers
 * @buffer_a: a buffer
 * @buffer_b: another one
 * @cpu: this CPU, or one that is down and stays so
 *
 * Takes the same time whatever is in them. Records, and the counts of what was
 * read and lost, go to the other buffer; waiters, switches and the clock do not.
 * Whoever consumes from either holds consume_lock(): his record would go, too.
 *
 * Context: any but NMI, the lock of a run queue may be held; never waits.
 * Return: 0; -EINVAL if the sizes, or those of sub-buffers, are not the same, if
 *	a buffer has no stream of @cpu, or for another CPU; -EAGAIN if recording
 *	is disabled in one of them; -EBUSY if one of them is being written,
 *	looked at with an iterator, resized, or mapped, or somebody consumes.
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
	 * The caller may be one who knows of interrupts what lockdep does not yet; and who
	 * only tries a lock waits for nobody.
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
