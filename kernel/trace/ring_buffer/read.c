// SPDX-License-Identifier: GPL-2.0
/*
 * Consuming records of the ring buffer one at a time, and the functions by which all
 * readers get pages.
 *
 * A reader must never stop a writer. rb_refill() takes a complete page out of its slot
 * and leaves the reader's own page in its place. From a page that is being written it
 * copies the published part, and later the records that were published since. internal.h
 * explains why a page that was taken or copied has what the writer has written.
 *
 * Called from any context. The caller makes sure that a CPU's stream has one consuming
 * reader at a time; rb_cpu.lock protects the stream itself.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "panic_read.h"
#include "internal.h"

bool ring_buffer_panic_read;

/* How often an NMI or an oops tries to take rb_cpu.lock, whose holder may never release it. */
#define RB_LOCK_SPINS	100000

/**
 * rb_lock_reader - take rb_cpu.lock
 * @cb: the CPU's stream
 * @flags: set to the interrupt state, for rb_unlock_reader()
 *
 * Context: any, NMI included; interrupts are off until rb_unlock_reader().
 * Return: false if an NMI or an oops could not get the lock within a limited time.
 */
bool rb_lock_reader(struct rb_cpu *cb, unsigned long *flags)
{
	unsigned int spins = RB_LOCK_SPINS;

	if (likely(!in_nmi() && !READ_ONCE(ring_buffer_panic_read))) {
		raw_spin_lock_irqsave(&cb->lock, *flags);
		/* Sparse does not understand conditional locking. */
		__release(&cb->lock);
		return true;
	}
	do {
		if (raw_spin_trylock_irqsave(&cb->lock, *flags)) {
			/* Sparse does not understand conditional locking. */
			__release(&cb->lock);
			return true;
		}
		cpu_relax();
	} while (spins--);
	return false;
}

/**
 * rb_unlock_reader - undo rb_lock_reader()
 * @cb: the CPU's stream
 * @flags: interrupt state from rb_lock_reader()
 *
 * Context: any; after rb_lock_reader() returned true.
 */
void rb_unlock_reader(struct rb_cpu *cb, unsigned long flags)
{
	__acquire(&cb->lock);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
}

/**
 * rb_cursor_advance - step over a record
 * @cur: the cursor
 * @event: the record at the cursor
 *
 * Context: any; the page must belong to the caller or be a copy.
 */
void rb_cursor_advance(struct rb_cursor *cur, const struct ring_buffer_event *event)
{
	unsigned int size = rb_record_size(event), left = cur->size - cur->pos;

	switch (event->type_len) {
	case RINGBUF_TYPE_PADDING:
		break;
	case RINGBUF_TYPE_TIME_EXTEND:
		cur->ts += rb_get_stamp(event);
		break;
	case RINGBUF_TYPE_TIME_STAMP:
		cur->ts = rb_full_stamp(rb_get_stamp(event), cur->ts);
		break;
	default:
		cur->ts += event->time_delta;
	}
	/* Stay inside the page and make progress, even if the record is invalid. */
	cur->pos += size && size < left ? size : left;
}

/**
 * rb_cursor_next - find the next record that is neither a time nor padding
 * @cur: the cursor, which is moved to that record
 *
 * Context: any; the page must belong to the caller or be a copy.
 * Return: the record, NULL at the end of the page.
 */
struct ring_buffer_event *rb_cursor_next(struct rb_cursor *cur)
{
	while (cur->pos < cur->size) {
		struct ring_buffer_event *event = (void *)&cur->page->data[cur->pos];

		if (rb_is_data(event))
			return event;
		rb_cursor_advance(cur, event);
	}
	return NULL;
}

/**
 * rb_piece_end - find the end of the next piece of a page to copy, of at most RB_COPY_MAX bytes
 * @page: the page, which a writer may overwrite meanwhile
 * @from: offset of the first record to copy
 * @size: bytes of records on the page
 *
 * Context: any.
 * Return: offset behind the last record that fits RB_COPY_MAX bytes; at least behind
 *	the first record.
 */
