// SPDX-License-Identifier: GPL-2.0
/*
 * Those who watch tracing_max_latency by inotify are told when a tracer keeps a longer time.
 *
 * The tracer finds out with interrupts off, and the lock of a run queue perhaps; so there is
 * an irq_work, and a work behind it.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/workqueue.h>

#include "instance/instance.h"
#include "instance/latency.h"
#include "tracefs/files.h"

static void tell_watchers(struct work_struct *work)
{
	struct trace_array *tr;

	guard(mutex)(&trace_lock);
	for_each_trace_array(tr) {
		/* A full barrier: who is told reads what was kept. */
		if (xchg(&tr->latency_news, 0))
			trace_file_modified(tr, "tracing_max_latency");
	}
}

static DECLARE_DELAYED_WORK(watchers, tell_watchers);

/* A jiffy: telling wakes somebody, and that may again be what a tracer keeps. */
static void latency_was_kept(struct irq_work *work)
{
	schedule_delayed_work(&watchers, 1);
}

static struct irq_work kept = IRQ_WORK_INIT_HARD(latency_was_kept);

static int __init listen_to_latencies(void)
{
	latency_listen(&kept);
	return 0;
}
late_initcall(listen_to_latencies);
