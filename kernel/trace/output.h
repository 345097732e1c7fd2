/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a record to a line of text.
 */
#ifndef _KERNEL_TRACE_OUTPUT_H
#define _KERNEL_TRACE_OUTPUT_H

#include <linux/kallsyms.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>
#include <linux/types.h>

struct seq_file;
struct trace_reader;

/**
 * typedef output_fn - print what is special to one type of record
 * @r: the reader; the record is @r->ent, the text goes to @r->seq
 *
 * The text ends with a newline, except in the binary format. May sleep unless
 * the reader was set up by the dump on oops.
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
 * A format that is NULL prints "type: N".
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
 * Sleeps.
 *
 * Return: the number of the type, to be put into trace_entry.type, or -ENOMEM,
 * -EBUSY when all numbers are in use.
 */
int output_register(const struct output_handler *handler);

/**
 * output_unregister - the handler of a type is about to go
 * @type: what output_register() returned
 *
 * Waits for lines that are being printed. Records of that type that are still
 * in a buffer print as unknown. Sleeps; not under output_lock().
 */
void output_unregister(int type);

/**
 * output_lock - keep handlers from going away
 *
 * Held around output_line(). Sleeps. The dump on oops does without.
 */
void output_lock(void);
void output_unlock(void);

/**
 * output_line - print the reader's current record
 * @r: the reader; its options choose the format
 *
 * Return: TRACE_TYPE_PARTIAL_LINE when @r->seq could not hold all of it.
 */
enum print_line_t output_line(struct trace_reader *r);

/**
 * output_too_long - end a line that did not fit
 * @s: holds the part that did
 */
void output_too_long(struct trace_seq *s);

/**
 * output_header - print what stands above the first record in `trace`
 * @m: where to
 * @r: the reader, not yet advanced
 */
void output_header(struct seq_file *m, struct trace_reader *r);

/* Handlers of the types that are built in, by type; NULL where there is none. */
const struct output_handler *output_builtin(unsigned int type);

/* The text of a record under option fields. */
enum print_line_t output_fields(struct trace_reader *r);

/* Columns before the text of a record: for people, and latency-format. */
void output_context(struct trace_reader *r);
void output_latency_context(struct trace_reader *r);

/* The message of a TRACE_BPRINT or TRACE_BPUTS record, without what precedes it. */
void output_bprint(struct trace_reader *r);
void output_bputs(struct trace_reader *r);

/* A time of the reader's clock, as the columns show it. */
void output_time(struct trace_reader *r, u64 ts);

/* The mark that follows a duration: how many powers of ten it is above 10 us. */
char output_mark(u64 nsecs);

/* What an output_fn returns at its end. */
static inline enum print_line_t output_done(struct trace_seq *s)
{
	return trace_seq_has_overflowed(s) ? TRACE_TYPE_PARTIAL_LINE
					   : TRACE_TYPE_HANDLED;
}

/* Symbols */

struct sym_cache;

/**
 * sym_cache_alloc - memory of addresses that were looked up
 *
 * Sleeps.
 *
 * Return: the cache, or NULL, with which all functions work, slower.
 */
struct sym_cache *sym_cache_alloc(void);
void sym_cache_free(struct sym_cache *cache);

/**
 * output_symbol - print the name of an address
 * @r: the reader; its options say whether with offset and with address
 * @addr: the address; 0 prints "0", and one without a name prints as a number
 */
void output_symbol(struct trace_reader *r, unsigned long addr);

#endif
