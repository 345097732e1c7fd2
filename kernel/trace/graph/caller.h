/* SPDX-License-Identifier: GPL-2.0 */
/* Original return addresses of functions whose return address was replaced. */
#ifndef _KERNEL_TRACE_GRAPH_CALLER_H
#define _KERNEL_TRACE_GRAPH_CALLER_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>

struct llist_node;

/**
 * graph_find_caller() - find the original return address behind a trampoline
 * @ret: return address of a function that current is in: a trampoline of graph/ or of return
 *	probes
 * @retp: &ftrace_ret_stack.retp of the call
 * @nr_own: number of newest calls to skip: 1 if the newest call is that of the function itself
 * @hook: newest return probe to skip, or NULL
 *
 * After tail calls, several trampolines may be chained: the return of each function is traced by
 * graph/, by a return probe, or by both, and each has saved the trampoline of the one before.
 *
 * Context: any, NMI included; preemption off.
 * Return: the address in the caller; a trampoline if the original address is not known.
 */
unsigned long graph_find_caller(unsigned long ret, const unsigned long *retp,
				unsigned int nr_own, struct llist_node *hook);

/* graph_find_caller() for any return address; most addresses are no trampoline. */
static __always_inline unsigned long graph_caller(unsigned long ret, const unsigned long *retp,
						  unsigned int nr_own)
{
	if (likely(!ftrace_graph_is_handler(ret) && !is_kretprobe_trampoline(ret)))
		return ret;
	return graph_find_caller(ret, retp, nr_own, NULL);
}

#endif /* _KERNEL_TRACE_GRAPH_CALLER_H */
