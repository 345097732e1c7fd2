/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printing records as lines of text, for the files of an instance, and for ftrace_dump().
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
 * struct output_part - state that a function that prints records keeps in an output between lines
 * @ops: operations of the owner of the part, by which output_part() finds it
 * @next: next part of the same output
 *
 * The owner embeds it in a structure of its own.
 */
struct output_part {
	const struct output_part_ops	*ops;
	struct output_part		*next;
};

/**
 * struct output_part_ops - operations of the owner of a part
 * @rewind: called to reset the part when the reader starts again with the oldest record; may be
 *	NULL
 * @free: called to free the part when the output is freed
 */
struct output_part_ops {
	void	(*rewind)(struct output_part *part);
	void	(*free)(struct output_part *part);
};

/**
 * struct trace_output - an output: reads the records of an instance, and prints them as lines
 * @r: reader that supplies the records
 * @tracer: the tracer that was current when the output was created or reused, or was last read
 *	from the beginning
 * @options: options of the instance (TRACE_OPT_*), read once for each line
 * @latency: true if option latency-format was on at output_alloc(), or after output_reuse()
 * @symbols: cache of the names of addresses; NULL if there was no memory for it
 * @parts: list of the state that functions that print records keep in the output
 * @type: type of the current record while its line is printed; NULL if it is not known
 * @seq: text of the line
 * @tmp: scratch space for parts of a line
 *
 * Only one thread at a time may use an output; the file that owns it ensures this.
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
 * output_alloc() - create an output that consumes the records it prints
 * @tr: the instance, pinned by the caller until output_free()
 * @cpu: CPU whose records are printed, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep.
 * Return: the output, or ERR_PTR(-ENOMEM).
 */
struct trace_output *output_alloc(struct trace_array *tr, int cpu);

/**
 * output_alloc_iterating() - create an output that leaves all records in the buffer
 * @tr: the instance, pinned by the caller until output_free()
 * @buffer: one of the buffers of the instance
 * @cpu: CPU whose records are printed, or RING_BUFFER_ALL_CPUS
 *
 * The caller must call output_rewind() first. See reader_init_iterating().
 *
 * Context: may sleep.
 * Return: the output, or ERR_PTR(-ENOMEM).
 */
struct trace_output *output_alloc_iterating(struct trace_array *tr,
					    struct trace_buffer *buffer, int cpu);

/**
 * output_free() - free an output
 * @o: the output, whose reader is not locked
 *
 * Context: may sleep.
 */
void output_free(struct trace_output *o);

/**
 * output_rewind() - start again with the oldest record
 * @o: output from output_alloc_iterating()
 *
 * Context: any; see reader_rewind().
 */
void output_rewind(struct trace_output *o);

/**
 * output_part() - find the part of an output that belongs to an owner
 * @o: the output
 * @ops: operations of the owner of the part
 *
 * Context: any.
 * Return: the part; NULL if the owner has added none.
 */
struct output_part *output_part(const struct trace_output *o,
				const struct output_part_ops *ops);

/**
 * output_part_add() - add a part to an output
 * @o: the output
 * @part: the part, with @part->ops set; the output must not have a part with the same ops
 *
 * Context: any.
 */
void output_part_add(struct trace_output *o, struct output_part *part);

/**
 * output_type() - find the type of the current record
 * @o: the output, at a record
 *
 * Context: as for record_print_fn.
 * Return: the type; NULL if no type has the record's number, or if the record is too short for the
 * type: then it is a record of another type, which had that number before.
 */
static inline const struct record_type *output_type(const struct trace_output *o)
{
	const struct record_type *type = record_type_of(o->r.ent->type);

	return type && o->r.ent_size >= type->size ? type : NULL;
}

/**
 * output_line() - print the current record as a line
 * @o: the output, at a record; the text is added to @o->seq
 *
 * Reads the options of the instance, which select the format, and stores them in @o->options.
 *
 * Context: as for record_print_fn.
 * Return: TRACE_TYPE_HANDLED; TRACE_TYPE_PARTIAL_LINE if only a part of the text fits into
 * @o->seq.
 */
enum print_line_t output_line(struct trace_output *o);

/**
 * output_mark_truncated() - add a note to a line that did not fit into its sequence
 * @s: the sequence, which has the beginning of the line
 *
 * Overwrites the end of that with the note, if needed. Afterwards @s does not count as full.
 *
 * Context: any.
 */
void output_mark_truncated(struct trace_seq *s);

/**
 * output_title() - print the first lines of every header
 * @m: file that the lines are printed to
 * @o: the output
 *
 * The lines are the name of the tracer, and a warning if function tracing has failed.
 *
 * Context: process.
 */
void output_title(struct seq_file *m, struct trace_output *o);

/**
 * output_header() - print the header of the file trace
 * @m: file that the header is printed to
 * @o: output from output_alloc_iterating(), before its first record
 *
 * Context: process; takes no locks except those of the ring buffer.
 */
void output_header(struct seq_file *m, struct trace_output *o);

/**
 * output_column_header() - print the header of the columns, for tracers without one of their own
 * @m: file that the header is printed to
 * @o: output from output_alloc_iterating(), before its first record
 *
 * Context: process; takes no locks except those of the ring buffer.
 */
void output_column_header(struct seq_file *m, struct trace_output *o);

/**
 * output_fields() - print the fields of the current record, for option fields
 * @o: the output, at a record
 *
 * Context: as for record_print_fn.
 * Return: as for record_print_fn.
 */
enum print_line_t output_fields(struct trace_output *o);

