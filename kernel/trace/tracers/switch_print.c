// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the records of task switches and wakeups. The texts are an interface: tools parse
 * them.
 */
#include <linux/sched.h>
#include <linux/stddef.h>

#include "output/output.h"
#include "switch_entry.h"
#include "tasks/cmdlines.h"
#include "tracers.h"
#include "types/types.h"

static enum print_line_t switch_print(struct trace_output *o, const char *arrow)
{
	const struct ctx_switch_entry *entry = (void *)o->r.ent;
	char comm[TASK_COMM_LEN];

	trace_find_cmdline(entry->next_pid, comm);
	trace_seq_printf(&o->seq, " %7d:%3d:%c %s [%03d] %7d:%3d:%c %s\n",
			 entry->prev_pid, entry->prev_prio,
			 task_index_to_char(entry->prev_state), arrow,
			 entry->next_cpu, entry->next_pid, entry->next_prio,
			 task_index_to_char(entry->next_state), comm);
	return output_done(&o->seq);
}

static enum print_line_t switch_text(struct trace_output *o)
{
	return switch_print(o, "==>");
}

static enum print_line_t wakeup_text(struct trace_output *o)
{
	return switch_print(o, "  +");
}

/* In a wakeup, "+" takes the place of the state of the running task. */
static char switch_state(const struct trace_output *o)
{
	const struct ctx_switch_entry *entry = (void *)o->r.ent;

	return entry->ent.type == TRACE_WAKE ? '+' :
	       task_index_to_char(entry->prev_state);
}

static enum print_line_t switch_raw(struct trace_output *o)
{
	const struct ctx_switch_entry *entry = (void *)o->r.ent;

	trace_seq_printf(&o->seq, "%d %d %c %d %d %d %c\n",
			 entry->prev_pid, entry->prev_prio, switch_state(o),
			 entry->next_cpu, entry->next_pid, entry->next_prio,
			 task_index_to_char(entry->next_state));
	return output_done(&o->seq);
}

static enum print_line_t switch_hex(struct trace_output *o)
{
	const struct ctx_switch_entry *entry = (void *)o->r.ent;

	OUTPUT_HEX(&o->seq, entry->prev_pid);
	OUTPUT_HEX(&o->seq, entry->prev_prio);
	/* The format has always had this state as a byte, and the next one as an int. */
	OUTPUT_HEX(&o->seq, switch_state(o));
	OUTPUT_HEX(&o->seq, entry->next_cpu);
	OUTPUT_HEX(&o->seq, entry->next_pid);
	OUTPUT_HEX(&o->seq, entry->next_prio);
	OUTPUT_HEX(&o->seq, (int)task_index_to_char(entry->next_state));
	return output_done(&o->seq);
}

static enum print_line_t switch_binary(struct trace_output *o)
{
	const struct ctx_switch_entry *entry = (void *)o->r.ent;

	OUTPUT_BINARY(&o->seq, entry->prev_pid);
	OUTPUT_BINARY(&o->seq, entry->prev_prio);
	OUTPUT_BINARY(&o->seq, entry->prev_state);
	OUTPUT_BINARY(&o->seq, entry->next_cpu);
	OUTPUT_BINARY(&o->seq, entry->next_pid);
	OUTPUT_BINARY(&o->seq, entry->next_prio);
	OUTPUT_BINARY(&o->seq, entry->next_state);
	return output_done(&o->seq);
}

static const struct trace_event_fields ctx_switch_fields[] = {
	{ "unsigned int", "prev_pid", offsetof(struct ctx_switch_entry, prev_pid), 4 },
	{ "unsigned int", "next_pid", offsetof(struct ctx_switch_entry, next_pid), 4 },
	{ "unsigned int", "next_cpu", offsetof(struct ctx_switch_entry, next_cpu), 4 },
	{ "unsigned char", "prev_prio", offsetof(struct ctx_switch_entry, prev_prio), 1 },
	{ "unsigned char", "prev_state", offsetof(struct ctx_switch_entry, prev_state), 1 },
	{ "unsigned char", "next_prio", offsetof(struct ctx_switch_entry, next_prio), 1 },
	{ "unsigned char", "next_state", offsetof(struct ctx_switch_entry, next_state), 1 },
	{ }
};

#define SWITCH_ARGS							\
	"REC->prev_pid, REC->prev_prio, REC->prev_state, "		\
	"REC->next_pid, REC->next_prio, REC->next_state, REC->next_cpu"

const struct record_type ctx_switch_type = {
	.name		= "context_switch",
	.id		= TRACE_CTX,
	.fields		= ctx_switch_fields,
	.print_fmt	= "\"%u:%u:%u  ==> %u:%u:%u [%03u]\", " SWITCH_ARGS,
	.class		= &(const struct record_class) {
		.text		= switch_text,
		.raw		= switch_raw,
		.hex		= switch_hex,
		.binary		= switch_binary,
	},
};

const struct record_type wakeup_type = {
	.name		= "wakeup",
	.id		= TRACE_WAKE,
	.fields		= ctx_switch_fields,
	.print_fmt	= "\"%u:%u:%u  ==+ %u:%u:%u [%03u]\", " SWITCH_ARGS,
	.class		= &(const struct record_class) {
		.text		= wakeup_text,
		.raw		= switch_raw,
		.hex		= switch_hex,
		.binary		= switch_binary,
	},
};