unsigned int rb_piece_end(const struct rb_data_page *page, unsigned int from,
			  unsigned int size)
{
	unsigned int end = from, next = from;

	if (from >= size || size - from <= RB_COPY_MAX)
		return size;
	do {
		end = next;
		next += rb_record_size((const void *)&page->data[end]);
		/* If the size is invalid, the condition keeps the next load inside, and aligned. */
	} while (next > end && next - from <= RB_COPY_MAX &&
		 next + RB_STAMP_SIZE <= size && IS_ALIGNED(next, sizeof(u32)));
	return min(end > from ? end : next, size);
}

/**
 * rb_copy_page - copy a page that stays in the ring, or a piece of it
 * @cb: the CPU's stream
 * @no: number of the page
 * @to: page to copy to
 * @from: offset to begin at; @to has the records before it from earlier calls
 * @got: set to the result
 *
 * Context: any; rb_cpu.lock held. Writers continue meanwhile.
 * Return: false if the page is not in the ring, or was overwritten meanwhile; @to may then
 *	hold garbage from @from on.
 */
bool rb_copy_page(struct rb_cpu *cb, unsigned long no, struct rb_data_page *to,
		  unsigned int from, struct rb_copied *got)
{
	struct rb_ring *ring = rb_ring_of(cb, no);
	unsigned long *slot = rb_slot(ring, no);
	unsigned long word = smp_load_acquire(slot);	/* pair B */
	const struct rb_page *page = rb_word_to_page(ring, word, no);
	unsigned long size, now;
	struct rb_page seen;

	if (!page)
		return false;

	size = smp_load_acquire(&page->data->commit);	/* pair A */
	if (size > cb->payload)
		return false;
	/* Racy: the writer may reuse the page meanwhile. The check of the word notices that. */
	seen = data_race(*page);
	/* Racy, too: the lengths of records may be those of a reused page. */
	got->size = data_race(rb_piece_end(seen.data, from, size));
	got->closed = rb_word_state(word) == RB_CLOSED && got->size == size;
	got->first_record = seen.first_record;
	got->dropped_before = seen.dropped_before;
	got->bytes_before = seen.bytes_before;
	/* Racy, too: the time may be that of a reused page. */
	to->time_stamp = data_race(seen.data->time_stamp);
	if (from < got->size) {
		/* Racy, too: the records may be those of a reused page. */
		data_race(memcpy(to->data + from, seen.data->data + from, got->size - from));
	}
	/* Pair C: load the page before loading the word again. */
	smp_rmb();
	now = READ_ONCE(*slot);
	return now == word ||
	       now == rb_slot_word(ring, no, rb_word_index(word), RB_CLOSED);
}

/*
 * Prepare the reader for the first record of a page. Add to reader->lost the records that were
 * overwritten or dropped since the last page that it read. @first_record: number of the first
 * record on the page. @dropped_before, @bytes_before: numbers of dropped records, and of bytes in
 * the stream, before the page.
 */
static void rb_reader_begin_page(struct rb_reader *reader, unsigned long first_record,
				 unsigned long dropped_before, unsigned long bytes_before)
{
	/* The difference is unsigned, because any number of records may have been overwritten. */
	reader->lost += first_record - reader->next;
	reader->lost += dropped_before - reader->dropped_seen;
	reader->next = first_record;
	reader->dropped_seen = dropped_before;
	reader->bytes_before = bytes_before;
	reader->cur.ts = reader->cur.page->time_stamp;
}

/*
 * Prepare the page that the reader leaves in a slot of @ring in exchange for the page there:
 * the page of the reader or, if @ring is the old ring of a resize, rb_ring.spare with the memory
 * of the reader's page.
 */
static struct rb_page *rb_reader_spare_page(struct rb_cpu *cb, struct rb_ring *ring)
{
	if (ring == cb->ring)
		return cb->reader.page;
	ring->spare->data = cb->reader.page->data;
	return ring->spare;
}

