/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of a CPU's stream while user space has its pages mapped; see map.c.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_MAP_H
#define _KERNEL_TRACE_RING_BUFFER_MAP_H

#include <linux/fs.h>
#include <linux/trace_mmap.h>

#include "internal.h"

/**
 * struct rb_map - a mapped stream, in rb_cpu.map
 * @meta: the meta page, as large as a sub-buffer
 * @shown: the page whose records user space reads, and whose id is in @meta; it is neither in a
 *	slot nor the page of the reader
 * @size: bytes of records on @shown
 * @lost: number of records lost before the first record on @shown
 * @id0_index: index in rb_ring.pages of the sub-buffer with id 0
 * @id1_index: index of the sub-buffer with id 1, or @id0_index if that is 0; see
 *	rb_map_index_to_id()
 * @mapping: address space of the file that is mapped, NULL if there is no file
 */
struct rb_map {
	struct trace_buffer_meta	*meta;
	struct rb_page			*shown;
	unsigned int			size;
	unsigned long			lost;
	unsigned long			id0_index;
	unsigned long			id1_index;
	struct address_space		*mapping;
};

/**
 * rb_map_add - add a mapping of a stream
 * @cb: the CPU's stream
 * @mapping: address space of the file that is mapped, NULL if there is no file
 *
 * Context: process, may sleep; trace_buffer.mutex held.
 * Return: 0; on failure nothing is changed: -ENOMEM, or -EBUSY if the count of mappings
 *	would overflow.
 */
int rb_map_add(struct rb_cpu *cb, struct address_space *mapping);

/**
 * rb_map_pages - number of pages of memory that user space can map
 * @cb: the CPU's stream
 *
 * Context: process; trace_buffer.mutex held, or the stream is mapped.
 * Return: the number, including the pages of the meta page.
 */
unsigned long rb_map_pages(const struct rb_cpu *cb);

/**
 * rb_map_update_meta - update the meta page
 * @cb: the CPU's stream; nothing happens if it is not mapped
 *
 * Context: any; rb_cpu.lock held.
 */
void rb_map_update_meta(struct rb_cpu *cb);

/**
 * rb_map_flush - make the meta page and the shown page visible to user space
 * @cb: the CPU's stream; nothing happens if it is not mapped
 *
 * On CPUs with aliasing data caches, flushes the kernel's cache lines of these pages and
 * unmaps the pages from user space, which flushes the lines of user space.
 *
 * Context: process, may sleep; trace_buffer.mutex held.
 */
void rb_map_flush(struct rb_cpu *cb);

#endif /* _KERNEL_TRACE_RING_BUFFER_MAP_H */
