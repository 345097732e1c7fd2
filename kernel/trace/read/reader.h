/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Readers, which return the records of one or all CPUs of an instance in the order of
 * their times.
 */
#ifndef _KERNEL_TRACE_READER_H
#define _KERNEL_TRACE_READER_H

#include <linux/cpumask.h>
#include <linux/ring_buffer.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "instance/latency.h"

struct trace_array;

/**
 * struct reader_head - the oldest unread record of one CPU
 * @cpu: the CPU
 * @iter: iterator over the CPU's stream; NULL in a reader that consumes
 * @event: the record, NULL if there is none
 * @ts: time of the record
 * @lost: number of records that were overwritten just before the record, ULONG_MAX if the
 *	number is not known
 */
struct reader_head {
	int				cpu;
	struct ring_buffer_iter		*iter;
	struct ring_buffer_event	*event;
	u64				ts;
	unsigned long			lost;
};

/**
 * struct trace_reader - reader of an instance, or of one of its CPUs
 * @tr: the instance
 * @buffer: buffer of the instance that is read; in a reader that consumes, the live buffer
 *	at the time of the last reader_lock()
 * @cpu: the CPU to read, or RING_BUFFER_ALL_CPUS
 * @in_ns: the clock of the instance counts nanoseconds
 * @kept: the latency that the records in @buffer are about, or all zero; records from
 *	before it began are skipped; used by a reader that does not consume
 * @skipped: number of records that were skipped because of @kept
 * @annotate: records were overwritten, so the output shall show where the records of each
 *	CPU begin
 * @consuming: the reader takes records out of the buffer
 * @atomic: the reader is used where it must not sleep
 * @ent: the current record, NULL before the first and behind the last record
 * @ent_size: size of @ent in bytes
 * @ent_cpu: CPU that recorded @ent
 * @ts: time of @ent
 * @lost: number of records that were overwritten just before @ent, ULONG_MAX if the number
 *	is not known
 * @idx: number of @ent, counting from 0
 * @cpu_begins: @ent is the first record of its CPU, and the output shall say so
 * @started: CPUs whose first record was returned already
 * @horizon: latest time up to which a consuming reader may return records without looking
 *	again for records on CPUs that had none
 * @current_head: head that @ent was taken from
 * @saved: memory for a copy of @ent, used when @current_head moves on before @ent is
 *	finished with; at least READER_SAVED_MIN bytes unless allocation failed
 * @saved_room: size of @saved in bytes
 * @advanced: @current_head has moved on from @ent
 * @nr_heads: number of elements of @heads in use
 * @heads: heads of the CPUs, one per CPU that has a stream
 *
 * Only one thread at a time may use a reader; the file that owns the reader ensures that.
 */
struct trace_reader {
	struct trace_array	*tr;
	struct trace_buffer	*buffer;
	int			cpu;
	bool			in_ns;
	struct trace_latency	kept;
	unsigned long		skipped;
	bool			annotate;
	bool			consuming;
	bool			atomic;

	struct trace_entry	*ent;
	unsigned int		ent_size;
	int			ent_cpu;
	u64			ts;
	unsigned long		lost;
	unsigned long		idx;
	bool			cpu_begins;

	cpumask_var_t		started;
	u64			horizon;
	struct reader_head	*current_head;
	void			*saved;
	unsigned int		saved_room;
	bool			advanced;
	unsigned int		nr_heads;
	struct reader_head	*heads;
};

/**
 * reader_init - initialize a reader that consumes
 * @r: the reader, zero-filled
 * @tr: the instance, which the caller pins as long as the reader exists
 * @cpu: the CPU to read, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM, in which case nothing has to be freed.
 */
int reader_init(struct trace_reader *r, struct trace_array *tr, int cpu);

/**
 * reader_init_iterating - initialize a reader that does not consume
 * @r: the reader, zero-filled
 * @tr: the instance, which the caller pins as long as the reader exists
 * @buffer: a buffer of @tr
 * @cpu: the CPU to read, or RING_BUFFER_ALL_CPUS
 *
 * The reader stays with @buffer, even if a snapshot exchanges the buffers of @tr. Recording
 * continues meanwhile; records that are written after the last reader_rewind() are not
 * returned. The first call for the reader must be reader_rewind(). Calls need no lock.
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM, in which case nothing has to be freed.
 */
int reader_init_iterating(struct trace_reader *r, struct trace_array *tr,
			  struct trace_buffer *buffer, int cpu);

