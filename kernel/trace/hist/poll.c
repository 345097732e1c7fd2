// SPDX-License-Identifier: GPL-2.0
/*
 * Who waits for histograms to count, in poll() of their event's file: see events/hist_file.c.
 */
#include <linux/irq_work.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>

#include "events/events.h"
#include "guard/irq_work.h"
#include "internal.h"

static void wake_waiters(struct irq_work *work)
{
	wake_up_all(&event_hist_waiters);
}

static DEFINE_IRQ_WORK(wake_work, wake_waiters);

void hist_wake(void)
{
	/* The count before the question who waits: pairs with hist_file_poll(). */
	smp_mb();
	/* Behind that barrier. On a CPU that goes down, the next hit wakes them. */
	if (waitqueue_active(&event_hist_waiters))
		trace_irq_work_queue(&wake_work);
}

/* A task that waits for one of the histograms that share a table waits for all of them. */
static bool is_polled(const struct hist_counts *counts)
{
	const struct hist *user;

	list_for_each_entry(user, &counts->users, user)
		if (user->polled)
			return true;
	return false;
}

/* Return: true if one that was there wakes from now on. */
static bool tell_users(const struct hist_counts *counts)
{
	u8 wake = is_polled(counts) ? HIST_MORE_WAKE : 0;
	struct hist *user;
	bool new = false;

	list_for_each_entry(user, &counts->users, user) {
		new |= wake & ~user->more;
		WRITE_ONCE(user->more, (user->more & ~HIST_MORE_WAKE) | wake);
	}
	return new;
}

/* Who has not seen the flag has counted when the grace period is over. */
void hist_polled(struct trigger *t)
{
	struct hist *h = hist_of(t);

	h->polled = h->file->polled;
	if (tell_users(h->counts))
		synchronize_rcu();
}

/* Hits that others of its name have counted before are new to those who wait. */
void hist_poll_come(struct hist *h)
{
	hist_polled(&h->t);
	if (h->polled)
		hist_wake();
}

void hist_poll_leave(const struct hist_counts *counts)
{
	tell_users(counts);
}

u64 hist_hits(const struct trigger *t)
{
	const struct hist *h = container_of(t, struct hist, t);

	return table_hits(rcu_dereference_protected(h->counts->table,
						    lockdep_is_held(&events_lock)));
}
