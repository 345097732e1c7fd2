// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a record as a line, in the format that the options of the instance select.
 *
 * A reader (read/reader.h) supplies the records, but does not print. A record type (types/types.h)
 * has a function for each format that prints its records. Nothing in this file consumes records.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "instance/instance.h"
#include "instance/options.h"
#include "internal.h"
#include "output.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* Creating and freeing outputs						*/

/* Set the members that depend on the instance and its options. */
static void output_set_instance(struct trace_output *o, struct trace_array *tr)
{
	o->tracer = READ_ONCE(tr->current_tracer);
	o->options = READ_ONCE(tr->flags);
	trace_seq_init(&o->seq);
}

static struct trace_output *output_alloc_for(struct trace_array *tr)
{
	struct trace_output *o = kvzalloc(sizeof(*o), GFP_KERNEL);

	if (!o)
		return NULL;
	output_set_instance(o, tr);
	o->latency = o->options & TRACE_OPT_LATENCY_FMT;
	return o;
}

static struct trace_output *output_finish_alloc(struct trace_output *o, int err)
{
	if (err) {
		kvfree(o);
		return ERR_PTR(err);
	}
	o->symbols = sym_cache_alloc();
	return o;
}

struct trace_output *output_alloc(struct trace_array *tr, int cpu)
{
	struct trace_output *o = output_alloc_for(tr);

	return output_finish_alloc(o, o ? reader_init(&o->r, tr, cpu) : -ENOMEM);
}

struct trace_output *output_alloc_iterating(struct trace_array *tr,
					    struct trace_buffer *buffer, int cpu)
{
	struct trace_output *o = output_alloc_for(tr);

	return output_finish_alloc(o, o ? reader_init_iterating(&o->r, tr, buffer, cpu) : -ENOMEM);
}

void output_reuse(struct trace_output *o, struct trace_array *tr, int cpu)
{
	output_set_instance(o, tr);
	o->latency = true;
	reader_reuse(&o->r, tr, cpu);
}

void output_rewind(struct trace_output *o)
{
	struct output_part *part;

	reader_rewind(&o->r);
	for (part = o->parts; part; part = part->next) {
		if (part->ops->rewind)
			part->ops->rewind(part);
	}
}

void output_free(struct trace_output *o)
{
	struct output_part *part, *next;

	reader_exit(&o->r);
	sym_cache_free(o->symbols);
	for (part = o->parts; part; part = next) {
		next = part->next;
		part->ops->free(part);
	}
	kvfree(o);
}

struct output_part *output_part(const struct trace_output *o,
				const struct output_part_ops *ops)
{
	struct output_part *part = o->parts;

	while (part && part->ops != ops)
		part = part->next;
	return part;
}

void output_part_add(struct trace_output *o, struct output_part *part)
{
	part->next = o->parts;
	o->parts = part;
}

/* ------------------------------------------------------------------ */
/* Lines								*/

/* Print the record with @print, the function of its type for the format; NULL if there is none. */
static enum print_line_t output_print_with(struct trace_output *o, record_print_fn print)
{
	if (print)
		return print(o);
	trace_seq_printf(&o->seq, "type: %d\n", o->r.ent->type);
	return output_done(&o->seq);
}

static enum print_line_t output_line_binary(struct trace_output *o,
					    const struct record_type *type)
{
	struct trace_seq *s = &o->seq;

	if (o->options & TRACE_OPT_CONTEXT_INFO) {
		trace_seq_putmem(s, &o->r.ent->pid, sizeof(o->r.ent->pid));
		trace_seq_putmem(s, &o->r.ent_cpu, sizeof(o->r.ent_cpu));
		trace_seq_putmem(s, &o->r.ts, sizeof(o->r.ts));
	}
	return type ? output_print_with(o, type->class->binary) : output_done(s);
}

