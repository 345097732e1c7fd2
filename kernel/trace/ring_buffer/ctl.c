// SPDX-License-Identifier: GPL-2.0
/*
 * Controlling a ring buffer as a whole: allocating and freeing it, adding CPUs that come
 * up, choosing the clock and the kind of timestamps, and switching recording on and off.
 *
 * Called by the owner of a buffer. rb_update_write_flags() combines the settings that forbid
 * writing, or change how records are written, into rb_cpu.write_flags, which writers test.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/trace_clock.h>

#include "internal.h"
#include "write.h"

/* Compute rb_cpu.write_flags of @cb from the current settings. */
static u32 rb_compute_write_flags(struct trace_buffer *buffer, struct rb_cpu *cb)
{
	u32 write_flags = 0;

	if (atomic_read(&buffer->disabled) || atomic_read(&cb->disabled) ||
	    !READ_ONCE(cb->ring))
		write_flags |= RB_BLOCKED;
	if (READ_ONCE(cb->clock))
		write_flags |= RB_OTHER_CLOCK;
	if (READ_ONCE(buffer->absolute))
		write_flags |= RB_ABSOLUTE;
	return write_flags;
}

/**
 * rb_update_write_flags - update rb_cpu.write_flags of all CPUs after a setting has changed
 * @buffer: the buffer
 *
 * Several calls may run at once on different CPUs, or nested on one CPU. A call that
 * finds that another one began meanwhile updates all CPUs again. So whichever call stores
 * last, it has computed the flags after the last change of a setting.
 *
 * Context: any, NMI included.
 */
void rb_update_write_flags(struct trace_buffer *buffer)
{
	int seen, cpu, now;

	/* With preemption off, an RCU grace period waits until no call stores outdated flags. */
	guard(preempt_notrace)();
	seen = atomic_inc_return(&buffer->flag_updates);
	for (;;) {
		for_each_possible_cpu(cpu) {
			struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

			WRITE_ONCE(cb->write_flags, rb_compute_write_flags(buffer, cb));
		}
		/*
		 * Store rb_cpu.write_flags before loading flag_updates. Pairs with the
		 * atomic_inc_return() above.
		 */
		smp_mb();
		now = atomic_read_acquire(&buffer->flag_updates);
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
	cb->write_flags = RB_BLOCKED;
	raw_spin_lock_init(&cb->lock);
	lockdep_set_class(&cb->lock, buffer->key);
	init_irq_work(&cb->wake, rb_wake_work);
	rb_waiters_init(&cb->waiters, buffer, cpu);
}

/* Give the stream of @cpu its ring, unless it has one already. Returns 0, -ENOMEM or -EINTR. */
static int rb_buffer_add_cpu(struct trace_buffer *buffer, int cpu)
{
	int ret;

	guard(mutex)(&buffer->mutex);
	if (cpumask_test_cpu(cpu, buffer->cpumask))
		return 0;
	ret = rb_cpu_add_ring(rb_cpu_of(buffer, cpu));
	if (ret)
		return ret;
	/* Store the ring before the mask: readers test the mask before they use the ring. */
	smp_wmb();
	cpumask_set_cpu(cpu, buffer->cpumask);
	rb_update_write_flags(buffer);
	return 0;
}

/**
 * trace_rb_cpu_prepare - give the stream of a CPU that comes up its ring
 * @cpu: the CPU
 * @node: node of the buffer in the instance list of CPUHP_TRACE_RB_PREPARE
 *
 * The ring stays when the CPU goes down, so that its records can still be read.
 *
 * Context: CPU hotplug, may sleep.
 * Return: 0, -ENOMEM, or -EINTR if the task is being killed.
 */
int trace_rb_cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct trace_buffer *buffer = hlist_entry(node, struct trace_buffer, node);

	return rb_buffer_add_cpu(buffer, cpu);
}

/**
 * trace_rb_cpu_dead - wake the tasks that wait for records, after a CPU went down
 * @cpu: the CPU
 * @node: node of the buffer in the instance list of CPUHP_TRACE_RB_PREPARE
 *
 * The last records of the CPU have not woken them: see wait.c.
 *
 * Context: CPU hotplug, on another CPU; also for each CPU when the buffer is freed.
 * Return: 0.
 */
int trace_rb_cpu_dead(unsigned int cpu, struct hlist_node *node)
{
	struct trace_buffer *buffer = hlist_entry(node, struct trace_buffer, node);

	/* Wakes all: a snapshot on the dead CPU may have changed the records of other CPUs. */
	ring_buffer_wake_waiters(buffer, RING_BUFFER_ALL_CPUS);
	return 0;
}

/*
 * Stop the timers and irq_works of @buffer before its pages are freed. A timer that was
 * started for a waiter may expire after the waiter has stopped waiting, and then looks for
 * records on the pages, that of trace_buffer.waiters on the pages of all CPUs.
 */
static void rb_buffer_stop_waking(struct trace_buffer *buffer)
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

	rb_buffer_stop_waking(buffer);
	for_each_possible_cpu(cpu)
		rb_ring_free(rb_cpu_of(buffer, cpu)->ring);
	free_percpu(buffer->streams);
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
	buffer->streams = alloc_percpu(struct rb_cpu);
	if (!buffer->streams)
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
 * __ring_buffer_alloc - allocate a buffer; callers use ring_buffer_alloc()
 * @size: bytes for each CPU, rounded up to whole sub-buffers, at least two
 * @flags: flags of enum ring_buffer_flags
 * @key: lock class of rb_cpu.lock
 *
 * CPUs that are not up get their memory when they come up. The clock of a new buffer is
 * trace_clock_local(), and writing is allowed.
 *
 * Context: process, may sleep; takes cpus_read_lock().
 * Return: the buffer; NULL if there is no memory, or the task is being killed.
 */
