// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of a ring buffer: how many records it holds, has lost and can hold. Also
 * the text of events/header_page and events/header_event.
 *
 * The numbers are computed from the positions of the writer and the reader in the stream;
 * there are no counters for them. They are exact while the CPU does not write. Otherwise
 * records that are written meanwhile may or may not be included.
 */
#include <linux/export.h>
#include <linux/trace_seq.h>

#include "extent.h"
#include "internal.h"

/**
 * struct rb_point - a position between two records of a stream
 * @record: number of the record behind the position
 * @byte: number of bytes in the stream before the position
 * @ts: time of the page that has the position
 */
struct rb_point {
	unsigned long	record;
	unsigned long	byte;
	u64		ts;
};

/* Find the position behind the last record; rb_point.ts is not set. */
static struct rb_point rb_find_writer_point(struct rb_cpu *cb)
{
	const struct rb_page *page;
	struct rb_point at = {};

	do {
		page = smp_load_acquire(&cb->commit_page);	/* pair G */
		/* Racy: the writer may reuse the page meanwhile; the loop notices that. */
		at.record = data_race(page->first_record +
				      rb_count_page_records(page, READ_ONCE(cb->nr_fast)));
		/* Racy, too: the writer may reuse the page meanwhile. */
		at.byte = data_race(page->bytes_before) + READ_ONCE(page->data->commit);
		/* Load the counts before loading commit_page again. */
		smp_rmb();
	} while (READ_ONCE(cb->commit_page) != page);
	return at;
}

/*
 * Find the position where page @no of the ring begins. False if the page is not in the ring any
 * more, or is empty.
 */
static bool rb_find_page_start(struct rb_cpu *cb, unsigned long no, struct rb_point *at)
{
	struct rb_ring *ring = rb_ring_of(cb, no);
	unsigned long word = smp_load_acquire(rb_slot(ring, no));	/* pair B */
	const struct rb_page *page = rb_word_to_page(ring, word, no);
	struct rb_page seen;
	unsigned long now;

	if (!page || !smp_load_acquire(&page->data->commit))	/* pair A */
		return false;
	/* Racy: the writer may reuse the page meanwhile. The check of the word notices that. */
	seen = data_race(*page);
	at->record = seen.first_record;
	at->byte = seen.bytes_before;
	/* Racy, too: the time may be that of a reused page. */
	at->ts = data_race(seen.data->time_stamp);
	/* Pair C: load the page before loading the word again. */
	smp_rmb();
	now = READ_ONCE(*rb_slot(ring, no));
	return now == word ||
	       now == rb_slot_word(ring, no, rb_word_index(word), RB_CLOSED);
}

/*
 * Find the position of the first record in the ring that the reader does not have yet.
 * The caller has set *@at to the end of the reader's records, which is the result if the reader
 * has a copy of the oldest page in the ring. False if the ring has no records. The writer may
 * overwrite the oldest page at any moment; then the search continues with the next page.
 */
static bool rb_find_ring_start(struct rb_cpu *cb, struct rb_point *at)
{
	const struct rb_reader *reader = &cb->reader;
	unsigned long no = rb_first_remaining_no(cb, reader->no + reader->whole);

	if (no == reader->no && reader->cur.size)
		return true;
	while (!rb_find_page_start(cb, no, at)) {
		if (rb_ahead(READ_ONCE(cb->tail_no), no) <= 0)
			return false;
		no = rb_first_remaining_no(cb, no + 1);
	}
	return true;
}

/* Number of unread records on the page of the reader. */
static unsigned long rb_count_reader_unread(const struct rb_reader *reader)
{
	const struct ring_buffer_event *event;
	struct rb_cursor cur = reader->cur;
	unsigned long n = 0;

	if (reader->whole)
		return reader->page->first_record + reader->page->records - reader->next;
	while ((event = rb_cursor_next(&cur))) {
		rb_cursor_advance(&cur, event);
		n++;
	}
	return n;
}

/*
 * The unread records are those on the page of the reader, and those in the ring. Records between
 * the two were overwritten.
 */