static enum print_line_t output_line_hex(struct trace_output *o,
					 const struct record_type *type)
{
	struct trace_seq *s = &o->seq;

	if (o->options & TRACE_OPT_CONTEXT_INFO) {
		trace_seq_putmem_hex(s, &o->r.ent->pid, sizeof(o->r.ent->pid));
		trace_seq_putmem_hex(s, &o->r.ent_cpu, sizeof(o->r.ent_cpu));
		trace_seq_putmem_hex(s, &o->r.ts, sizeof(o->r.ts));
	}
	if (type && output_print_with(o, type->class->hex) != TRACE_TYPE_HANDLED)
		return TRACE_TYPE_PARTIAL_LINE;
	trace_seq_putc(s, '\n');
	return output_done(s);
}

static enum print_line_t output_line_raw(struct trace_output *o,
					 const struct record_type *type)
{
	struct trace_seq *s = &o->seq;

	if (o->options & TRACE_OPT_CONTEXT_INFO)
		trace_seq_printf(s, "%d %d %llu ", o->r.ent->pid, o->r.ent_cpu, o->r.ts);
	if (type)
		return output_print_with(o, type->class->raw);
	trace_seq_printf(s, "%d ?\n", o->r.ent->type);
	return output_done(s);
}

static enum print_line_t output_line_text(struct trace_output *o,
					  const struct record_type *type)
{
	struct trace_seq *s = &o->seq;

	if (o->r.cpu_begins && (o->options & TRACE_OPT_ANNOTATE))
		trace_seq_printf(s, "##### CPU %u buffer started ####\n", o->r.ent_cpu);
	if (o->options & TRACE_OPT_CONTEXT_INFO) {
		if (o->latency)
			output_latency_context(o);
		else
			output_context(o);
	}
	if (o->options & TRACE_OPT_FIELDS)
		return output_fields(o);
	if (type)
		return output_print_with(o, type->class->text);
	trace_seq_printf(s, "Unknown type %d\n", o->r.ent->type);
	return output_done(s);
}

/* Print how many records before this one were lost; reader.lost is ULONG_MAX if not known. */
static void output_line_lost(struct trace_output *o)
{
	if (o->r.lost == ULONG_MAX)
		trace_seq_printf(&o->seq, "CPU:%d [LOST EVENTS]\n", o->r.ent_cpu);
	else
		trace_seq_printf(&o->seq, "CPU:%d [LOST %lu EVENTS]\n",
				 o->r.ent_cpu, o->r.lost);
}

/*
 * With option printk-msg-only, print only the message of a record of a type that has one, such as
 * that of trace_printk(). Returns false, with nothing printed, for other types and without the
 * option.
 */
static bool output_line_message(struct trace_output *o, const struct record_type *type)
{
	const u32 wanted = TRACE_OPT_PRINTK | TRACE_OPT_PRINTK_MSGONLY;

	if ((o->options & wanted) != wanted || !type || !type->class->message)
		return false;
	type->class->message(o);
	return true;
}

void output_mark_truncated(struct trace_seq *s)
{
	static const char note[] = "[LINE TOO BIG]\n";

	s->full = 0;
	s->seq.len = min_t(size_t, s->seq.len, TRACE_SEQ_BUFFER_SIZE - sizeof(note));
	trace_seq_puts(s, note);
}

enum print_line_t output_line(struct trace_output *o)
{
	const struct record_type *type = output_type(o);

	o->options = READ_ONCE(o->r.tr->flags);
	o->type = type;
	if (unlikely(o->r.lost))
		output_line_lost(o);
	if (o->tracer->print_line) {
		enum print_line_t ret = o->tracer->print_line(o);

		if (ret != TRACE_TYPE_UNHANDLED)
			return ret;
	}
	if (output_line_message(o, type))
		return output_done(&o->seq);
	if (o->options & TRACE_OPT_BIN)
		return output_line_binary(o, type);
	if (o->options & TRACE_OPT_HEX)
		return output_line_hex(o, type);
	if (o->options & TRACE_OPT_RAW)
		return output_line_raw(o, type);
	return output_line_text(o, type);
}
