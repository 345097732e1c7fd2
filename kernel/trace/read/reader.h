/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading records back, in the order of time over all CPUs.
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
 * @iter: reads without consuming; NULL in a reader that consumes
 * @event: the record, NULL when there is none
 * @ts: when it was recorded
 * @lost: records that were overwritten just before it, ULONG_MAX if some
 */
struct reader_head {
	int				cpu;
	struct ring_buffer_iter		*iter;
	struct ring_buffer_event	*event;
	u64				ts;
	unsigned long			lost;
};

/**
 * struct trace_reader - one reader of one instance, or of one of its CPUs
 * @tr: the instance
 * @buffer: its buffer; in a reader that consumes, the one that is recorded to when it
 *	begins to read
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 * @in_ns: the clock counts nanoseconds
 * @kept: what the records are about, if a tracer keeps them: those from before it began
 *	are passed over; for a reader that does not consume
 * @skipped: how many were passed over
 * @annotate: say where the records of a CPU begin: something was overwritten
 * @consuming: what is read is gone from the buffer
 * @atomic: it is used where nothing may sleep
 * @ent: the current record, NULL before the first and behind the last
 * @ent_size: its size
 * @ent_cpu: where it was recorded
 * @ts: when
 * @lost: see struct reader_head
 * @idx: its number, counting from 0
 * @cpu_begins: it is the first of its CPU, and to be announced
 * @started: CPUs that @cpu_begins was said of
 * @horizon: a consuming reader looks again for records on CPUs that had none
 *	before it goes beyond this time
 * @current_head: where @ent comes from
 * @saved: a copy of @ent when the buffer was advanced beyond it; has room for the
 *	entries of function_graph from the beginning
 * @saved_room: size of that memory
 * @advanced: @current_head is beyond @ent
 * @nr_heads: how many
 * @heads: one per CPU
 *
 * Only one thread at a time may use a reader: its file sees to that.
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
 * reader_init - begin to read, consuming
 * @r: zero-filled
 * @tr: the instance, pinned by the caller for as long
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM: then nothing is left behind.
 */
int reader_init(struct trace_reader *r, struct trace_array *tr, int cpu);

/**
 * reader_init_iterating - begin to read, and leave everything in the buffer
 * @r: zero-filled
 * @tr: the instance, pinned by the caller for as long
 * @buffer: one of its buffers
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 *
 * It stays with @buffer, whatever a snapshot makes of it. Recording goes on meanwhile;
 * what is recorded after the last rewinding is not shown. Its use begins with
 * reader_rewind(). It needs no lock.
 *
 * Context: may sleep.
 * Return: as reader_init().
 */
int reader_init_iterating(struct trace_reader *r, struct trace_array *tr,
			  struct trace_buffer *buffer, int cpu);

/**
 * reader_exit - the end of a reader
 * @r: the reader, not locked
 *
 * Context: may sleep.
 */
void reader_exit(struct trace_reader *r);

/**
 * reader_reuse - turn a reader to another instance or CPU
 * @r: a reader that consumes, made for all CPUs and not in use
 * @tr: the instance
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 *
 * For the dump on oops: takes none of the readers' locks and no memory, and
 * marks the reader as one that must not sleep. Who calls it sees to it that nobody else
 * consumes, or no longer cares. In
 * an NMI or an oops, the records of a CPU are passed over while somebody holds
 * their lock in the ring buffer.
 *
 * Context: any, NMI included.
 */
void reader_reuse(struct trace_reader *r, struct trace_array *tr, int cpu);

/**
 * reader_rewind - begin anew with the oldest record
 * @r: a reader that does not consume
 *
 * The current record is forgotten. What was recorded up to now will be shown.
 *
 * Context: any; only one thread at a time, as for all of a reader's functions.
 */
void reader_rewind(struct trace_reader *r);

/**
 * reader_next - go to the next record
 * @r: the reader; @r->ent and what goes with it is set
 *
 * A reader that consumes must be between reader_lock() and reader_unlock(),
 * and stays at the same record until reader_consume(). Until then @r->ent is
 * good; in a reader that does not consume, until the next reader_next() or
 * reader_rewind().
 *
 * Records of one CPU come in the order of recording, those of several CPUs in
 * the order of their times (SPEC B2).
 *
 * Context: any.
 * Return: false when there is none.
 */
bool reader_next(struct trace_reader *r);

/**
 * reader_next_ts - when was the record recorded that will come next
 * @r: the reader, at a record
 *
 * May move @r->ent; what it points to stays the same.
 *
 * Context: may sleep in a reader that does not consume, else any.
 * Return: the time, in units of the instance's clock. At the last record, in a
 * reader that consumes, or without memory, that of the current record.
 */
u64 reader_next_ts(struct trace_reader *r);

/**
 * reader_behind - look at the record behind the current one, on the same CPU
 * @r: the reader, at a record
 *
 * May move @r->ent; what it points to stays the same. A reader that consumes has
 * taken the current record out of the buffer then: it has to be made use of.
 *
 * Context: may sleep unless @r->atomic; any for a record of up to READER_SAVED_MIN bytes.
 * Return: the record, good for as long as @r->ent; NULL without one, if others were lost
 * in between, or for want of memory.
 */
struct trace_entry *reader_behind(struct trace_reader *r);

/**
 * reader_skip_behind - what reader_behind() has returned is done with
 * @r: the reader
 *
 * It does not come as a record of its own.
 *
 * Context: any.
 */
void reader_skip_behind(struct trace_reader *r);

/* See reader_behind(). */
#define READER_SAVED_MIN	96

/**
 * reader_empty - is there nothing to read
 * @r: the reader, locked or not
 *
 * One that consumes is asked for the buffer that is recorded to, one that does not for what it has
 * not been to since the last rewinding.
 *
 * Context: any; while others may consume or record, the answer is of a moment.
 */
bool reader_empty(struct trace_reader *r);

/**
 * reader_lock - keep others from consuming what this reader reads
 * @r: a reader that consumes
 *
 * Readers of single CPUs exclude only the reader of the same CPU and those of
 * all CPUs, of whatever instance.
 *
 * Context: may sleep, for as long as others read; inside the locks of files,
 * outside record_types_lock().
 */
void reader_lock(struct trace_reader *r);

/**
 * reader_unlock - others may consume
 * @r: the reader; its current record is forgotten
 *
 * Context: the thread that called reader_lock().
 */
void reader_unlock(struct trace_reader *r);

/**
 * reader_consume - the current record is done with
 * @r: a reader that consumes, locked, at a record
 *
 * Context: any.
 */
void reader_consume(struct trace_reader *r);

#endif
