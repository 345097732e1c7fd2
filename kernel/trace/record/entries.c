// SPDX-License-Identifier: GPL-2.0
/*
 * The table that describes the tracer's own entries to user space.
 *
 * events/ftrace/<name>/format is made of it, and a reader of raw pages trusts
 * it.  Offsets are therefore taken from the structures themselves; the text of
 * types and print formats is what user space has always been given.
 *
 * A size of 0 says that the array fills the rest of the entry.  Stacks are
 * promised eight callers, whatever there is: see STACK_ENTRY_CALLERS.
 */
#include <linux/stddef.h>

#include "entries.h"

#define LONG	sizeof(long)

const struct entry_field trace_entry_common_fields[] = {
	{ "unsigned short common_type", offsetof(struct trace_entry, type), 2, false },
	{ "unsigned char common_flags", offsetof(struct trace_entry, flags), 1, false },
	{ "unsigned char common_preempt_count",
	  offsetof(struct trace_entry, preempt_count), 1, false },
	{ "int common_pid", offsetof(struct trace_entry, pid), 4, true },
	{ }
};

static const struct entry_field function_fields[] = {
	{ "unsigned long ip", offsetof(struct function_entry, ip), LONG, false },
	{ "unsigned long parent_ip", offsetof(struct function_entry, parent_ip), LONG, false },
	{ }
};

static const struct entry_field graph_ent_fields[] = {
	{ "unsigned long func", offsetof(struct graph_ent_entry, graph_ent.func), LONG, false },
	{ "int depth", offsetof(struct graph_ent_entry, graph_ent.depth), 4, true },
	{ "unsigned long args[]", offsetof(struct graph_ent_entry, args), 0, false },
	{ }
};

static const struct entry_field graph_ret_fields[] = {
	{ "unsigned long func", offsetof(struct graph_ret_entry, ret.func), LONG, false },
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	{ "unsigned long retval", offsetof(struct graph_ret_entry, ret.retval), LONG, false },
#endif
	{ "int depth", offsetof(struct graph_ret_entry, ret.depth), 4, true },
	{ "unsigned int overrun", offsetof(struct graph_ret_entry, ret.overrun), 4, false },
	{ "unsigned long long calltime", offsetof(struct graph_ret_entry, ret.calltime),
	  8, false },
	{ "unsigned long long rettime", offsetof(struct graph_ret_entry, ret.rettime),
	  8, false },
	{ }
};

static const struct entry_field func_repeats_fields[] = {
	{ "unsigned long ip", offsetof(struct func_repeats_entry, ip), LONG, false },
	{ "unsigned long parent_ip", offsetof(struct func_repeats_entry, parent_ip), LONG, false },
	{ "u16 count", offsetof(struct func_repeats_entry, count), 2, false },
	{ "u16 top_delta_ts", offsetof(struct func_repeats_entry, top_delta_ts), 2, false },
	{ "u32 bottom_delta_ts", offsetof(struct func_repeats_entry, bottom_delta_ts), 4, false },
	{ }
};

static const struct entry_field ctx_switch_fields[] = {
	{ "unsigned int prev_pid", offsetof(struct ctx_switch_entry, prev_pid), 4, false },
	{ "unsigned int next_pid", offsetof(struct ctx_switch_entry, next_pid), 4, false },
	{ "unsigned int next_cpu", offsetof(struct ctx_switch_entry, next_cpu), 4, false },
	{ "unsigned char prev_prio", offsetof(struct ctx_switch_entry, prev_prio), 1, false },
	{ "unsigned char prev_state", offsetof(struct ctx_switch_entry, prev_state), 1, false },
	{ "unsigned char next_prio", offsetof(struct ctx_switch_entry, next_prio), 1, false },
	{ "unsigned char next_state", offsetof(struct ctx_switch_entry, next_state), 1, false },
	{ }
};

static const struct entry_field stack_fields[] = {
	{ "int size", offsetof(struct stack_entry, size), 4, true },
	{ "unsigned long caller[8]", offsetof(struct stack_entry, caller), 8 * LONG, false },
	{ }
};

static const struct entry_field user_stack_fields[] = {
	{ "unsigned int tgid", offsetof(struct user_stack_entry, tgid), 4, false },
	{ "unsigned long caller[8]", offsetof(struct user_stack_entry, caller), 8 * LONG, false },
	{ }
};

static_assert(STACK_ENTRY_CALLERS == 8);

