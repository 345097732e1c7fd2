// SPDX-License-Identifier: GPL-2.0
/*
 * A ring buffer as a whole: making and freeing it, CPUs that come up, the clock,
 * on and off, and what there is to know about its content.
 *
 * Called by whoever owns a buffer. Here is the state that forbids writing or
 * changes how it is done; the writers see it folded into one word per CPU.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/trace_clock.h>

#include "write.h"

static u32 rb_special(struct trace_buffer *buffer, struct rb_cpu *cb)
{
	u32 special = 0;

	if (atomic_read(&buffer->disabled) || atomic_read(&cb->disabled) ||
	    !READ_ONCE(cb->ring))
		special |= RB_BLOCKED;
	if (READ_ONCE(cb->clock))
		special |= RB_OTHER_CLOCK;
	if (READ_ONCE(buffer->absolute))
		special |= RB_ABSOLUTE;
	return special;
}

/**
 * rb_fold - tell the writers after something that concerns them changed
 * @buffer: the buffer
 *
 * Two of these may run at once, one even inside the other. Whoever finds that
 * there was a change since it began goes over all CPUs again; so the last one
 * that stores anything has seen the last change.
 *
 * Context: any, NMI included.
 */
void rb_fold(struct trace_buffer *buffer)
{
	int seen, cpu, now;

	/* Once a grace period is over no one stores what he saw before. */
	guard(preempt_notrace)();
	seen = atomic_inc_return(&buffer->folds);
	for (;;) {
		for_each_possible_cpu(cpu) {
			struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

			WRITE_ONCE(cb->special, rb_special(buffer, cb));
		}
		/* The words before the count: pairs with atomic_inc_return(). */
		smp_mb();
		now = atomic_read_acquire(&buffer->folds);
		if (now == seen)
			return;
		seen = now;
	}
}

static void rb_cpu_init(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

	cb->buffer = buffer;
	cb->cpu = cpu;
	cb->special = RB_BLOCKED;
	raw_spin_lock_init(&cb->lock);
	lockdep_set_class(&cb->lock, buffer->key);
	init_irq_work(&cb->wake, rb_wake_work);
	rb_waiters_init(&cb->waiters, buffer, cpu);
}

/* The pages of @cpu, unless it has them. */
static int rb_add_cpu(struct trace_buffer *buffer, int cpu)
{
	int ret;

	guard(mutex)(&buffer->mutex);
	if (cpumask_test_cpu(cpu, buffer->cpumask))
		return 0;
	ret = rb_cpu_add_ring(rb_cpu_of(buffer, cpu));
	if (ret)
		return ret;
	/* Readers test the mask before they look at the ring. */
	smp_wmb();
	cpumask_set_cpu(cpu, buffer->cpumask);
	rb_fold(buffer);
	return 0;
}

/**
 * trace_rb_cpu_prepare - a CPU comes up: it needs pages in each buffer
 * @cpu: the CPU
 * @node: of the buffer, in the list of CPUHP_TRACE_RB_PREPARE
 *
 * Pages stay when the CPU goes down, so that what it wrote can be read.
 *
 * Context: CPU hotplug, may sleep.
 * Return: 0 or -ENOMEM.
 */
int trace_rb_cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct trace_buffer *buffer = hlist_entry(node, struct trace_buffer, node);

	return rb_add_cpu(buffer, cpu);
}

/**
 * trace_rb_cpu_dead - a CPU went down: its last records have woken nobody
 * @cpu: the CPU
 * @node: of the buffer, in the list of CPUHP_TRACE_RB_PREPARE
 *
 * Context: CPU hotplug, on another CPU; also for each CPU when a buffer goes.
 * Return: 0.
 */
int trace_rb_cpu_dead(unsigned int cpu, struct hlist_node *node)
{
	struct trace_buffer *buffer = hlist_entry(node, struct trace_buffer, node);

	/* Nor has what it has changed for those of other CPUs, as by a snapshot. */
	ring_buffer_wake_waiters(buffer, RING_BUFFER_ALL_CPUS);
	return 0;
}

/*
 * What runs by itself: a timer started for a waiter runs when he is gone, too,
 * and that of those who waited for any CPU looks at the pages of all.
 */
