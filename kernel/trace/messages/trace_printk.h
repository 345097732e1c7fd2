/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace_printk(): text from inside the kernel, for the rooms around it.
 *
 * The callers of trace_printk() itself find it in <linux/kernel.h>, those of
 * trace_array_printk() in <linux/trace.h>.
 */
#ifndef _KERNEL_TRACE_TRACE_PRINTK_H
#define _KERNEL_TRACE_TRACE_PRINTK_H

#include <linux/init.h>
#include <linux/types.h>

struct instance_part;
struct trace_array;

/* Option trace_printk_dest. */
extern struct instance_part trace_printk_part;

/**
 * trace_printk_boot - make trace_printk() work, if the kernel contains any
 *
 * To be called once the top instance can record.
 *
 * Context: boot, process; may sleep once that is possible.
 */
void __init trace_printk_boot(void);

/**
 * trace_printk_dest - which instance trace_printk() goes to
 *
 * Context: any; the answer may be outdated unless the caller holds trace_lock.
 */
struct trace_array *trace_printk_dest(void);

#endif /* _KERNEL_TRACE_TRACE_PRINTK_H */
