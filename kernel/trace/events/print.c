// SPDX-License-Identifier: GPL-2.0
/*
 * Events as lines of text: the format of each is compiled into the function that its class
 * has, and what that calls is here.
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
#include "messages/print.h"
#include "output/output.h"

/* It is the one that begins the line. */
static struct trace_output *output_of(struct trace_event_line *line)
{
	return (struct trace_output *)line->iter;
}

/* A copy leaves room in @o->tmp for the texts and pieces of its line. */
#define COPY_MAX	(TRACE_SEQ_BUFFER_SIZE / 4)

/* Return: a copy of the first @used bytes of the record, and NULs; NULL if it is too long. */
static void *copy_record(struct trace_output *o, unsigned int used)
{
	unsigned int size = round_up(o->r.ent_size + 1, sizeof(long));
	void *copy;

	if (size > COPY_MAX)
		return NULL;
	copy = trace_seq_acquire(&o->tmp, size);
	memcpy(copy, o->r.ent, used);
	memset(copy + used, 0, size - used);
	return copy;
}

/* ------------------------------------------------------------------ */
/* Arrays behind a record						*/

/**
 * struct behind - what a look at the record has found
 * @is_there: all that the record says to be behind it
 * @is_ended: each text there has a NUL
 * @used: where the last array ends; nobody has written what may be behind it
 */
struct behind {
	bool is_there, is_ended;
	unsigned int used;
};

/* A record may be of an event that has gone, and its number that of this one. */
static struct behind look_behind(const struct trace_output *o)
{
	struct behind b = { true, true, o->type->size };
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

/* True if a string is there as long as the event. */
static bool is_constant(const struct event *event, const char *text)
{
	return message_may_follow(text) ||
	       (event->call->module &&
		within_module_core((unsigned long)text, event->call->module));
}

/* Whoever had another string may have gone since. Return: a copy, or what stands for it. */
static const char *copy_text(struct trace_output *o, const char *text)
{
	char *copy;

	if (!text)
		return NULL;
	if (!is_constant(container_of(o->type, struct event, type), text))
		return "(unsafe)";
	copy = trace_seq_acquire(&o->tmp, MAX_FILTER_STR_VAL);
	if (strncpy_from_kernel_nofault(copy, text, MAX_FILTER_STR_VAL) < 0)
		return "(efault)";
	copy[MAX_FILTER_STR_VAL - 1] = '\0';
	return copy;
}

/* Each takes its room; half is for what else the line is made of. */
static const char *text_at(struct trace_output *o, const char *text)
{
	if (seq_buf_buffer_left(&o->tmp.seq) <= TRACE_SEQ_BUFFER_SIZE / 2)
		return "(too many)";
	return copy_text(o, text);
}

static void replace_texts(struct trace_output *o, void *copy)
{
	const struct trace_event_fields *f;
	unsigned int at;

	for (f = record_fields_begin(o->type->fields, &at); f->type; f = record_field_next(f, &at))
		if (record_field_is_pointer_to_text(f))
			*(const char **)(copy + at) = text_at(o, *(char **)(copy + at));
}

/* ------------------------------------------------------------------ */
/* The line								*/

static enum print_line_t put_note(struct trace_output *o, const char *note)
{
	trace_seq_printf(&o->seq, "%s: %s\n", o->type->name, note);
	return output_done(&o->seq);
}

static enum print_line_t put_event(struct trace_output *o, void *rec)
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
	struct behind b = event->locates ? look_behind(o) : (struct behind){ true, true, 0 };
	void *rec = o->r.ent;

	if (!b.is_there)
		return put_note(o, "(not its record)");
	trace_seq_init(&o->tmp);
	if (event->points || !b.is_ended)
		rec = copy_record(o, b.is_ended ? o->r.ent_size : b.used);
	if (!rec)
		return put_note(o, "(too long)");
	if (event->points)
		replace_texts(o, rec);
	return put_event(o, rec);
}

const struct record_class event_class = { .text = event_text };

/* ------------------------------------------------------------------ */
/* The format								*/

/* How long @fmt is when each bare %p is %px. */
static size_t unhashed_size(const char *fmt)
{
	size_t size = strlen(fmt) + 1;

	for (fmt = strstr(fmt, "%p"); fmt; fmt = strstr(fmt + 2, "%p"))
		size++;
	return size;
}

static void unhash(char *to, const char *fmt)
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