static void rb_stop_waking(struct trace_buffer *buffer)
{
	int cpu;

	rb_waiters_stop(&buffer->waiters);
	for_each_possible_cpu(cpu) {
		struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

		rb_waiters_stop(&cb->waiters);
		irq_work_sync(&cb->wake);
	}
}

static void rb_buffer_destroy(struct trace_buffer *buffer)
{
	int cpu;

	rb_stop_waking(buffer);
	for_each_possible_cpu(cpu)
		rb_ring_free(rb_cpu_of(buffer, cpu)->ring);
	free_percpu(buffer->cpu);
	free_cpumask_var(buffer->cpumask);
	kfree(buffer);
}

static struct trace_buffer *rb_buffer_create(unsigned long size,
					     unsigned int flags,
					     struct lock_class_key *key)
{
	struct trace_buffer *buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);
	int cpu;

	if (!buffer)
		return NULL;
	if (!zalloc_cpumask_var(&buffer->cpumask, GFP_KERNEL))
		goto out_buffer;
	buffer->cpu = alloc_percpu(struct rb_cpu);
	if (!buffer->cpu)
		goto out_mask;

	mutex_init(&buffer->mutex);
	buffer->key = key;
	buffer->overwrite = flags & RB_FL_OVERWRITE;
	buffer->max_len = rb_event_max_len(rb_payload(0));
	buffer->nr = rb_pages_for(size, 0);
	rb_waiters_init(&buffer->waiters, buffer, RING_BUFFER_ALL_CPUS);
	for_each_possible_cpu(cpu)
		rb_cpu_init(buffer, cpu);
	ring_buffer_set_clock(buffer, trace_clock_local);
	return buffer;

out_mask:
	free_cpumask_var(buffer->cpumask);
out_buffer:
	kfree(buffer);
	return NULL;
}

/**
 * __ring_buffer_alloc - make a buffer; use ring_buffer_alloc()
 * @size: bytes for each CPU, rounded up to whole sub-buffers, two at least
 * @flags: of enum ring_buffer_flags
 * @key: lock class of the buffer's inner locks
 *
 * CPUs that are not up get their memory when they come up. The clock is the
 * CPU's own, trace_clock_local(); writing is allowed.
 *
 * Context: process, may sleep; takes cpus_read_lock().
 * Return: the buffer, NULL if there is no memory.
 */
struct trace_buffer *__ring_buffer_alloc(unsigned long size, unsigned int flags,
					 struct lock_class_key *key)
{
	struct trace_buffer *buffer = rb_buffer_create(size, flags, key);

	if (!buffer)
		return NULL;
	/* The CPU that boots has its pages before hotplug is at work. */
	if (rb_add_cpu(buffer, raw_smp_processor_id()) ||
	    cpuhp_state_add_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node)) {
		rb_buffer_destroy(buffer);
		return NULL;
	}
	return buffer;
}
EXPORT_SYMBOL_GPL(__ring_buffer_alloc);

/**
 * ring_buffer_free - free a buffer
 * @buffer: the buffer; nobody writes to it, reads from it or waits for it
 *
 * Context: process, may sleep; takes cpus_read_lock().
 */
void ring_buffer_free(struct trace_buffer *buffer)
{
	cpuhp_state_remove_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node);
	rb_buffer_destroy(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_free);

/**
 * ring_buffer_change_overwrite - choose what to keep when a buffer is full
 * @buffer: the buffer
 * @val: not 0: the newest records; 0: the oldest
 *
 * Context: any.
 */
void ring_buffer_change_overwrite(struct trace_buffer *buffer, int val)
{
	WRITE_ONCE(buffer->overwrite, !!val);
}
EXPORT_SYMBOL_GPL(ring_buffer_change_overwrite);

/**
 * ring_buffer_set_clock - choose where times come from
 * @buffer: the buffer; should be reset afterwards, as times do not compare
 * @clock: the clock; called in any context, NMI included, with preemption off
 *
 * trace_clock_local is the one that costs least: the straight line of writing
 * reads its source in place, and knows no other. If that is not possible yet,
 * early in the boot, set it again later.
 *
 * Context: any.
 */
