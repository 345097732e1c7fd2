/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Triggers: what an event makes happen whenever it comes, whether it is recorded or not, with
 * a count and a filter of its own (SPEC E2).
 *
 *	# echo 'traceoff:1 if prev_state == 2' > events/sched/sched_switch/trigger
 *
 * What can happen is in the table of actions/action.c.
 */
#ifndef _KERNEL_TRACE_TRIGGERS_H
#define _KERNEL_TRACE_TRIGGERS_H

#include <linux/init.h>

struct instance_part;

/* They end with their instance. */
extern struct instance_part triggers_part;

/**
 * triggers_boot - obey trace_trigger=
 *
 * Context: boot, when there are events; takes trace_lock and what is inside.
 */
void __init triggers_boot(void);

#endif /* _KERNEL_TRACE_TRIGGERS_H */
