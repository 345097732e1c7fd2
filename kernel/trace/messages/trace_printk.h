/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of trace_printk() for other parts of the tracer. trace_printk() itself is declared
 * in <linux/kernel.h>, trace_array_printk() in <linux/trace.h>.
 */
#ifndef _KERNEL_TRACE_TRACE_PRINTK_H
#define _KERNEL_TRACE_TRACE_PRINTK_H

#include <linux/init.h>
#include <linux/types.h>

struct instance_part;

/* Registers the function of option trace_printk_dest, when instances are set up at boot. */
extern struct instance_part trace_printk_part;

/**
 * trace_printk_boot() - prepare trace_printk(), if the kernel image contains a call of it
 *
 * Context: process, at boot, when the top instance can record; may sleep if the scheduler runs.
 */
void __init trace_printk_boot(void);

#endif /* _KERNEL_TRACE_TRACE_PRINTK_H */
