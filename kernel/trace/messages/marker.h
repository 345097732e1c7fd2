/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries that user space writes: trace_marker and trace_marker_raw.
 */
#ifndef _KERNEL_TRACE_MARKER_H
#define _KERNEL_TRACE_MARKER_H

#include <linux/types.h>

struct trace_array;

/* The most bytes of one write that become one entry of trace_marker. */
#define TRACE_MARKER_MAX	4096

/**
 * tracing_mark_write - record text from user space
 * @tr: the instance
 * @ubuf: the text
 * @cnt: its length; what is beyond the longest possible entry is left
 *
 * All bytes are kept; a line end is added when the last one is none.  Lines of text show
 * what stands before the first NUL.  Readers show the entry under
 * this function's name, which user-space tools look for.
 *
 * Context: may sleep.
 * Return: the number of bytes taken; -EINVAL when the option "markers" is off,
 * -EFAULT, -ENOMEM; -EBADF when the instance is not recording.
 */
ssize_t tracing_mark_write(struct trace_array *tr, const char __user *ubuf,
			   size_t cnt);

/**
 * tracing_mark_raw_write - record a tag and bytes from user space
 * @tr: the instance
 * @ubuf: an unsigned int, then any bytes
 * @cnt: length of all
 *
 * Context: may sleep.
 * Return: @cnt; -EINVAL when the option "markers" is off, when there is no tag
 * or when it does not fit into one entry; -EFAULT, -ENOMEM; -EBADF when the
 * instance is not recording.
 */
ssize_t tracing_mark_raw_write(struct trace_array *tr, const char __user *ubuf,
			       size_t cnt);

/**
 * struct trace_marker_ops - who is told of what user space has recorded as text
 * @is_wanted: is there anybody in that instance
 * @told: the record, complete, but without a line end that was added
 *
 * Context: may sleep.
 */
struct trace_marker_ops {
	bool	(*is_wanted)(const struct trace_array *tr);
	void	(*told)(struct trace_array *tr, void *rec);
};

/* Set once, at boot. */
extern const struct trace_marker_ops *trace_marker_ops;

#endif /* _KERNEL_TRACE_MARKER_H */