/* Make @page, which was taken out of @ring, the page of the reader. */
static void rb_reader_set_page(struct rb_cpu *cb, struct rb_ring *ring, struct rb_page *page)
{
	if (ring == cb->ring) {
		cb->reader.page = page;
		return;
	}
	*cb->reader.page = *page;
	ring->spare = page;
}

/**
 * rb_take_page - take the page that the reader is at out of the ring, if it is complete
 * @cb: the CPU's stream
 *
 * Context: any; rb_cpu.lock held.
 * Return: true if the page now belongs to the reader.
 */
bool rb_take_page(struct rb_cpu *cb)
{
	struct rb_reader *reader = &cb->reader;
	struct rb_ring *ring = rb_ring_of(cb, reader->no);
	unsigned long *slot = rb_slot(ring, reader->no);
	unsigned long word = smp_load_acquire(slot);	/* pair B */
	struct rb_page *page = rb_word_to_page(ring, word, reader->no);
	unsigned long spare;

	if (!page || rb_word_state(word) != RB_CLOSED)
		return false;
	spare = rb_slot_word(ring, reader->no,
			     rb_reader_spare_page(cb, ring) - ring->pages, RB_EMPTY);
	/* Pairs B and D: acquire the page, and release the reader's old page to the writer. */
	if (cmpxchg(slot, word, spare) != word)
		return false;

	rb_reader_set_page(cb, ring, page);
	page = reader->page;
	reader->whole = true;
	reader->cur.page = page->data;
	reader->cur.size = min_t(unsigned long, page->data->commit, cb->payload);
	if (!reader->cur.pos)
		rb_reader_begin_page(reader, page->first_record, page->dropped_before,
				     page->bytes_before);
	return true;
}

/**
 * rb_go_to_page - make the reader read a page from its beginning
 * @reader: the reader
 * @no: number of the page, which need not be in the ring
 *
 * Context: any; rb_cpu.lock held.
 */
void rb_go_to_page(struct rb_reader *reader, unsigned long no)
{
	reader->no = no;
	reader->whole = false;
	reader->cur.pos = 0;
	reader->cur.size = 0;
}

/*
 * Copy the records that were published since the last copy, on the page that the reader is at.
 * False if that page is not in the ring any more.
 */
static bool rb_reader_copy_page(struct rb_cpu *cb, struct rb_copied *got)
{
	struct rb_reader *reader = &cb->reader;

	if (!rb_copy_page(cb, reader->no, reader->cur.page, reader->cur.pos, got))
		return false;
	if (got->closed || got->size <= reader->cur.pos)
		return true;
	reader->cur.size = got->size;
	if (!reader->cur.pos)
		rb_reader_begin_page(reader, got->first_record, got->dropped_before,
				     got->bytes_before);
	return true;
}

/**
 * rb_first_remaining_no - number of the first page from @no on that was not overwritten
 * @cb: the CPU's stream
 * @no: number of a page, at most one more than that of the tail
 *
 * Context: any; rb_cpu.lock held.
 * Return: the number of the page; @no itself if it is one more than that of the tail.
 */
unsigned long rb_first_remaining_no(struct rb_cpu *cb, unsigned long no)
{
	unsigned long tail = smp_load_acquire(&cb->tail_no);	/* pair E */
	unsigned long floor = READ_ONCE(cb->floor);

	/* The difference is unsigned: @no may be so old that it seems to be ahead of the tail. */
	if (tail + 1 - no > cb->ring->nr)
		no = tail + 1 - cb->ring->nr;
	return rb_ahead(floor, no) > 0 ? floor : no;
}

/*
 * Get more records of the page that the reader is at, or go on to the next page. Returns 1 if
 * the reader may have records now, or may get some by another call; 0 if there are none.
 */
