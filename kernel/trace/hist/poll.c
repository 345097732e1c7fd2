// SPDX-License-Identifier: GPL-2.0
/*
 * Who waits for histograms to count, in poll() of their file.
 */
#include <linux/irq_work.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>

#include "events/events.h"
#include "internal.h"

/* Of all histograms: few wait, and look for themselves. */
static DECLARE_WAIT_QUEUE_HEAD(waiters);

static void wake(struct irq_work *work)
{
	wake_up_all(&waiters);
}

static DEFINE_IRQ_WORK(wake_work, wake);

void hist_wake(void)
{
	/* The count before the question who waits: pairs with hist_poll(). */
	smp_mb();
	/* Behind that barrier. */
	if (waitqueue_active(&waiters))
		irq_work_queue(&wake_work);
}

/* All that count in its table have to wake from now on. */
static bool have_woken(struct hist *h)
{
	struct hist *user;
	bool new = false;

	list_for_each_entry(user, &h->counts->users, user) {
		new |= !(user->more & HIST_MORE_WAKE);
		WRITE_ONCE(user->more, user->more | HIST_MORE_WAKE);
	}
	return new;
}

/* Who has not seen the flag has counted when the grace period is over. */
void hist_poll(struct trigger *t, struct file *file, struct poll_table_struct *wait)
{
	if (have_woken(hist_of(t)))
		synchronize_rcu();
	poll_wait(file, &waiters, wait);
	/* In the queue before the caller looks at the counts: pairs with hist_wake(). */
	smp_mb();
}

u64 hist_hits(const struct trigger *t)
{
	const struct hist *h = container_of(t, struct hist, t);

	return table_hits(rcu_dereference_protected(h->counts->table,
						    lockdep_is_held(&events_lock)));
}