void ring_buffer_set_clock(struct trace_buffer *buffer, u64 (*clock)(void))
{
	int cpu;

	if (clock == trace_clock_local && arch_trace_clock_usable())
		clock = NULL;
	for_each_possible_cpu(cpu)
		WRITE_ONCE(rb_cpu_of(buffer, cpu)->clock, clock);
	rb_fold(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_set_clock);

/**
 * ring_buffer_set_time_stamp_abs - tell the whole time of each record, or what has passed
 * @buffer: the buffer
 * @abs: the whole time
 *
 * A record takes 8 bytes more then, and the straight line of writing is not taken: who
 * looks at a single record needs none of those before it. A record that fills a page has
 * the time of the page, as the first one of a page has otherwise.
 *
 * Holds for records that are begun afterwards. Not counted.
 *
 * Context: any.
 */
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs)
{
	WRITE_ONCE(buffer->absolute, abs);
	rb_fold(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_set_time_stamp_abs);

/**
 * ring_buffer_time_stamp_abs - is the whole time of each record told?
 * @buffer: the buffer
 *
 * Context: any.
 */
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->absolute);
}
EXPORT_SYMBOL_GPL(ring_buffer_time_stamp_abs);

/**
 * ring_buffer_time_stamp - the time now
 * @buffer: whose clock to ask
 *
 * Context: any.
 * Return: the time, in units of the clock.
 */
u64 ring_buffer_time_stamp(struct trace_buffer *buffer)
{
	guard(preempt_notrace)();
	return rb_clock(rb_this_cpu(buffer));
}
EXPORT_SYMBOL_GPL(ring_buffer_time_stamp);

/* -- On and off. -- */

/**
 * ring_buffer_record_disable - forbid writing, until enabled as often
 * @buffer: the buffer
 *
 * Writers that have begun are not waited for; synchronize_rcu() does that.
 *
 * Context: any, NMI included.
 */
void ring_buffer_record_disable(struct trace_buffer *buffer)
{
	atomic_inc(&buffer->disabled);
	rb_fold(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable);

/**
 * ring_buffer_record_enable - undo one ring_buffer_record_disable()
 * @buffer: the buffer
 *
 * Context: any, NMI included.
 */
void ring_buffer_record_enable(struct trace_buffer *buffer)
{
	atomic_dec(&buffer->disabled);
	rb_fold(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable);

/**
 * ring_buffer_record_off - switch a buffer off
 * @buffer: the buffer
 *
 * A switch, not a count: the next ring_buffer_record_on() switches it on,
 * unless ring_buffer_record_disable() is in force besides.
 *
 * Context: any, NMI included.
 */
void ring_buffer_record_off(struct trace_buffer *buffer)
{
	atomic_or(RB_OFF, &buffer->disabled);
	rb_fold(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_off);

/**
 * ring_buffer_record_on - switch a buffer on
 * @buffer: the buffer
 *
 * Context: any, NMI included.
 */
void ring_buffer_record_on(struct trace_buffer *buffer)
{
	atomic_andnot(RB_OFF, &buffer->disabled);
	rb_fold(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_on);

/**
 * ring_buffer_record_is_on - is writing allowed?
 * @buffer: the buffer
 *
 * Context: any.
 * Return: false if it is switched off or disabled.
 */
bool ring_buffer_record_is_on(struct trace_buffer *buffer)
{
	return !atomic_read(&buffer->disabled);
}

/**
 * ring_buffer_record_is_set_on - is the switch on?
 * @buffer: the buffer
 *
 * Context: any.
 * Return: false after ring_buffer_record_off(), whatever else is in force.
 */
bool ring_buffer_record_is_set_on(struct trace_buffer *buffer)
{
	return !(atomic_read(&buffer->disabled) & RB_OFF);
}

/**
 * ring_buffer_record_disable_cpu - forbid writing on a CPU, until enabled as often
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any, NMI included.
 */
void ring_buffer_record_disable_cpu(struct trace_buffer *buffer, int cpu)
{
	if (!cpumask_test_cpu(cpu, cpu_possible_mask))
		return;
	atomic_inc(&rb_cpu_of(buffer, cpu)->disabled);
	rb_fold(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable_cpu);

/**
 * ring_buffer_record_enable_cpu - undo one ring_buffer_record_disable_cpu()
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any, NMI included.
 */
void ring_buffer_record_enable_cpu(struct trace_buffer *buffer, int cpu)
{
	if (!cpumask_test_cpu(cpu, cpu_possible_mask))
		return;
	atomic_dec(&rb_cpu_of(buffer, cpu)->disabled);
	rb_fold(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable_cpu);
