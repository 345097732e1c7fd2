/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a file names a function.
 */
#ifndef _KERNEL_TRACE_FUNCTIONS_H
#define _KERNEL_TRACE_FUNCTIONS_H

struct seq_file;

/**
 * function_line_show - print the line of a call site
 * @m: where to
 * @ip: its address
 *
 * "name" or "name [module]", and a newline.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0, SEQ_SKIP when there is no such site (any more), -ENOMEM.
 */
int function_line_show(struct seq_file *m, unsigned long ip);

#endif
