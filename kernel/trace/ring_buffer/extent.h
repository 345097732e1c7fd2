/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The number of records and bytes in a CPU's stream, for statistics and for the meta page of mapped
 * streams; see stat.c.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_EXTENT_H
#define _KERNEL_TRACE_RING_BUFFER_EXTENT_H

#include "internal.h"

/**
 * struct rb_extent - how many records a CPU's stream holds and has lost
 * @entries: number of records that can be read
 * @bytes: number of bytes that these records take
 * @overrun: number of records that were overwritten unread since the last reset
 * @ts: a time shortly before that of the oldest record, 0 if there is no record
 */
struct rb_extent {
	unsigned long	entries;
	unsigned long	bytes;
	unsigned long	overrun;
	u64		ts;
};

/**
 * rb_get_extent - compute the extent of a CPU's stream
 * @cb: the stream
 *
 * Context: any; rb_cpu.lock held.
 * Return: the extent; exact while the CPU does not write. Otherwise records that are written
 *	meanwhile may or may not be included.
 */
struct rb_extent rb_get_extent(struct rb_cpu *cb);

#endif /* _KERNEL_TRACE_RING_BUFFER_EXTENT_H */
