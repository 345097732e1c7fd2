// SPDX-License-Identifier: GPL-2.0
/*
 * Users of events, and the work that sweeps up what is left without a user: events, and enable bits
 * of programs that have ended.
 */
#include <linux/atomic.h>
#include <linux/init.h>
#include <linux/workqueue.h>

#include "internal.h"

unsigned int user_events_max = 32768;

static struct delayed_work user_events_sweep_dwork;

void __init user_events_sweep_init(work_func_t sweep)
{
	INIT_DELAYED_WORK(&user_events_sweep_dwork, sweep);
}

void user_events_sweep(void)
{
	mod_delayed_work(system_wq, &user_events_sweep_dwork, 0);
}

void user_event_put(struct user_event *event)
{
	/* Read before the decrement: without users the event may be freed at once. */
	bool persistent = READ_ONCE(event->persistent);

	if (atomic_dec_and_test(&event->users) && !persistent)
		user_events_sweep();
}
