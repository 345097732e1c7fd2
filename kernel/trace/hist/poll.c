// SPDX-License-Identifier: GPL-2.0
/*
 * Wakeups of tasks that wait in poll() of an event's file hist until its histograms have counted:
 * see events/hist_file.c.
 */
#include <linux/irq_work.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>

#include "events/events.h"
#include "guard/irq_work.h"
#include "internal.h"

static void wake_hist_waiters(struct irq_work *work)
{
	wake_up_all(&event_hist_waiters);
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
	if (waitqueue_active(&event_hist_waiters))
		trace_irq_work_queue(&hist_wake_work);
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
void hist_poll_update(struct trigger *t)
{
	struct hist *h = hist_of(t);

	h->polled = h->file->polled;
	if (update_wake_flags(h->counts))
		synchronize_rcu();
}

/* The counts may have earlier hits of other users, which are new to tasks that poll this event. */
void hist_poll_attach(struct hist *h)
{
	hist_poll_update(&h->t);
	if (h->polled)
		hist_wake();
}

void hist_poll_detach(const struct hist_counts *counts)
{
	update_wake_flags(counts);
}

u64 hist_hits(const struct trigger *t)
{
	const struct hist *h = container_of(t, struct hist, t);

	return table_hits(rcu_dereference_protected(h->counts->table,
						    lockdep_is_held(&events_lock)));
}
