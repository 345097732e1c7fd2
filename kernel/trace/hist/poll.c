// SPDX-License-Identifier: GPL-2.0
/*
 * Wakeups of tasks that wait in poll() of an event's file hist until its histograms have counted:
 * see file.c.
 */
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>

#include "events/dir_files.h"
#include "events/events.h"
#include "guard/irq_work.h"
#include "internal.h"

DECLARE_WAIT_QUEUE_HEAD(hist_waiters);

static void wake_hist_waiters(struct irq_work *work)
{
	wake_up_all(&hist_waiters);
}

static DEFINE_IRQ_WORK(hist_wake_work, wake_hist_waiters);

void hist_wake(void)
{
	/* The hit is counted before the queue is read. Pairs with smp_mb() in hist_file_poll(). */
	smp_mb();
	/*
	 * smp_mb() orders waitqueue_active() after the count. A CPU that is going down queues
	 * nothing: the next hit on another one wakes the waiters.
	 */
	if (waitqueue_active(&hist_waiters))
		trace_irq_work_queue(&hist_wake_work);
}

/* All open files hist; protected by events_lock. */
static LIST_HEAD(hist_readers);

void hist_reader_add(struct hist_reader *reader)
{
	lockdep_assert_held(&events_lock);
	list_add(&reader->node, &hist_readers);
}

void hist_reader_remove(struct hist_reader *reader)
{
	lockdep_assert_held(&events_lock);
	list_del(&reader->node);
}

struct hist_reader *hist_reader_at(const struct trace_node *at)
{
	struct hist_reader *reader;

	lockdep_assert_held(&events_lock);
	list_for_each_entry(reader, &hist_readers, node)
		if (reader->at == at)
			return reader;
	return NULL;
}

static bool hist_event_has_waiter(const struct trace_event_file *file)
{
	const struct hist_reader *reader;

	list_for_each_entry(reader, &hist_readers, node)
		if (reader->waits && event_file_at(reader->at) == file)
			return true;
	return false;
}

/* True if a task polls one of the histograms that share @counts: any of them has to wake it. */
static bool has_polled_user(const struct hist_counts *counts)
{
	const struct hist *user;

	list_for_each_entry(user, &counts->users, user)
		if (user->polled)
			return true;
	return false;
}

/*
 * Have all users of @counts wake waiters if one of them is polled, else none.
 *
 * Return: true if a user wakes waiters from now on that did not before.
 */
static bool update_wake_flags(const struct hist_counts *counts)
{
	u8 wake = has_polled_user(counts) ? HIST_MORE_WAKE : 0;
	struct hist *user;
	bool new = false;

	list_for_each_entry(user, &counts->users, user) {
		new |= wake & ~user->more;
		WRITE_ONCE(user->more, (user->more & ~HIST_MORE_WAKE) | wake);
	}
	return new;
}

/*
 * A hit that has not seen HIST_MORE_WAKE wakes nobody. After the grace period each such hit has
 * been counted, so that the task finds it before it waits.
 */
void hist_poll_update(struct hist *h)
{
	h->polled = hist_event_has_waiter(h->file);
	if (update_wake_flags(h->counts))
		synchronize_rcu();
}

/* The counts may have earlier hits of other users, which are new to tasks that poll this event. */
void hist_poll_attach(struct hist *h)
{
	hist_poll_update(h);
	if (h->polled)
		hist_wake();
}

void hist_poll_detach(const struct hist_counts *counts)
{
	update_wake_flags(counts);
}

u64 hist_hits(const struct hist *h)
{
	return table_hits(rcu_dereference_protected(h->counts->table,
						    lockdep_is_held(&events_lock)));
}
