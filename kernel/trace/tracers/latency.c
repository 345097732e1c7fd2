// SPDX-License-Identifier: GPL-2.0
/*
 * Common parts of the latency tracers: records of functions, options, start and end. See
 * latency.h.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/log2.h>
#include <linux/ring_buffer.h>

#include "attach.h"
#include "entries.h"
#include "function_graph.h"
#include "instance/instance.h"
#include "latency.h"
#include "record/record.h"
#include "tasks/cmdlines.h"
#include "types/types.h"

/* Options that are on while a latency tracer is current. */
static const enum trace_option_bit latency_options[] = {
	TRACE_OPT_OVERWRITE_BIT,
	TRACE_OPT_LATENCY_FMT_BIT,
	/* Otherwise a longer latency would replace the one that is being read. */
	TRACE_OPT_PAUSE_ON_TRACE_BIT,
};

static bool latency_shows_graph(const struct trace_array *tr)
{
	return trace_array_opt(tr, TRACE_OPT_DISPLAY_GRAPH);
}

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

void latency_record_place(struct trace_array *tr, unsigned long ip, unsigned long parent_ip,
			  unsigned int ctx)
{
	if (latency_shows_graph(tr))
		function_graph_mark(tr, ip, ctx);
	else
		latency_record_call(tr, ip, parent_ip, ctx);
}

/* ------------------------------------------------------------------ */
/* Control								*/

static int latency_attach(struct trace_array *tr, struct latency_kind *kind, bool graph)
{
	int ret = graph ? function_graph_attach(tr, kind->entered, kind->returned) :
			  attach_calls(tr, kind->called);

	if (!ret)
		kind->detach = graph ? function_graph_detach : detach_calls;
	return ret;
}

static int latency_detach(struct trace_array *tr, struct latency_kind *kind)
{
	int ret = kind->detach ? kind->detach(tr) : 0;

	if (!ret)
		kind->detach = NULL;
	return ret;
}

static int latency_attach_if_wanted(struct trace_array *tr, struct latency_kind *kind)
{
	return trace_array_opt(tr, TRACE_OPT_FUNCTION) ?
	       latency_attach(tr, kind, latency_shows_graph(tr)) : 0;
}

static int latency_begin_recording(struct trace_array *tr, struct latency_kind *kind)
{
	int ret = trace_cmdlines_start();

	if (ret)
		return ret;
	ret = latency_attach_if_wanted(tr, kind);
	if (ret) {
		trace_cmdlines_stop();
		return ret;
	}
	tr->saved_flags = tr->flags;
	for (unsigned int i = 0; i < ARRAY_SIZE(latency_options); i++)
		trace_option_force(tr, latency_options[i], true);
	latency_reset(tr);
	return 0;
}

static int latency_end_recording(struct trace_array *tr, struct latency_kind *kind)
{
	int ret = latency_detach(tr, kind);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < ARRAY_SIZE(latency_options); i++)
		trace_option_force(tr, latency_options[i],
				   tr->saved_flags & BIT(latency_options[i]));
	trace_cmdlines_stop();
	return 0;
}

static void latency_start_if_on(struct trace_array *tr, struct latency_kind *kind)
{
	if (tracer_tracing_is_on(tr))
		kind->start(tr);
}

int latency_may_begin(struct trace_array *tr, const struct latency_kind *kind)
{
	return kind->user && kind->user != tr ? -EBUSY : 0;
}

int latency_begin(struct trace_array *tr, struct latency_kind *kind)
{
	/* The probes come first: removing them cannot fail, and they do nothing before start(). */
	int ret = kind->hook();

	if (ret)
		return ret;
	ret = latency_begin_recording(tr, kind);
	if (ret) {
		kind->unhook();
		return ret;
	}
	kind->user = tr;
	latency_start_if_on(tr, kind);
	return 0;
}

int latency_end(struct trace_array *tr, struct latency_kind *kind)
{
	int ret;

	kind->halt(tr);
	ret = latency_end_recording(tr, kind);
	if (ret) {
		latency_start_if_on(tr, kind);
		return ret;
	}
	kind->unhook();
	kind->user = NULL;
	return 0;
}

/* If functions are traced, exchange the callbacks for those of the new display-graph. */
static int latency_exchange_callbacks(struct trace_array *tr, struct latency_kind *kind, bool graph)
{
	bool attached = kind->detach;
	int ret = latency_detach(tr, kind);

	if (ret || !attached)
		return ret;
	ret = latency_attach(tr, kind, graph);
	if (ret)
		latency_attach(tr, kind, !graph);
	return ret;
}

/* Change option display-graph. Old records and the kept latency have the old form: drop them. */
static int latency_change_display(struct trace_array *tr, struct latency_kind *kind, bool graph)
{
	int ret;

	kind->halt(tr);
	ret = latency_exchange_callbacks(tr, kind, graph);
	if (!ret) {
		trace_option_force(tr, ilog2(TRACE_OPT_DISPLAY_GRAPH), graph);
		latency_reset(tr);
		tracing_reset(tr, RING_BUFFER_ALL_CPUS);
	}
	latency_start_if_on(tr, kind);
	return ret;
}

int latency_flag_changing(struct trace_array *tr, struct latency_kind *kind, u32 mask,
			  bool on)
{
	if (mask == TRACE_OPT_OVERWRITE && !on)
		return -EINVAL;
	if (mask == TRACE_OPT_DISPLAY_GRAPH)
		return latency_change_display(tr, kind, on);
	if (mask != TRACE_OPT_FUNCTION)
		return 0;
	return on ? latency_attach(tr, kind, latency_shows_graph(tr)) : latency_detach(tr, kind);
}
