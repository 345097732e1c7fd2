// SPDX-License-Identifier: GPL-2.0
/*
 * Events as lines of text. The format of each event is compiled into the function
 * &trace_event_class.print; the functions that it calls are here.
 */
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/uaccess.h>

#include "events.h"
#include "instance/options.h"
#include "internal.h"
#include "messages/print.h"
#include "output/output.h"

/* event_print_record() has stored the &struct trace_output in @line->iter. */
static struct trace_output *event_line_output(struct trace_event_line *line)
{
	return (struct trace_output *)line->iter;
}

/* A copy leaves room in @o->tmp for the texts and pieces of its line. */
#define EVENT_LINE_COPY_MAX	(TRACE_SEQ_BUFFER_SIZE / 4)

/*
 * Return: a copy of the first @used bytes of the record, followed by NULs; NULL if it is too
 * long.
 */
static void *event_copy_record(struct trace_output *o, unsigned int used)
{
	unsigned int size = round_up(o->r.ent_size + 1, sizeof(long));
	void *copy;

	if (size > EVENT_LINE_COPY_MAX)
		return NULL;
	copy = trace_seq_acquire(&o->tmp, size);
	memcpy(copy, o->r.ent, used);
	memset(copy + used, 0, size - used);
	return copy;
}

/* ------------------------------------------------------------------ */
/* Arrays behind a record						*/

/**
 * struct event_arrays - result of checking the arrays of a record
 * @is_there: all arrays are inside the record
 * @is_ended: each text among them ends with a NUL
 * @used: end of the last array; bytes behind it have never been written
 */
struct event_arrays {
	bool is_there, is_ended;
	unsigned int used;
};

/* Checks @o->r, which may be a record of a removed event whose number this event has now. */
static struct event_arrays event_check_arrays(const struct trace_output *o)
{
	struct event_arrays b = { true, true, o->type->size };
	const struct trace_event_fields *f;
	unsigned int at, place, size;

	for (f = record_fields_begin(o->type->fields, &at); f->type;
	     f = record_field_next(f, &at)) {
		if (!record_field_is_located(f))
			continue;
		if (!output_locate(o, f, at, &place, &size)) {
			b.is_there = false;
			continue;
		}
		b.used = max(b.used, place + size);
		if (record_field_is_text(f) && !memchr((void *)o->r.ent + place, '\0', size))
			b.is_ended = false;
	}
	return b;
}

/* ------------------------------------------------------------------ */
/* Strings that a record points to					*/

/* True if a string exists as long as the event. */
static bool event_text_is_constant(const struct event *event, const char *text)
{
	return message_string_is_permanent(text) ||
	       (event->call->module &&
		within_module_core((unsigned long)text, event->call->module));
}

/* A string whose owner is not known may have been freed. Return: a copy, or a text in its place. */
static const char *event_copy_text(struct trace_output *o, const char *text)
{
	char *copy;

	if (!text)
		return NULL;
	if (!event_text_is_constant(container_of(o->type, struct event, type), text))
		return "(unsafe)";
	copy = trace_seq_acquire(&o->tmp, MAX_FILTER_STR_VAL);
	if (strncpy_from_kernel_nofault(copy, text, MAX_FILTER_STR_VAL) < 0)
		return "(efault)";
	copy[MAX_FILTER_STR_VAL - 1] = '\0';
	return copy;
}

/* Each copy takes room in @o->tmp; half of that is kept for the other parts of the line. */
static const char *event_replace_text(struct trace_output *o, const char *text)
{
	if (seq_buf_buffer_left(&o->tmp.seq) <= TRACE_SEQ_BUFFER_SIZE / 2)
		return "(too many)";
	return event_copy_text(o, text);
}

static void event_replace_texts(struct trace_output *o, void *copy)
{
	const struct trace_event_fields *f;
	unsigned int at;

	for (f = record_fields_begin(o->type->fields, &at); f->type; f = record_field_next(f, &at))
		if (record_field_is_pointer_to_text(f))
			*(const char **)(copy + at) = event_replace_text(o, *(char **)(copy + at));
}

/* ------------------------------------------------------------------ */
/* The line								*/

static enum print_line_t event_print_note(struct trace_output *o, const char *note)
{
	trace_seq_printf(&o->seq, "%s: %s\n", o->type->name, note);
	return output_done(&o->seq);
}

static enum print_line_t event_print_record(struct trace_output *o, void *rec)
{
	const struct event *event = container_of(o->type, struct event, type);
	struct trace_event_line line = {
		.ent = rec, .tmp = &o->tmp, .iter = (struct trace_iterator *)o,
	};

	trace_seq_puts(&o->seq, event->type.name);
	trace_seq_puts(&o->seq, ": ");
	event->call->class->print(&line);
	return output_done(&o->seq);
}

