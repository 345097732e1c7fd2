/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The consumer of the texts that user space writes to the file trace_marker.
 */
#ifndef _KERNEL_TRACE_MARKER_H
#define _KERNEL_TRACE_MARKER_H

#include <linux/types.h>

struct trace_array;

/**
 * struct trace_marker_ops - a consumer of the texts that user space writes to trace_marker
 * @is_wanted: returns true if the consumer wants the texts written to the instance @tr
 * @notify: called after a text was recorded; @rec is a copy of its record, without the newline that
 *	the tracer has added
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
