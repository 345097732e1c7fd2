/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The consumer of the texts that user space records by the file trace_marker.
 */
#ifndef _KERNEL_TRACE_MARKER_H
#define _KERNEL_TRACE_MARKER_H

#include <linux/types.h>

struct trace_array;

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
