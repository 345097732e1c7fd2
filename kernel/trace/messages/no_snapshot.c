// SPDX-License-Identifier: GPL-2.0
/*
 * The snapshot functions of a kernel without CONFIG_TRACER_SNAPSHOT: they warn or fail.
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "internal.h"
#include "snapshot.h"

static void snapshot_warn_unsupported(void)
{
	WARN_ONCE(1, "a snapshot of the trace was asked for, but there are none");
}

/**
 * tracing_snapshot() - warn once that there are no snapshots
 *
 * Context: any.
 */
void tracing_snapshot(void)
{
	snapshot_warn_unsupported();
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_snapshot_alloc() - warn once that there are no snapshots
 *
 * Context: may sleep.
 */
void tracing_snapshot_alloc(void)
{
	snapshot_warn_unsupported();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);

/**
 * tracing_alloc_snapshot() - warn once that there are no snapshots
 *
 * Context: any.
 * Return: -ENODEV
 */
int tracing_alloc_snapshot(void)
{
	snapshot_warn_unsupported();
	return -ENODEV;
}
EXPORT_SYMBOL_GPL(tracing_alloc_snapshot);

/**
 * tracing_snapshot_cond() - warn once that there are no snapshots
 * @tr: ignored
 * @cond_data: ignored
 *
 * Context: any.
 */
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data)
{
	snapshot_warn_unsupported();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond);

int snapshot_condition_begin(struct trace_array *tr, void *cond_data, cond_update_fn_t update)
{
	return -ENODEV;
}

void snapshot_condition_take(struct trace_array *tr, void *cond_data)
{
}

int snapshot_condition_end(struct trace_array *tr)
{
	return -EINVAL;
}

/**
 * tracing_snapshot_cond_enable() - refuse a condition for snapshots
 * @tr: ignored
 * @cond_data: ignored
 * @update: ignored
 *
 * Context: any.
 * Return: -ENODEV
 */
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update)
{
	return -ENODEV;
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_enable);

/**
 * tracing_snapshot_cond_disable() - do nothing, because no condition can be set
 * @tr: ignored
 *
 * Context: any.
 * Return: 0, as in the stock kernel
 */
int tracing_snapshot_cond_disable(struct trace_array *tr)
{
	return 0;
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_disable);

/**
 * tracing_cond_snapshot_data() - return NULL, because no condition can be set
 * @tr: ignored
 *
 * Context: any.
 * Return: NULL
 */
void *tracing_cond_snapshot_data(struct trace_array *tr)
{
	return NULL;
}
EXPORT_SYMBOL_GPL(tracing_cond_snapshot_data);
