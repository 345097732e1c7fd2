/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a record to a line of text.
 */
#ifndef _KERNEL_TRACE_OUTPUT_H
#define _KERNEL_TRACE_OUTPUT_H

#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include "read/reader.h"
#include "types/types.h"

struct output_part_ops;
struct record_type;
struct seq_file;
struct sym_cache;
struct tracer;

/**
 * struct output_part - what somebody keeps with an output, from line to line
 * @ops: whose it is
 * @next: another one's
 */
struct output_part {
	const struct output_part_ops	*ops;
	struct output_part		*next;
};

/**
 * struct output_part_ops - what becomes of it
 * @rewind: the reader begins anew; may be NULL
 * @free: the end of the output
 */
struct output_part_ops {
	void	(*rewind)(struct output_part *part);
	void	(*free)(struct output_part *part);
};

/**
 * struct trace_output - records as lines
 * @r: where they come from
 * @tracer: the current tracer when the output was made, or began anew
 * @options: the instance's options (TRACE_OPT_*) as the current line sees them
 * @latency: option latency-format was on when the output was made, or it is reused
 * @symbols: names of addresses, or NULL
 * @parts: what others keep with it
 * @type: of the record, while its line is printed; NULL if it is not known
 * @seq: the text
 * @tmp: what a line is put together of
 *
 * Only one thread at a time may use it: its file sees to that.
 */
struct trace_output {
	struct trace_reader	r;
	struct tracer		*tracer;
	u32			options;
	bool			latency;
	struct sym_cache	*symbols;
	struct output_part	*parts;
	const struct record_type *type;
	struct trace_seq	seq;
	struct trace_seq	tmp;
};

/**
 * output_alloc - make an output that consumes what it prints
 * @tr: the instance, pinned by the caller for as long
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep.
 * Return: the output, or ERR_PTR(-ENOMEM).
 */
struct trace_output *output_alloc(struct trace_array *tr, int cpu);

/**
 * output_alloc_iterating - make an output that leaves everything in the buffer
 * @tr: the instance, pinned by the caller for as long
 * @buffer: one of its buffers
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 *
 * Its use begins with output_rewind(). See reader_init_iterating().
 *
 * Context: may sleep.
 * Return: the output, or ERR_PTR(-ENOMEM).
 */
struct trace_output *output_alloc_iterating(struct trace_array *tr,
					    struct trace_buffer *buffer, int cpu);

/**
 * output_free - the end of an output
 * @o: the output, its reader not locked
 *
 * Context: may sleep.
 */
void output_free(struct trace_output *o);

/**
 * output_reuse - turn an output to another instance or CPU
 * @o: an output that consumes, made for all CPUs and not in use
 * @tr: the instance
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 *
 * For the dump on oops: takes no memory, and marks the reader as one that must not sleep.
 * The lines are in latency format. See reader_reuse().
 *
 * Context: any, NMI included.
 */
void output_reuse(struct trace_output *o, struct trace_array *tr, int cpu);

/**
 * output_rewind - begin anew with the oldest record
 * @o: an output that does not consume
 *
 * Context: any; see reader_rewind().
 */
void output_rewind(struct trace_output *o);

/**
 * output_part - what is kept with an output
 * @o: the output
 * @ops: whose
 *
 * Context: any.
 * Return: the part, or NULL.
 */
struct output_part *output_part(const struct trace_output *o,
				const struct output_part_ops *ops);

/**
 * output_part_add - keep something with an output
 * @o: the output
 * @part: what; its @ops are set, and are not those of another part of @o
 *
 * Context: any.
 */
void output_part_add(struct trace_output *o, struct output_part *part);

/**
 * output_type - the type of the reader's current record
 * @o: the output, at a record
 *
 * Context: as for record_print_fn.
 * Return: the type; NULL if there is none, or if its number was that of another type when
 * the record was made, as far as can be seen by the size.
 */
static inline const struct record_type *output_type(const struct trace_output *o)
{
	const struct record_type *type = record_type_of(o->r.ent->type);

	return type && o->r.ent_size >= type->size ? type : NULL;
}

