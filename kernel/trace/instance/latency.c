// SPDX-License-Identifier: GPL-2.0
/*
 * Keeping the longest time that a tracer has seen.
 *
 * Called by tracers in the middle of what they measure, with interrupts off and the lock
 * of a run queue perhaps: a comparison nearly always, and an exchange of two pointers
 * when there is something to keep.
 */
#include <linux/cred.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "guard/irq_work.h"
#include "instance.h"
#include "latency.h"
#include "snapshot.h"

/*
 * Protects what is kept, in all instances. Taken with interrupts off, in any context but
 * NMI, inside the lock of a run queue: not one that lockdep follows. Innermost but for
 * those of the ring buffer.
 */
static arch_spinlock_t latency_lock = __ARCH_SPIN_LOCK_UNLOCKED;

/* NULL until there are files. */
static struct irq_work *listener;

void __init latency_listen(struct irq_work *work)
{
	WRITE_ONCE(listener, work);
}

/* What was kept is there before it is told: queueing is a full barrier, as is xchg(). */
static void tell_listener(struct trace_array *tr)
{
	struct irq_work *work = READ_ONCE(listener);

	WRITE_ONCE(tr->latency_news, 1);
	/* On a CPU that goes down, it is told with the next one. */
	if (work)
		trace_irq_work_queue(work);
}

static unsigned long lock_latency(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	arch_spin_lock(&latency_lock);
	return flags;
}

static void unlock_latency(unsigned long flags)
{
	arch_spin_unlock(&latency_lock);
	raw_local_irq_restore(flags);
}

bool latency_is_worth(struct trace_array *tr, u64 ns)
{
	unsigned long thresh = READ_ONCE(tracing_thresh);

	return thresh ? ns >= thresh : ns > READ_ONCE(tr->max_latency);
}

/* The lock is held.  A max_latency that does not fit is as large as can be. */
static bool is_longest(const struct trace_array *tr, u64 ns)
{
	return READ_ONCE(tracing_thresh) || tr->max_latency < ULONG_MAX ||
	       ns > tr->latency.ns;
}

/* The credentials of another task are behind RCU, which may not be watching here. */
static void describe_task(struct trace_latency *new, struct task_struct *task)
{
	new->pid = task->pid;
	new->uid = task == current ? current_uid() : task_uid(task);
	new->nice = task_nice(task);
	new->policy = task->policy;
	new->rt_priority = task->rt_priority;
	memcpy(new->comm, task->comm, sizeof(new->comm));
}

/* While recording is paused, what would be kept is not there, and somebody reads. */
static bool take_all(struct trace_array *tr)
{
	return ring_buffer_record_is_on(READ_ONCE(tr->buffer)) && snapshot_take(tr);
}

static bool keep(struct trace_array *tr, struct trace_latency *new,
		 struct task_struct *task, bool all)
{
	unsigned long flags = lock_latency();
	bool kept = latency_is_worth(tr, new->ns) && is_longest(tr, new->ns) &&
		    (all ? take_all(tr) : !snapshot_take_here(tr));

	if (kept) {
		describe_task(new, task);
		new->of_one_cpu = !all;
		tr->latency = *new;
		WRITE_ONCE(tr->max_latency, min_t(u64, new->ns, ULONG_MAX));
		tell_listener(tr);
	}
	unlock_latency(flags);
	return kept;
}

bool latency_keep_cpu(struct trace_array *tr, struct trace_latency *new,
		      struct task_struct *task)
{
	return keep(tr, new, task, false);
}

bool latency_keep_all(struct trace_array *tr, struct trace_latency *new,
		      struct task_struct *task)
{
	return keep(tr, new, task, true);
}

struct trace_buffer *latency_kept(struct trace_array *tr, struct trace_latency *to)
{
	unsigned long flags = lock_latency();
	struct trace_buffer *buffer = trace_array_snapshot(tr);

	*to = tr->latency;
	unlock_latency(flags);
	return buffer;
}

u64 latency_longest(struct trace_array *tr)
{
	unsigned long flags = lock_latency();
	u64 ns = tr->max_latency;

	if (ns == ULONG_MAX)
		ns = max(ns, tr->latency.ns);
	unlock_latency(flags);
	return ns;
}

void latency_forget(struct trace_array *tr)
{
	unsigned long flags = lock_latency();

	tr->latency = (struct trace_latency){};
	WRITE_ONCE(tr->max_latency, 0);
	unlock_latency(flags);
}