struct trace_buffer *__ring_buffer_alloc(unsigned long size, unsigned int flags,
					 struct lock_class_key *key)
{
	struct trace_buffer *buffer = rb_buffer_create(size, flags, key);

	if (!buffer)
		return NULL;
	/* Early in the boot, CPU hotplug does not call trace_rb_cpu_prepare() for the boot CPU. */
	if (rb_buffer_add_cpu(buffer, raw_smp_processor_id()) ||
	    cpuhp_state_add_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node)) {
		rb_buffer_destroy(buffer);
		return NULL;
	}
	return buffer;
}
EXPORT_SYMBOL_GPL(__ring_buffer_alloc);

/**
 * ring_buffer_free - free a buffer
 * @buffer: the buffer; it must have no writers, readers or waiters
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
 * ring_buffer_change_overwrite - choose which records to keep when a buffer is full
 * @buffer: the buffer
 * @val: not 0 to keep the newest records, 0 to keep the oldest records
 *
 * Context: any.
 */
void ring_buffer_change_overwrite(struct trace_buffer *buffer, int val)
{
	WRITE_ONCE(buffer->overwrite, !!val);
}
EXPORT_SYMBOL_GPL(ring_buffer_change_overwrite);

/**
 * ring_buffer_set_clock - choose the clock of a buffer
 * @buffer: the buffer; should be reset afterwards, as times of two clocks do not compare
 * @clock: the clock; called in any context, NMI included, with preemption off
 *
 * trace_clock_local is the cheapest clock: the fast path of writing reads its source,
 * arch_trace_clock(), inline, and supports no other clock. Early in the boot that source may
 * not be usable yet: then the slow path is used, until the caller sets trace_clock_local again.
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
	rb_update_write_flags(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_set_clock);

/**
 * ring_buffer_set_time_stamp_abs - choose between full timestamps and time deltas
 * @buffer: the buffer
 * @abs: true for a full timestamp in front of each record, false for time deltas
 *
 * With full timestamps the time of a record follows from that record alone. Each record
 * then takes 8 bytes more, and the fast path of writing is not used. A record that fills a
 * page has no room for a timestamp; its time is the time of the page.
 *
 * The choice holds for records that are reserved afterwards. Calls are not counted: the last one
 * decides.
 *
 * Context: any.
 */
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs)
{
	WRITE_ONCE(buffer->absolute, abs);
	rb_update_write_flags(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_set_time_stamp_abs);

/**
 * ring_buffer_time_stamp_abs - test whether records get full timestamps
 * @buffer: the buffer
 *
 * Context: any.
 * Return: true if each record gets a full timestamp.
 */
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->absolute);
}
EXPORT_SYMBOL_GPL(ring_buffer_time_stamp_abs);

/**
 * ring_buffer_time_stamp - read the clock of a buffer
 * @buffer: the buffer
 *
 * Context: any.
 * Return: the time now, in units of the clock.
 */
u64 ring_buffer_time_stamp(struct trace_buffer *buffer)
{
	guard(preempt_notrace)();
	return rb_clock(rb_this_cpu(buffer));
}
EXPORT_SYMBOL_GPL(ring_buffer_time_stamp);

/* -- Switching recording on and off. -- */

/**
 * ring_buffer_record_disable - forbid writing to a buffer
 * @buffer: the buffer
 *
 * Calls are counted: writing is allowed again after as many ring_buffer_record_enable(). Does not
 * wait for writers that have begun; synchronize_rcu() does that.
 *
 * Context: any, NMI included.
 */
void ring_buffer_record_disable(struct trace_buffer *buffer)
{
	atomic_inc(&buffer->disabled);
	rb_update_write_flags(buffer);
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
	rb_update_write_flags(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable);

/**
 * ring_buffer_record_off - switch a buffer off, which forbids writing
 * @buffer: the buffer
 *
 * Calls are not counted: the next ring_buffer_record_on() allows writing again, unless
 * ring_buffer_record_disable() forbids it.
 *
 * Context: any, NMI included.
 */
void ring_buffer_record_off(struct trace_buffer *buffer)
{
	atomic_or(RB_OFF, &buffer->disabled);
	rb_update_write_flags(buffer);
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
	rb_update_write_flags(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_on);

/**
 * ring_buffer_record_is_on - test whether writing is allowed
 * @buffer: the buffer
 *
 * Context: any.
 * Return: false if the buffer is switched off or disabled.
 */
bool ring_buffer_record_is_on(struct trace_buffer *buffer)
{
	return !atomic_read(&buffer->disabled);
}

/**
 * ring_buffer_record_is_set_on - test whether a buffer is switched on
 * @buffer: the buffer
 *
 * Context: any.
 * Return: false after ring_buffer_record_off(), true after ring_buffer_record_on();
 *	ring_buffer_record_disable() does not matter.
 */
bool ring_buffer_record_is_set_on(struct trace_buffer *buffer)
{
	return !(atomic_read(&buffer->disabled) & RB_OFF);
}

/**
 * ring_buffer_record_disable_cpu - forbid writing to the stream of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Calls are counted: writing is allowed again after as many ring_buffer_record_enable_cpu().
 *
 * Context: any, NMI included.
 */
void ring_buffer_record_disable_cpu(struct trace_buffer *buffer, int cpu)
{
	if (!cpumask_test_cpu(cpu, cpu_possible_mask))
		return;
	atomic_inc(&rb_cpu_of(buffer, cpu)->disabled);
	rb_update_write_flags(buffer);
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
	rb_update_write_flags(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable_cpu);