static int rb_refill_step(struct rb_cpu *cb)
{
	struct rb_reader *reader = &cb->reader;
	struct rb_copied got;
	unsigned long tail;

	if (reader->whole)
		rb_go_to_page(reader, reader->no + 1);
	tail = smp_load_acquire(&cb->tail_no);	/* pair E */
	if (reader->no == tail + 1)
		return 0;
	if (rb_first_remaining_no(cb, reader->no) != reader->no)
		rb_go_to_page(reader, rb_first_remaining_no(cb, reader->no));
	if (rb_take_page(cb))
		return 1;
	if (rb_reader_copy_page(cb, &got))
		return got.closed || got.size > reader->cur.pos;
	/* Neither worked: the page was overwritten, or the writer is about to open it. */
	if (reader->no != tail)
		rb_go_to_page(reader, reader->no + 1);
	else if (READ_ONCE(cb->tail_no) == tail)
		return 0;
	return 1;
}

/**
 * rb_refill - get more records if the reader has used up those that it has
 * @cb: the CPU's stream
 *
 * Context: any; rb_cpu.lock held.
 * Return: 1 if the reader has records; 0 if there is nothing to read; -EAGAIN if nothing
 *	was found on RB_SKIP_MAX pages: the caller has to drop the lock before it retries.
 */
int rb_refill(struct rb_cpu *cb)
{
	struct rb_reader *reader = &cb->reader;

	for (unsigned int n = 0; n < RB_SKIP_MAX; n++) {
		if (reader->cur.pos < reader->cur.size)
			return 1;
		if (!rb_refill_step(cb))
			return 0;
	}
	return reader->cur.pos < reader->cur.size ? 1 : -EAGAIN;
}

/**
 * rb_should_retry - test whether to call rb_refill() again after it returned -EAGAIN
 * @cb: the CPU's stream
 * @found: return value of rb_refill()
 * @passed: number of pages that were skipped so far, updated; 0 before the first call
 *
 * The reader gives up after it has skipped as many pages as the ring has: a writer may be so
 * fast that there would be no end of pages to skip.
 *
 * Context: any; rb_cpu.lock not held.
 * Return: true if the caller shall take the lock and look for records again.
 */
bool rb_should_retry(struct rb_cpu *cb, int found, unsigned long *passed)
{
	if (found != -EAGAIN)
		return false;
	*passed += RB_SKIP_MAX;
	return *passed < READ_ONCE(cb->nr) + RB_SKIP_MAX;
}

/* Find the next record. Returns 1 with *@event set, 0 if there is none, or -EAGAIN to retry. */
static int rb_reader_next_record(struct rb_cpu *cb, struct ring_buffer_event **event)
{
	int more = 1;

	for (unsigned int n = 0; n < RB_SKIP_MAX && more > 0; n++) {
		*event = rb_cursor_next(&cb->reader.cur);
		if (*event)
			return 1;
		more = rb_refill(cb);
	}
	return more > 0 ? -EAGAIN : more;
}

/**
 * struct rb_reading - a record that is being read
 * @consume: true to consume the record, false to look at it only
 * @event: the record
 * @ts: time of the record
 * @lost: number of records lost before it
 */
struct rb_reading {
	bool				consume;
	struct ring_buffer_event	*event;
	u64				ts;
	unsigned long			lost;
};

/* Set r->ts and r->lost for the record r->event; if r->consume, move the reader behind it. */
static void rb_read_record(struct rb_reader *reader, struct rb_reading *r)
{
	r->ts = reader->cur.ts + r->event->time_delta;
	r->lost = reader->lost;
	if (!r->consume)
		return;
	rb_cursor_advance(&reader->cur, r->event);
	reader->next++;
	reader->read++;
	reader->lost = 0;
}

/* Read the next record. Returns 1 with @r filled in, 0 if there is none, or -EAGAIN to retry. */
static int rb_read_record_locked(struct rb_cpu *cb, struct rb_reading *r)
{
	unsigned long flags;
	int found;

	if (!rb_lock_reader(cb, &flags))
		return 0;
	found = rb_reader_next_record(cb, &r->event);
	if (found > 0)
		rb_read_record(&cb->reader, r);
	rb_unlock_reader(cb, flags);
	return found;
}

