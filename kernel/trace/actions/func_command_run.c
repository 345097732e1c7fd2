// SPDX-License-Identifier: GPL-2.0
/*
 * Executing commands on functions: the callback finds the count of the function and executes
 * the action.
 *
 * The callback runs in the traced function, in any context, and may not sleep, lock or allocate.
 */
#include <linux/rcupdate.h>

#include "func_command_internal.h"
#include "guard/guard.h"

static void func_command_run(struct func_command *cmd, const struct action_hit *hit)
{
	struct command_site *site;

	site = find_command_site(rcu_dereference_sched(cmd->sites), hit->from);
	if (site)
		action_do(cmd->kind, &cmd->on, site->left, hit);
}

void func_command_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct action_hit hit = { .from = ip, .word = trace_preempt_word() };
	unsigned int guard;

	preempt_disable_notrace();
	/* RCU protects the array, so calls while RCU is not watching are ignored. */
	if (rcu_is_watching() && trace_guard_enter(hit.word, &guard)) {
		func_command_run(op->private, &hit);
		trace_guard_exit(guard);
	}
	preempt_enable_notrace();
}
