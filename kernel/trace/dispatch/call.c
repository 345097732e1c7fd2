// SPDX-License-Identifier: GPL-2.0
/*
 * Calling an ops: the guard in front of it, and waiting until nobody does any more.
 */
#include <linux/ftrace_arch.h>
#include <linux/rcupdate.h>
#include <linux/trace_recursion.h>

#include "call.h"

/*
 * Written by dispatch_note_sites() or by chain_publish(), whichever is built. Read without
 * any ordering: an entry that sees an old value looks in vain, or not yet.
 */
int ftrace_entry_open __read_mostly;

/* In front of callbacks that asked for a guard. */
static void guarded_call(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	int bit = trace_recursion_enter(TRACE_RECURSION_ASSIST);

	if (bit < 0)
		return;
	if (!(ops->flags & FTRACE_OPS_FL_RCU) || rcu_is_watching())
		ops->func(ip, parent_ip, ops, fregs);
	trace_recursion_exit(bit);
}

ftrace_func_t dispatch_func(const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_STUB)
		return ftrace_stub;
	if (ops->flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU))
		return guarded_call;
	return ops->func;
}

/*
 * Tasks RCU waits for every task to schedule of its own will: none is
 * preempted in a trampoline then.  Without preemption there is no such thing,
 * and this is synchronize_rcu(): each CPU has left what it was in.  Neither
 * waits for an idle task where RCU does not watch; that cannot be preempted
 * either, and the rude flavour has seen each CPU switch.
 */
void dispatch_synchronize(void)
{
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}
