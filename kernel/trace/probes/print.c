// SPDX-License-Identifier: GPL-2.0
/*
 * Output of records of probes as lines of text, and the format file of their events.
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
/* Lines								*/

static const void *probe_record_at(const struct trace_output *o, unsigned int offset)
{
	return (const void *)o->r.ent + offset;
}

static void probe_print_number(struct trace_seq *s, const struct fetch_type *type, u64 number)
{
	if (type->is_signed)
		number = sign_extend64(number, type->size * BITS_PER_BYTE - 1);
	type->print(s, number);
}

/* The location word is not trusted: user space can inject records. */
static void probe_print_text(struct trace_output *o, u32 word)
{
	unsigned int place = word & 0xffff, len = word >> 16;

	if (!len || place >= o->r.ent_size) {
		trace_seq_puts(&o->seq, "(fault)");
		return;
	}
	trace_seq_putc(&o->seq, '"');
	output_chars(&o->seq, probe_record_at(o, place), min(len, o->r.ent_size - place));
	trace_seq_putc(&o->seq, '"');
}

static void probe_print_element(struct trace_output *o, const struct probe_field *f, unsigned int i)
{
	unsigned int size = f->type->size;
	u64 number = record_number(probe_record_at(o, f->offset + i * size), size);

	if (fetch_type_is_text(f->type))
		probe_print_text(o, number);
	else
		probe_print_number(&o->seq, f->type, number);
}

static void probe_print_field(struct trace_output *o, const struct probe_field *f)
{
	trace_seq_printf(&o->seq, f->count ? " %s={" : " %s=", f->name);
	for (unsigned int i = 0; i < (f->count ?: 1); i++) {
		if (i)
			trace_seq_putc(&o->seq, ',');
		probe_print_element(o, f, i);
	}
	if (f->count)
		trace_seq_putc(&o->seq, '}');
}

static unsigned long probe_head_word(const struct trace_output *o, unsigned int i)
{
	return ((const unsigned long *)(o->r.ent + 1))[i];
}

/* Print where the probe was hit: always with an offset, as it may be anywhere in a function. */
static void probe_print_address(struct trace_output *o, unsigned long address)
{
	u32 options = o->options;

	o->options |= TRACE_OPT_SYM_OFFSET;
	output_address(o, address);
	o->options = options;
}

/* Print the function of a return probe: without an offset, as the address is its entry. */
static void probe_print_function(struct trace_output *o, unsigned long address)
{
	u32 options = o->options;

	o->options &= ~TRACE_OPT_SYM_OFFSET;
	output_address(o, address);
	o->options = options;
}

/* Print addresses in a program as numbers: the kernel does not have its symbols. */
static void probe_print_user_head(struct trace_output *o, const struct probe_event *event)
{
	if (event->returns)
		trace_seq_printf(&o->seq, "(0x%lx <- 0x%lx)", probe_head_word(o, 1),
				 probe_head_word(o, 0));
	else
		trace_seq_printf(&o->seq, "(0x%lx)", probe_head_word(o, 0));
}

static void probe_print_head(struct trace_output *o, const struct probe_event *event)
{
	if (event->attached) {
		trace_seq_printf(&o->seq, "(%s)", event->attached);
		return;
	}
	if (event->kind->flags & TRACE_EVENT_FL_UPROBE)
		return probe_print_user_head(o, event);
	trace_seq_putc(&o->seq, '(');
	probe_print_address(o, probe_head_word(o, event->nr_head - 1));
	if (event->nr_head > 1) {
		trace_seq_puts(&o->seq, " <- ");
		probe_print_function(o, probe_head_word(o, 0));
	}
	trace_seq_putc(&o->seq, ')');
}

static enum print_line_t probe_print_line(struct trace_output *o)
{
	const struct event *e = container_of(o->type, struct event, type);
	const struct probe_event *event = probe_event_of(e->call);

	trace_seq_printf(&o->seq, "%s: ", e->type.name);
	probe_print_head(o, event);
	for (unsigned int i = 0; i < event->nr; i++)
		probe_print_field(o, &event->fields[i]);
	trace_seq_putc(&o->seq, '\n');
	return output_done(&o->seq);
}

static const struct record_class probe_lines = { .text = probe_print_line };

/* ------------------------------------------------------------------ */
/* Format file								*/

const char *probe_head_name(const struct probe_event *event, unsigned int i)
{
	if (!event->returns)
		return "__probe_ip";
	return i ? "__probe_ret_ip" : "__probe_func";
}

static const struct trace_event_fields *probe_get_fields(const struct trace_event_call *call)
{
	return probe_event_of(call)->table;
}

static void probe_show_field_fmt(struct seq_file *m, const struct probe_field *f)
{
	seq_printf(m, f->count ? " %s={" : " %s=", f->name);
	for (unsigned int i = 0; i < (f->count ?: 1); i++)
		seq_printf(m, "%s%s", i ? "," : "", f->type->fmt);
	if (f->count)
		seq_putc(m, '}');
}

static void probe_show_field_arg(struct seq_file *m, const struct probe_field *f)
{
	bool text = fetch_type_is_text(f->type);

	if (!f->count)
		seq_printf(m, text ? ", __get_str(%s)" : ", REC->%s", f->name);
	for (unsigned int i = 0; i < f->count; i++)
		seq_printf(m, text ? ", __get_str(%s[%u])" : ", REC->%s[%u]", f->name, i);
}

static void probe_show_fmt(struct seq_file *m, const struct trace_event_call *call)
{
	static const char * const heads[] = { "", "(%lx)", "(%lx <- %lx)" };
	const struct probe_event *event = probe_event_of(call);

	seq_printf(m, "\"%s", heads[event->nr_head]);
	for (unsigned int i = 0; i < event->nr; i++)
		probe_show_field_fmt(m, &event->fields[i]);
	seq_putc(m, '"');
	for (unsigned int i = 0; i < event->nr_head; i++)
		seq_printf(m, ", REC->%s", probe_head_name(event, i));
	for (unsigned int i = 0; i < event->nr; i++)
		probe_show_field_arg(m, &event->fields[i]);
}

const struct trace_event_class_ops probe_ops = {
	.get_fields	= probe_get_fields,
	.update_tasks	= probe_update_tasks,
	.set_programs	= probe_set_programs,
	.show_fmt	= probe_show_fmt,
	.lines		= &probe_lines,
};
