/* SPDX-License-Identifier: GPL-2.0 */
/* Original return addresses of functions whose return address was replaced. */
#ifndef _KERNEL_TRACE_GRAPH_CALLER_H
#define _KERNEL_TRACE_GRAPH_CALLER_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>

struct llist_node;

/**
 * graph_find_caller() - find the original return address that a trampoline has replaced
 * @ret: return address of a function that current is in: a trampoline of graph/ or of return
 *	probes
 * @retp: &ftrace_ret_stack.retp of the function's call
 * @nr_own: number of newest traced calls to skip: 1 if the function's own call is among them, as it
 *	has saved @ret; otherwise 0
 * @hook: node of the return probe that has saved @ret, which is skipped together with the newer
 *	ones; NULL to skip none
 *
 * Functions that tail-call each other share a return address slot, and each of their returns may be
 * traced by graph/, by a return probe, or by both. Each of these has saved what it found in the
 * slot, which is the trampoline of the one before. All saved addresses are followed, back to one
 * that is no trampoline.
 *
 * Context: any, NMI included; preemption off.
 * Return: the address in the caller; a trampoline if the original address is not known.
 */
unsigned long graph_find_caller(unsigned long ret, const unsigned long *retp,
				unsigned int nr_own, struct llist_node *hook);

/* graph_find_caller() for a return address that may or may not be a trampoline; most are not. */
static __always_inline unsigned long graph_caller(unsigned long ret, const unsigned long *retp,
						  unsigned int nr_own)
{
	if (likely(!ftrace_graph_is_handler(ret) && !is_kretprobe_trampoline(ret)))
		return ret;
	return graph_find_caller(ret, retp, nr_own, NULL);
}

#endif /* _KERNEL_TRACE_GRAPH_CALLER_H */
