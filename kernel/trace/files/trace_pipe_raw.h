/* SPDX-License-Identifier: GPL-2.0 */
/* Interface between trace_pipe_raw.c and trace_pipe_mmap.c. */
#ifndef _KERNEL_TRACE_FILES_TRACE_PIPE_RAW_H
#define _KERNEL_TRACE_FILES_TRACE_PIPE_RAW_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/mutex.h>

#include "instance/instance.h"
#include "instance/snapshot.h"

struct file;
struct vm_area_struct;

/**
 * struct raw_reader - an open trace_pipe_raw or snapshot_raw file
 * @tr: the instance
 * @cpu: the CPU
 * @snapshot: the file reads the snapshot
 * @lock: protects @page and @pos
 * @page: page that read() is copying to user space, or NULL
 * @pos: offset of the next byte in @page
 * @file: the open file
 * @flushed: some descriptor of the file was closed
 * @wakes: number of requests to end all waits
 */
struct raw_reader {
	struct trace_array		*tr;
	int				cpu;
	bool				snapshot;
	struct mutex			lock;	/* serializes reads of this open file */
	struct buffer_data_read_page	*page;
	unsigned int			pos;
	const struct file		*file;
	bool				flushed;
	atomic_t			wakes;
};

/* The buffer that the file reads; a snapshot exchanges it. */
static inline struct trace_buffer *raw_buffer(const struct raw_reader *raw)
{
	return raw->snapshot ? trace_array_snapshot(raw->tr) : READ_ONCE(raw->tr->buffer);
}

/**
 * trace_pipe_raw_mmap() - mmap operation of trace_pipe_raw
 * @file: the open file
 * @vma: the new mapping
 *
 * Context: under mmap_lock.
 * Return: 0; -EBUSY if the tracer uses the snapshot or a user has announced to take snapshots;
 * else the error of ring_buffer_map().
 */
int trace_pipe_raw_mmap(struct file *file, struct vm_area_struct *vma);

#endif /* _KERNEL_TRACE_FILES_TRACE_PIPE_RAW_H */
