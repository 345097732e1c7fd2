// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for records.
 *
 * A writer may be anywhere, under any lock, so it cannot wake anybody: it queues
 * an irq_work, and only if a flag says that somebody waits. The flag is tested
 * with each commit, hence without a barrier:
 *
 *	waiter				writer
 *	is on the wait queue		publishes a record
 *	sets the flag			tests the flag
 *	full barrier
 *	looks for records
 *
 * Without a barrier on the right the writer may have tested the flag before it
 * was set, and its record be seen only after the waiter has looked. No store
 * stays unseen for long, though: a timer looks once more, a jiffy after the flag
 * was set. From then on the flag is seen by every writer.
 *
 * A CPU that goes down runs no irq_work any more: what it records in its last
 * moments, which are longer with PREEMPT_RT, wakes nobody. Who waits is woken when it is dead.
 *
 * Called by reading files, in process context.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/poll.h>
#include <linux/preempt.h>
#include <linux/sched/signal.h>

#include "guard/guard.h"
#include "guard/irq_work.h"
#include "internal.h"

/* The task that this CPU was in, or is in, while it wakes somebody; see rb_may_wake(). */
static DEFINE_PER_CPU(struct task_struct *, rb_waker);

static void rb_wake_up(struct rb_waiters *waiters, bool full)
{
	/* Before they look whether this changed; see rb_woken(). */
	atomic_inc_return_release(&waiters->rounds);
	wake_up_all(full ? &waiters->full : &waiters->any);
}

/**
 * rb_wake_work - wake those who wait, where that is allowed
 * @work: of a CPU's stream
 */
void rb_wake_work(struct irq_work *work)
{
	struct rb_cpu *cb = container_of(work, struct rb_cpu, wake);

	this_cpu_write(rb_waker, current);
	rb_wake_up(&cb->waiters, false);
	rb_wake_up(&cb->buffer->waiters, false);
	if (xchg(&cb->wake_full, 0))
		rb_wake_up(&cb->waiters, true);
	this_cpu_write(rb_waker, NULL);
}

/* From whatever was recorded, which has called none of it. */
static void rb_queue_wake(struct rb_cpu *cb)
{
	struct trace_own own;

	trace_own_begin(&own);
	irq_work_queue(&cb->wake);
	trace_own_end(&own);
}

/**
 * rb_wake_any - there is a record, and somebody waits for one
 * @cb: the CPU's stream
 *
 * Context: any, NMI included; on the owning CPU.
 */
noinline void rb_wake_any(struct rb_cpu *cb)
{
	if (!trace_irq_work_runs(&cb->wake))
		return;
	WRITE_ONCE(cb->waiting, false);
	rb_queue_wake(cb);
}

static bool rb_is_full(struct rb_cpu *cb, unsigned long dirty, unsigned int percent)
{
	/* The page being written counts as well; it never gets dirty. */
	return (dirty + 1) * 100 >= percent * READ_ONCE(cb->nr);
}

/**
 * rb_wake_full - somebody waits for a share of the pages: is it reached?
 * @cb: the CPU's stream
 *
 * Context: any, NMI included; on the owning CPU.
 */
noinline void rb_wake_full(struct rb_cpu *cb)
{
	/* Unsigned: a reader may be any number of pages behind. */
	unsigned long pages = READ_ONCE(cb->tail_no) + 1 - READ_ONCE(cb->reader.no);

	if (!trace_irq_work_runs(&cb->wake) ||
	    !rb_is_full(cb, clamp(pages, 1UL, cb->nr) - 1, READ_ONCE(cb->full_want)))
		return;
	WRITE_ONCE(cb->full_want, 0);
	WRITE_ONCE(cb->wake_full, 1);
	rb_queue_wake(cb);
}

/* Is there what a reader of @cpu waits for? */
static bool rb_is_ready(struct trace_buffer *buffer, int cpu, int full)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		return !ring_buffer_empty(buffer);
	if (ring_buffer_empty_cpu(buffer, cpu))
		return false;
	return !full || rb_is_full(rb_cpu_of(buffer, cpu),
				   ring_buffer_nr_dirty_pages(buffer, cpu), full);
}

