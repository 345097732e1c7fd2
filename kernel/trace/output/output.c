// SPDX-License-Identifier: GPL-2.0
/*
 * From a record to a line: which format, and who prints which type.
 *
 * The types of the tracer itself are in a constant table (types.c).
 * Numbers behind those are given out to types that come and go with the code
 * that records them; such a type's handler is called only under output_lock(),
 * so it can be waited for.
 *
 * A reader (reader.h) brings the records and keeps the text; it knows nothing of
 * how that is made. Nothing here takes anything out of the buffer.
 */
#include <linux/rwsem.h>
#include <linux/xarray.h>

#include "instance/instance.h"
#include "instance/options.h"
#include "output.h"
#include "reader.h"
#include "record/entries.h"

/* Keeps handlers in place; taken inside all locks of readers. */
static DECLARE_RWSEM(handlers_sem);

/* Handlers of given out types, by type. */
static DEFINE_XARRAY_ALLOC(handlers);

void output_lock(void)
{
	down_read(&handlers_sem);
}

void output_unlock(void)
{
	up_read(&handlers_sem);
}

int output_register(const struct output_handler *handler)
{
	u32 type;
	int err;

	err = xa_alloc(&handlers, &type, (void *)handler,
		       XA_LIMIT(TRACE_FIRST_EVENT, TRACE_EVENT_TYPE_MAX),
		       GFP_KERNEL);
	return err ?: type;
}

void output_unregister(int type)
{
	down_write(&handlers_sem);
	xa_erase(&handlers, type);
	up_write(&handlers_sem);
}

const struct output_handler *output_handler_of(unsigned int type)
{
	return type < TRACE_FIRST_EVENT ? output_builtin(type)
					: xa_load(&handlers, type);
}

static enum print_line_t print_with(struct trace_reader *r, output_fn print)
{
	if (print)
		return print(r);
	trace_seq_printf(&r->seq, "type: %d\n", r->ent->type);
	return output_done(&r->seq);
}

static enum print_line_t line_binary(struct trace_reader *r,
				     const struct output_handler *h)
{
	struct trace_seq *s = &r->seq;

	if (r->options & TRACE_OPT_CONTEXT_INFO) {
		trace_seq_putmem(s, &r->ent->pid, sizeof(r->ent->pid));
		trace_seq_putmem(s, &r->ent_cpu, sizeof(r->ent_cpu));
		trace_seq_putmem(s, &r->ts, sizeof(r->ts));
	}
	return h ? print_with(r, h->binary) : output_done(s);
}

static enum print_line_t line_hex(struct trace_reader *r,
				  const struct output_handler *h)
{
	struct trace_seq *s = &r->seq;

	if (r->options & TRACE_OPT_CONTEXT_INFO) {
		trace_seq_putmem_hex(s, &r->ent->pid, sizeof(r->ent->pid));
		trace_seq_putmem_hex(s, &r->ent_cpu, sizeof(r->ent_cpu));
		trace_seq_putmem_hex(s, &r->ts, sizeof(r->ts));
	}
	if (h && print_with(r, h->hex) != TRACE_TYPE_HANDLED)
		return TRACE_TYPE_PARTIAL_LINE;
	trace_seq_putc(s, '\n');
	return output_done(s);
}

static enum print_line_t line_raw(struct trace_reader *r,
				  const struct output_handler *h)
{
	struct trace_seq *s = &r->seq;

	if (r->options & TRACE_OPT_CONTEXT_INFO)
		trace_seq_printf(s, "%d %d %llu ", r->ent->pid, r->ent_cpu, r->ts);
	if (h)
		return print_with(r, h->raw);
	trace_seq_printf(s, "%d ?\n", r->ent->type);
	return output_done(s);
}

static enum print_line_t line_text(struct trace_reader *r,
				   const struct output_handler *h)
{
	struct trace_seq *s = &r->seq;

	if (r->cpu_begins && (r->options & TRACE_OPT_ANNOTATE))
		trace_seq_printf(s, "##### CPU %u buffer started ####\n", r->ent_cpu);
	if (r->options & TRACE_OPT_CONTEXT_INFO) {
		if (r->latency)
			output_latency_context(r);
		else
			output_context(r);
	}
	if (r->options & TRACE_OPT_FIELDS)
		return output_fields(r);
	if (h)
		return print_with(r, h->trace);
	trace_seq_printf(s, "Unknown type %d\n", r->ent->type);
	return output_done(s);
}

static void line_lost(struct trace_reader *r)
{
	if (r->lost == ULONG_MAX)
		trace_seq_printf(&r->seq, "CPU:%d [LOST EVENTS]\n", r->ent_cpu);
	else
		trace_seq_printf(&r->seq, "CPU:%d [LOST %lu EVENTS]\n",
				 r->ent_cpu, r->lost);
}

/* trace_printk() and its like, when only the messages are wanted. */
static bool line_message(struct trace_reader *r)
{
	const u32 wanted = TRACE_OPT_PRINTK | TRACE_OPT_PRINTK_MSGONLY;

	if ((r->options & wanted) != wanted)
		return false;
	switch (r->ent->type) {
	case TRACE_PRINT:
		trace_seq_puts(&r->seq, ((struct print_entry *)r->ent)->buf);
		return true;
	case TRACE_BPUTS:
		output_bputs(r);
		return true;
	case TRACE_BPRINT:
		output_bprint(r);
		return true;
	}
	return false;
}

void output_too_long(struct trace_seq *s)
{
	static const char note[] = "[LINE TOO BIG]\n";

	s->full = 0;
	s->seq.len = min_t(size_t, s->seq.len, TRACE_SEQ_BUFFER_SIZE - sizeof(note));
	trace_seq_puts(s, note);
}

enum print_line_t output_line(struct trace_reader *r)
{
	const struct output_handler *h = output_handler_of(r->ent->type);

	r->options = READ_ONCE(r->tr->flags);
	if (unlikely(r->lost))
		line_lost(r);
	if (r->tracer->print_line) {
		enum print_line_t ret = r->tracer->print_line(r);

		if (ret != TRACE_TYPE_UNHANDLED)
			return ret;
	}
	if (line_message(r))
		return output_done(&r->seq);
	if (r->options & TRACE_OPT_BIN)
		return line_binary(r, h);
	if (r->options & TRACE_OPT_HEX)
		return line_hex(r, h);
	if (r->options & TRACE_OPT_RAW)
		return line_raw(r, h);
	return line_text(r, h);
}
