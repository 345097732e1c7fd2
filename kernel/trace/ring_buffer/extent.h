/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much there is of a CPU's stream, for those who tell user space; see stat.c.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_EXTENT_H
#define _KERNEL_TRACE_RING_BUFFER_EXTENT_H

#include "internal.h"

/**
 * struct rb_extent - what there is of a CPU's stream
 * @entries: records that can be read
 * @bytes: bytes that they take
 * @overrun: records that were overwritten unread
 * @ts: a time shortly before that of the oldest record, 0 if there is none
 */
struct rb_extent {
	unsigned long	entries;
	unsigned long	bytes;
	unsigned long	overrun;
	u64		ts;
};

/**
 * rb_get_extent - what there is of a CPU's stream
 * @cb: the stream, its lock held
 *
 * Context: any.
 * Return: exact while the CPU does not write, else of a moment.
 */
struct rb_extent rb_get_extent(struct rb_cpu *cb);

#endif /* _KERNEL_TRACE_RING_BUFFER_EXTENT_H */
