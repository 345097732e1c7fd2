// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the records of the function tracer. The texts are an interface: tools parse
 * them.
 */
#include <linux/stddef.h>

#include "entries.h"
#include "func_repeats.h"
#include "instance/options.h"
#include "output/output.h"
#include "tracers.h"
#include "types/types.h"

#define LONG	sizeof(long)

static void function_put_call(struct trace_output *o, unsigned long ip,
			      unsigned long parent_ip)
{
	output_address(o, ip);
	if (!parent_ip || !(o->options & TRACE_OPT_PRINT_PARENT))
		return;
	output_text(&o->seq, " <-");
	output_address(o, parent_ip);
}

static enum print_line_t function_text(struct trace_output *o)
{
	const struct function_entry *entry = (void *)o->r.ent;

	function_put_call(o, entry->ip, entry->parent_ip);
	output_text(&o->seq, "\n");
	return output_done(&o->seq);
}

static enum print_line_t function_raw(struct trace_output *o)
{
	const struct function_entry *entry = (void *)o->r.ent;

	trace_seq_printf(&o->seq, "%lx %lx\n", entry->ip, entry->parent_ip);
	return output_done(&o->seq);
}

static enum print_line_t function_hex(struct trace_output *o)
{
	const struct function_entry *entry = (void *)o->r.ent;

	OUTPUT_HEX(&o->seq, entry->ip);
	OUTPUT_HEX(&o->seq, entry->parent_ip);
	return output_done(&o->seq);
}

static enum print_line_t function_binary(struct trace_output *o)
{
	const struct function_entry *entry = (void *)o->r.ent;

	OUTPUT_BINARY(&o->seq, entry->ip);
	OUTPUT_BINARY(&o->seq, entry->parent_ip);
	return output_done(&o->seq);
}

/* Records of repeated calls (option func-no-repeats) */

static enum print_line_t func_repeats_text(struct trace_output *o)
{
	const struct func_repeats_entry *entry = (void *)o->r.ent;

	function_put_call(o, entry->ip, entry->parent_ip);
	trace_seq_printf(&o->seq, " (repeats: %u, last_ts:", entry->count);
	output_time(o, o->r.ts - func_repeats_delta(entry));
	trace_seq_puts(&o->seq, ")\n");
	return output_done(&o->seq);
}

static enum print_line_t func_repeats_raw(struct trace_output *o)
{
	const struct func_repeats_entry *entry = (void *)o->r.ent;

	trace_seq_printf(&o->seq, "%lu %lu %u %llu\n", entry->ip, entry->parent_ip,
			 entry->count, func_repeats_delta(entry));
	return output_done(&o->seq);
}

static const struct trace_event_fields function_fields[] = {
	{ "unsigned long", "ip", offsetof(struct function_entry, ip), LONG,
	  .filter_type = FILTER_TRACE_FN },
	{ "unsigned long", "parent_ip", offsetof(struct function_entry, parent_ip), LONG,
	  .filter_type = FILTER_TRACE_FN },
	{ }
};

static const struct trace_event_fields func_repeats_fields[] = {
	{ "unsigned long", "ip", offsetof(struct func_repeats_entry, ip), LONG },
	{ "unsigned long", "parent_ip", offsetof(struct func_repeats_entry, parent_ip), LONG },
	{ "u16", "count", offsetof(struct func_repeats_entry, count), 2 },
	{ "u16", "top_delta_ts", offsetof(struct func_repeats_entry, top_delta_ts), 2 },
	{ "u32", "bottom_delta_ts", offsetof(struct func_repeats_entry, bottom_delta_ts), 4 },
	{ }
};

#define REPEATS_ARGS							\
	"(void *)REC->ip, (void *)REC->parent_ip, REC->count, "	\
	"(((u64)(REC)->top_delta_ts << 32) | (REC)->bottom_delta_ts)"

const struct record_type function_type = {
	.name		= "function",
	.id		= TRACE_FN,
	.has_id		= true,
	.fields		= function_fields,
	.print_fmt	= "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip",
	.class		= &(const struct record_class) {
		.text		= function_text,
		.raw		= function_raw,
		.hex		= function_hex,
		.binary		= function_binary,
	},
};

const struct record_type func_repeats_type = {
	.name		= "func_repeats",
	.id		= TRACE_FUNC_REPEATS,
	.fields		= func_repeats_fields,
	.print_fmt	= "\" %ps <-%ps\\t(repeats:%u  delta: -%llu)\", " REPEATS_ARGS,
	.class		= &(const struct record_class) {
		.text		= func_repeats_text,
		.raw		= func_repeats_raw,
	},
};