static struct ring_buffer_event *rb_read_cpu(struct trace_buffer *buffer, int cpu,
					     u64 *ts, unsigned long *lost_events,
					     bool consume)
{
	struct rb_reading r = { .consume = consume };
	unsigned long passed = 0;
	int found;

	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return NULL;
	do {
		found = rb_read_record_locked(rb_cpu_of(buffer, cpu), &r);
	} while (rb_should_retry(rb_cpu_of(buffer, cpu), found, &passed));
	if (found <= 0)
		return NULL;
	if (ts)
		*ts = r.ts;
	if (lost_events)
		*lost_events = r.lost;
	return r.event;
}

/**
 * ring_buffer_peek - get the next record without consuming it
 * @buffer: the buffer
 * @cpu: the CPU whose stream to read
 * @ts: set to the time of the record, if not NULL
 * @lost_events: set to the number of records lost before the record, if not NULL
 *
 * The record stays valid until the next ring_buffer_peek(), ring_buffer_consume() or
 * ring_buffer_read_page() on this CPU's stream. The caller makes sure that there is one
 * such reader at a time.
 *
 * Context: any; in an NMI or an oops it waits for rb_cpu.lock only for a limited time.
 * Return: the record, NULL if there is none.
 */
struct ring_buffer_event *
ring_buffer_peek(struct trace_buffer *buffer, int cpu, u64 *ts,
		 unsigned long *lost_events)
{
	return rb_read_cpu(buffer, cpu, ts, lost_events, false);
}
EXPORT_SYMBOL_GPL(ring_buffer_peek);

/**
 * ring_buffer_consume - consume the next record
 * @buffer: the buffer
 * @cpu: the CPU whose stream to read
 * @ts: set to the time of the record, if not NULL
 * @lost_events: set to the number of records lost before the record, if not NULL
 *
 * The record stays valid until the next call of a consuming reader, as for
 * ring_buffer_peek().
 *
 * Context: any; in an NMI or an oops it waits for rb_cpu.lock only for a limited time.
 * Return: the record, NULL if there is none.
 */
struct ring_buffer_event *
ring_buffer_consume(struct trace_buffer *buffer, int cpu, u64 *ts,
		    unsigned long *lost_events)
{
	return rb_read_cpu(buffer, cpu, ts, lost_events, true);
}
EXPORT_SYMBOL_GPL(ring_buffer_consume);

/**
 * rb_oldest_unread_no - number of the oldest page that may have unread records
 * @cb: the CPU's stream
 *
 * Context: any; rb_cpu.lock held.
 * Return: the number of the page.
 */
unsigned long rb_oldest_unread_no(struct rb_cpu *cb)
{
	const struct rb_reader *reader = &cb->reader;

	if (reader->cur.pos < reader->cur.size)
		return reader->no;
	return rb_first_remaining_no(cb, reader->no + reader->whole);
}

/**
 * rb_has_unread - test whether there may be something to read
 * @cb: the CPU's stream
 *
 * Context: any; rb_cpu.lock held.
 * Return: false if there is nothing to read; true if there are unread records, which may
 *	all be discarded ones.
 */
bool rb_has_unread(struct rb_cpu *cb)
{
	const struct rb_reader *reader = &cb->reader;
	unsigned long no = rb_oldest_unread_no(cb);
	unsigned long tail = READ_ONCE(cb->tail_no);
	struct rb_ring *ring = cb->ring;
	const struct rb_page *page;
	unsigned int pos = 0;

	if (reader->cur.pos < reader->cur.size || rb_ahead(tail, no) > 0)
		return true;
	if (no != tail)
		return false;
	if (no == reader->no && !reader->whole)
		pos = reader->cur.pos;
	page = rb_word_to_page(ring, smp_load_acquire(rb_slot(ring, no)), no);	/* pair B */
	return page && READ_ONCE(page->data->commit) > pos;
}
