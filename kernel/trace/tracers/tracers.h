/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registration of all tracers, and their record types and instance parts, for the tables in
 * boot/ that register those.
 */
#ifndef _KERNEL_TRACE_TRACERS_H
#define _KERNEL_TRACE_TRACERS_H

#include <linux/init.h>

struct instance_part;
struct record_type;

/* Counts of repeated calls, for option func-no-repeats. */
extern struct instance_part function_part;

/* Types of the records that the tracers write, for the table in boot/types.c. */
extern const struct record_type function_type;
extern const struct record_type func_repeats_type;
extern const struct record_type graph_ent_type;
extern const struct record_type graph_ret_type;
extern const struct record_type ctx_switch_type;
extern const struct record_type wakeup_type;

/**
 * register_tracers() - register all tracers, nop first
 *
 * Context: boot, before the first instance is created; takes trace_lock.
 * Return: 0, or the error of register_tracer() for the first tracer that failed.
 */
int __init register_tracers(void);

#endif /* _KERNEL_TRACE_TRACERS_H */
