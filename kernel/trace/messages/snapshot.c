// SPDX-License-Identifier: GPL-2.0
/*
 * Takes snapshots at the request of traced code.
 *
 * A request may come from any context, and cannot return an error. So if no snapshot can be taken,
 * a message is recorded in the trace. If the reason is that there is no memory for a snapshot,
 * recording stops as well: so the records that the snapshot would have kept stay in the buffer.
 *
 * An instance may have a condition, a function of its owner that decides whether a requested
 * snapshot is taken. While it has one, no snapshots can be taken by the file snapshot.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/trace.h>

#include "instance/snapshot.h"
#include "internal.h"
#include "snapshot.h"

/**
 * struct snapshot_condition - the condition of an instance, which decides on requested snapshots
 * @update: function that decides, see cond_update_fn_t
 * @data: data of the owner
 * @owner_is_tracer: true if the owner is the tracer itself. Then only the tracer's own requests for
 *	snapshots pass their data to @update; otherwise only those of other kernel code do
 */
struct snapshot_condition {
	cond_update_fn_t	update;
	void			*data;
	bool			owner_is_tracer;
};

/*
 * Protects the conditions of all instances, and the data that their update() stores. Taken with
 * interrupts off, in any context but NMI. An arch_spinlock_t, which lockdep does not see: functions
 * of lockdep may be traced, and request a snapshot. No other lock is taken inside.
 */
static arch_spinlock_t snapshot_condition_lock = __ARCH_SPIN_LOCK_UNLOCKED;

/*
 * True while this CPU holds the lock: a function that is called meanwhile, and requests a snapshot,
 * must not wait for the lock.
 */
static DEFINE_PER_CPU(bool, snapshot_condition_busy);

static unsigned long snapshot_lock_condition(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	raw_cpu_write(snapshot_condition_busy, true);
	barrier();
	arch_spin_lock(&snapshot_condition_lock);
	return flags;
}

static void snapshot_unlock_condition(unsigned long flags)
{
	arch_spin_unlock(&snapshot_condition_lock);
	barrier();
	raw_cpu_write(snapshot_condition_busy, false);
	raw_local_irq_restore(flags);
}

/*
 * Return: the result of the condition of an instance; true if it has none. False, without calling
 * the condition, in a function that update() has called, and in an NMI, which may have interrupted
 * update(): there, the lock must not be taken.
 */
static bool snapshot_condition_holds(struct trace_array *tr, void *cond_data, bool by_tracer)
{
	bool holds = true;
	unsigned long flags;

	if (!READ_ONCE(tr->condition))
		return true;
	if (in_nmi() || this_cpu_read(snapshot_condition_busy))
		return false;
	flags = snapshot_lock_condition();
	if (tr->condition && tr->condition->owner_is_tracer != by_tracer)
		cond_data = NULL;
	if (tr->condition)
		holds = tr->condition->update(tr, cond_data);
	snapshot_unlock_condition(flags);
	return holds;
}

/* Take a snapshot if that is possible and the condition holds; otherwise record a message. */
static void snapshot_take_if_allowed(struct trace_array *tr, void *cond_data, bool by_tracer)
{
	if (!snapshot_is_ready(tr)) {
		trace_array_puts(tr, "*** no room for a snapshot: recording stops here ***\n");
		tracer_tracing_off(tr);
		return;
	}
	if (snapshot_is_owned(tr)) {
		trace_array_puts(tr, "*** no snapshot: the tracer has one of its own ***\n");
		return;
	}
	if (READ_ONCE(tr->mapped)) {
		trace_array_puts(tr, "*** no snapshot: the buffer is mapped ***\n");
		return;
	}
	if (snapshot_condition_holds(tr, cond_data, by_tracer))
		snapshot_take(tr);
}

void trace_snapshot(struct trace_array *tr)
{
	snapshot_take_if_allowed(tr, NULL, false);
}

void snapshot_condition_take(struct trace_array *tr, void *cond_data)
{
	snapshot_take_if_allowed(tr, cond_data, true);
}

/**
 * tracing_snapshot() - take a snapshot of the top instance
 *
 * Exchanges the buffer that is recorded in for that of the file snapshot. If no memory has been
 * allocated for the latter, recording stops: tracing_snapshot_alloc(), or writing 1 to the file
 * snapshot, allocates it.
 *
 * Context: any, NMI included.
 */
