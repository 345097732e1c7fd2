/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records that user space writes by the files trace_marker and trace_marker_raw.
 */
#ifndef _KERNEL_TRACE_MARKER_H
#define _KERNEL_TRACE_MARKER_H

#include <linux/types.h>

struct trace_array;

/* Maximum number of bytes of a write that go into one record of trace_marker. */
#define TRACE_MARKER_MAX	4096

/**
 * tracing_mark_write() - record text from user space
 * @tr: the instance
 * @ubuf: the text
 * @cnt: length of the text in bytes; what exceeds the longest possible record is not taken
 *
 * All bytes are recorded; a newline is added if the last byte is none.  The file trace shows
 * the bytes before the first NUL.  The record has the address of this function, so it is shown
 * with this function's name, which user-space tools look for.
 *
 * Context: may sleep.
 * Return: the number of bytes taken; -EINVAL if option markers is off; -EFAULT; -ENOMEM;
 * -EBADF if the instance does not record.
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
 * struct trace_marker_ops - consumer of the texts that user space records
 * @is_wanted: returns true if the consumer wants the texts of the instance
 * @notify: called with a copy of the record of a text, without the newline that was added
 *
 * Context: may sleep.
 */
struct trace_marker_ops {
	bool	(*is_wanted)(const struct trace_array *tr);
	void	(*notify)(struct trace_array *tr, void *rec);
};

/* The consumer of the texts, set once at boot; NULL for none. */
extern const struct trace_marker_ops *trace_marker_ops;

#endif /* _KERNEL_TRACE_MARKER_H */
