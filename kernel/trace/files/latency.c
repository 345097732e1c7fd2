// SPDX-License-Identifier: GPL-2.0
/*
 * The files tracing_thresh and tracing_max_latency: how long something must take to be
 * recorded or kept, and how long the longest took. Both are in microseconds.
 */
#include <linux/irq_work.h>
#include <linux/kstrtox.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/time64.h>
#include <linux/workqueue.h>

#include "files.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "tracers/graph_limits.h"

#define HAS_THRESH (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) || \
		    IS_ENABLED(CONFIG_TRACE_LATENCIES))

static void put_usecs(struct seq_file *m, unsigned long nsecs)
{
	seq_printf(m, "%llu\n", div_u64((u64)nsecs + NSEC_PER_USEC / 2, NSEC_PER_USEC));
}

static int get_usecs(const char *text, unsigned long *nsecs)
{
	unsigned long usecs;
	int err = kstrtoul(text, 10, &usecs);

	if (!err && usecs > ULONG_MAX / NSEC_PER_USEC)
		err = -ERANGE;
	*nsecs = usecs * NSEC_PER_USEC;
	return err;
}

static int thresh_show(struct seq_file *m, const struct trace_node *at)
{
	put_usecs(m, READ_ONCE(tracing_thresh));
	return 0;
}

static int thresh_store(const struct trace_node *at, char *text)
{
	unsigned long nsecs;
	int err = get_usecs(text, &nsecs);

	if (!err)
		graph_limits_set_thresh(nsecs);
	return err;
}

static int max_latency_show(struct seq_file *m, const struct trace_node *at)
{
	put_usecs(m, READ_ONCE(at->tr->max_latency));
	return 0;
}

/* What is kept stays until something takes longer than that. */
static int max_latency_store(const struct trace_node *at, char *text)
{
	unsigned long nsecs;
	int err = get_usecs(text, &nsecs);

	if (!err)
		WRITE_ONCE(at->tr->max_latency, nsecs);
	return err;
}

enum { THRESH, MAX_LATENCY };

static const struct trace_file latency_files[] = {
	[THRESH] = {
		.name	= "tracing_thresh",
		.mode	= TRACE_FILE_RW,
		.place	= HAS_THRESH ? IN_TOP : 0,
		.show	= thresh_show,
		.store	= thresh_store,
	},
	[MAX_LATENCY] = {
		.name	= "tracing_max_latency",
		.mode	= TRACE_FILE_RW,
		.place	= IS_ENABLED(CONFIG_TRACE_LATENCIES) ? IN_INSTANCE : 0,
		.show	= max_latency_show,
		.store	= max_latency_store,
	},
	{ }
};

TRACE_FILES(latency_files);

#ifdef CONFIG_TRACER_MAX_TRACE

static void tell_watchers(struct work_struct *work)
{
	struct trace_array *tr;

	guard(mutex)(&trace_lock);
	for_each_trace_array(tr) {
		if (xchg(&tr->latency_news, 0))
			trace_file_modified(tr, &latency_files[MAX_LATENCY]);
	}
}

static DECLARE_DELAYED_WORK(watchers, tell_watchers);

/* A jiffy: telling wakes somebody, and that may again be what a tracer keeps. */
static void latency_was_kept(struct irq_work *work)
{
	schedule_delayed_work(&watchers, 1);
}

static struct irq_work kept = IRQ_WORK_INIT(latency_was_kept);

static int __init listen_to_latencies(void)
{
	latency_listen(&kept);
	return 0;
}
late_initcall(listen_to_latencies);

#endif /* CONFIG_TRACER_MAX_TRACE */
