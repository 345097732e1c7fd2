// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for records, and waking the tasks that wait.
 *
 * A writer may hold any lock, so it must not wake tasks itself: it queues an irq_work, and
 * only if the flag rb_cpu.waiting says that a task waits. Every commit tests the flag,
 * therefore without a barrier:
 *
 *	waiter				writer
 *	is on the wait queue		publishes a record
 *	sets the flag			tests the flag
 *	full barrier
 *	looks for records
 *
 * Because the writer has no barrier, it may test the flag before the flag is set, and still
 * its record may become visible only after the waiter has looked: then nobody wakes the
 * waiter. But stores become visible soon. So a timer looks for records once more, a jiffy
 * after the flag was set: it sees the records of all writers that did not see the flag.
 *
 * A CPU that goes down stops running irq_works some time before it is dead, longer before with
 * PREEMPT_RT. Its records since then wake no task; trace_rb_cpu_dead() wakes all waiters when
 * the CPU is dead.
 *
 * The functions that wait are called by files that are read, in process context; those that
 * wake are called in any context.
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

/* The task in whose context rb_wake_work() runs on this CPU, or NULL; see rb_may_wake(). */
static DEFINE_PER_CPU(struct task_struct *, rb_waker);

static void rb_wake_waiters(struct rb_waiters *waiters, bool full)
{
	/* Pairs with the atomic_read_acquire() in rb_was_woken(). */
	atomic_inc_return_release(&waiters->nr_wakeups);
	wake_up_all(full ? &waiters->full : &waiters->any);
}

/**
 * rb_wake_work - wake the tasks that wait for records of a CPU or of all CPUs
 * @work: rb_cpu.wake of the CPU's stream
 *
 * Context: irq_work.
 */
void rb_wake_work(struct irq_work *work)
{
	struct rb_cpu *cb = container_of(work, struct rb_cpu, wake);

	this_cpu_write(rb_waker, current);
	rb_wake_waiters(&cb->waiters, false);
	rb_wake_waiters(&cb->buffer->waiters, false);
	if (xchg(&cb->wake_full, 0))
		rb_wake_waiters(&cb->waiters, true);
	this_cpu_write(rb_waker, NULL);
}

/* Queue rb_cpu.wake. Tracers must not record the functions called here: they serve the tracer. */
static void rb_queue_wake_work(struct rb_cpu *cb)
{
	struct trace_own own;

	trace_own_begin(&own);
	irq_work_queue(&cb->wake);
	trace_own_end(&own);
}

/**
 * rb_wake_any - wake tasks that wait for any record, since there is one now
 * @cb: the CPU's stream, whose rb_cpu.waiting is set
 *
 * Context: any, NMI included; on the owning CPU.
 */
noinline void rb_wake_any(struct rb_cpu *cb)
{
	if (!trace_irq_work_runs(&cb->wake))
		return;
	WRITE_ONCE(cb->waiting, false);
	rb_queue_wake_work(cb);
}

/* True if @dirty full pages, and the page being written, are at least @percent of the pages. */
static bool rb_share_is_reached(struct rb_cpu *cb, unsigned long dirty, unsigned int percent)
{
	/* The page being written is never full: without it, 100 percent would never be reached. */
	return (dirty + 1) * 100 >= percent * READ_ONCE(cb->nr);
}

/**
 * rb_wake_full - wake tasks that wait for a share of the pages, if the share is reached
 * @cb: the CPU's stream, whose rb_cpu.full_want is not 0
 *
 * Context: any, NMI included; on the owning CPU.
 */
noinline void rb_wake_full(struct rb_cpu *cb)
{
	/* The difference is unsigned, because a reader may be any number of pages behind. */
	unsigned long pages = READ_ONCE(cb->tail_no) + 1 - READ_ONCE(cb->reader.no);

	if (!trace_irq_work_runs(&cb->wake) ||
	    !rb_share_is_reached(cb, clamp(pages, 1UL, cb->nr) - 1, READ_ONCE(cb->full_want)))
		return;
	WRITE_ONCE(cb->full_want, 0);
	WRITE_ONCE(cb->wake_full, 1);
	rb_queue_wake_work(cb);
}

/* True if a reader of @cpu that waits for @full percent, or for any record, can read. */
static bool rb_can_read(struct trace_buffer *buffer, int cpu, int full)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		return !ring_buffer_empty(buffer);
	if (ring_buffer_empty_cpu(buffer, cpu))
		return false;
	return !full || rb_share_is_reached(rb_cpu_of(buffer, cpu),
					    ring_buffer_nr_dirty_pages(buffer, cpu), full);
}

