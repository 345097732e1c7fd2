/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How return probes learn what stands behind a trampoline of graph/, which is a higher room.
 */
#ifndef _KERNEL_TRACE_RETHOOK_CALLER_H
#define _KERNEL_TRACE_RETHOOK_CALLER_H

struct llist_node;

/**
 * rethook_ask_for_callers - have the callers of hooked functions found behind trampolines
 * @find: graph_find_caller()
 *
 * Without it, a handler may be shown a trampoline of graph/ as the caller.
 *
 * Context: at boot, once. @find is called in any context, NMI included, with preemption off.
 */
void rethook_ask_for_callers(unsigned long (*find)(unsigned long ret, const unsigned long *retp,
						   unsigned int nr_own, struct llist_node *hook));

#endif /* _KERNEL_TRACE_RETHOOK_CALLER_H */