/* Option hash-ptr is not set: addresses as they are. */
static const char *format_for(struct trace_event_line *line, const char *fmt)
{
	size_t size;
	char *own;

	if (output_of(line)->options & TRACE_OPT_HASH_PTR)
		return fmt;
	size = unhashed_size(fmt);
	/* The pieces of a long record may have left no room. */
	if (size > seq_buf_buffer_left(&line->tmp->seq))
		return fmt;
	own = trace_seq_acquire(line->tmp, size);
	unhash(own, fmt);
	return own;
}

void trace_event_printf(struct trace_event_line *line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace_seq_vprintf(&output_of(line)->seq, format_for(line, fmt), args);
	va_end(args);
}
EXPORT_SYMBOL_GPL(trace_event_printf);

/* ------------------------------------------------------------------ */
/* Pieces, each a string of its own in what is put together for a line	*/

static const char *piece_done(struct trace_seq *p, const char *piece)
{
	trace_seq_putc(p, '\0');
	return trace_seq_has_overflowed(p) ? "" : piece;
}

/**
 * trace_print_flags_seq - the names of bits
 * @p: where to
 * @delim: between them
 * @flags: the bits
 * @flag_array: names, ended by one that is NULL
 *
 * What no name is left for is a number behind them.
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
	return piece_done(p, piece);
}
EXPORT_SYMBOL(trace_print_flags_seq);

/**
 * trace_print_symbols_seq - the name of a value
 * @p: where to
 * @val: the value
 * @symbol_array: names, ended by one that is NULL
 *
 * Context: any.
 * Return: the text: the number, if it has no name.
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
	return piece_done(p, piece);
}
EXPORT_SYMBOL(trace_print_symbols_seq);

#if BITS_PER_LONG == 32
/* As trace_print_flags_seq(), of 64 bits. */
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
	return piece_done(p, piece);
}
EXPORT_SYMBOL(trace_print_flags_seq_u64);

/* As trace_print_symbols_seq(), of 64 bits. */
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
	return piece_done(p, piece);
}
EXPORT_SYMBOL(trace_print_symbols_seq_u64);
#endif

/**
 * trace_print_bitmask_seq - a bitmask, in hex
 * @p: where to
 * @bitmask_ptr: the mask
 * @bitmask_size: bytes of it
 *
 * Context: any.
 * Return: the text.
 */
const char *trace_print_bitmask_seq(struct trace_seq *p, void *bitmask_ptr,
				    unsigned int bitmask_size)
{
	const char *piece = trace_seq_buffer_ptr(p);

	trace_seq_bitmask(p, bitmask_ptr, bitmask_size * BITS_PER_BYTE);
	return piece_done(p, piece);
}
EXPORT_SYMBOL_GPL(trace_print_bitmask_seq);

/**
 * trace_print_hex_seq - bytes, in hex
 * @p: where to
 * @buf: the bytes
 * @len: how many
 * @concatenate: without blanks between them
 *
 * Context: any.
 * Return: the text.
 */
const char *trace_print_hex_seq(struct trace_seq *p, const unsigned char *buf, int len,
				bool concatenate)
{
	const char *piece = trace_seq_buffer_ptr(p);

	/* A record that somebody has made up may say that they are any number. */
	for (int i = 0; i < len && !trace_seq_has_overflowed(p); i++)
		trace_seq_printf(p, "%s%02x", i && !concatenate ? " " : "", buf[i]);
	return piece_done(p, piece);
}
EXPORT_SYMBOL(trace_print_hex_seq);

static u64 element(const void *buf, int i, size_t el_size)
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
 * trace_print_array_seq - numbers in braces
 * @p: where to
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
		trace_seq_printf(p, "%s0x%llx", i ? "," : "", element(buf, i, el_size));
	trace_seq_putc(p, '}');
	return piece_done(p, piece);
}
EXPORT_SYMBOL(trace_print_array_seq);

/**
 * trace_print_hex_dump_seq - memory, as print_hex_dump() has it
 * @p: where to
 * @prefix_str: before each line
 * @prefix_type: what comes next: DUMP_PREFIX_*
 * @rowsize: bytes a line: 16 or 32
 * @groupsize: bytes a word
 * @buf: the memory
 * @len: bytes of it
 * @ascii: as characters, too
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
	return piece_done(p, piece);
}
EXPORT_SYMBOL(trace_print_hex_dump_seq);
