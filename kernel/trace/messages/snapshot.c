// SPDX-License-Identifier: GPL-2.0
/*
 * Asking for a snapshot, in the middle of what is traced.
 *
 * Whoever asks has found what he was after, and may be in any context; there is nobody to
 * return an error to. So if there can be no snapshot the trace says it, and if that is
 * for want of room recording stops, which keeps what the snapshot would have kept.
 *
 * A condition is asked before a snapshot is taken. It belongs to one who makes use of
 * snapshots of an instance, and nobody else can take any by the file meanwhile.
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
#include "snapshot.h"

/**
 * struct snapshot_condition - what decides whether a snapshot is taken
 * @update: see cond_update_fn_t
 * @data: its owner's
 * @inside: that is the tracer itself, which alone asks with data of its own
 */
struct snapshot_condition {
	cond_update_fn_t	update;
	void			*data;
	bool			inside;
};

/*
 * Protects the conditions of all instances, and what their update() notes down. Taken with
 * interrupts off, in any context but NMI: not one that lockdep follows, because it is taken
 * in the middle of lockdep. Innermost.
 */
static arch_spinlock_t condition_lock = __ARCH_SPIN_LOCK_UNLOCKED;

/* This CPU has the lock: what is called meanwhile may ask for a snapshot. */
static DEFINE_PER_CPU(bool, condition_busy);

static unsigned long lock_condition(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	raw_cpu_write(condition_busy, true);
	barrier();
	arch_spin_lock(&condition_lock);
	return flags;
}

static void unlock_condition(unsigned long flags)
{
	arch_spin_unlock(&condition_lock);
	barrier();
	raw_cpu_write(condition_busy, false);
	raw_local_irq_restore(flags);
}

/*
 * What update() has called, or an NMI has interrupted, is in the middle of it: what that
 * would say is not known.
 */
static bool condition_holds(struct trace_array *tr, void *cond_data, bool inside)
{
	bool holds = true;
	unsigned long flags;

	if (!READ_ONCE(tr->condition))
		return true;
	if (in_nmi() || this_cpu_read(condition_busy))
		return false;
	flags = lock_condition();
	if (tr->condition && tr->condition->inside != inside)
		cond_data = NULL;
	if (tr->condition)
		holds = tr->condition->update(tr, cond_data);
	unlock_condition(flags);
	return holds;
}

static void snapshot_if(struct trace_array *tr, void *cond_data, bool inside)
{
	if (!snapshot_is_ready(tr)) {
		trace_array_puts(tr, "*** no room for a snapshot: recording stops here ***\n");
		tracer_tracing_off(tr);
		return;
	}
	if (snapshot_is_kept(tr)) {
		trace_array_puts(tr, "*** no snapshot: the tracer has one of its own ***\n");
		return;
	}
	if (READ_ONCE(tr->mapped)) {
		trace_array_puts(tr, "*** no snapshot: the buffer is mapped ***\n");
		return;
	}
	if (condition_holds(tr, cond_data, inside))
		snapshot_take(tr);
}

void trace_snapshot(struct trace_array *tr)
{
	snapshot_if(tr, NULL, false);
}

void snapshot_condition_ask(struct trace_array *tr, void *cond_data)
{
	snapshot_if(tr, cond_data, true);
}

/**
 * tracing_snapshot - put aside what the top instance has recorded
 *
 * It is found in the file snapshot, and what was there is live again. Without room for it,
 * which tracing_snapshot_alloc() or a 1 written to that file makes, recording stops.
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
 * tracing_alloc_snapshot - have room for snapshots of the top instance
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0, -ENODEV if there is no tracing, -EBUSY or -ENOMEM as snapshot_alloc().
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
 * tracing_snapshot_alloc - have room for a snapshot of the top instance, and take it
 *
 * Without memory nothing happens.
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
 * tracing_snapshot_cond - as tracing_snapshot(), of an instance, if its condition holds
 * @tr: the instance
 * @cond_data: for the update() of tracing_snapshot_cond_enable()
 *
 * Without a condition, always.
 *
 * Context: any; in an NMI, or from update(), a condition does not hold.
 */
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data)
{
	snapshot_if(tr, cond_data, false);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond);

static int set_condition(struct trace_array *tr, struct snapshot_condition *condition)
{
	unsigned long flags;
	int ret;

	lockdep_assert_held(&trace_lock);
	if (snapshot_is_taken_up(tr))
		return -EBUSY;
	ret = snapshot_use(tr);
	if (ret)
		return ret;
	ret = snapshot_alloc(tr);
	if (ret) {
		snapshot_unuse(tr);
		return ret;
	}
	flags = lock_condition();
	WRITE_ONCE(tr->condition, condition);
	unlock_condition(flags);
	return 0;
}

static int begin_condition(struct trace_array *tr, void *cond_data, cond_update_fn_t update,
			   bool inside)
{
	struct snapshot_condition *condition = kmalloc(sizeof(*condition), GFP_KERNEL);
	int ret;

	if (!condition)
		return -ENOMEM;
	*condition = (struct snapshot_condition){ update, cond_data, inside };
	ret = set_condition(tr, condition);
	if (ret)
		kfree(condition);
	return ret;
}

int snapshot_condition_begin(struct trace_array *tr, void *cond_data, cond_update_fn_t update)
{
	return begin_condition(tr, cond_data, update, true);
}

/**
 * tracing_snapshot_cond_enable - have snapshots of an instance depend on a condition
 * @tr: the instance
 * @cond_data: whatever belongs to @update; see tracing_cond_snapshot_data()
 * @update: the condition
 *
 * Makes room for snapshots.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -EBUSY if there is a condition already, the tracer uses the snapshot
 * itself, or the buffer is mapped; -ENOMEM.
 */
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update)
{
	guard(mutex)(&trace_lock);
	return begin_condition(tr, cond_data, update, false);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_enable);

/* Its owner alone takes it away. */
static int end_condition(struct trace_array *tr, bool inside)
{
	struct snapshot_condition *condition;
	unsigned long flags;

	flags = lock_condition();
	condition = tr->condition;
	if (condition && condition->inside != inside)
		condition = NULL;
	if (condition)
		WRITE_ONCE(tr->condition, NULL);
	unlock_condition(flags);
	if (!condition)
		return -EINVAL;
	snapshot_unuse(tr);
	kfree(condition);
	return 0;
}

int snapshot_condition_end(struct trace_array *tr)
{
	return end_condition(tr, true);
}

/**
 * tracing_snapshot_cond_disable - snapshots depend on nothing again
 * @tr: the instance
 *
 * update() is not running any more.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0, -EINVAL if there is no condition, or it is the tracer's own.
 */
int tracing_snapshot_cond_disable(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	return end_condition(tr, false);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_disable);

/**
 * tracing_cond_snapshot_data - what belongs to the condition of an instance
 * @tr: the instance
 *
 * Context: any but NMI, and not from update().
 * Return: what tracing_snapshot_cond_enable() was given, NULL without a condition.
 */
void *tracing_cond_snapshot_data(struct trace_array *tr)
{
	unsigned long flags = lock_condition();
	void *data = tr->condition ? tr->condition->data : NULL;

	unlock_condition(flags);
	return data;
}
EXPORT_SYMBOL_GPL(tracing_cond_snapshot_data);
