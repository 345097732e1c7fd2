/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that are lists of functions: set_ftrace_filter and its like (SPEC D5).
 */
#ifndef _KERNEL_TRACE_FILTER_FILES_H
#define _KERNEL_TRACE_FILTER_FILES_H

#include <linux/fs.h>
#include <linux/types.h>

struct ftrace_ops;
struct trace_array;

/**
 * struct filter_list - what makes such a file another one
 * @ops: the ops of whose filter it is a side
 * @except: it is the "except" side
 * @commands: it takes commands on functions
 * @when_empty: its content when there is no filter
 * @begin: called before the filter is changed, or NULL; told whether it will be empty
 * @end: called afterwards, if @begin was
 */
struct filter_list {
	struct ftrace_ops	*(*ops)(struct trace_array *tr);
	bool			except;
	bool			commands;
	const char		*when_empty;
	void			(*begin)(bool empty);
	void			(*end)(void);
};

/* What is done with such a file. The data of its row is a struct filter_list. */
extern const struct file_operations filter_file_fops;

#endif /* _KERNEL_TRACE_FILTER_FILES_H */