/**
 * output_line - print the reader's current record
 * @o: the output, at a record; the text is added to @o->seq
 *
 * The options of the instance, as they are now, choose the format; they are
 * left in @o->options.
 *
 * Context: as for record_print_fn.
 * Return: what the type said: TRACE_TYPE_HANDLED, or
 * TRACE_TYPE_PARTIAL_LINE when @o->seq could not hold all of it and has a part.
 */
enum print_line_t output_line(struct trace_output *o);

/**
 * output_too_long - end a line that did not fit
 * @s: holds the part that did
 *
 * A note takes the place of the end of that part; @s no longer counts as full.
 *
 * Context: any.
 */
void output_too_long(struct trace_seq *s);

/**
 * output_title - print the lines that every header begins with
 * @m: where to
 * @o: an output
 *
 * The name of the tracer, and whether function tracing has broken down.
 *
 * Context: process.
 */
void output_title(struct seq_file *m, struct trace_output *o);

/**
 * output_header - print what stands above the first record in `trace`
 * @m: where to
 * @o: an output that does not consume, not yet advanced
 *
 * Context: process; takes no lock but those of the ring buffer.
 */
void output_header(struct seq_file *m, struct trace_output *o);

/**
 * output_picture - print what stands right above the records, unless the tracer knows better
 * @m: where to
 * @o: as for output_header()
 *
 * Context: as output_header().
 */
void output_picture(struct seq_file *m, struct trace_output *o);

/**
 * output_fields - print what option fields shows of the record, and a newline
 * @o: the output, at a record
 *
 * Context: as for record_print_fn.
 * Return: as record_print_fn.
 */
enum print_line_t output_fields(struct trace_output *o);

/**
 * output_context - print the columns that stand before the text of a record
 * @o: the output, at a record
 *
 * The task, the CPU, the flags and the time, as far as the options want them,
 * up to ": ". Without room for all of them @o->seq counts as full.
 *
 * Context: as for record_print_fn.
 */
void output_context(struct trace_output *o);

/**
 * output_latency_context - the same columns under option latency-format
 * @o: the output, at a record
 *
 * Looks at the record behind this one: @o->r.ent may point elsewhere afterwards,
 * to the same content (see reader_next_ts()).
 *
 * Context: may sleep; record_types_lock() held.
 */
void output_latency_context(struct trace_output *o);

/**
 * output_flags - print the letters of a record's context, all five
 * @o: the output, at a record
 *
 * Without room for all columns @o->seq counts as full.
 *
 * Context: any.
 */
void output_flags(struct trace_output *o);

/**
 * output_address - print the name of an address, as the options want it
 * @o: the output
 * @addr: the address; 0 is none, and prints as that
 *
 * Context: any.
 */
void output_address(struct trace_output *o, unsigned long addr);

/**
 * output_time - print a time as the columns show it
 * @o: the output, whose clock it is of
 * @ts: the time, in units of that clock
 *
 * A blank, then seconds with six decimals if the clock counts nanoseconds, else
 * the bare number. Without room for all columns @o->seq counts as full.
 *
 * Context: any.
 */
void output_time(struct trace_output *o, u64 ts);

/**
 * output_since - how long after the beginning a record was recorded
 * @o: the output, at a record
 *
 * Of what a tracer keeps, the beginning is that of the kept time, else when the buffer was
 * last emptied.
 *
 * Context: any.
 * Return: the time, in units of the instance's clock; 0 for what is older.
 */
u64 output_since(const struct trace_output *o);

/* Enough for output_usecs(). */
#define OUTPUT_USECS_MAX	32

/**
 * output_usecs - print a duration as a column
 * @text: OUTPUT_USECS_MAX bytes
 * @nsecs: the duration
 *
 * "0.437 us    ": microseconds in at least eight columns, with as many digits behind the
 * point, up to three, as there is room for.
 *
 * Context: any.
 * Return: @text.
 */
