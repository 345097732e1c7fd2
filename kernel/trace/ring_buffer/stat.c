// SPDX-License-Identifier: GPL-2.0
/*
 * What a ring buffer holds, has lost and is able to hold, and the text of
 * events/header_page and events/header_event.
 *
 * The numbers come from the place of the writer and the place of the reader in
 * the stream, not from counters of their own. They are exact while the CPU does
 * not write; while it does, they are off by what it writes meanwhile.
 */
#include <linux/export.h>
#include <linux/trace_seq.h>

#include "extent.h"

/**
 * struct rb_point - a place between two records of a stream
 * @record: number of the record behind it
 * @byte: bytes before it
 * @ts: time of the page that it is on
 */
struct rb_point {
	unsigned long	record;
	unsigned long	byte;
	u64		ts;
};

/* Where the writer is. */
static struct rb_point rb_writer_at(struct rb_cpu *cb)
{
	const struct rb_page *page;
	struct rb_point at = {};

	do {
		page = smp_load_acquire(&cb->commit_page);	/* pair G */
		/* Void if the writer begins the page anew meanwhile. */
		at.record = data_race(page->first + rb_page_records(page, READ_ONCE(cb->count)));
		/* Void, too. */
		at.byte = data_race(page->bytes) + READ_ONCE(page->data->commit);
		/* Before another look whether all of it was of one page. */
		smp_rmb();
	} while (READ_ONCE(cb->commit_page) != page);
	return at;
}

/* Where page @no of the ring begins. False if it is not there, or empty. */
static bool rb_page_begins(struct rb_cpu *cb, unsigned long no, struct rb_point *at)
{
	struct rb_ring *ring = rb_ring_of(cb, no);
	unsigned long word = smp_load_acquire(rb_slot(ring, no));	/* pair B */
	const struct rb_page *page = rb_page_in(ring, word, no);
	struct rb_page seen;
	unsigned long now;

	if (!page || !smp_load_acquire(&page->data->commit))	/* pair A */
		return false;
	/* As in rb_copy_page(). */
	seen = data_race(*page);
	at->record = seen.first;
	at->byte = seen.bytes;
	/* The time is void, too, if the page is begun anew. */
	at->ts = data_race(seen.data->time_stamp);
	smp_rmb();	/* pair C, as in rb_copy_page() */
	now = READ_ONCE(*rb_slot(ring, no));
	return now == word ||
	       now == rb_slot_word(ring, no, rb_word_index(word), RB_CLOSED);
}

/*
 * Where the records in the ring begin; *@at is left alone if those in the reader's
 * hands are the front part of the same page. False if there are none. The writer
 * may take the oldest page at any moment: then it is the next one.
 */
static bool rb_ring_begins(struct rb_cpu *cb, struct rb_point *at)
{
	const struct rb_reader *reader = &cb->reader;
	unsigned long no = rb_remaining_no(cb, reader->no + reader->whole);

	if (no == reader->no && reader->cur.size)
		return true;
	while (!rb_page_begins(cb, no, at)) {
		if (rb_ahead(READ_ONCE(cb->tail_no), no) <= 0)
			return false;
		no = rb_remaining_no(cb, no + 1);
	}
	return true;
}

/* Unread records that the reader has in its hands. */
static unsigned long rb_in_hands(const struct rb_reader *reader)
{
	const struct ring_buffer_event *event;
	struct rb_cursor cur = reader->cur;
	unsigned long n = 0;

	if (reader->whole)
		return reader->page->first + reader->page->records - reader->next;
	while ((event = rb_cursor_next(&cur))) {
		rb_cursor_pass(&cur, event);
		n++;
	}
	return n;
}

/* The stream is: what is in the reader's hands, a gap, what is in the ring. */
struct rb_extent rb_get_extent(struct rb_cpu *cb)
{
	const struct rb_reader *reader = &cb->reader;
	unsigned long hands = rb_in_hands(reader);
	struct rb_point end = rb_writer_at(cb), ring = {
		.record	= reader->next + hands,
		.byte	= reader->bytes + reader->cur.size,
		.ts	= reader->cur.ts,
	};
	unsigned long entries;

	if (!rb_ring_begins(cb, &ring))
		ring = end;
	entries = hands + max(rb_ahead(end.record, ring.record), 0);
	return (struct rb_extent) {
		.entries = entries,
		.bytes	 = reader->cur.size - reader->cur.pos +
			   max(rb_ahead(end.byte, ring.byte), 0),
		.overrun = ring.record - hands - reader->read,
		.ts	 = hands ? reader->cur.ts : entries ? ring.ts : 0,
	};
}

