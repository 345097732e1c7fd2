/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to messages/: writing to trace_marker and trace_marker_raw, the instance in which
 * trace_printk() records, and the interface of snapshots for modules.
 */
#ifndef _KERNEL_TRACE_MESSAGES_INTERNAL_H
#define _KERNEL_TRACE_MESSAGES_INTERNAL_H

#include <linux/types.h>

#include "snapshot.h"

struct trace_array;

/* Maximum number of bytes of text in a record of trace_marker. */
#define TRACE_MARKER_MAX	4096

/**
 * tracing_mark_write() - record text from user space
 * @tr: the instance
 * @ubuf: the text
 * @cnt: length of the text in bytes; only as much is taken as fits into one record
 *
 * A newline is added if the text does not end with one. A NUL in the text is recorded, but the
 * file trace shows only the bytes before it. The record has the address of this function as its
 * ip, so it is shown with this function's name, which user-space tools look for.
 *
 * Context: may sleep.
 * Return: the number of bytes of @ubuf that were recorded; -EINVAL if option markers is off;
 * -EFAULT; -ENOMEM; -EBADF if the instance does not record.
 */
ssize_t tracing_mark_write(struct trace_array *tr, const char __user *ubuf,
			   size_t cnt);

/**
 * tracing_mark_raw_write() - record a tag and bytes from user space
 * @tr: the instance
 * @ubuf: the tag, an unsigned int, followed by any bytes
 * @cnt: number of bytes, with the tag
 *
 * Context: may sleep.
 * Return: @cnt; -EINVAL if option markers is off, if there is no tag, or if the data do not fit
 * into one record; -EFAULT; -ENOMEM; -EBADF if the instance does not record.
 */
ssize_t tracing_mark_raw_write(struct trace_array *tr, const char __user *ubuf,
			       size_t cnt);

/**
 * trace_printk_dest() - get the instance in which trace_printk() records
 *
 * Context: any; the result may be outdated unless the caller holds trace_lock.
 * Return: the instance.
 */
struct trace_array *trace_printk_dest(void);

/* The following functions are exported, and documented in snapshot.c. */
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data);
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update);
int tracing_snapshot_cond_disable(struct trace_array *tr);
void *tracing_cond_snapshot_data(struct trace_array *tr);
int tracing_alloc_snapshot(void);

#endif /* _KERNEL_TRACE_MESSAGES_INTERNAL_H */
