/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions, by name, in files.
 */
#ifndef _KERNEL_TRACE_FILTER_LIST_H
#define _KERNEL_TRACE_FILTER_LIST_H

#include <linux/fs.h>

struct seq_file;

/**
 * filter_list_show_ip - print the line of a call site
 * @m: where to
 * @ip: its address
 *
 * "name" or "name [module]", and a newline.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0, SEQ_SKIP when there is no such site (any more), -ENOMEM.
 */
int filter_list_show_ip(struct seq_file *m, unsigned long ip);

/* Of filter.c, for the table of files. */
extern const struct file_operations set_filter_fops;
extern const struct file_operations set_notrace_fops;

#endif
