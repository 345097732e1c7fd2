// SPDX-License-Identifier: GPL-2.0
/*
 * System calls as lines of text.
 */
#include <linux/hex.h>
#include <linux/seq_file.h>
#include <linux/trace_seq.h>

#include "events/events.h"
#include "instance/options.h"
#include "internal.h"
#include "output/output.h"
#include "types/types.h"

/* Not by a format: there are some in each line, and millions of lines. */
static void put_hex(struct trace_seq *s, unsigned long value)
{
	char digits[2 * sizeof(value)];
	unsigned int at = sizeof(digits);

	do {
		digits[--at] = hex_asc_lo(value);
		value >>= 4;
	} while (value);
	trace_seq_putmem(s, digits + at, sizeof(digits) - at);
}

static void put_args(struct trace_output *o, const struct syscall_metadata *call,
		     const unsigned long *args)
{
	for (int i = 0; i < call->nb_args; i++) {
		if (i)
			trace_seq_putmem(&o->seq, ", ", 2);
		if (o->options & TRACE_OPT_VERBOSE)
			trace_seq_printf(&o->seq, "%s ", call->types[i]);
		trace_seq_puts(&o->seq, call->args[i]);
		trace_seq_putmem(&o->seq, ": ", 2);
		put_hex(&o->seq, args[i]);
	}
}

/* The number in a record may be made up. */
static const struct syscall_metadata *call_of(const struct trace_output *o)
{
	return container_of(o->type, struct event, type)->call->data;
}

static enum print_line_t enter_text(struct trace_output *o)
{
	const struct syscall_enter_entry *entry = (void *)o->r.ent;
	const struct syscall_metadata *call = call_of(o);

	trace_seq_puts(&o->seq, call->name);
	trace_seq_putc(&o->seq, '(');
	put_args(o, call, entry->args);
	trace_seq_putmem(&o->seq, ")\n", 2);
	return output_done(&o->seq);
}

static enum print_line_t exit_text(struct trace_output *o)
{
	const struct syscall_exit_entry *entry = (void *)o->r.ent;

	trace_seq_puts(&o->seq, call_of(o)->name);
	trace_seq_putmem(&o->seq, " -> 0x", 6);
	put_hex(&o->seq, entry->ret);
	trace_seq_putc(&o->seq, '\n');
	return output_done(&o->seq);
}

const struct record_class syscall_enter_lines = { .text = enter_text };
const struct record_class syscall_exit_lines = { .text = exit_text };

/* Programs that read records make this of them. */
void syscall_enter_fmt(struct seq_file *m, const struct trace_event_call *event)
{
	const struct syscall_metadata *call = event->data;

	seq_putc(m, '"');
	for (int i = 0; i < call->nb_args; i++)
		seq_printf(m, "%s%s: 0x%%0%zulx", i ? ", " : "", call->args[i],
			   sizeof(unsigned long));
	seq_putc(m, '"');
	for (int i = 0; i < call->nb_args; i++)
		seq_printf(m, ", ((unsigned long)(REC->%s))", call->args[i]);
}

void syscall_exit_fmt(struct seq_file *m, const struct trace_event_call *event)
{
	seq_puts(m, "\"0x%lx\", REC->ret");
}
