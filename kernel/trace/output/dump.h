/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace on the console: see ftrace_dump() in <linux/kernel.h>.
 */
#ifndef _KERNEL_TRACE_DUMP_H
#define _KERNEL_TRACE_DUMP_H

#include <linux/init.h>

/**
 * ftrace_dump_init - make ftrace_dump() work, also when the kernel oopses
 *
 * Context: boot, the top instance is made, memory can be allocated.
 * Return: 0 or -ENOMEM: there will be no dumps.
 */
int __init ftrace_dump_init(void);

#endif /* _KERNEL_TRACE_DUMP_H */
