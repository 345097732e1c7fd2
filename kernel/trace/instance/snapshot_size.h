/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The buffer for snapshots has the size of the first one. buffer.c resizes both.
 */
#ifndef _KERNEL_TRACE_SNAPSHOT_SIZE_H
#define _KERNEL_TRACE_SNAPSHOT_SIZE_H

#include "snapshot.h"

#ifdef CONFIG_TRACER_MAX_TRACE

/**
 * snapshot_of() - get the other buffer, if it must have the size of the first one
 * @tr: the instance
 * @buffer: the first buffer
 *
 * Context: caller holds trace_lock.
 * Return: the other buffer; NULL if there is no memory for snapshots.
 */
static inline struct trace_buffer *snapshot_of(const struct trace_array *tr,
					       const struct trace_buffer *buffer)
{
	return tr->has_snapshot ? trace_array_other(tr, buffer) : NULL;
}

/**
 * snapshot_restore_size() - give the other buffer the size of the first one, after a failed resize
 * @tr: the instance
 * @other: result of snapshot_of() for the first buffer, may be NULL
 * @buffer: the first buffer
 *
 * If that fails as well, the snapshot is dropped.
 *
 * Context: may sleep; caller holds trace_lock.
 */
void snapshot_restore_size(struct trace_array *tr, struct trace_buffer *other,
			   struct trace_buffer *buffer);

#else

static inline struct trace_buffer *snapshot_of(const struct trace_array *tr,
					       const struct trace_buffer *buffer)
{
	return NULL;
}

static inline void snapshot_restore_size(struct trace_array *tr, struct trace_buffer *other,
					 struct trace_buffer *buffer) { }

#endif /* CONFIG_TRACER_MAX_TRACE */

#endif /* _KERNEL_TRACE_SNAPSHOT_SIZE_H */
