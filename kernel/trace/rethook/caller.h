/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How return probes look up the return address that a trampoline of graph/ replaces. graph/ is
 * above rethook/, so it registers a function here at boot.
 */
#ifndef _KERNEL_TRACE_RETHOOK_CALLER_H
#define _KERNEL_TRACE_RETHOOK_CALLER_H

struct llist_node;

/**
 * rethook_set_find_caller() - register the function that finds callers behind graph/'s trampoline
 * @find: graph_find_caller()
 *
 * Without @find, a handler may see a trampoline of graph/ in place of the caller.
 *
 * Context: at boot, once. @find is called in any context, NMI included, with preemption off.
 */
void rethook_set_find_caller(unsigned long (*find)(unsigned long ret, const unsigned long *retp,
						   unsigned int nr_own, struct llist_node *hook));

#endif /* _KERNEL_TRACE_RETHOOK_CALLER_H */