/* Those who wait for a share: full_want has the least that anybody waits for. */
static void rb_settle_full(struct rb_waiters *waiters)
{
	struct rb_cpu *cb = rb_cpu_of(waiters->buffer, waiters->cpu);
	u32 want = READ_ONCE(cb->full_want);

	if (!want || !rb_is_ready(waiters->buffer, waiters->cpu, want))
		return;
	/* Who goes on waiting asks anew; one that went must not stay behind. */
	WRITE_ONCE(cb->full_want, 0);
	rb_wake_up(waiters, true);
}

static void rb_settle(struct timer_list *timer)
{
	struct rb_waiters *waiters = from_timer(waiters, timer, settle);

	/* Pairs with the smp_mb() in rb_settle_later(). */
	if (xchg(&waiters->again, false))
		mod_timer(timer, jiffies + 2);
	if (!rb_is_ready(waiters->buffer, waiters->cpu, 0))
		return;
	rb_wake_up(waiters, false);
	if (waiters->cpu != RING_BUFFER_ALL_CPUS)
		rb_settle_full(waiters);
}

/*
 * Look once more in a jiffy or two. A timer that an earlier waiter started may
 * be too early, and must not be put off: it is to start another one.
 */
static void rb_settle_later(struct rb_waiters *waiters)
{
	WRITE_ONCE(waiters->again, true);
	/* Pairs with the xchg() in rb_settle(), which runs when not pending. */
	smp_mb();
	if (!timer_pending(&waiters->settle))
		mod_timer(&waiters->settle, jiffies + 2);
}

/**
 * rb_waiters_init - nobody waits
 * @waiters: for whom
 * @buffer: the buffer
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 */
void rb_waiters_init(struct rb_waiters *waiters, struct trace_buffer *buffer, int cpu)
{
	init_waitqueue_head(&waiters->any);
	init_waitqueue_head(&waiters->full);
	timer_setup(&waiters->settle, rb_settle, 0);
	waiters->buffer = buffer;
	waiters->cpu = cpu;
}

/**
 * rb_waiters_stop - nobody will wait any more
 * @waiters: for whom
 */
void rb_waiters_stop(struct rb_waiters *waiters)
{
	timer_shutdown_sync(&waiters->settle);
}

static void rb_want_any(struct rb_cpu *cb)
{
	WRITE_ONCE(cb->waiting, true);
}

static void rb_want_full(struct rb_cpu *cb, u32 full)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&cb->lock, flags);
	if (!cb->full_want || cb->full_want > full)
		WRITE_ONCE(cb->full_want, full);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
}

/*
 * Have writers tell when there is something; the caller is on the wait queue.
 * Who waits for any CPU waits for those as well that have yet to come up.
 */
static void rb_ask_for(struct trace_buffer *buffer, struct rb_waiters *waiters, int full)
{
	int cpu;

	if (waiters->cpu == RING_BUFFER_ALL_CPUS) {
		for_each_possible_cpu(cpu)
			rb_want_any(rb_cpu_of(buffer, cpu));
	} else if (full) {
		rb_want_full(rb_cpu_of(buffer, waiters->cpu), full);
	} else {
		rb_want_any(rb_cpu_of(buffer, waiters->cpu));
	}
	rb_settle_later(waiters);
	/* The flag, then a look at the records: as told at the top. */
	smp_mb();
}

static struct rb_waiters *rb_waiters_of(struct trace_buffer *buffer, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		return &buffer->waiters;
	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return NULL;
	return &rb_cpu_of(buffer, cpu)->waiters;
}

/**
 * struct rb_round - the condition of those who bring none: to be woken
 * @waiters: with whom they wait
 * @began: the round in which they began
 */
struct rb_round {
	struct rb_waiters	*waiters;
	int			began;
};

static bool rb_woken(void *data)
{
	struct rb_round *round = data;

	return atomic_read_acquire(&round->waiters->rounds) != round->began;
}

/* To be asked with the caller on the wait queue. */
static bool rb_done_waiting(struct trace_buffer *buffer, struct rb_waiters *waiters,
			    int full, ring_buffer_cond_fn cond, void *data)
{
	if (rb_is_ready(buffer, waiters->cpu, full))
		return true;
	rb_ask_for(buffer, waiters, full);
	return rb_is_ready(buffer, waiters->cpu, full) || cond(data);
}

/**
 * ring_buffer_wait - wait for records
 * @buffer: the buffer
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 * @full: how much of one CPU's buffer shall be full, in percent; 0: any record
 * @cond: stop waiting when this returns true; NULL: when woken
 * @data: for @cond
 *
 * Context: process, sleeps.
 * Return: 0; -ERESTARTSYS if a signal came (user space gets EINTR, or never
 *	knows); -ENODEV if the CPU has no stream.
 */
