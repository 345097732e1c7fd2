// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps the longest latency that a tracer has seen.
 *
 * Tracers call this in the middle of what they measure, with interrupts off and perhaps with
 * the lock of a run queue held. Nearly always the call is a comparison only. If there is
 * something to keep, two pointers are exchanged.
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
 * Protects the kept latencies of all instances. Taken with interrupts off, in any context
 * except for NMI, and inside the lock of a run queue: hence a lock that lockdep does not
 * track. Only the locks of the ring buffer are taken inside it.
 */
static arch_spinlock_t latency_lock = __ARCH_SPIN_LOCK_UNLOCKED;

/* Work to queue when a latency was kept; NULL until the files exist. */
static struct irq_work *latency_listener;

void __init latency_set_listener(struct irq_work *work)
{
	WRITE_ONCE(latency_listener, work);
}

/*
 * Notify the listener. Queueing is a full barrier, as is the xchg() of the listener: it sees
 * what was kept.
 */
static void latency_notify(struct trace_array *tr)
{
	struct irq_work *work = READ_ONCE(latency_listener);

	WRITE_ONCE(tr->latency_changed, 1);
	/*
	 * On a CPU that goes down nothing is queued: the listener is notified of the next
	 * latency only.
	 */
	if (work)
		trace_irq_work_queue(work);
}

static unsigned long latency_lock_irqsave(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	arch_spin_lock(&latency_lock);
	return flags;
}

static void latency_unlock_irqrestore(unsigned long flags)
{
	arch_spin_unlock(&latency_lock);
	raw_local_irq_restore(flags);
}

bool latency_should_keep(struct trace_array *tr, u64 ns)
{
	unsigned long thresh = READ_ONCE(tracing_thresh);

	return thresh ? ns >= thresh : ns > READ_ONCE(tr->max_latency);
}

/*
 * Called with latency_lock held. A latency that does not fit into max_latency is stored there
 * as ULONG_MAX; then the full value is compared.
 */
static bool latency_is_longest(const struct trace_array *tr, u64 ns)
{
	return READ_ONCE(tracing_thresh) || tr->max_latency < ULONG_MAX ||
	       ns > tr->latency.ns;
}

/* For current, avoid task_uid(): it takes RCU, which may not be watching here. */
static void latency_fill_task(struct trace_latency *new, struct task_struct *task)
{
	new->pid = task->pid;
	new->uid = task == current ? current_uid() : task_uid(task);
	new->nice = task_nice(task);
	new->policy = task->policy;
	new->rt_priority = task->rt_priority;
	memcpy(new->comm, task->comm, sizeof(new->comm));
}

/*
 * Take a snapshot of all CPUs. Fails while recording is suspended: the records of the latency
 * are missing then, and somebody may be reading.
 */
static bool latency_take_all(struct trace_array *tr)
{
	return ring_buffer_record_is_on(READ_ONCE(tr->buffer)) && snapshot_take(tr);
}

static bool latency_keep(struct trace_array *tr, struct trace_latency *new,
			 struct task_struct *task, bool all)
{
	unsigned long flags = latency_lock_irqsave();
	bool kept = latency_should_keep(tr, new->ns) && latency_is_longest(tr, new->ns) &&
		    (all ? latency_take_all(tr) : !snapshot_take_here(tr));

	if (kept) {
		latency_fill_task(new, task);
		new->single_cpu = !all;
		tr->latency = *new;
		WRITE_ONCE(tr->max_latency, min_t(u64, new->ns, ULONG_MAX));
		latency_notify(tr);
	}
	latency_unlock_irqrestore(flags);
	return kept;
}

bool latency_keep_cpu(struct trace_array *tr, struct trace_latency *new,
		      struct task_struct *task)
{
	return latency_keep(tr, new, task, false);
}

bool latency_keep_all(struct trace_array *tr, struct trace_latency *new,
		      struct task_struct *task)
{
	return latency_keep(tr, new, task, true);
}

struct trace_buffer *latency_get(struct trace_array *tr, struct trace_latency *to)
{
	unsigned long flags = latency_lock_irqsave();
	struct trace_buffer *buffer = trace_array_snapshot(tr);

	*to = tr->latency;
	latency_unlock_irqrestore(flags);
	return buffer;
}

u64 latency_longest(struct trace_array *tr)
{
	unsigned long flags = latency_lock_irqsave();
	u64 ns = tr->max_latency;

	if (ns == ULONG_MAX)
		ns = max(ns, tr->latency.ns);
	latency_unlock_irqrestore(flags);
	return ns;
}

void latency_reset(struct trace_array *tr)
{
	unsigned long flags = latency_lock_irqsave();

	tr->latency = (struct trace_latency){};
	WRITE_ONCE(tr->max_latency, 0);
	latency_unlock_irqrestore(flags);
}
