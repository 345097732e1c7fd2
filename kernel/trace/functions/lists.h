/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of files that list functions.
 */
#ifndef _KERNEL_TRACE_FUNCTIONS_H
#define _KERNEL_TRACE_FUNCTIONS_H

struct seq_file;

/**
 * function_line_show() - print the line of a function
 * @m: the seq_file to print to
 * @ip: address of the call site of the function
 *
 * Prints "name" or "name [module]", and a newline.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; SEQ_SKIP if there is no usable site with a name at @ip; -ENOMEM.
 */
int function_line_show(struct seq_file *m, unsigned long ip);

#endif
