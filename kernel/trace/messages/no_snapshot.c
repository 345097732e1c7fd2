// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel without CONFIG_TRACER_SNAPSHOT: who asks for one finds out.
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "snapshot.h"

static void no_snapshot(void)
{
	WARN_ONCE(1, "a snapshot of the trace was asked for, but there are none");
}

/**
 * tracing_snapshot - keep a copy of the buffer: needs CONFIG_TRACER_SNAPSHOT
 *
 * Without it, warns once.
 *
 * Context: any.
 */
void tracing_snapshot(void)
{
	no_snapshot();
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_snapshot_alloc - likewise, with memory for it
 *
 * Context: may sleep.
 */
void tracing_snapshot_alloc(void)
{
	no_snapshot();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);

/**
 * tracing_alloc_snapshot - have room for snapshots
 *
 * Return: -ENODEV
 */
int tracing_alloc_snapshot(void)
{
	no_snapshot();
	return -ENODEV;
}
EXPORT_SYMBOL_GPL(tracing_alloc_snapshot);

/**
 * tracing_snapshot_cond - as tracing_snapshot()
 * @tr: ignored
 * @cond_data: ignored
 */
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data)
{
	no_snapshot();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond);

int snapshot_condition_begin(struct trace_array *tr, void *cond_data, cond_update_fn_t update)
{
	return -ENODEV;
}

void snapshot_condition_ask(struct trace_array *tr, void *cond_data)
{
}

int snapshot_condition_end(struct trace_array *tr)
{
	return -EINVAL;
}

/**
 * tracing_snapshot_cond_enable - refused
 * @tr: ignored
 * @cond_data: ignored
 * @update: ignored
 *
 * Return: -ENODEV
 */
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update)
{
	return -ENODEV;
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_enable);

/**
 * tracing_snapshot_cond_disable - there is no condition
 * @tr: ignored
 *
 * Return: false, as one knows it
 */
int tracing_snapshot_cond_disable(struct trace_array *tr)
{
	return false;
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_disable);

/**
 * tracing_cond_snapshot_data - there is none
 * @tr: ignored
 *
 * Return: NULL
 */
void *tracing_cond_snapshot_data(struct trace_array *tr)
{
	return NULL;
}
EXPORT_SYMBOL_GPL(tracing_cond_snapshot_data);
