// SPDX-License-Identifier: GPL-2.0
/*
 * Output of synthetic events: records as lines of text, format files, and definitions.
 */
#include <linux/bitops.h>
#include <linux/gfp_types.h>
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
/* Lines of records							*/

/* Find an array behind the fields. Users may forge records, so its place has to be checked. */
static const void *get_located_array(const struct trace_output *o, const struct synth_field *f,
				     unsigned int *len)
{
	u32 loc = *(u32 *)((void *)o->r.ent + f->offset);
	unsigned int at = loc & 0xffff;

	*len = at < o->r.ent_size ? min(loc >> 16, o->r.ent_size - at) : 0;
	return (void *)o->r.ent + at;
}

static void print_text_field(struct trace_output *o, const struct synth_field *f)
{
	const void *from = (void *)o->r.ent + f->offset;
	unsigned int len = f->size;

	if (f->kind == SYNTH_DYN_TEXT)
		from = get_located_array(o, f, &len);
	trace_seq_printf(&o->seq, "%s=", f->name);
	output_chars(&o->seq, from, len);
}

/* The array begins with the number of addresses, which is not printed. */
static void print_stack_field(struct trace_output *o, const struct synth_field *f)
{
	unsigned int len;
	const unsigned long *stack = get_located_array(o, f, &len);

	trace_seq_printf(&o->seq, "%s=STACK:\n", f->name);
	for (unsigned int i = 1; i < len / sizeof(*stack); i++)
		trace_seq_printf(&o->seq, "=> %pS\n", (void *)stack[i]);
}

static u64 get_field_number(const void *at, const struct synth_field *f)
{
	u64 number = record_number(at, f->size);

	return f->is_signed ? sign_extend64(number, f->size * BITS_PER_BYTE - 1) : number;
}

static bool is_gfp_field(const struct synth_field *f)
{
	return !strcmp(f->type, "gfp_t");
}

static void print_number_field(struct trace_output *o, const struct synth_field *f,
			       const char *behind)
{
	u64 number = get_field_number((void *)o->r.ent + f->offset, f);
	gfp_t gfp = (__force gfp_t)number;

	if (is_gfp_field(f))
		trace_seq_printf(&o->seq, "%s=%llx%s", f->name, number, behind);
	else if (f->is_signed)
		trace_seq_printf(&o->seq, "%s=%lld%s", f->name, number, behind);
	else
		trace_seq_printf(&o->seq, "%s=%llu%s", f->name, number, behind);
	if (is_gfp_field(f))
		trace_seq_printf(&o->seq, " (%pGg)", &gfp);
}

static void print_synth_field(struct trace_output *o, const struct synth_field *f,
			      const char *behind)
{
	if (o->options & TRACE_OPT_VERBOSE)
		trace_seq_printf(&o->seq, "%s ", f->fmt);
	switch (f->kind) {
	case SYNTH_NUMBER:
		print_number_field(o, f, behind);
		break;
	case SYNTH_STACK:
		print_stack_field(o, f);
		break;
	default:
		print_text_field(o, f);
		trace_seq_puts(&o->seq, behind);
	}
}

static enum print_line_t synth_print_line(struct trace_output *o)
{
	const struct event *event = container_of(o->type, struct event, type);
	const struct synth_event *synth = synth_event_of(event->call);

	trace_seq_printf(&o->seq, "%s: ", event->type.name);
	for (unsigned int i = 0; i < synth->nr_fields; i++)
		print_synth_field(o, &synth->fields[i], i + 1 < synth->nr_fields ? " " : "");
	trace_seq_putc(&o->seq, '\n');
	return output_done(&o->seq);
}

static const struct record_class synth_lines = { .text = synth_print_line };

/* ------------------------------------------------------------------ */
/* Format files								*/

static const struct trace_event_fields *synth_get_fields(const struct trace_event_call *call)
{
	return synth_event_of(call)->table;
}

static const char *get_value_fmt(const struct synth_field *f)
{
	switch (f->kind) {
	case SYNTH_DYN_TEXT:
		return ", __get_str(%s)";
	case SYNTH_STACK:
		return ", __get_stacktrace(%s)";
	default:
		return ", REC->%s";
	}
}

static void show_synth_fmt(struct seq_file *m, const struct trace_event_call *call)
{
	const struct synth_event *synth = synth_event_of(call);
	const struct synth_field *f;

	seq_putc(m, '"');
	for (unsigned int i = 0; i < synth->nr_fields; i++) {
		f = &synth->fields[i];
		seq_printf(m, "%s%s=%s", i ? ", " : "", f->name, f->fmt);
	}
	seq_putc(m, '"');
	for (unsigned int i = 0; i < synth->nr_fields; i++)
		seq_printf(m, get_value_fmt(&synth->fields[i]), synth->fields[i].name);
}

const struct trace_event_class_ops synth_ops = {
	.get_fields	= synth_get_fields,
	.show_fmt	= show_synth_fmt,
	.lines		= &synth_lines,
};

/* ------------------------------------------------------------------ */
/* Definitions								*/

/* Get the type without the prefix that only the format file has. */
static const char *get_written_type(const struct synth_field *f)
{
	return f->type + (strstarts(f->type, "__data_loc ") ? strlen("__data_loc ") : 0);
}

void synth_show(struct seq_file *m, const struct synth_event *event)
{
	const struct synth_field *f;

	seq_printf(m, "%s\t", event->call.name);
	for (unsigned int i = 0; i < event->nr_fields; i++) {
		f = &event->fields[i];
		seq_printf(m, "%s%s %s", i ? "; " : "", get_written_type(f), f->name);
	}
	seq_putc(m, '\n');
}
