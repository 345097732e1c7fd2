// SPDX-License-Identifier: GPL-2.0
/*
 * What irqsoff, wakeup and their like have in common: records of functions, and the
 * options that they come with.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>

#include "instance/instance.h"
#include "latency.h"
#include "record/cmdlines.h"
#include "record/entries.h"
#include "record/record.h"

/* Set for as long as the tracer is current. */
static const enum trace_option_bit bound_options[] = {
	TRACE_OPT_OVERWRITE_BIT,
	TRACE_OPT_LATENCY_FMT_BIT,
	/* Else a longer time would take the place of the one that is being read. */
	TRACE_OPT_PAUSE_ON_TRACE_BIT,
};

void latency_record_call(struct trace_array *tr, unsigned long ip, unsigned long parent_ip,
			 unsigned int ctx)
{
	struct function_entry *entry;
	struct trace_record rec;

	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), TRACE_FN, sizeof(*entry), ctx);
	if (!entry)
		return;
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	trace_record_end(&rec);
}

static int attach(struct trace_array *tr)
{
	struct ftrace_ops *ops = &tr->gops.ops;

	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return 0;
	return register_ftrace_function(ops);
}

static int detach(struct trace_array *tr)
{
	struct ftrace_ops *ops = &tr->gops.ops;
	int ret;

	if (!(ops->flags & FTRACE_OPS_FL_ENABLED))
		return 0;
	ret = unregister_ftrace_function(ops);
	/* An error once tracing is dead does not keep it registered. */
	return ops->flags & FTRACE_OPS_FL_ENABLED ? ret : 0;
}

int latency_begin(struct trace_array *tr, ftrace_func_t func)
{
	int ret = trace_cmdlines_start();

	if (ret)
		return ret;
	tr->gops.ops.private = tr;
	tr->gops.ops.flags |= FTRACE_OPS_FL_PID | FTRACE_OPS_FL_TRACE_ARRAY;
	tr->gops.ops.func = func;
	if (trace_array_opt(tr, TRACE_OPT_FUNCTION))
		ret = attach(tr);
	if (ret) {
		trace_cmdlines_stop();
		return ret;
	}
	tr->saved_flags = tr->flags;
	for (unsigned int i = 0; i < ARRAY_SIZE(bound_options); i++)
		trace_option_impose(tr, bound_options[i], true);
	latency_forget(tr);
	return 0;
}

int latency_end(struct trace_array *tr)
{
	int ret = detach(tr);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < ARRAY_SIZE(bound_options); i++)
		trace_option_impose(tr, bound_options[i],
				    tr->saved_flags & BIT(bound_options[i]));
	trace_cmdlines_stop();
	return 0;
}

int latency_flag_changing(struct trace_array *tr, u32 mask, bool on)
{
	if (mask == TRACE_OPT_OVERWRITE && !on)
		return -EINVAL;
	if (mask != TRACE_OPT_FUNCTION)
		return 0;
	return on ? attach(tr) : detach(tr);
}
