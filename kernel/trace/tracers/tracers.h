/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All tracers, their record types and instance parts, for the tables that register them.
 * The interface of a tracer is in instance/tracer.h.
 */
#ifndef _KERNEL_TRACE_TRACERS_H
#define _KERNEL_TRACE_TRACERS_H

#include <linux/init.h>

struct instance_part;
struct record_type;
struct tracer;

/* Counts of repeated calls, for option func-no-repeats. */
extern struct instance_part function_part;

/* Types of the records that the tracers write, for the table in boot/types.c. */
extern const struct record_type function_type;
extern const struct record_type func_repeats_type;
extern const struct record_type graph_ent_type;
extern const struct record_type graph_ret_type;
extern const struct record_type ctx_switch_type;
extern const struct record_type wakeup_type;

/* The tracers, for the table in tracers.c. */
extern struct tracer nop_tracer;
extern struct tracer function_tracer;
extern struct tracer function_graph_tracer;
extern struct tracer irqsoff_tracer;
extern struct tracer preemptoff_tracer;
extern struct tracer preemptirqsoff_tracer;
extern struct tracer wakeup_tracer;
extern struct tracer wakeup_rt_tracer;
extern struct tracer wakeup_dl_tracer;

/**
 * register_tracers() - register all tracers, nop first
 *
 * Context: boot, before the first instance is created; takes trace_lock.
 * Return: 0, or the error of register_tracer() for the first tracer that failed.
 */
int __init register_tracers(void);

#endif /* _KERNEL_TRACE_TRACERS_H */
