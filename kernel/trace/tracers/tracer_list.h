/* SPDX-License-Identifier: GPL-2.0 */
/* All tracers. The interface of a tracer is in instance/tracer.h. */
#ifndef _KERNEL_TRACE_TRACER_LIST_H
#define _KERNEL_TRACE_TRACER_LIST_H

struct tracer;

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

#endif /* _KERNEL_TRACE_TRACER_LIST_H */