int ring_buffer_wait(struct trace_buffer *buffer, int cpu, int full,
		     ring_buffer_cond_fn cond, void *data)
{
	struct rb_waiters *waiters = rb_waiters_of(buffer, cpu);
	struct rb_round round;

	if (!waiters)
		return -ENODEV;
	if (cpu == RING_BUFFER_ALL_CPUS)
		full = 0;
	if (!cond) {
		round.waiters = waiters;
		round.began = atomic_read_acquire(&waiters->rounds);
		cond = rb_woken;
		data = &round;
	}
	return wait_event_interruptible(*(full ? &waiters->full : &waiters->any),
					rb_done_waiting(buffer, waiters, full, cond, data));
}

/**
 * ring_buffer_poll_wait - poll for records
 * @buffer: the buffer
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 * @filp: the file that is polled
 * @poll_table: what poll gave to the file
 * @full: as for ring_buffer_wait()
 *
 * Context: process.
 * Return: EPOLLIN | EPOLLRDNORM if there is something; 0 if poll shall wait;
 *	EPOLLERR if the CPU has no stream.
 */
__poll_t ring_buffer_poll_wait(struct trace_buffer *buffer, int cpu,
			       struct file *filp, poll_table *poll_table,
			       int full)
{
	struct rb_waiters *waiters = rb_waiters_of(buffer, cpu);

	if (!waiters)
		return EPOLLERR;
	if (cpu == RING_BUFFER_ALL_CPUS)
		full = 0;
	poll_wait(filp, full ? &waiters->full : &waiters->any, poll_table);
	rb_ask_for(buffer, waiters, full);
	return rb_is_ready(buffer, cpu, full) ? EPOLLIN | EPOLLRDNORM : 0;
}

static bool rb_anybody_waits(struct rb_waiters *waiters)
{
	/* Behind the barrier in ring_buffer_wake_waiters(). */
	return waitqueue_active(&waiters->any) || waitqueue_active(&waiters->full);
}

static void rb_wake_cpu(struct rb_cpu *cb)
{
	if (!trace_irq_work_runs(&cb->wake))
		return;
	WRITE_ONCE(cb->wake_full, 1);
	irq_work_queue(&cb->wake);
}

static void rb_wake_one(struct trace_buffer *buffer, struct rb_cpu *cb)
{
	if (rb_anybody_waits(&cb->waiters) || rb_anybody_waits(&buffer->waiters))
		rb_wake_cpu(cb);
}

/* One work wakes those who wait for any CPU. */
static void rb_wake_all(struct trace_buffer *buffer)
{
	bool any = rb_anybody_waits(&buffer->waiters);
	int cpu;

	for_each_cpu(cpu, buffer->cpumask) {
		struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

		if (any || rb_anybody_waits(&cb->waiters))
			rb_wake_cpu(cb);
		any = false;
	}
}

/*
 * Not from the middle of waking: what is called there may be what somebody traces to take
 * snapshots, each of which wakes, and the CPU would never leave the interrupt. Who is yet
 * to be woken looks anyway; who has just looked is woken by the next one.
 */
static bool rb_may_wake(void)
{
	return raw_cpu_read(rb_waker) != current;
}

/**
 * ring_buffer_wake_waiters - let those who wait look at their condition
 * @buffer: the buffer, or NULL
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS: those who wait for any, and for each
 *
 * Costs nothing but a look where nobody waits.
 *
 * Context: any; the waking is done by an irq_work. On a CPU that is just going down,
 *	they are woken when it is dead.
 */
void ring_buffer_wake_waiters(struct trace_buffer *buffer, int cpu)
{
	/* Else the CPU could be going down by the time that it queues. */
	guard(preempt_notrace)();
	if (!buffer || !rb_may_wake())
		return;
	/*
	 * What they are to look at, then whether they wait: pairs with the barrier between
	 * their getting on the queue and their looking, in rb_ask_for().
	 */
	smp_mb();
	if (cpu == RING_BUFFER_ALL_CPUS) {
		rb_wake_all(buffer);
		return;
	}
	if (cpumask_test_cpu(cpu, buffer->cpumask))
		rb_wake_one(buffer, rb_cpu_of(buffer, cpu));
}