/**
 * output_flags() - print the five characters that show the context of a record
 * @o: the output, at a record
 *
 * If there is not enough room, prints nothing; then @o->seq counts as full.
 *
 * Context: any.
 */
void output_flags(struct trace_output *o);

/**
 * output_address() - print the name of an address in the form selected by the options
 * @o: the output
 * @addr: the address; 0 is printed as "0"
 *
 * Context: any.
 */
void output_address(struct trace_output *o, unsigned long addr);

/**
 * output_time() - print a time in the form of the time column
 * @o: the output
 * @ts: the time, in units of the clock of the instance
 *
 * Prints a blank and, if the clock counts nanoseconds, seconds with six decimals, otherwise
 * @ts. If there is not enough room, prints nothing; then @o->seq counts as full.
 *
 * Context: any.
 */
void output_time(struct trace_output *o, u64 ts);

/**
 * output_since() - get the time of a record, relative to the beginning of the trace
 * @o: the output, at a record
 *
 * If the tracer has kept a latency, the trace begins when that began; otherwise when the buffer was
 * emptied last.
 *
 * Context: any.
 * Return: the time, in units of the clock of the instance; 0 for an older record.
 */
u64 output_since(const struct trace_output *o);

/* Size of a buffer for output_usecs(), in bytes. */
#define OUTPUT_USECS_MAX	32

/**
 * output_usecs() - format a duration as a column, such as "0.437 us    "
 * @text: buffer of OUTPUT_USECS_MAX bytes
 * @nsecs: the duration in nanoseconds
 *
 * The number is padded to eight columns. It has up to three decimals: as many as fit into these.
 *
 * Context: any.
 * Return: @text.
 */
char *output_usecs(char *text, u64 nsecs);

/**
 * output_mark() - get the character that marks how long a duration is
 * @nsecs: the duration, in nanoseconds
 *
 * Context: any.
 * Return: a blank up to 10 us, then one of "+!#*@$" for above 10 us, 100 us,
 * 1 ms, 10 ms, 100 ms, 1 s.
 */
char output_mark(u64 nsecs);

/* Print the bytes of a value of any type as hexadecimal digits, for option hex. */
#define OUTPUT_HEX(s, value)						\
do {									\
	typeof(value) output_hex = (value);				\
	trace_seq_putmem_hex(s, &output_hex, sizeof(output_hex));	\
} while (0)

/* Print the bytes of a value of any type as they are, for option bin. */
#define OUTPUT_BINARY(s, value)						\
do {									\
	typeof(value) output_binary = (value);				\
	trace_seq_putmem(s, &output_binary, sizeof(output_binary));	\
} while (0)

/**
 * output_reserve() - reserve room in a line, so that the caller can write to it directly
 * @s: the line
 * @room: maximum number of bytes that the caller will write
 *
 * This is faster than trace_seq_printf(), which matters for text that most lines have.
 *
 * Context: as for record_print_fn.
 * Return: address to write to, after which output_commit() must be called; NULL without enough
 * room, in which case the line counts as too long.
 */
static inline char *output_reserve(struct trace_seq *s, size_t room)
{
	if (TRACE_SEQ_BUFFER_SIZE - trace_seq_used(s) >= room)
		return trace_seq_buffer_ptr(s);
	s->full = 1;
	return NULL;
}

/**
 * output_commit() - add to a line what was written after output_reserve()
 * @s: the line
 * @behind: address behind the last byte that was written
 *
 * Context: as for record_print_fn.
 */
static inline void output_commit(struct trace_seq *s, const char *behind)
{
	seq_buf_commit(&s->seq, behind - trace_seq_buffer_ptr(s));
}

/**
 * output_text() - add a constant string to a line
 * @s: the line
 * @text: the string, constant so that the compiler inlines the copy
 *
 * For text that many lines have: takes a third of the time of trace_seq_puts().
 *
 * Context: as for record_print_fn.
 */
static __always_inline void output_text(struct trace_seq *s, const char *text)
{
	const size_t len = strlen(text);
	char *p = s->full ? NULL : output_reserve(s, len);

	if (p)
		output_commit(s, memcpy(p, text, len) + len);
}

/**
 * output_locate() - find a dynamic array of a record
 * @o: the output, at a record
 * @f: field that holds the location, __data_loc or __rel_loc
 * @at: offset of the field in the record
 * @place: set to the offset of the array in the record
 * @size: set to the size of the array in bytes
 *
 * Context: as for record_print_fn.
 * Return: true; false if the array does not fit into the record: then the record was written by
 * another type that had the same number before, or by user space.
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
 * output_chars() - add text that may lack a terminating NUL to a line
 * @s: the line
 * @text: the text
 * @room: maximum length of the text in bytes
 *
 * "%.*s" cannot be used instead, because its precision is limited to 32,767, while text in a record
 * may be longer.
 *
 * Context: as for record_print_fn.
 */
static inline void output_chars(struct trace_seq *s, const char *text, size_t room)
{
	trace_seq_putmem(s, text, strnlen(text, room));
}

/**
 * output_done() - get the return value of a record_print_fn
 * @s: sequence to which it has printed
 *
 * Context: any.
 * Return: TRACE_TYPE_PARTIAL_LINE if something did not fit, otherwise TRACE_TYPE_HANDLED.
 */
static inline enum print_line_t output_done(struct trace_seq *s)
{
	return trace_seq_has_overflowed(s) ? TRACE_TYPE_PARTIAL_LINE
					   : TRACE_TYPE_HANDLED;
}

#endif