/* Calls @get under the lock; 0 if the CPU has no stream. */
static u64 rb_stat(struct trace_buffer *buffer, int cpu, u64 (*get)(struct rb_cpu *cb))
{
	unsigned long flags;
	struct rb_cpu *cb;
	u64 ret;

	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return 0;
	cb = rb_cpu_of(buffer, cpu);
	if (!rb_lock_reader(cb, &flags))
		return 0;
	ret = get(cb);
	rb_unlock_reader(cb, flags);
	return ret;
}

static u64 rb_get_entries(struct rb_cpu *cb)
{
	return rb_get_extent(cb).entries;
}

static u64 rb_get_bytes(struct rb_cpu *cb)
{
	return rb_get_extent(cb).bytes;
}

static u64 rb_get_overrun(struct rb_cpu *cb)
{
	return rb_get_extent(cb).overrun;
}

static u64 rb_get_read(struct rb_cpu *cb)
{
	return cb->reader.read;
}

static u64 rb_get_oldest_ts(struct rb_cpu *cb)
{
	return rb_get_extent(cb).ts;
}

static u64 rb_get_unread_pages(struct rb_cpu *cb)
{
	/* What the reader has in its hands may be far behind. */
	return min(READ_ONCE(cb->tail_no) - rb_oldest_no(cb), cb->ring->nr);
}

static u64 rb_get_unread(struct rb_cpu *cb)
{
	return rb_has_unread(cb);
}

static u64 rb_get_size(struct rb_cpu *cb)
{
	return cb->ring->nr * cb->payload;
}

/**
 * ring_buffer_entries_cpu - how many records can be read
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the number of records that were written, not read, not overwritten.
 */
unsigned long ring_buffer_entries_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_stat(buffer, cpu, rb_get_entries);
}
EXPORT_SYMBOL_GPL(ring_buffer_entries_cpu);

/**
 * ring_buffer_bytes_cpu - how many bytes can be read
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the bytes of records, with their heads, that were not read.
 */
unsigned long ring_buffer_bytes_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_stat(buffer, cpu, rb_get_bytes);
}
EXPORT_SYMBOL_GPL(ring_buffer_bytes_cpu);

/**
 * ring_buffer_overrun_cpu - how many records were overwritten unread
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the number since the last reset.
 */
unsigned long ring_buffer_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_stat(buffer, cpu, rb_get_overrun);
}
EXPORT_SYMBOL_GPL(ring_buffer_overrun_cpu);

/**
 * ring_buffer_read_events_cpu - how many records were consumed
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the number since the last reset.
 */
unsigned long ring_buffer_read_events_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_stat(buffer, cpu, rb_get_read);
}
EXPORT_SYMBOL_GPL(ring_buffer_read_events_cpu);

/**
 * ring_buffer_oldest_event_ts - how far back a CPU's records reach
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: a time shortly before that of the oldest record, or 0.
 */
u64 ring_buffer_oldest_event_ts(struct trace_buffer *buffer, int cpu)
{
	return rb_stat(buffer, cpu, rb_get_oldest_ts);
}
EXPORT_SYMBOL_GPL(ring_buffer_oldest_event_ts);

/**
 * ring_buffer_nr_dirty_pages - how many sub-buffers are full of unread records
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the number.
 */
size_t ring_buffer_nr_dirty_pages(struct trace_buffer *buffer, int cpu)
{
	return rb_stat(buffer, cpu, rb_get_unread_pages);
}

/**
 * ring_buffer_size - how much fits
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: bytes of records, with their heads; 0 if the CPU has no stream.
 */
unsigned long ring_buffer_size(struct trace_buffer *buffer, int cpu)
{
	return rb_stat(buffer, cpu, rb_get_size);
}
EXPORT_SYMBOL_GPL(ring_buffer_size);

/**
 * ring_buffer_empty_cpu - is there nothing to read?
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: true if the CPU's stream has no unread record.
 */
bool ring_buffer_empty_cpu(struct trace_buffer *buffer, int cpu)
{
	return !rb_stat(buffer, cpu, rb_get_unread);
}
EXPORT_SYMBOL_GPL(ring_buffer_empty_cpu);

/**
 * ring_buffer_empty - is there nothing to read on any CPU?
 * @buffer: the buffer
 *
 * Context: any.
 * Return: true if no CPU's stream has an unread record.
 */
bool ring_buffer_empty(struct trace_buffer *buffer)
{
	int cpu;

	for_each_cpu(cpu, buffer->cpumask) {
		if (!ring_buffer_empty_cpu(buffer, cpu))
			return false;
	}
	return true;
}
EXPORT_SYMBOL_GPL(ring_buffer_empty);

/**
 * ring_buffer_dropped_events_cpu - how many records found no room
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Those that came when the buffer was full and does not overwrite, and those of
 * NMIs that came in the middle of a change.
 *
 * Context: any.
 * Return: the number since the last reset.
 */
