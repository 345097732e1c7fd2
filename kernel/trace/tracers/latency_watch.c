// SPDX-License-Identifier: GPL-2.0
/*
 * Notifies inotify watchers of tracing_max_latency when a tracer keeps a longer latency.
 *
 * The tracer keeps a latency with interrupts off and perhaps a run queue lock held. So it
 * queues an irq_work, which schedules a delayed work, which notifies the watchers.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/workqueue.h>

#include "instance/instance.h"
#include "instance/latency.h"
#include "tracefs/files.h"

static void latency_notify_watchers(struct work_struct *work)
{
	struct trace_array *tr;

	guard(mutex)(&trace_lock);
	for_each_trace_array(tr) {
		/*
		 * xchg() is a full barrier: a latency kept before the flag was set is visible to
		 * the watchers.
		 */
		if (xchg(&tr->latency_changed, 0))
			trace_file_modified(tr, "tracing_max_latency");
	}
}

static DECLARE_DELAYED_WORK(latency_notify_work, latency_notify_watchers);

/*
 * The notification wakes a task, which may cause another latency to be kept: the delay of a
 * jiffy limits the rate of this loop.
 */
static void latency_schedule_notify(struct irq_work *work)
{
	schedule_delayed_work(&latency_notify_work, 1);
}

static struct irq_work latency_kept_work = IRQ_WORK_INIT_HARD(latency_schedule_notify);

static int __init latency_watch_init(void)
{
	latency_set_listener(&latency_kept_work);
	return 0;
}
late_initcall(latency_watch_init);
