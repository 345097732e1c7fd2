/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that are lists of functions: set_ftrace_filter and its like (SPEC D5).
 */
#ifndef _KERNEL_TRACE_FILES_FILTER_H
#define _KERNEL_TRACE_FILES_FILTER_H

#include <linux/types.h>

struct file;
struct ftrace_ops;
struct inode;
struct trace_array;

/**
 * struct filter_list - what makes such a file another one
 * @ops: the ops of whose filter it is a side
 * @except: it is the "except" side
 * @commands: it takes commands on functions
 * @when_empty: its content when there is no filter
 * @begin: called before the filter is changed, or NULL
 * @end: called afterwards, if @begin was
 */
struct filter_list {
	struct ftrace_ops	*(*ops)(struct trace_array *tr);
	bool			except;
	bool			commands;
	const char		*when_empty;
	void			(*begin)(void);
	void			(*end)(void);
};

/**
 * filter_file_open - the open of such a file
 * @inode: its inode
 * @file: the file
 * @list: which it is
 *
 * The file's operations are seq_read_iter(), copy_splice_read(), seq_lseek() and those
 * here.
 *
 * Context: as that of a file operation; takes trace_lock and ftrace_lock.
 * Return: 0; -ENODEV when the tracer is dead; -ENOMEM.
 */
int filter_file_open(struct inode *inode, struct file *file,
		     const struct filter_list *list);

/* See filter_file_open(). */
ssize_t filter_file_write(struct file *file, const char __user *ubuf, size_t count,
			  loff_t *pos);
int filter_file_release(struct inode *inode, struct file *file);

#endif /* _KERNEL_TRACE_FILES_FILTER_H */
