// SPDX-License-Identifier: GPL-2.0
/*
 * Calling an ops: the guard in front of it, and waiting until nobody does any more.
 */
#include <linux/ftrace_arch.h>
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/trace_recursion.h>

#include "call.h"
#include "sites/lockless.h"

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

unsigned int dispatch_call(const struct dispatch_set *set, unsigned int n,
			   struct dispatch_call *call)
{
	struct ftrace_ops *const *first = &set->ops[n];
	ftrace_func_t joint = (*first)->joint;
	unsigned int end = n + 1;

	while (joint && end < set->nr_ops && set->ops[end]->joint == joint)
		end++;
	if (end - n > 1)
		*call = (struct dispatch_call) { .func = joint, .op = (void *)first };
	else
		*call = (struct dispatch_call) { .func = dispatch_func(*first), .op = *first };
	return end;
}

/*
 * The boot's idle task runs with preemption off, like all of them, but for once: in the
 * schedule() that rest_init() calls before it is one.  If it is preempted there, it goes on
 * when the CPU has nothing else to do, and that may be long after user space has begun.
 */
static bool boot_idle_may_be_preempted(void)
{
	return IS_ENABLED(CONFIG_PREEMPTION) && !(READ_ONCE(init_task.flags) & PF_IDLE);
}

static void wait_for_boot_idle(void)
{
	/* Nobody can be asked to wake us. */
	while (boot_idle_may_be_preempted())
		schedule_timeout_uninterruptible(1);
}

/*
 * At a time when there are few tasks, it comes to its turn as soon as this one waits.
 * Later who waits for it might wait for a CPU that is never idle.
 */
static int __init let_boot_idle(void)
{
	if (dispatch_is_used())
		wait_for_boot_idle();
	return 0;
}
early_initcall(let_boot_idle);

/*
 * Tasks RCU waits for every task to schedule of its own will: none is preempted in a
 * trampoline then.  Without preemption there is no such thing, and this is
 * synchronize_rcu(): each CPU has left what it was in.  Neither waits for tasks that are
 * idle, of which there are two kinds.  A CPU's own idle task cannot be preempted, once it
 * is in its loop, nor can a thread that only plays to be idle, while it does: of both the
 * rude flavour has seen the CPU switch.
 */
void dispatch_synchronize(void)
{
	wait_for_boot_idle();
	lockless_synchronize_cpus();
	synchronize_rcu_tasks();
}