struct rb_extent rb_get_extent(struct rb_cpu *cb)
{
	const struct rb_reader *reader = &cb->reader;
	unsigned long unread = rb_count_reader_unread(reader);
	struct rb_point end = rb_find_writer_point(cb), ring = {
		.record	= reader->next + unread,
		.byte	= reader->bytes_before + reader->cur.size,
		.ts	= reader->cur.ts,
	};
	unsigned long entries;

	if (!rb_find_ring_start(cb, &ring))
		ring = end;
	entries = unread + max(rb_ahead(end.record, ring.record), 0);
	return (struct rb_extent) {
		.entries = entries,
		.bytes	 = reader->cur.size - reader->cur.pos +
			   max(rb_ahead(end.byte, ring.byte), 0),
		.overrun = ring.record - unread - reader->read,
		.ts	 = unread ? reader->cur.ts : entries ? ring.ts : 0,
	};
}

/*
 * Call @get with rb_cpu.lock held. Returns its result; 0 if the CPU has no stream, or if the lock
 * cannot be taken.
 */
static u64 rb_read_stat(struct trace_buffer *buffer, int cpu, u64 (*get)(struct rb_cpu *cb))
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

static u64 rb_get_nr_read(struct rb_cpu *cb)
{
	return cb->reader.read;
}

static u64 rb_get_oldest_ts(struct rb_cpu *cb)
{
	return rb_get_extent(cb).ts;
}

static u64 rb_get_unread_pages(struct rb_cpu *cb)
{
	/* The page of the reader may be so old that more pages follow it than the ring has. */
	return min(READ_ONCE(cb->tail_no) - rb_oldest_unread_no(cb), cb->ring->nr);
}

static u64 rb_get_has_unread(struct rb_cpu *cb)
{
	return rb_has_unread(cb);
}

static u64 rb_get_size(struct rb_cpu *cb)
{
	return cb->ring->nr * cb->payload;
}

/**
 * ring_buffer_entries_cpu - number of records of a CPU that can be read
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the number of records that were written, and neither read nor overwritten.
 */
unsigned long ring_buffer_entries_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_read_stat(buffer, cpu, rb_get_entries);
}
EXPORT_SYMBOL_GPL(ring_buffer_entries_cpu);

/**
 * ring_buffer_bytes_cpu - number of bytes of a CPU's records that can be read
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the number of bytes of unread records, including their heads.
 */
unsigned long ring_buffer_bytes_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_read_stat(buffer, cpu, rb_get_bytes);
}
EXPORT_SYMBOL_GPL(ring_buffer_bytes_cpu);

/**
 * ring_buffer_overrun_cpu - number of records of a CPU that were overwritten unread
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the number since the last reset.
 */
unsigned long ring_buffer_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_read_stat(buffer, cpu, rb_get_overrun);
}
EXPORT_SYMBOL_GPL(ring_buffer_overrun_cpu);

/**
 * ring_buffer_read_events_cpu - number of records of a CPU that were consumed
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the number since the last reset.
 */
unsigned long ring_buffer_read_events_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_read_stat(buffer, cpu, rb_get_nr_read);
}
EXPORT_SYMBOL_GPL(ring_buffer_read_events_cpu);

/**
 * ring_buffer_oldest_event_ts - approximate time of a CPU's oldest record
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: a time shortly before that of the oldest record, 0 if there is no record.
 */
u64 ring_buffer_oldest_event_ts(struct trace_buffer *buffer, int cpu)
{
	return rb_read_stat(buffer, cpu, rb_get_oldest_ts);
}
EXPORT_SYMBOL_GPL(ring_buffer_oldest_event_ts);

/**
 * ring_buffer_nr_dirty_pages - number of sub-buffers that are full of unread records
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the number.
 */
size_t ring_buffer_nr_dirty_pages(struct trace_buffer *buffer, int cpu)
{
	return rb_read_stat(buffer, cpu, rb_get_unread_pages);
}

/**
 * ring_buffer_size - capacity of a CPU's stream
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: bytes of records that fit, including their heads; 0 if the CPU has no stream.
 */
unsigned long ring_buffer_size(struct trace_buffer *buffer, int cpu)
{
	return rb_read_stat(buffer, cpu, rb_get_size);
}
EXPORT_SYMBOL_GPL(ring_buffer_size);

/**
 * ring_buffer_empty_cpu - test whether a CPU has nothing to read
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: true if the CPU's stream has no unread record.
 */
