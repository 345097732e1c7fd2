// SPDX-License-Identifier: GPL-2.0
/*
 * Attaches a tracer to functions: see attach.h.
 */
#include <linux/ftrace.h>
#include <linux/smp.h>

#include "attach.h"
#include "instance/instance.h"
#include "tasks/cmdlines.h"

void attach_prepare(struct trace_array *tr, ftrace_func_t func)
{
	struct ftrace_ops *ops = &tr->gops.ops;

	ops->private = tr;
	ops->flags |= FTRACE_OPS_FL_PID | FTRACE_OPS_FL_TRACE_ARRAY | FTRACE_OPS_FL_ARGS_ONLY;
	/* Drop settings that a former tracer of this instance has made by graph/. */
	ops->flags &= ~FTRACE_OPS_FL_ORDERED;
	ops->joint = NULL;
	ops->func = func;
}

int attach_calls(struct trace_array *tr, ftrace_func_t func)
{
	attach_prepare(tr, func);
	return register_ftrace_function(&tr->gops.ops);
}

int detach_calls(struct trace_array *tr)
{
	struct ftrace_ops *ops = &tr->gops.ops;
	int ret = unregister_ftrace_function(ops);

	/* After a fatal error of ftrace (ftrace_is_dead()), ops are unregistered with an error. */
	return ops->flags & FTRACE_OPS_FL_ENABLED ? ret : 0;
}

int attach_tracer(struct trace_array *tr, int (*attach)(struct trace_array *tr))
{
	int ret = trace_cmdlines_start();

	if (ret)
		return ret;
	ret = attach(tr);
	if (ret)
		trace_cmdlines_stop();
	else
		WRITE_ONCE(tr->start_cpu, raw_smp_processor_id());
	return ret;
}

int detach_tracer(struct trace_array *tr, int (*detach)(struct trace_array *tr))
{
	int ret = detach(tr);

	if (!ret)
		trace_cmdlines_stop();
	return ret;
}
