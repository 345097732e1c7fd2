// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the caller of a function whose return address was replaced by graph/, by a return
 * probe, or by several of these.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/sched.h>

#include "caller.h"
#include "rethook/caller.h"

/*
 * Skip the @nr_passed newest traced calls of current, and count the next one in @nr_passed.
 *
 * Return: the return address saved in that one; 0 if there are no more calls.
 */
static unsigned long caller_from_graph(unsigned int *nr_passed)
{
	const struct ftrace_ret_stack *call = ftrace_graph_get_ret_stack(current, *nr_passed);

	++*nr_passed;
	return call ? READ_ONCE(call->ret) : 0;
}

/*
 * Return: the return address saved by the newest return probe behind @hook, which becomes the new
 * @hook. kretprobe_find_ret_addr() compares @retp with the frame that was recorded at the entry.
 * Without rethook, the recorded frame, kretprobe_instance.fp, is NULL on the architectures that
 * have this tracer: pass NULL to match it.
 */
static unsigned long caller_from_rethook(const unsigned long *retp, struct llist_node **hook)
{
	if (!IS_ENABLED(CONFIG_KRETPROBE_ON_RETHOOK))
		retp = NULL;
	return kretprobe_find_ret_addr(current, (void *)retp, hook);
}

unsigned long graph_find_caller(unsigned long ret, const unsigned long *retp,
				unsigned int nr_own, struct llist_node *hook)
{
	unsigned long behind = ret;

	/* Each step goes on to an older call or an older return probe, so the loop ends. */
	while (behind) {
		ret = behind;
		if (ftrace_graph_is_handler(ret))
			behind = caller_from_graph(&nr_own);
		else if (is_kretprobe_trampoline(ret))
			behind = caller_from_rethook(retp, &hook);
		else
			break;
	}
	return ret;
}

static int __init graph_register_caller(void)
{
	if (IS_ENABLED(CONFIG_RETHOOK))
		rethook_set_find_caller(graph_find_caller);
	return 0;
}
early_initcall(graph_register_caller);
