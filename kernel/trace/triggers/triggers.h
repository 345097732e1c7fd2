/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Triggers: things that an event makes happen at each hit, whether the event is recorded or
 * not. Each trigger may have a count and a filter (SPEC E2).
 *
 *	# echo 'traceoff:1 if prev_state == 2' > events/sched/sched_switch/trigger
 *
 * The table in actions/action.c lists the actions; hist/ adds its own kind of triggers.
 */
#ifndef _KERNEL_TRACE_TRIGGERS_H
#define _KERNEL_TRACE_TRIGGERS_H

#include <linux/init.h>

struct instance_part;

/* Installs event_trigger_ops, and removes the triggers of an instance together with it. */
extern struct instance_part triggers_part;

/**
 * triggers_boot - add the triggers of the boot parameter trace_trigger=
 *
 * Context: boot, when there are events; takes trace_lock and the locks inside it.
 */
void __init triggers_boot(void);

#endif /* _KERNEL_TRACE_TRIGGERS_H */
