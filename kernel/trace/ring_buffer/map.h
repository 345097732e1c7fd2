/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What there is of a CPU's stream while user space has its pages mapped; see map.c.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_MAP_H
#define _KERNEL_TRACE_RING_BUFFER_MAP_H

#include <linux/fs.h>
#include <linux/trace_mmap.h>

#include "internal.h"

/**
 * struct rb_map - a stream that is mapped, in rb_cpu.map
 * @meta: the meta page, as large as a sub-buffer
 * @shown: the page that the meta page names; neither in the ring nor the reader's
 * @size: bytes of records on it
 * @lost: records lost before the first of them
 * @zero: index in rb_ring.pages of sub-buffer 0,
 * @one: and from what that of sub-buffer 1 follows: see rb_map_swap()
 * @mapping: of the file
 */
struct rb_map {
	struct trace_buffer_meta	*meta;
	struct rb_page			*shown;
	unsigned int			size;
	unsigned long			lost;
	unsigned long			zero;
	unsigned long			one;
	struct address_space		*mapping;
};

/**
 * rb_map_add - one mapping more of a stream
 * @cb: the CPU's stream
 * @mapping: of the file that is mapped, NULL if none is
 *
 * Context: process, may sleep; trace_buffer.mutex held.
 * Return: 0; -ENOMEM, or -EBUSY for more than can be counted: nothing is changed.
 */
int rb_map_add(struct rb_cpu *cb, struct address_space *mapping);

/**
 * rb_map_pages - how many pages of memory can be mapped
 * @cb: the CPU's stream
 *
 * Context: process; trace_buffer.mutex held, or the stream is mapped.
 * Return: the number, that of the meta page included.
 */
unsigned long rb_map_pages(const struct rb_cpu *cb);

/**
 * rb_map_tell - bring the meta page up to date
 * @cb: the CPU's stream, its lock held; does nothing if it is not mapped
 *
 * Context: any.
 */
void rb_map_tell(struct rb_cpu *cb);

/**
 * rb_map_flush - have user space see the meta page and the page shown as they are now
 * @cb: the CPU's stream; does nothing if it is not mapped
 *
 * Where data caches have aliases, what kernel and user have there of these pages is to
 * go; the user's goes with his mapping.
 *
 * Context: process, may sleep; trace_buffer.mutex held.
 */
void rb_map_flush(struct rb_cpu *cb);

#endif /* _KERNEL_TRACE_RING_BUFFER_MAP_H */
