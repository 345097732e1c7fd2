/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that are filters: set_ftrace_filter and its like (SPEC D5).
 */
#ifndef _KERNEL_TRACE_FILTER_FILES_H
#define _KERNEL_TRACE_FILTER_FILES_H

#include <linux/fs.h>
#include <linux/types.h>

struct ftrace_ops;
struct trace_array;

/**
 * struct filter_list - description of a filter file
 * @ops: returns the ops whose filter the file shows
 * @except: the file is the "except" side of the filter, not the "only" side
 * @commands: the file accepts function commands ("func:traceoff")
 * @when_empty: text that is read from the file when the side is empty
 * @begin: called before the filter is changed, with true if the side will be empty; or NULL
 * @end: called after the filter was changed; or NULL
 */
struct filter_list {
	struct ftrace_ops	*(*ops)(struct trace_array *tr);
	bool			except;
	bool			commands;
	const char		*when_empty;
	void			(*begin)(bool empty);
	void			(*end)(void);
};

/* File operations of filter files. &trace_file.data is a struct filter_list. */
extern const struct file_operations filter_file_fops;

#endif /* _KERNEL_TRACE_FILTER_FILES_H */