bool ring_buffer_empty_cpu(struct trace_buffer *buffer, int cpu)
{
	return !rb_read_stat(buffer, cpu, rb_get_has_unread);
}
EXPORT_SYMBOL_GPL(ring_buffer_empty_cpu);

/**
 * ring_buffer_empty - test whether no CPU has anything to read
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
 * ring_buffer_dropped_events_cpu - number of records of a CPU that were dropped
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Counts records that were dropped because the buffer was full and does not overwrite,
 * because an NMI came while a page was opened or the stream was changed, or because writers
 * nested too deep.
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
 * ring_buffer_commit_overrun_cpu - number of records dropped because of an uncommitted record
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * If interrupts fill the whole ring between the reserve and the commit of the writer that they
 * have interrupted, the page of that writer must not be overwritten: then their records are
 * dropped.
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

static unsigned long rb_sum_cpus(struct trace_buffer *buffer,
				 unsigned long (*of_cpu)(struct trace_buffer *, int))
{
	unsigned long sum = 0;
	int cpu;

	for_each_cpu(cpu, buffer->cpumask)
		sum += of_cpu(buffer, cpu);
	return sum;
}

/**
 * ring_buffer_entries - number of records of all CPUs that can be read
 * @buffer: the buffer
 *
 * Context: any.
 * Return: the sum of ring_buffer_entries_cpu().
 */
unsigned long ring_buffer_entries(struct trace_buffer *buffer)
{
	return rb_sum_cpus(buffer, ring_buffer_entries_cpu);
}
EXPORT_SYMBOL_GPL(ring_buffer_entries);

/**
 * ring_buffer_overruns - number of records of all CPUs that were overwritten unread
 * @buffer: the buffer
 *
 * Context: any.
 * Return: the sum of ring_buffer_overrun_cpu().
 */
unsigned long ring_buffer_overruns(struct trace_buffer *buffer)
{
	return rb_sum_cpus(buffer, ring_buffer_overrun_cpu);
}
EXPORT_SYMBOL_GPL(ring_buffer_overruns);

/**
 * ring_buffer_max_event_size - largest size of a record's data
 * @buffer: the buffer
 *
 * Context: any.
 * Return: number of bytes.
 */
unsigned long ring_buffer_max_event_size(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->max_len);
}
EXPORT_SYMBOL_GPL(ring_buffer_max_event_size);

/**
 * ring_buffer_subbuf_size_get - capacity of a sub-buffer
 * @buffer: the buffer
 *
 * Context: any.
 * Return: bytes of records that fit, including their heads, without the page's header.
 */
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer)
{
	return rb_payload(READ_ONCE(buffer->order));
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_size_get);

/**
 * ring_buffer_subbuf_order_get - order of the size of a sub-buffer
 * @buffer: the buffer
 *
 * Context: any.
 * Return: n, where a sub-buffer is 2^n pages of memory.
 */
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_get);

/* Print one row of events/header_page. */
static void rb_print_field(struct trace_seq *s, const char *type, size_t offset,
			   size_t size, bool is_signed)
{
	trace_seq_printf(s, "\tfield: %s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n",
			 type, offset, size, is_signed);
}

/**
 * ring_buffer_print_page_header - print the layout of a page, for events/header_page
 * @buffer: the buffer
 * @s: sequence to print to
 *
 * Context: any.
 * Return: 0 if @s was too small, otherwise 1.
 */
int ring_buffer_print_page_header(struct trace_buffer *buffer, struct trace_seq *s)
{
	size_t commit = offsetof(struct rb_data_page, commit);

	rb_print_field(s, "u64 timestamp", 0, sizeof(u64), false);
	rb_print_field(s, "local_t commit", commit, sizeof(local_t), true);
	/* This is in the commit word: libtraceevent looks there for the bits for lost records. */
	rb_print_field(s, "int overwrite", commit, 1, true);
	rb_print_field(s, "char data", RB_PAGE_HEAD,
		       ring_buffer_subbuf_size_get(buffer), is_signed_type(char));
	return !trace_seq_has_overflowed(s);
}

/**
 * ring_buffer_print_entry_header - print the layout of a record's head
 * @s: sequence to print to
 *
 * Context: any.
 * Return: 0 if @s was too small, otherwise 1.
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