static const struct entry_field print_fields[] = {
	{ "unsigned long ip", offsetof(struct print_entry, ip), LONG, false },
	{ "char buf[]", offsetof(struct print_entry, buf), 0, false },
	{ }
};

static const struct entry_field bprint_fields[] = {
	{ "unsigned long ip", offsetof(struct bprint_entry, ip), LONG, false },
	{ "const char * fmt", offsetof(struct bprint_entry, fmt), LONG, false },
	{ "u32 buf[]", offsetof(struct bprint_entry, buf), 0, false },
	{ }
};

static const struct entry_field bputs_fields[] = {
	{ "unsigned long ip", offsetof(struct bputs_entry, ip), LONG, false },
	{ "const char * str", offsetof(struct bputs_entry, str), LONG, false },
	{ }
};

static const struct entry_field raw_data_fields[] = {
	{ "unsigned int id", offsetof(struct raw_data_entry, id), 4, false },
	{ "char buf[]", offsetof(struct raw_data_entry, buf), 0, false },
	{ }
};

#define SWITCH_ARGS							\
	"REC->prev_pid, REC->prev_prio, REC->prev_state, "		\
	"REC->next_pid, REC->next_prio, REC->next_state, REC->next_cpu"

#define CALLERS_PRINT							\
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "			\
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "			\
	"\"\\t=> %ps\\n\\t=> %ps\\n\", "				\
	"(void *)REC->caller[0], (void *)REC->caller[1], "		\
	"(void *)REC->caller[2], (void *)REC->caller[3], "		\
	"(void *)REC->caller[4], (void *)REC->caller[5], "		\
	"(void *)REC->caller[6], (void *)REC->caller[7]"

#define REPEATS_ARGS							\
	"(void *)REC->ip, (void *)REC->parent_ip, REC->count, "	\
	"(((u64)(REC)->top_delta_ts << 32) | (REC)->bottom_delta_ts)"

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

const struct entry_format trace_entry_formats[] = {
	{
		.name		= "function",
		.type		= TRACE_FN,
		.has_id		= true,
		.fields		= function_fields,
		.print_fmt	= "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip",
	}, {
		.name		= "funcgraph_entry",
		.type		= TRACE_GRAPH_ENT,
		.fields		= graph_ent_fields,
		.print_fmt	= "\"--> %ps (%d)\", (void *)REC->func, REC->depth",
	}, {
		.name		= "funcgraph_exit",
		.type		= TRACE_GRAPH_RET,
		.fields		= graph_ret_fields,
		.print_fmt	= GRAPH_RET_PRINT,
	}, {
		.name		= "func_repeats",
		.type		= TRACE_FUNC_REPEATS,
		.fields		= func_repeats_fields,
		.print_fmt	= "\" %ps <-%ps\\t(repeats:%u  delta: -%llu)\", " REPEATS_ARGS,
	}, {
		.name		= "context_switch",
		.type		= TRACE_CTX,
		.fields		= ctx_switch_fields,
		.print_fmt	= "\"%u:%u:%u  ==> %u:%u:%u [%03u]\", " SWITCH_ARGS,
	}, {
		.name		= "wakeup",
		.type		= TRACE_WAKE,
		.fields		= ctx_switch_fields,
		.print_fmt	= "\"%u:%u:%u  ==+ %u:%u:%u [%03u]\", " SWITCH_ARGS,
	}, {
		.name		= "kernel_stack",
		.type		= TRACE_STACK,
		.fields		= stack_fields,
		.print_fmt	= CALLERS_PRINT,
	}, {
		.name		= "user_stack",
		.type		= TRACE_USER_STACK,
		.fields		= user_stack_fields,
		.print_fmt	= CALLERS_PRINT,
	}, {
		.name		= "print",
		.type		= TRACE_PRINT,
		.has_id		= true,
		.fields		= print_fields,
		.print_fmt	= "\"%ps: %s\", (void *)REC->ip, REC->buf",
	}, {
		.name		= "bprint",
		.type		= TRACE_BPRINT,
		.fields		= bprint_fields,
		.print_fmt	= "\"%ps: %s\", (void *)REC->ip, REC->fmt",
	}, {
		.name		= "bputs",
		.type		= TRACE_BPUTS,
		.fields		= bputs_fields,
		.print_fmt	= "\"%ps: %s\", (void *)REC->ip, REC->str",
	}, {
		.name		= "raw_data",
		.type		= TRACE_RAW_DATA,
		.fields		= raw_data_fields,
		.print_fmt	= "\"id:%04x %08x\", REC->id, (int)REC->buf[0]",
	},
	{ }
};
