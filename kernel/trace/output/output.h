/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a record to a line of text.
 */
#ifndef _KERNEL_TRACE_OUTPUT_H
#define _KERNEL_TRACE_OUTPUT_H

#include <linux/trace_events.h>
#include <linux/trace_seq.h>
#include <linux/types.h>

struct seq_file;
struct trace_reader;

/**
 * typedef output_fn - print what is special to one type of record
 * @r: the reader; the record is @r->ent, the text goes to @r->seq
 *
 * The text ends with a newline, except in the formats hex, to which
 * output_line() adds one, and binary.
 *
 * Context: may sleep unless @r->atomic; that of the dump on oops is any, NMI
 * included. output_lock() is held unless @r->atomic.
 *
 * Return: TRACE_TYPE_HANDLED, or what output_done() makes of a full sequence.
 */
typedef enum print_line_t (*output_fn)(struct trace_reader *r);

/**
 * struct output_handler - how one type of record is printed
 * @trace: for people, behind the columns that all types share
 * @raw: option raw: numbers
 * @hex: option hex
 * @binary: option bin
 *
 * A format that is NULL prints "type: N". Option fields goes by the description
 * of the type instead of @trace.
 */
struct output_handler {
	output_fn	trace;
	output_fn	raw;
	output_fn	hex;
	output_fn	binary;
};

/**
 * output_register - say how a new type of record is printed
 * @handler: its formats; stays until output_unregister()
 *
 * Context: may sleep.
 * Return: the number of the type, to be put into trace_entry.type, or -ENOMEM,
 * -EBUSY when all numbers are in use.
 */
int output_register(const struct output_handler *handler);

/**
 * output_unregister - the handler of a type is about to go
 * @type: what output_register() returned
 *
 * Waits for lines that are being printed, but not for the dump on oops. Records
 * of that type that are still in a buffer print as unknown, or as the next type
 * that is given its number.
 *
 * Context: sleeps; not under output_lock().
 */
void output_unregister(int type);

/**
 * output_lock - keep handlers from going away
 *
 * Held around output_line(), by as many as want to. The dump on oops does
 * without.
 *
 * Context: may sleep; taken inside the locks of readers and of their files.
 */
void output_lock(void);

/**
 * output_unlock - handlers may go away
 *
 * Context: any that may have taken output_lock().
 */
void output_unlock(void);

/**
 * output_line - print the reader's current record
 * @r: the reader, at a record; the text is added to @r->seq
 *
 * The options of the instance, as they are now, choose the format; they are
 * left in @r->options.
 *
 * Context: as for output_fn.
 * Return: what the handler of the type said: TRACE_TYPE_HANDLED, or
 * TRACE_TYPE_PARTIAL_LINE when @r->seq could not hold all of it and has a part.
 */
enum print_line_t output_line(struct trace_reader *r);

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
 * @r: a reader
 *
 * The name of the tracer, and whether function tracing has broken down.
 *
 * Context: process.
 */
void output_title(struct seq_file *m, struct trace_reader *r);

/**
 * output_header - print what stands above the first record in `trace`
 * @m: where to
 * @r: a reader that does not consume, not yet advanced
 *
 * Context: process; takes no lock but those of the ring buffer.
 */
void output_header(struct seq_file *m, struct trace_reader *r);

/**
 * output_picture - print what stands right above the records, unless the tracer knows better
 * @m: where to
 * @r: as for output_header()
 *
 * Context: as output_header().
 */
void output_picture(struct seq_file *m, struct trace_reader *r);

/**
 * output_handler_of - the handler of a type
 * @type: any number
 *
 * Context: output_lock() held, or where handlers do not go.
 * Return: the handler; NULL where there is none.
 */
const struct output_handler *output_handler_of(unsigned int type);

/**
 * output_builtin - the handler of one of the tracer's own types
 * @type: any number
 *
 * Context: any.
 * Return: the handler, there for good; NULL where there is none.
 */
const struct output_handler *output_builtin(unsigned int type);

/**
 * output_fields - print what option fields shows of the record, and a newline
 * @r: the reader, at a record
 *
 * Context: as for output_fn.
 * Return: as output_fn.
 */
enum print_line_t output_fields(struct trace_reader *r);

/**
 * output_context - print the columns that stand before the text of a record
 * @r: the reader, at a record
 *
 * The task, the CPU, the flags and the time, as far as the options want them,
 * up to ": ". Without room for all of them @r->seq counts as full.
 *
 * Context: as for output_fn.
 */
void output_context(struct trace_reader *r);

/**
 * output_latency_context - the same columns under option latency-format
 * @r: the reader, at a record
 *
 * Looks at the record behind this one: @r->ent may point elsewhere afterwards,
 * to the same content (see reader_next_ts()).
 *
 * Context: may sleep; output_lock() held.
 */
void output_latency_context(struct trace_reader *r);

/**
 * output_bprint - print the message of a TRACE_BPRINT record, and only that
 * @r: the reader, at such a record
 *
 * A format that may be gone by now is not followed; its address is printed
 * instead.
 *
 * Context: as for output_fn.
 */
void output_bprint(struct trace_reader *r);

/**
 * output_bputs - print the string of a TRACE_BPUTS record, and only that
 * @r: the reader, at such a record
 *
 * As output_bprint().
 *
 * Context: as for output_fn.
 */
void output_bputs(struct trace_reader *r);

/**
 * output_flags - print the letters of a record's context, all five
 * @r: the reader, at a record
 *
 * Without room for all columns @r->seq counts as full.
 *
 * Context: any.
 */
void output_flags(struct trace_reader *r);

/**
 * output_address - print the name of an address, as the options want it
 * @r: the reader
 * @addr: the address; 0 is none, and prints as that
 *
 * Context: any.
 */
void output_address(struct trace_reader *r, unsigned long addr);

/**
 * output_time - print a time as the columns show it
 * @r: the reader, whose clock it is of
 * @ts: the time, in units of that clock
 *
 * A blank, then seconds with six decimals if the clock counts nanoseconds, else
 * the bare number. Without room for all columns @r->seq counts as full.
 *
 * Context: any.
 */
void output_time(struct trace_reader *r, u64 ts);

/**
 * output_since - how long after the beginning a record was recorded
 * @r: the reader, at a record
 *
 * Of what a tracer keeps, the beginning is that of the kept time, else when the buffer was
 * last emptied.
 *
 * Context: any.
 * Return: the time, in units of the instance's clock; 0 for what is older.
 */
u64 output_since(const struct trace_reader *r);

/**
 * output_mark - the character that says how long a duration is
 * @nsecs: the duration, in nanoseconds
 *
 * Context: any.
 * Return: a blank up to 10 us, then one of "+!#*@$" for above 10 us, 100 us,
 * 1 ms, 10 ms, 100 ms, 1 s.
 */
char output_mark(u64 nsecs);

/**
 * output_done - what an output_fn returns at its end
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
