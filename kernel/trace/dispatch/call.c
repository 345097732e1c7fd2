// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of an ops: choosing the function to call, the recursion guard, and waiting for calls
 * in progress.
 */
#include <linux/ftrace_arch.h>
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/trace_recursion.h>

#include "call.h"
#include "internal.h"
#include "sites/lockless.h"

/*
 * The static entries call arch_ftrace_ops_list_func() only if this is set. Written by
 * dispatch_note_sites() or by chain_publish(), whichever is built. Read without
 * ordering: an entry that sees an old value makes one useless call or misses one call.
 */
int ftrace_entry_open __read_mostly;

/* Called instead of callbacks that ask for a check of recursion or of RCU. */
static void dispatch_call_guarded(unsigned long ip, unsigned long parent_ip,
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
		return dispatch_call_guarded;
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
 * The idle task of the boot CPU runs with preemption off, like all idle tasks, with one
 * exception: the schedule() that rest_init() calls before it enters the idle loop.  A task
 * that is preempted there continues when its CPU has nothing else to do, which may be long
 * after user space has started.
 */
static bool boot_idle_may_be_preempted(void)
{
	return IS_ENABLED(CONFIG_PREEMPTION) && !(READ_ONCE(init_task.flags) & PF_IDLE);
}

static void dispatch_wait_boot_idle(void)
{
	/* Poll: the idle task cannot wake this one. */
	while (boot_idle_may_be_preempted())
		schedule_timeout_uninterruptible(1);
}

/*
 * Wait for the boot idle task while there are few tasks: it runs as soon as this one waits.
 * A later waiter might wait for a CPU that is never idle.
 */
static int __init dispatch_let_boot_idle(void)
{
	if (dispatch_is_used())
		dispatch_wait_boot_idle();
	return 0;
}
early_initcall(dispatch_let_boot_idle);

/*
 * Tasks RCU waits until every task has scheduled voluntarily, so that none is still preempted
 * in a trampoline.  Without preemption, synchronize_rcu_tasks() is synchronize_rcu(): each
 * CPU has left the code that it was running.  Neither waits for idle tasks: the idle task of
 * a CPU, and threads that inject idle time.  Both run their idle loop with preemption off, so
 * a context switch on every CPU, which lockless_synchronize_cpus() waits for, covers them.
 * The boot idle task is preemptible before its loop and is waited for first.
 */
void dispatch_synchronize(void)
{
	dispatch_wait_boot_idle();
	lockless_synchronize_cpus();
	synchronize_rcu_tasks();
}
