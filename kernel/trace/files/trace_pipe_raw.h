/* SPDX-License-Identifier: GPL-2.0 */
/* What trace_pipe_raw.c and trace_pipe_mmap.c share. */
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
 * struct raw_reader - one open file
 * @tr: the instance
 * @cpu: the CPU
 * @snapshot: reads the snapshot
 * @lock: protects @page and @pos
 * @page: what read() is handing out, or NULL
 * @pos: how far it is
 * @file: the open file
 * @flushed: a descriptor of the file was closed somewhere
 * @wakes: counts the requests to stop waiting
 */
struct raw_reader {
	struct trace_array		*tr;
	int				cpu;
	bool				snapshot;
	struct mutex			lock;	/* of this open file */
	struct buffer_data_read_page	*page;
	unsigned int			pos;
	const struct file		*file;
	bool				flushed;
	atomic_t			wakes;
};

/* The one that is read; a snapshot makes it the other. */
static inline struct trace_buffer *raw_buffer(const struct raw_reader *raw)
{
	return raw->snapshot ? trace_array_snapshot(raw->tr) : READ_ONCE(raw->tr->buffer);
}

/**
 * trace_pipe_raw_mmap - the mmap operation of trace_pipe_raw
 * @file: the open file
 * @vma: where
 *
 * Context: under mmap_lock.
 * Return: 0; -EBUSY if somebody is going to take snapshots; as ring_buffer_map().
 */
int trace_pipe_raw_mmap(struct file *file, struct vm_area_struct *vma);

#endif /* _KERNEL_TRACE_FILES_TRACE_PIPE_RAW_H */