/* Wake the tasks in waiters.full if rb_cpu.full_want, the smallest share they want, is reached. */
static void rb_recheck_full_waiters(struct rb_waiters *waiters)
{
	struct rb_cpu *cb = rb_cpu_of(waiters->buffer, waiters->cpu);
	u32 want = READ_ONCE(cb->full_want);

	if (!want || !rb_can_read(waiters->buffer, waiters->cpu, want))
		return;
	/* Tasks that continue to wait set full_want again; those that do not must not count. */
	WRITE_ONCE(cb->full_want, 0);
	rb_wake_waiters(waiters, true);
}

/* Timer function of rb_waiters.recheck: wake waiters that a writer may have missed. */
static void rb_recheck_timer_fn(struct timer_list *timer)
{
	struct rb_waiters *waiters = from_timer(waiters, timer, recheck);

	/* Pairs with the smp_mb() in rb_arm_recheck_timer(). */
	if (xchg(&waiters->rearm, false))
		mod_timer(timer, jiffies + 2);
	if (!rb_can_read(waiters->buffer, waiters->cpu, 0))
		return;
	rb_wake_waiters(waiters, false);
	if (waiters->cpu != RING_BUFFER_ALL_CPUS)
		rb_recheck_full_waiters(waiters);
}

/*
 * Make the timer look for records in a jiffy or two. If an earlier waiter has started the timer,
 * it must not be delayed, but may expire too early for this waiter: so rb_waiters.rearm makes the
 * timer start once more when it expires.
 */
static void rb_arm_recheck_timer(struct rb_waiters *waiters)
{
	WRITE_ONCE(waiters->rearm, true);
	/* Pairs with the xchg() in rb_recheck_timer_fn(), during which the timer is not pending. */
	smp_mb();
	if (!timer_pending(&waiters->recheck))
		mod_timer(&waiters->recheck, jiffies + 2);
}

/**
 * rb_waiters_init - initialize a struct rb_waiters
 * @waiters: the structure
 * @buffer: the buffer that tasks will wait for
 * @cpu: the CPU that tasks will wait for, or RING_BUFFER_ALL_CPUS
 *
 * Context: process.
 */
void rb_waiters_init(struct rb_waiters *waiters, struct trace_buffer *buffer, int cpu)
{
	init_waitqueue_head(&waiters->any);
	init_waitqueue_head(&waiters->full);
	timer_setup(&waiters->recheck, rb_recheck_timer_fn, 0);
	waiters->buffer = buffer;
	waiters->cpu = cpu;
}

/**
 * rb_waiters_stop - shut down the timer, before the buffer is freed
 * @waiters: the structure; no task waits any more
 *
 * Context: process, may sleep.
 */
void rb_waiters_stop(struct rb_waiters *waiters)
{
	timer_shutdown_sync(&waiters->recheck);
}

static void rb_request_wake_any(struct rb_cpu *cb)
{
	WRITE_ONCE(cb->waiting, true);
}

static void rb_request_wake_full(struct rb_cpu *cb, u32 full)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&cb->lock, flags);
	if (!cb->full_want || cb->full_want > full)
		WRITE_ONCE(cb->full_want, full);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
}

/*
 * Make writers wake the caller, which is on the wait queue already. A task that waits for all CPUs
 * also waits for those that are not up yet.
 */
static void rb_request_wakeup(struct trace_buffer *buffer, struct rb_waiters *waiters, int full)
{
	int cpu;

	if (waiters->cpu == RING_BUFFER_ALL_CPUS) {
		for_each_possible_cpu(cpu)
			rb_request_wake_any(rb_cpu_of(buffer, cpu));
	} else if (full) {
		rb_request_wake_full(rb_cpu_of(buffer, waiters->cpu), full);
	} else {
		rb_request_wake_any(rb_cpu_of(buffer, waiters->cpu));
	}
	rb_arm_recheck_timer(waiters);
	/* Set the flag before looking for records: see the table at the head of this file. */
	smp_mb();
}

/* The struct rb_waiters for records of @cpu, or of all CPUs; NULL if the CPU has no stream. */
static struct rb_waiters *rb_waiters_of(struct trace_buffer *buffer, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		return &buffer->waiters;
	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return NULL;
	return &rb_cpu_of(buffer, cpu)->waiters;
}

/**
 * struct rb_wakeup_seen - data of rb_was_woken(), the condition of callers that pass none
 * @waiters: the waiters that the caller is one of
 * @nr_wakeups_before: rb_waiters.nr_wakeups when the caller began to wait
 */
struct rb_wakeup_seen {
	struct rb_waiters	*waiters;
	int			nr_wakeups_before;
};

/* Default condition of ring_buffer_wait(): true once the caller was woken. */
static bool rb_was_woken(void *data)
{
	struct rb_wakeup_seen *round = data;

	return atomic_read_acquire(&round->waiters->nr_wakeups) != round->nr_wakeups_before;
}

/*
 * True if there is something to read, or if @cond is true. Otherwise makes writers wake the caller,
 * which is on the wait queue already.
 */