char *output_usecs(char *text, u64 nsecs);

/**
 * output_mark - the character that says how long a duration is
 * @nsecs: the duration, in nanoseconds
 *
 * Context: any.
 * Return: a blank up to 10 us, then one of "+!#*@$" for above 10 us, 100 us,
 * 1 ms, 10 ms, 100 ms, 1 s.
 */
char output_mark(u64 nsecs);

/* For the formats hex and binary: the bytes of a value of any type. */
#define OUTPUT_HEX(s, value)						\
do {									\
	typeof(value) output_hex = (value);				\
	trace_seq_putmem_hex(s, &output_hex, sizeof(output_hex));	\
} while (0)

#define OUTPUT_BINARY(s, value)						\
do {									\
	typeof(value) output_binary = (value);				\
	trace_seq_putmem(s, &output_binary, sizeof(output_binary));	\
} while (0)

/**
 * output_place - a part of a line is written where it stands
 * @s: the line
 * @room: the bytes that it may take
 *
 * For what each of many lines has: it need not be copied, nor asked for room for each word.
 *
 * Context: as for &record_class.text.
 * Return: where to write, then output_placed() is due; NULL if there is less room, and the
 * line counts as too long.
 */
static inline char *output_place(struct trace_seq *s, size_t room)
{
	if (TRACE_SEQ_BUFFER_SIZE - trace_seq_used(s) >= room)
		return trace_seq_buffer_ptr(s);
	s->full = 1;
	return NULL;
}

/**
 * output_placed - that part of the line is there
 * @s: the line
 * @behind: where the part ends
 *
 * Context: as for output_place().
 */
static inline void output_placed(struct trace_seq *s, const char *behind)
{
	seq_buf_commit(&s->seq, behind - trace_seq_buffer_ptr(s));
}

/**
 * output_text - a word of a line that each of many lines has
 * @s: the line
 * @text: a constant: no call is needed to copy it
 *
 * As trace_seq_puts(), at a third of its price.
 *
 * Context: as for output_place().
 */
static __always_inline void output_text(struct trace_seq *s, const char *text)
{
	const size_t len = strlen(text);
	char *p = s->full ? NULL : output_place(s, len);

	if (p)
		output_placed(s, memcpy(p, text, len) + len);
}

/**
 * output_locate - where an array is that is behind a record
 * @o: the output, at a record
 * @f: the field that says so
 * @at: where the field is
 * @place: set to where the array is
 * @size: set to the length of the array
 *
 * Context: as for output_place().
 * Return: false if the record is too short for that: then it is of another type that had
 * this number, or somebody has made it up.
 */
static inline bool output_locate(const struct trace_output *o, const struct trace_event_fields *f,
				 unsigned int at, unsigned int *place, unsigned int *size)
{
	u32 word = get_unaligned((const u32 *)((const void *)o->r.ent + at));

	*place = word & 0xffff;
	*size = word >> 16;
	if (record_field_is_rel_loc(f))
		*place += at + sizeof(word);
	return *place <= o->r.ent_size && *size <= o->r.ent_size - *place;
}

/**
 * output_chars - text that may end without a NUL
 * @s: the line
 * @text: the text
 * @room: where it ends at the latest, as a number of bytes
 *
 * As "%.*s", which takes no more than 32,767 of them, while a record may have more.
 *
 * Context: as for output_place().
 */
static inline void output_chars(struct trace_seq *s, const char *text, size_t room)
{
	trace_seq_putmem(s, text, strnlen(text, room));
}

/**
 * output_done - what a record_print_fn returns at its end
 * @s: what it has printed into
 *
 * Context: any.
 * Return: TRACE_TYPE_PARTIAL_LINE if something did not fit, else
 * TRACE_TYPE_HANDLED.
 */
static inline enum print_line_t output_done(struct trace_seq *s)
{
	return trace_seq_has_overflowed(s) ? TRACE_TYPE_PARTIAL_LINE
					   : TRACE_TYPE_HANDLED;
}

#endif
