// SPDX-License-Identifier: GPL-2.0
/*
 * Records of probes as lines of text, and their format.
 */
#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "events/events.h"
#include "instance/options.h"
#include "internal.h"
#include "output/output.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* A line								*/

static const void *at(const struct trace_output *o, unsigned int offset)
{
	return (const void *)o->r.ent + offset;
}

static void put_number(struct trace_seq *s, const struct fetch_type *type, u64 number)
{
	switch (type->kind) {
	case FETCH_SIGNED:
		trace_seq_printf(s, "%lld",
				 sign_extend64(number, type->size * BITS_PER_BYTE - 1));
		break;
	case FETCH_HEX:
		trace_seq_printf(s, "0x%llx", number);
		break;
	case FETCH_CHAR:
		trace_seq_printf(s, "'%c'", (char)number);
		break;
	case FETCH_SYMBOLIC:
		trace_seq_printf(s, "%pS", (void *)(unsigned long)number);
		break;
	default:
		trace_seq_printf(s, "%llu", number);
	}
}

/* A record that somebody has made up may say that it is anywhere. */
static void put_text(struct trace_output *o, u32 word)
{
	unsigned int place = word & 0xffff, len = word >> 16;

	if (!len || place >= o->r.ent_size) {
		trace_seq_puts(&o->seq, "(fault)");
		return;
	}
	trace_seq_putc(&o->seq, '"');
	output_chars(&o->seq, at(o, place), min(len, o->r.ent_size - place));
	trace_seq_putc(&o->seq, '"');
}

static void put_element(struct trace_output *o, const struct probe_field *f, unsigned int i)
{
	unsigned int size = f->type->size;
	u64 number = record_number(at(o, f->offset + i * size), size);

	if (fetch_type_is_text(f->type))
		put_text(o, number);
	else
		put_number(&o->seq, f->type, number);
}

static void put_field(struct trace_output *o, const struct probe_field *f)
{
	trace_seq_printf(&o->seq, f->count ? " %s={" : " %s=", f->name);
	for (unsigned int i = 0; i < (f->count ?: 1); i++) {
		if (i)
			trace_seq_putc(&o->seq, ',');
		put_element(o, f, i);
	}
	if (f->count)
		trace_seq_putc(&o->seq, '}');
}

static unsigned long head(const struct trace_output *o, unsigned int i)
{
	return ((const unsigned long *)(o->r.ent + 1))[i];
}

/* Where it was: never without its offset, for a probe may be anywhere in a function. */
static void put_place(struct trace_output *o, unsigned long address)
{
	u32 options = o->options;

	o->options |= TRACE_OPT_SYM_OFFSET;
	output_address(o, address);
	o->options = options;
}

/* And which function it was, which begins there. */
static void put_function(struct trace_output *o, unsigned long address)
{
	u32 options = o->options;

	o->options &= ~TRACE_OPT_SYM_OFFSET;
	output_address(o, address);
	o->options = options;
}

/* Of a program, whose symbols the kernel does not know. */
static void put_user_head(struct trace_output *o, const struct probe_event *event)
{
	if (event->returns)
		trace_seq_printf(&o->seq, "(0x%lx <- 0x%lx)", head(o, 1), head(o, 0));
	else
		trace_seq_printf(&o->seq, "(0x%lx)", head(o, 0));
}

static void put_head(struct trace_output *o, const struct probe_event *event)
{
	if (event->attached) {
		trace_seq_printf(&o->seq, "(%s)", event->attached);
		return;
	}
	if (event->kind->flags & TRACE_EVENT_FL_UPROBE)
		return put_user_head(o, event);
	trace_seq_putc(&o->seq, '(');
	put_place(o, head(o, event->nr_head - 1));
	if (event->nr_head > 1) {
		trace_seq_puts(&o->seq, " <- ");
		put_function(o, head(o, 0));
	}
	trace_seq_putc(&o->seq, ')');
}

static enum print_line_t probe_text_line(struct trace_output *o)
{
	const struct event *e = container_of(o->type, struct event, type);
	const struct probe_event *event = probe_event_of(e->call);

	trace_seq_printf(&o->seq, "%s: ", e->type.name);
	put_head(o, event);
	for (unsigned int i = 0; i < event->nr; i++)
		put_field(o, &event->fields[i]);
	trace_seq_putc(&o->seq, '\n');
	return output_done(&o->seq);
}

static const struct record_class lines = { .text = probe_text_line };

/* ------------------------------------------------------------------ */
/* The format								*/

static const struct trace_event_fields *probe_fields(const struct trace_event_call *call)
{
	return probe_event_of(call)->table;
}

static void show_field_fmt(struct seq_file *m, const struct probe_field *f)
{
	seq_printf(m, f->count ? " %s={" : " %s=", f->name);
	for (unsigned int i = 0; i < (f->count ?: 1); i++)
		seq_printf(m, "%s%s", i ? "," : "", f->type->fmt);
	if (f->count)
		seq_putc(m, '}');
}

static void show_field_arg(struct seq_file *m, const struct probe_field *f)
{
	bool text = fetch_type_is_text(f->type);

	if (!f->count)
		seq_printf(m, text ? ", __get_str(%s)" : ", REC->%s", f->name);
	for (unsigned int i = 0; i < f->count; i++)
		seq_printf(m, text ? ", __get_str(%s[%u])" : ", REC->%s[%u]", f->name, i);
}

static void show_fmt(struct seq_file *m, const struct trace_event_call *call)
{
	static const char * const heads[] = { "", "(%lx)", "(%lx <- %lx)" };
	const struct probe_event *event = probe_event_of(call);

	seq_printf(m, "\"%s", heads[event->nr_head]);
	for (unsigned int i = 0; i < event->nr; i++)
		show_field_fmt(m, &event->fields[i]);
	seq_putc(m, '"');
	for (unsigned int i = 0; i < event->nr_head; i++)
		seq_printf(m, ", REC->%s", probe_head_name(event, i));
	for (unsigned int i = 0; i < event->nr; i++)
		show_field_arg(m, &event->fields[i]);
}

const struct trace_event_class_ops probe_ops = {
	.get_fields	= probe_fields,
	.others_want	= probe_others_want,
	.show_fmt	= show_fmt,
	.lines		= &lines,
};
