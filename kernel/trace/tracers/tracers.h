/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracers that there are.  What a tracer is, is told in instance/tracer.h.
 */
#ifndef _KERNEL_TRACE_TRACERS_H
#define _KERNEL_TRACE_TRACERS_H

#include <linux/init.h>

struct instance_part;
struct record_type;
struct tracer;

/* What they keep with an instance. */
extern struct instance_part function_part;

/* What they record. */
extern const struct record_type function_type;
extern const struct record_type func_repeats_type;
extern const struct record_type graph_ent_type;
extern const struct record_type graph_ret_type;
extern const struct record_type ctx_switch_type;
extern const struct record_type wakeup_type;

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
 * register_tracers - make all tracers known, nop first
 *
 * Context: boot, no instance is made yet; takes trace_lock.
 * Return: as register_tracer().
 */
int __init register_tracers(void);

#endif /* _KERNEL_TRACE_TRACERS_H */
