// SPDX-License-Identifier: GPL-2.0
/*
 * The files tracing_thresh (minimum duration of what is recorded or kept) and
 * tracing_max_latency (longest latency so far), both in microseconds.
 */
#include <linux/kstrtox.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "graph_limits.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "tracefs/files.h"

#define HAS_THRESH (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) || \
		    IS_ENABLED(CONFIG_TRACE_LATENCIES))

/* Durations in these files have always been rounded down; only time stamps are rounded. */
static void latency_put_usecs(struct seq_file *m, u64 nsecs)
{
	seq_printf(m, "%llu\n", div_u64(nsecs, NSEC_PER_USEC));
}

static int latency_parse_usecs(const char *text, unsigned long *nsecs)
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
	latency_put_usecs(m, READ_ONCE(tracing_thresh));
	return 0;
}

static int thresh_store(const struct trace_node *at, char *text)
{
	unsigned long nsecs;
	int err = latency_parse_usecs(text, &nsecs);

	if (!err)
		graph_limits_set_thresh(nsecs);
	return err;
}

static int max_latency_show(struct seq_file *m, const struct trace_node *at)
{
	latency_put_usecs(m, latency_longest(at->tr));
	return 0;
}

/* The kept trace stays until a latency exceeds the new value. */
static int max_latency_store(const struct trace_node *at, char *text)
{
	unsigned long nsecs;
	int err = latency_parse_usecs(text, &nsecs);

	if (!err)
		WRITE_ONCE(at->tr->max_latency, nsecs);
	return err;
}

static const struct trace_file latency_files[] = {
	{
		.name	= "tracing_thresh",
		.mode	= TRACE_FILE_RW,
		.place	= HAS_THRESH ? IN_TOP : 0,
		.show	= thresh_show,
		.store	= thresh_store,
	}, {
		.name	= "tracing_max_latency",
		.mode	= TRACE_FILE_RW,
		.place	= IS_ENABLED(CONFIG_TRACE_LATENCIES) ? IN_INSTANCE : 0,
		.show	= max_latency_show,
		.store	= max_latency_store,
	},
	{ }
};

TRACE_FILES(latency_files);