static enum print_line_t event_text(struct trace_output *o)
{
	const struct event *event = container_of(o->type, struct event, type);
	struct event_arrays b = event->has_located_fields ? event_check_arrays(o) :
							    (struct event_arrays){ true, true, 0 };
	void *rec = o->r.ent;

	if (!b.is_there)
		return event_print_note(o, "(not its record)");
	trace_seq_init(&o->tmp);
	if (event->has_text_pointers || !b.is_ended)
		rec = event_copy_record(o, b.is_ended ? o->r.ent_size : b.used);
	if (!rec)
		return event_print_note(o, "(too long)");
	if (event->has_text_pointers)
		event_replace_texts(o, rec);
	return event_print_record(o, rec);
}

const struct record_class event_record_class = { .text = event_text };

/* ------------------------------------------------------------------ */
/* The format								*/

/* Return: the size of @fmt with each bare %p replaced by %px. */
static size_t event_unhashed_size(const char *fmt)
{
	size_t size = strlen(fmt) + 1;

	for (fmt = strstr(fmt, "%p"); fmt; fmt = strstr(fmt + 2, "%p"))
		size++;
	return size;
}

static void event_unhash_format(char *to, const char *fmt)
{
	while ((*to++ = *fmt)) {
		if (fmt[0] == '%' && fmt[1] == '%') {
			*to++ = *++fmt;
		} else if (fmt[0] == '%' && fmt[1] == 'p' && !isalnum(fmt[2])) {
			*to++ = *++fmt;
			*to++ = 'x';
		}
		fmt++;
	}
}

/* Without option hash-ptr, addresses print unhashed. */
static const char *event_get_format(struct trace_event_line *line, const char *fmt)
{
	size_t size;
	char *own;

	if (event_line_output(line)->options & TRACE_OPT_HASH_PTR)
		return fmt;
	size = event_unhashed_size(fmt);
	/* The pieces of a long record may have left no room. */
	if (size > seq_buf_buffer_left(&line->tmp->seq))
		return fmt;
	own = trace_seq_acquire(line->tmp, size);
	event_unhash_format(own, fmt);
	return own;
}

void trace_event_printf(struct trace_event_line *line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace_seq_vprintf(&event_line_output(line)->seq, event_get_format(line, fmt), args);
	va_end(args);
}
EXPORT_SYMBOL_GPL(trace_event_printf);

/* ------------------------------------------------------------------ */
/* Pieces: parts of a line, each a string of its own in a trace_seq	*/

static const char *event_end_piece(struct trace_seq *p, const char *piece)
{
	trace_seq_putc(p, '\0');
	return trace_seq_has_overflowed(p) ? "" : piece;
}

/**
 * trace_print_flags_seq - print the names of bits
 * @p: destination
 * @delim: text between two names
 * @flags: the bits
 * @flag_array: names, ended by a NULL name
 *
 * Bits without a name follow as one number.
 *
 * Context: any.
 * Return: the text.
 */
const char *trace_print_flags_seq(struct trace_seq *p, const char *delim, unsigned long flags,
				  const struct trace_print_flags *flag_array)
{
	const char *piece = trace_seq_buffer_ptr(p), *before = "";

	for (; flag_array->name && flags; flag_array++) {
		if ((flags & flag_array->mask) != flag_array->mask || !flag_array->mask)
			continue;
		flags &= ~flag_array->mask;
		trace_seq_printf(p, "%s%s", before, flag_array->name);
		before = delim ?: "";
	}
	if (flags)
		trace_seq_printf(p, "%s0x%lx", before, flags);
	return event_end_piece(p, piece);
}
EXPORT_SYMBOL(trace_print_flags_seq);

/**
 * trace_print_symbols_seq - print the name of a value
 * @p: destination
 * @val: the value
 * @symbol_array: names, ended by a NULL name
 *
 * Context: any.
 * Return: the text; the number if the value has no name.
 */
const char *trace_print_symbols_seq(struct trace_seq *p, unsigned long val,
				    const struct trace_print_flags *symbol_array)
{
	const char *piece = trace_seq_buffer_ptr(p);

	while (symbol_array->name && symbol_array->mask != val)
		symbol_array++;
	if (symbol_array->name)
		trace_seq_puts(p, symbol_array->name);
	else
		trace_seq_printf(p, "0x%lx", val);
	return event_end_piece(p, piece);
}
EXPORT_SYMBOL(trace_print_symbols_seq);

#if BITS_PER_LONG == 32
/**
 * trace_print_flags_seq_u64 - print the names of bits of a 64-bit value
 * @p: destination
 * @delim: text between two names
 * @flags: the bits
 * @flag_array: names, ended by a NULL name
 *
 * Context: any.
 * Return: the text, as trace_print_flags_seq().
 */