unsigned long ring_buffer_dropped_events_cpu(struct trace_buffer *buffer, int cpu)
{
	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return 0;
	return local_read(&rb_cpu_of(buffer, cpu)->dropped);
}
EXPORT_SYMBOL_GPL(ring_buffer_dropped_events_cpu);

/**
 * ring_buffer_commit_overrun_cpu - how many records of interrupts found no room
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Those of interrupts that filled the buffer while the writer that they
 * interrupted had a record open.
 *
 * Context: any.
 * Return: the number since the last reset.
 */
unsigned long ring_buffer_commit_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return 0;
	return local_read(&rb_cpu_of(buffer, cpu)->overtaken);
}
EXPORT_SYMBOL_GPL(ring_buffer_commit_overrun_cpu);

static unsigned long sum_of_cpus(struct trace_buffer *buffer,
				 unsigned long (*of_cpu)(struct trace_buffer *, int))
{
	unsigned long sum = 0;
	int cpu;

	for_each_cpu(cpu, buffer->cpumask)
		sum += of_cpu(buffer, cpu);
	return sum;
}

/**
 * ring_buffer_entries - how many records can be read, on all CPUs
 * @buffer: the buffer
 *
 * Context: any.
 * Return: the sum of ring_buffer_entries_cpu().
 */
unsigned long ring_buffer_entries(struct trace_buffer *buffer)
{
	return sum_of_cpus(buffer, ring_buffer_entries_cpu);
}
EXPORT_SYMBOL_GPL(ring_buffer_entries);

/**
 * ring_buffer_overruns - how many records were overwritten unread, on all CPUs
 * @buffer: the buffer
 *
 * Context: any.
 * Return: the sum of ring_buffer_overrun_cpu().
 */
unsigned long ring_buffer_overruns(struct trace_buffer *buffer)
{
	return sum_of_cpus(buffer, ring_buffer_overrun_cpu);
}
EXPORT_SYMBOL_GPL(ring_buffer_overruns);

/**
 * ring_buffer_max_event_size - how much data a record can have
 * @buffer: the buffer
 *
 * Return: bytes.
 */
unsigned long ring_buffer_max_event_size(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->max_len);
}
EXPORT_SYMBOL_GPL(ring_buffer_max_event_size);

/**
 * ring_buffer_subbuf_size_get - how large a sub-buffer is
 * @buffer: the buffer
 *
 * Return: bytes of records, with their heads, that fit; without the page's own.
 */
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer)
{
	return rb_payload(READ_ONCE(buffer->order));
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_size_get);

/**
 * ring_buffer_subbuf_order_get - how large a sub-buffer is
 * @buffer: the buffer
 *
 * Return: n, where a sub-buffer is 2^n pages of memory.
 */
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_get);

/* One row of events/header_page. */
static void rb_print_field(struct trace_seq *s, const char *type, size_t offset,
			   size_t size, bool is_signed)
{
	trace_seq_printf(s, "\tfield: %s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n",
			 type, offset, size, is_signed);
}

/**
 * ring_buffer_print_page_header - tell the layout of a page
 * @buffer: the buffer
 * @s: where to
 *
 * Return: 0 if @s was too small, else 1.
 */
int ring_buffer_print_page_header(struct trace_buffer *buffer, struct trace_seq *s)
{
	size_t commit = offsetof(struct rb_data_page, commit);

	rb_print_field(s, "u64 timestamp", 0, sizeof(u64), false);
	rb_print_field(s, "local_t commit", commit, sizeof(local_t), true);
	/* Of the same word: where libtraceevent looks for the missed-records bits. */
	rb_print_field(s, "int overwrite", commit, 1, true);
	rb_print_field(s, "char data", RB_PAGE_HEAD,
		       ring_buffer_subbuf_size_get(buffer), is_signed_type(char));
	return !trace_seq_has_overflowed(s);
}

/**
 * ring_buffer_print_entry_header - tell the layout of a record's head
 * @s: where to
 *
 * Return: 0 if @s was too small, else 1.
 */
int ring_buffer_print_entry_header(struct trace_seq *s)
{
	trace_seq_puts(s, "# compressed entry header\n"
			  "\ttype_len    :    5 bits\n"
			  "\ttime_delta  :   27 bits\n"
			  "\tarray       :   32 bits\n\n");
	trace_seq_printf(s, "\tpadding     : type == %d\n"
			    "\ttime_extend : type == %d\n"
			    "\ttime_stamp : type == %d\n"
			    "\tdata max type_len  == %d\n",
			 RINGBUF_TYPE_PADDING, RINGBUF_TYPE_TIME_EXTEND,
			 RINGBUF_TYPE_TIME_STAMP, RINGBUF_TYPE_DATA_TYPE_LEN_MAX);
	return !trace_seq_has_overflowed(s);
}
