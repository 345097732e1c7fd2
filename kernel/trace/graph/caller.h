/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where functions truly return to, for those who are told of calls and returns.
 */
#ifndef _KERNEL_TRACE_GRAPH_CALLER_H
#define _KERNEL_TRACE_GRAPH_CALLER_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>

struct llist_node;

/**
 * graph_find_caller - what stands behind a trampoline as return address
 * @ret: the return address of a function that current is in: a trampoline of graph/, or that of
 *	return probes
 * @retp: &ftrace_ret_stack.retp of the call
 * @nr_own: how many calls, from the newest one, are passed over: 1 if that one is the function's
 * @hook: the newest of the return probes that is passed over, or NULL
 *
 * There may be a chain of them: a function ends by a jump to another one, and both are waited for,
 * each by any of them.
 *
 * Context: any, NMI included; preemption off.
 * Return: the address in the caller; a trampoline if that is not known.
 */
unsigned long graph_find_caller(unsigned long ret, const unsigned long *retp,
				unsigned int nr_own, struct llist_node *hook);

/* graph_find_caller() of any return address: most are in the caller anyway. */
static __always_inline unsigned long graph_caller(unsigned long ret, const unsigned long *retp,
						  unsigned int nr_own)
{
	if (likely(!ftrace_graph_is_handler(ret) && !is_kretprobe_trampoline(ret)))
		return ret;
	return graph_find_caller(ret, retp, nr_own, NULL);
}

#endif /* _KERNEL_TRACE_GRAPH_CALLER_H */
