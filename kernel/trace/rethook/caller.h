/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lets return probes look up a return address that graph/ has replaced by its trampoline. rethook/
 * must not call graph/, which is built on it; so graph/ registers its function here at boot.
 */
#ifndef _KERNEL_TRACE_RETHOOK_CALLER_H
#define _KERNEL_TRACE_RETHOOK_CALLER_H

struct llist_node;

/**
 * rethook_set_find_caller() - register the function that finds what graph/ has replaced
 * @find: graph_find_caller()
 *
 * Without it, a handler may see the trampoline of graph/ as the return address, instead of an
 * address in the caller.
 *
 * Context: at boot, once. @find is called in any context, NMI included, with preemption off.
 */
void rethook_set_find_caller(unsigned long (*find)(unsigned long ret, const unsigned long *retp,
						   unsigned int nr_own, struct llist_node *hook));

#endif /* _KERNEL_TRACE_RETHOOK_CALLER_H */