/**
 * reader_exit - free the memory and the iterators of a reader
 * @r: the reader, not locked
 *
 * Context: may sleep.
 */
void reader_exit(struct trace_reader *r);

/**
 * reader_reuse - make a reader read another instance or CPU
 * @r: a reader that consumes, initialized for all CPUs and not in use
 * @tr: the instance
 * @cpu: the CPU to read, or RING_BUFFER_ALL_CPUS
 *
 * For the dump on oops. The function takes no consume_lock() and allocates no memory, and
 * marks the reader as one that must not sleep. The caller makes sure that there is no other
 * consumer, or that the records of another consumer no longer matter. In an NMI or an oops,
 * the records of a CPU are skipped if rb_cpu.lock stays taken for long.
 *
 * Context: any, NMI included.
 */
void reader_reuse(struct trace_reader *r, struct trace_array *tr, int cpu);

/**
 * reader_rewind - go back to the oldest record
 * @r: a reader that does not consume
 *
 * The reader then has no current record, and will return all records that were written up
 * to now.
 *
 * Context: any; only one thread at a time, as for all of a reader's functions.
 */
void reader_rewind(struct trace_reader *r);

/**
 * reader_next - go to the next record
 * @r: the reader; @r->ent and the members that describe it are set
 *
 * A reader that consumes must be between reader_lock() and reader_unlock(), and stays at
 * the same record until reader_consume(). @r->ent is valid until reader_consume() or, in a
 * reader that does not consume, until the next reader_next() or reader_rewind().
 *
 * Records of one CPU come in the order of recording, those of several CPUs in
 * the order of their times (SPEC B2).
 *
 * Context: any.
 * Return: false if there is no further record.
 */
bool reader_next(struct trace_reader *r);

/**
 * reader_next_ts - get the time of the record behind the current one
 * @r: the reader, at a record
 *
 * The current record may be copied, and @r->ent changed to point to the copy.
 *
 * Context: may sleep in a reader that does not consume, otherwise any.
 * Return: the time of the next record, in units of the instance's clock; the time of the
 * current record if that is the last one, if the reader consumes, or if there is no memory.
 */
u64 reader_next_ts(struct trace_reader *r);

/**
 * reader_peek_same_cpu - look at the record behind the current one, on the same CPU
 * @r: the reader, at a record
 *
 * The current record is copied, and @r->ent is changed to point to the copy. In a reader
 * that consumes, the current record is then no longer in the buffer; the caller must use it.
 *
 * Context: may sleep unless @r->atomic; any for a record of up to READER_SAVED_MIN bytes.
 * Return: the record, valid as long as @r->ent; NULL if there is none, if records between
 * the two were lost, or if there is no memory.
 */
struct trace_entry *reader_peek_same_cpu(struct trace_reader *r);

/**
 * reader_skip_same_cpu - skip the record that reader_peek_same_cpu() returned
 * @r: the reader
 *
 * reader_next() will not return the skipped record.
 *
 * Context: any.
 */
void reader_skip_same_cpu(struct trace_reader *r);

/* Size of trace_reader.saved at first, in bytes; enough for the records of function_graph. */
#define READER_SAVED_MIN	96

/**
 * reader_empty - test whether there is nothing to read
 * @r: the reader, locked or not
 *
 * In a reader that consumes, the test is about the live buffer of the instance; otherwise
 * it is about the records that were not yet returned since the last reader_rewind().
 *
 * Context: any; the answer may be outdated at once if others consume or record.
 * Return: true if there is no record.
 */
bool reader_empty(struct trace_reader *r);

/**
 * reader_lock - keep others from consuming the records of this reader
 * @r: a reader that consumes
 *
 * The lock is consume_lock(), which covers all instances: a reader of a single CPU excludes
 * readers of the same CPU and of all CPUs.
 *
 * Context: may sleep, for as long as others read; inside the locks of files,
 * outside record_types_lock().
 */
void reader_lock(struct trace_reader *r);

/**
 * reader_unlock - let others consume again
 * @r: the reader, which then has no current record
 *
 * Context: the thread that called reader_lock().
 */
void reader_unlock(struct trace_reader *r);

/**
 * reader_consume - take the current record out of the buffer
 * @r: a reader that consumes, locked, at a record
 *
 * Context: any.
 */
void reader_consume(struct trace_reader *r);

#endif