void tracing_snapshot(void)
{
	if (tracing_initialized())
		trace_snapshot(&global_trace);
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_alloc_snapshot() - allocate memory for snapshots of the top instance
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -ENODEV if tracing was not initialized; an error of snapshot_alloc().
 */
int tracing_alloc_snapshot(void)
{
	if (!tracing_initialized())
		return -ENODEV;
	guard(mutex)(&trace_lock);
	return snapshot_alloc(&global_trace);
}
EXPORT_SYMBOL_GPL(tracing_alloc_snapshot);

/**
 * tracing_snapshot_alloc() - allocate memory for a snapshot of the top instance, and take it
 *
 * Takes no snapshot if there is no memory for it.
 *
 * Context: may sleep; takes trace_lock.
 */
void tracing_snapshot_alloc(void)
{
	if (!tracing_alloc_snapshot())
		tracing_snapshot();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);

/**
 * tracing_snapshot_cond() - take a snapshot of an instance if its condition holds
 * @tr: the instance
 * @cond_data: passed to the update() of tracing_snapshot_cond_enable()
 *
 * Takes a snapshot in any case if the instance has no condition.
 *
 * Context: any; in an NMI, or from an update(), a condition does not hold.
 */
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data)
{
	snapshot_take_if_allowed(tr, cond_data, false);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond);

static int snapshot_set_condition(struct trace_array *tr, struct snapshot_condition *condition)
{
	unsigned long flags;
	int ret;

	lockdep_assert_held(&trace_lock);
	if (snapshot_is_reserved(tr))
		return -EBUSY;
	ret = snapshot_use(tr);
	if (ret)
		return ret;
	ret = snapshot_alloc(tr);
	if (ret) {
		snapshot_unuse(tr);
		return ret;
	}
	flags = snapshot_lock_condition();
	WRITE_ONCE(tr->condition, condition);
	snapshot_unlock_condition(flags);
	return 0;
}

static int snapshot_add_condition(struct trace_array *tr, void *cond_data, cond_update_fn_t update,
				  bool by_tracer)
{
	struct snapshot_condition *condition = kmalloc(sizeof(*condition), GFP_KERNEL);
	int ret;

	if (!condition)
		return -ENOMEM;
	*condition = (struct snapshot_condition){ update, cond_data, by_tracer };
	ret = snapshot_set_condition(tr, condition);
	if (ret)
		kfree(condition);
	return ret;
}

int snapshot_condition_begin(struct trace_array *tr, void *cond_data, cond_update_fn_t update)
{
	return snapshot_add_condition(tr, cond_data, update, true);
}

/**
 * tracing_snapshot_cond_enable() - set a condition for snapshots of an instance
 * @tr: the instance
 * @cond_data: data for tracing_cond_snapshot_data()
 * @update: the condition
 *
 * Also allocates the memory for snapshots.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -EBUSY if there is a condition already, if the current tracer uses the snapshot,
 * or if the buffer is mapped; -ENOMEM.
 */
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update)
{
	guard(mutex)(&trace_lock);
	return snapshot_add_condition(tr, cond_data, update, false);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_enable);

/* Only the owner may remove a condition. @by_tracer: true if the caller is the tracer itself. */
static int snapshot_remove_condition(struct trace_array *tr, bool by_tracer)
{
	struct snapshot_condition *condition;
	unsigned long flags;

	flags = snapshot_lock_condition();
	condition = tr->condition;
	if (condition && condition->owner_is_tracer != by_tracer)
		condition = NULL;
	if (condition)
		WRITE_ONCE(tr->condition, NULL);
	snapshot_unlock_condition(flags);
	if (!condition)
		return -EINVAL;
	snapshot_unuse(tr);
	kfree(condition);
	return 0;
}

int snapshot_condition_end(struct trace_array *tr)
{
	return snapshot_remove_condition(tr, true);
}

/**
 * tracing_snapshot_cond_disable() - remove the condition of an instance
 * @tr: the instance
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0 once update() no longer runs; -EINVAL if there is no condition, or if it belongs to
 * the tracer itself.
 */
int tracing_snapshot_cond_disable(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	return snapshot_remove_condition(tr, false);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_disable);

/**
 * tracing_cond_snapshot_data() - get the data of the condition of an instance
 * @tr: the instance
 *
 * Context: any but NMI, and not from an update().
 * Return: the cond_data passed to tracing_snapshot_cond_enable(); NULL without a condition.
 */
void *tracing_cond_snapshot_data(struct trace_array *tr)
{
	unsigned long flags = snapshot_lock_condition();
	void *data = tr->condition ? tr->condition->data : NULL;

	snapshot_unlock_condition(flags);
	return data;
}
EXPORT_SYMBOL_GPL(tracing_cond_snapshot_data);
