/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Initialization of ftrace_dump(), which prints the trace on the console.
 */
#ifndef _KERNEL_TRACE_DUMP_H
#define _KERNEL_TRACE_DUMP_H

#include <linux/init.h>

/**
 * ftrace_dump_init() - prepare ftrace_dump(), and register the handlers of oops and panic
 *
 * Context: boot, after the top instance was created; may sleep.
 * Return: 0; -ENOMEM, after which there will be no dumps; or an error of
 * register_die_notifier().
 */
int __init ftrace_dump_init(void);

#endif /* _KERNEL_TRACE_DUMP_H */