const char *trace_print_flags_seq_u64(struct trace_seq *p, const char *delim,
				      unsigned long long flags,
				      const struct trace_print_flags_u64 *flag_array)
{
	const char *piece = trace_seq_buffer_ptr(p), *before = "";

	for (; flag_array->name && flags; flag_array++) {
		if ((flags & flag_array->mask) != flag_array->mask || !flag_array->mask)
			continue;
		flags &= ~flag_array->mask;
		trace_seq_printf(p, "%s%s", before, flag_array->name);
		before = delim ?: "";
	}
	if (flags)
		trace_seq_printf(p, "%s0x%llx", before, flags);
	return event_end_piece(p, piece);
}
EXPORT_SYMBOL(trace_print_flags_seq_u64);

/**
 * trace_print_symbols_seq_u64 - print the name of a 64-bit value
 * @p: destination
 * @val: the value
 * @symbol_array: names, ended by a NULL name
 *
 * Context: any.
 * Return: the text; the number if the value has no name.
 */
const char *trace_print_symbols_seq_u64(struct trace_seq *p, unsigned long long val,
					const struct trace_print_flags_u64 *symbol_array)
{
	const char *piece = trace_seq_buffer_ptr(p);

	while (symbol_array->name && symbol_array->mask != val)
		symbol_array++;
	if (symbol_array->name)
		trace_seq_puts(p, symbol_array->name);
	else
		trace_seq_printf(p, "0x%llx", val);
	return event_end_piece(p, piece);
}
EXPORT_SYMBOL(trace_print_symbols_seq_u64);
#endif

/**
 * trace_print_bitmask_seq - print a bitmask in hex
 * @p: destination
 * @bitmask_ptr: the mask
 * @bitmask_size: bytes of the mask
 *
 * Context: any.
 * Return: the text.
 */
const char *trace_print_bitmask_seq(struct trace_seq *p, void *bitmask_ptr,
				    unsigned int bitmask_size)
{
	const char *piece = trace_seq_buffer_ptr(p);

	trace_seq_bitmask(p, bitmask_ptr, bitmask_size * BITS_PER_BYTE);
	return event_end_piece(p, piece);
}
EXPORT_SYMBOL_GPL(trace_print_bitmask_seq);

/**
 * trace_print_hex_seq - print bytes in hex
 * @p: destination
 * @buf: the bytes
 * @len: number of bytes
 * @concatenate: true for no blanks between them
 *
 * Context: any.
 * Return: the text.
 */
const char *trace_print_hex_seq(struct trace_seq *p, const unsigned char *buf, int len,
				bool concatenate)
{
	const char *piece = trace_seq_buffer_ptr(p);

	/* An injected record may claim any length. */
	for (int i = 0; i < len && !trace_seq_has_overflowed(p); i++)
		trace_seq_printf(p, "%s%02x", i && !concatenate ? " " : "", buf[i]);
	return event_end_piece(p, piece);
}
EXPORT_SYMBOL(trace_print_hex_seq);

static u64 event_array_element(const void *buf, int i, size_t el_size)
{
	switch (el_size) {
	case 1:
		return ((const u8 *)buf)[i];
	case 2:
		return ((const u16 *)buf)[i];
	case 4:
		return ((const u32 *)buf)[i];
	default:
		return ((const u64 *)buf)[i];
	}
}

/**
 * trace_print_array_seq - print an array of numbers in braces
 * @p: destination
 * @buf: the numbers
 * @count: how many
 * @el_size: bytes of each: 1, 2, 4 or 8
 *
 * Context: any.
 * Return: the text.
 */
const char *trace_print_array_seq(struct trace_seq *p, const void *buf, int count, size_t el_size)
{
	const char *piece = trace_seq_buffer_ptr(p);

	trace_seq_putc(p, '{');
	for (int i = 0; i < count && !trace_seq_has_overflowed(p); i++)
		trace_seq_printf(p, "%s0x%llx", i ? "," : "", event_array_element(buf, i, el_size));
	trace_seq_putc(p, '}');
	return event_end_piece(p, piece);
}
EXPORT_SYMBOL(trace_print_array_seq);

/**
 * trace_print_hex_dump_seq - print memory as print_hex_dump() does
 * @p: destination
 * @prefix_str: text before each line
 * @prefix_type: second part of the prefix: DUMP_PREFIX_*
 * @rowsize: bytes per line: 16 or 32
 * @groupsize: bytes per word
 * @buf: the memory
 * @len: bytes of memory
 * @ascii: true to print characters as well
 *
 * Context: any.
 * Return: the text.
 */
const char *trace_print_hex_dump_seq(struct trace_seq *p, const char *prefix_str,
				     int prefix_type, int rowsize, int groupsize,
				     const void *buf, size_t len, bool ascii)
{
	const char *piece = trace_seq_buffer_ptr(p);

	trace_seq_putc(p, '\n');
	trace_seq_hex_dump(p, prefix_str, prefix_type, rowsize, groupsize, buf, len, ascii);
	return event_end_piece(p, piece);
}
EXPORT_SYMBOL(trace_print_hex_dump_seq);
