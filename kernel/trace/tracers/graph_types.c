// SPDX-License-Identifier: GPL-2.0
/*
 * Record types of function_graph: their fields and print formats.
 */
#include <linux/stddef.h>

#include "entries.h"
#include "graph_lines.h"
#include "tracers.h"
#include "types/types.h"

#define LONG	sizeof(long)

static const struct trace_event_fields graph_ent_fields[] = {
	{ "unsigned long", "func", offsetof(struct graph_ent_entry, graph_ent.func), LONG },
	{ "int", "depth", offsetof(struct graph_ent_entry, graph_ent.depth), 4, .is_signed = true },
	{ "unsigned long[]", "args", offsetof(struct graph_ent_entry, args), 0 },
	{ }
};

static const struct trace_event_fields graph_ret_fields[] = {
	{ "unsigned long", "func", offsetof(struct graph_ret_entry, ret.func), LONG },
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	{ "unsigned long", "retval", offsetof(struct graph_ret_entry, ret.retval), LONG },
#endif
	{ "int", "depth", offsetof(struct graph_ret_entry, ret.depth), 4, .is_signed = true },
	{ "unsigned int", "overrun", offsetof(struct graph_ret_entry, ret.overrun), 4 },
	{ "unsigned long long", "calltime", offsetof(struct graph_ret_entry, ret.calltime),
	  8 },
	{ "unsigned long long", "rettime", offsetof(struct graph_ret_entry, ret.rettime),
	  8 },
	{ }
};

#define GRAPH_RET_ARGS							\
	"(void *)REC->func, REC->depth, REC->calltime, REC->rettime, REC->depth"

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
#define GRAPH_RET_PRINT							\
	"\"<-- %ps (%d) (start: %llx  end: %llx) over: %d retval: %lx\", "	\
	GRAPH_RET_ARGS ", REC->retval"
#else
#define GRAPH_RET_PRINT							\
	"\"<-- %ps (%d) (start: %llx  end: %llx) over: %d\", " GRAPH_RET_ARGS
#endif

const struct record_type graph_ent_type = {
	.name		= "funcgraph_entry",
	.id		= TRACE_GRAPH_ENT,
	.fields		= graph_ent_fields,
	.print_fmt	= "\"--> %ps (%d)\", (void *)REC->func, REC->depth",
	.class		= &(const struct record_class) {
		.text		= graph_line,
	},
};

const struct record_type graph_ret_type = {
	.name		= "funcgraph_exit",
	.id		= TRACE_GRAPH_RET,
	.fields		= graph_ret_fields,
	.print_fmt	= GRAPH_RET_PRINT,
	.class		= &(const struct record_class) {
		.text		= graph_line,
	},
};