static bool rb_done_waiting(struct trace_buffer *buffer, struct rb_waiters *waiters,
			    int full, ring_buffer_cond_fn cond, void *data)
{
	if (rb_can_read(buffer, waiters->cpu, full))
		return true;
	rb_request_wakeup(buffer, waiters, full);
	return rb_can_read(buffer, waiters->cpu, full) || cond(data);
}

/**
 * ring_buffer_wait - wait for records
 * @buffer: the buffer
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 * @full: share of one CPU's buffer that shall be full, in percent; 0 to wait for any record
 * @cond: stop waiting when this function returns true; NULL to stop after any wakeup
 * @data: argument of @cond
 *
 * Context: process, sleeps.
 * Return: 0; -ERESTARTSYS if a signal came (user space gets EINTR, or the system call is
 *	restarted); -ENODEV if the CPU has no stream.
 */
int ring_buffer_wait(struct trace_buffer *buffer, int cpu, int full,
		     ring_buffer_cond_fn cond, void *data)
{
	struct rb_waiters *waiters = rb_waiters_of(buffer, cpu);
	struct rb_wakeup_seen round;

	if (!waiters)
		return -ENODEV;
	if (cpu == RING_BUFFER_ALL_CPUS)
		full = 0;
	if (!cond) {
		round.waiters = waiters;
		round.nr_wakeups_before = atomic_read_acquire(&waiters->nr_wakeups);
		cond = rb_was_woken;
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
 * @poll_table: poll table that the poll operation of @filp got
 * @full: share of one CPU's buffer that shall be full, in percent; 0 for any record
 *
 * Context: process.
 * Return: EPOLLIN | EPOLLRDNORM if there is something to read; 0 if poll shall wait;
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
	rb_request_wakeup(buffer, waiters, full);
	return rb_can_read(buffer, cpu, full) ? EPOLLIN | EPOLLRDNORM : 0;
}

static bool rb_has_waiters(struct rb_waiters *waiters)
{
	/* Ordered by the smp_mb() in ring_buffer_wake_waiters(). */
	return waitqueue_active(&waiters->any) || waitqueue_active(&waiters->full);
}

/* Make an irq_work wake all tasks that wait for records of @cb, or of all CPUs. */
static void rb_queue_wake_all(struct rb_cpu *cb)
{
	if (!trace_irq_work_runs(&cb->wake))
		return;
	WRITE_ONCE(cb->wake_full, 1);
	irq_work_queue(&cb->wake);
}

/* Wake the tasks that wait for records of @cb, or of all CPUs, if there are any. */
static void rb_wake_cpu_waiters(struct trace_buffer *buffer, struct rb_cpu *cb)
{
	if (rb_has_waiters(&cb->waiters) || rb_has_waiters(&buffer->waiters))
		rb_queue_wake_all(cb);
}

/*
 * Wake all tasks that wait for records of @buffer. The irq_work of any one CPU also wakes the tasks
 * that wait for all CPUs.
 */
static void rb_wake_buffer_waiters(struct trace_buffer *buffer)
{
	bool any = rb_has_waiters(&buffer->waiters);
	int cpu;

	for_each_cpu(cpu, buffer->cpumask) {
		struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

		if (any || rb_has_waiters(&cb->waiters))
			rb_queue_wake_all(cb);
		any = false;
	}
}

/*
 * False in rb_wake_work(): a function that it calls may have a probe that takes a snapshot, which
 * wakes waiters again, so the CPU would never leave the interrupt. Waiters that rb_wake_work() has
 * not woken yet test their condition after this call anyway; those that it has woken already are
 * woken again by the next wakeup.
 */
static bool rb_may_wake(void)
{
	return raw_cpu_read(rb_waker) != current;
}

/**
 * ring_buffer_wake_waiters - make waiting tasks test their condition
 * @buffer: the buffer; NULL does nothing
 * @cpu: the CPU whose waiters to wake, or RING_BUFFER_ALL_CPUS for the waiters of all
 *	single CPUs; in both cases tasks that wait for all CPUs are woken, too
 *
 * If no task waits, nothing is queued.
 *
 * Context: any; an irq_work does the waking. On a CPU that is going down, waiters are
 *	woken when the CPU is dead.
 */
void ring_buffer_wake_waiters(struct trace_buffer *buffer, int cpu)
{
	/* The CPU must not go down between trace_irq_work_runs() and irq_work_queue(). */
	guard(preempt_notrace)();
	if (!buffer || !rb_may_wake())
		return;
	/*
	 * The caller has made the condition of waiters true: store that before loading the wait
	 * queue. Pairs with the smp_mb() in rb_request_wakeup(), between adding the waiter to the
	 * wait queue and testing its condition.
	 */
	smp_mb();
	if (cpu == RING_BUFFER_ALL_CPUS) {
		rb_wake_buffer_waiters(buffer);
		return;
	}
	if (cpumask_test_cpu(cpu, buffer->cpumask))
		rb_wake_cpu_waiters(buffer, rb_cpu_of(buffer, cpu));
}
