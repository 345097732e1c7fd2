// SPDX-License-Identifier: GPL-2.0
/*
 * Taking records out of the ring buffer, one at a time or a page at a time.
 *
 * A reader never stops a writer. A complete page is taken out of its slot, with
 * the reader's own page left in its place; of a page that is being written, what
 * is published gets copied, and again later what came since. Both are in
 * rb_refill(). See internal.h for why the pages so won are what the
 * writer wrote.
 *
 * Called from any context. The caller sees to it that one consuming reader is at
 * work on a CPU's stream; rb_cpu.lock protects the stream itself.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "dying.h"
#include "internal.h"

bool ring_buffer_dying;

/* How long an NMI or an oops waits for a reader that may never let go. */
#define RB_LOCK_SPINS	100000

/**
 * rb_lock_reader - take the lock of a CPU's reader
 * @cb: the CPU's stream
 * @flags: where to keep the interrupt state
 *
 * Context: any, NMI included; interrupts are off until rb_unlock_reader().
 * Return: false, in an NMI or an oops, if somebody did not let go for long.
 */
bool rb_lock_reader(struct rb_cpu *cb, unsigned long *flags)
{
	unsigned int spins = RB_LOCK_SPINS;

	if (likely(!in_nmi() && !READ_ONCE(ring_buffer_dying))) {
		raw_spin_lock_irqsave(&cb->lock, *flags);
		/* For sparse, which cannot follow a lock that is taken or not. */
		__release(&cb->lock);
		return true;
	}
	do {
		if (raw_spin_trylock_irqsave(&cb->lock, *flags)) {
			/* As above. */
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
 * @flags: as it was left
 *
 * Context: as rb_lock_reader() left it.
 */
void rb_unlock_reader(struct rb_cpu *cb, unsigned long flags)
{
	__acquire(&cb->lock);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
}

/**
 * rb_cursor_pass - step over a record
 * @cur: the cursor
 * @event: the record that it stands on
 *
 * Context: any, while the page is the caller's or a copy.
 */
void rb_cursor_pass(struct rb_cursor *cur, const struct ring_buffer_event *event)
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
	/* Whatever stands there, a reader comes to an end. */
	cur->pos += size && size < left ? size : left;
}

/**
 * rb_cursor_next - find the next record that has data
 * @cur: the cursor; moves up to that record
 *
 * Context: as rb_cursor_pass().
 * Return: the record, NULL at the end of the page.
 */
struct ring_buffer_event *rb_cursor_next(struct rb_cursor *cur)
{
	while (cur->pos < cur->size) {
		struct ring_buffer_event *event = (void *)&cur->page->data[cur->pos];

		if (rb_is_data(event))
			return event;
		rb_cursor_pass(cur, event);
	}
	return NULL;
}

/**
 * rb_piece_end - how far to copy a page at once
 * @page: the page; may be overwritten meanwhile
 * @from: offset of a record
 * @size: bytes of records
 *
 * Return: offset behind the last record that is not too much; behind the first
 *	one at least.
 */
unsigned int rb_piece_end(const struct rb_data_page *page, unsigned int from,
			  unsigned int size)
{
	unsigned int end = from, next = from;

	if (from >= size || size - from <= RB_COPY_MOST)
		return size;
	do {
		end = next;
		next += rb_record_size((const void *)&page->data[end]);
		/* Whatever is read there, it is of the page, and aligned. */
	} while (next > end && next - from <= RB_COPY_MOST &&
		 next + RB_STAMP_SIZE <= size && IS_ALIGNED(next, sizeof(u32)));
	return min(end > from ? end : next, size);
}

/**
 * rb_copy_page - copy a page that stays in the ring, or a piece of it
 * @cb: the CPU's stream, its lock held
 * @no: number of the page
 * @to: where to copy to
 * @from: offset up to which @to has the page's records already
 * @got: what was found
 *
 * Context: any; writers go on meanwhile.
 * Return: false if the page is not in the ring, or no longer; @to may then hold
 *	rubbish from @from on.
 */
bool rb_copy_page(struct rb_cpu *cb, unsigned long no, struct rb_data_page *to,
		  unsigned int from, struct rb_copied *got)
{
	struct rb_ring *ring = rb_ring_of(cb, no);
	unsigned long *slot = rb_slot(ring, no);
	unsigned long word = smp_load_acquire(slot);	/* pair B */
	const struct rb_page *page = rb_page_in(ring, word, no);
	unsigned long size, now;
	struct rb_page seen;

	if (!page)
		return false;

	size = smp_load_acquire(&page->data->commit);	/* pair A */
	if (size > cb->payload)
		return false;
	/* The writer may begin the page anew meanwhile, and what was read is void then. */
	seen = data_race(*page);
	/* The lengths of records are void, too. */
	got->size = data_race(rb_piece_end(seen.data, from, size));
	got->closed = rb_word_state(word) == RB_CLOSED && got->size == size;
	got->first = seen.first;
	got->missed = seen.missed;
	got->bytes = seen.bytes;
	/* The time is void, too. */
	to->time_stamp = data_race(seen.data->time_stamp);
	if (from < got->size) {
		/* The records are void, too. */
		data_race(memcpy(to->data + from, seen.data->data + from, got->size - from));
	}
	/* Pair C: what was copied, then whether it was still there. */
	smp_rmb();
	now = READ_ONCE(*slot);
	return now == word ||
	       now == rb_slot_word(ring, no, rb_word_index(word), RB_CLOSED);
}

/* The reader stands before the first record of a page; what lies between? */
static void rb_begin_page(struct rb_reader *reader, unsigned long first,
			  unsigned long missed, unsigned long bytes)
{
	/* What it has read is before this, by any distance. */
	reader->lost += first - reader->next;
	reader->lost += missed - reader->missed;
	reader->next = first;
	reader->missed = missed;
	reader->bytes = bytes;
	reader->cur.ts = reader->cur.page->time_stamp;
}

/*
 * What can be left in a slot of @ring for the page there: the reader's. In the
 * ring before it is another one that has its memory.
 */
static struct rb_page *rb_page_to_leave(struct rb_cpu *cb, struct rb_ring *ring)
{
	if (ring == cb->ring)
		return cb->reader.page;
	ring->seat->data = cb->reader.page->data;
	return ring->seat;
}

/* @page was taken out of @ring. */
static void rb_hold_page(struct rb_cpu *cb, struct rb_ring *ring, struct rb_page *page)
{
	if (ring == cb->ring) {
		cb->reader.page = page;
		return;
	}
	*cb->reader.page = *page;
	ring->seat = page;
}

/**
 * rb_take_page - take the page to be read out of the ring, if it is complete
 * @cb: the CPU's stream, its lock held
 *
 * Context: any.
 * Return: true if the reader has it.
 */
bool rb_take_page(struct rb_cpu *cb)
{
	struct rb_reader *reader = &cb->reader;
	struct rb_ring *ring = rb_ring_of(cb, reader->no);
	unsigned long *slot = rb_slot(ring, reader->no);
	unsigned long word = smp_load_acquire(slot);	/* pair B */
	struct rb_page *page = rb_page_in(ring, word, reader->no);
	unsigned long spare;

	if (!page || rb_word_state(word) != RB_CLOSED)
		return false;
	spare = rb_slot_word(ring, reader->no,
			     rb_page_to_leave(cb, ring) - ring->pages, RB_EMPTY);
	/* Pairs B and D: the page is ours, and our old one the writer's. */
	if (cmpxchg(slot, word, spare) != word)
		return false;

	rb_hold_page(cb, ring, page);
	page = reader->page;
	reader->whole = true;
	reader->cur.page = page->data;
	reader->cur.size = min_t(unsigned long, page->data->commit, cb->payload);
	if (!reader->cur.pos)
		rb_begin_page(reader, page->first, page->missed, page->bytes);
	return true;
}

/**
 * rb_go_to_page - the reader is to read a page from its beginning, wherever it is
 * @reader: the reader, under the lock
 * @no: number of the page
 *
 * Context: any.
 */
void rb_go_to_page(struct rb_reader *reader, unsigned long no)
{
	reader->no = no;
	reader->whole = false;
	reader->cur.pos = 0;
	reader->cur.size = 0;
}

/* Copy what was published of the page to be read, since we last looked. */
static bool rb_take_copy(struct rb_cpu *cb, struct rb_copied *got)
{
	struct rb_reader *reader = &cb->reader;

	if (!rb_copy_page(cb, reader->no, reader->cur.page, reader->cur.pos, got))
		return false;
	if (got->closed || got->size <= reader->cur.pos)
		return true;
	reader->cur.size = got->size;
	if (!reader->cur.pos)
		rb_begin_page(reader, got->first, got->missed, got->bytes);
	return true;
}

/**
 * rb_remaining_no - number of the first page from @no on that is not overwritten
 * @cb: the CPU's stream, its lock held
 * @no: number of a page
 *
 * Context: any.
 * Return: the number; one more than the last page's if @no is that.
 */
unsigned long rb_remaining_no(struct rb_cpu *cb, unsigned long no)
{
	unsigned long tail = smp_load_acquire(&cb->tail_no);	/* pair E */
	unsigned long floor = READ_ONCE(cb->floor);

	/* Unsigned: @no may be so old that it looks like one to come. */
	if (tail + 1 - no > cb->ring->nr)
		no = tail + 1 - cb->ring->nr;
	return rb_ahead(floor, no) > 0 ? floor : no;
}

/*
 * A step towards something to read. Returns 1 to look whether there is, and go on if
 * not; 0 if there is nothing more.
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
	if (rb_remaining_no(cb, reader->no) != reader->no)
		rb_go_to_page(reader, rb_remaining_no(cb, reader->no));
	if (rb_take_page(cb))
		return 1;
	if (rb_take_copy(cb, &got))
		return got.closed || got.size > reader->cur.pos;
	/* Gone, or so new that it is not there yet? */
	if (reader->no != tail)
		rb_go_to_page(reader, reader->no + 1);
	else if (READ_ONCE(cb->tail_no) == tail)
		return 0;
	return 1;
}

/**
 * rb_refill - the reader has read all that it has: get more
 * @cb: the CPU's stream, its lock held
 *
 * Context: any.
 * Return: 1 if there is more; 0 if not; -EAGAIN after RB_PASS_MOST pages: the lock has to
 * be let go of before that is known.
 */
int rb_refill(struct rb_cpu *cb)
{
	struct rb_reader *reader = &cb->reader;

	for (unsigned int n = 0; n < RB_PASS_MOST; n++) {
		if (reader->cur.pos < reader->cur.size)
			return 1;
		if (!rb_refill_step(cb))
			return 0;
	}
	return reader->cur.pos < reader->cur.size ? 1 : -EAGAIN;
}

/**
 * rb_pass_again - is the lock to be taken once more, to go on looking?
 * @cb: the CPU's stream, its lock not held
 * @found: -EAGAIN if nothing was found yet
 * @passed: how many pages were passed, 0 in the beginning
 *
 * Not beyond as many pages as there are: who writes may be as fast as who reads.
 *
 * Context: any.
 */
bool rb_pass_again(struct rb_cpu *cb, int found, unsigned long *passed)
{
	if (found != -EAGAIN)
		return false;
	*passed += RB_PASS_MOST;
	return *passed < READ_ONCE(cb->nr) + RB_PASS_MOST;
}

/* Returns 1, 0 or -EAGAIN as rb_refill() does, with the record. */
static int rb_reader_next(struct rb_cpu *cb, struct ring_buffer_event **event)
{
	int more = 1;

	for (unsigned int n = 0; n < RB_PASS_MOST && more > 0; n++) {
		*event = rb_cursor_next(&cb->reader.cur);
		if (*event)
			return 1;
		more = rb_refill(cb);
	}
	return more > 0 ? -EAGAIN : more;
}

/**
 * struct rb_reading - a record that is read
 * @consume: it is taken
 * @event: the record
 * @ts: its time
 * @lost: how many records were lost before it
 */
struct rb_reading {
	bool				consume;
	struct ring_buffer_event	*event;
	u64				ts;
	unsigned long			lost;
};

static void rb_read(struct rb_reader *reader, struct rb_reading *r)
{
	r->ts = reader->cur.ts + r->event->time_delta;
	r->lost = reader->lost;
	if (!r->consume)
		return;
	rb_cursor_pass(&reader->cur, r->event);
	reader->next++;
	reader->read++;
	reader->lost = 0;
}

/* Returns as rb_refill(). */
static int rb_read_locked(struct rb_cpu *cb, struct rb_reading *r)
{
	unsigned long flags;
	int found;

	if (!rb_lock_reader(cb, &flags))
		return 0;
	found = rb_reader_next(cb, &r->event);
	if (found > 0)
		rb_read(&cb->reader, r);
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
		found = rb_read_locked(rb_cpu_of(buffer, cpu), &r);
	} while (rb_pass_again(rb_cpu_of(buffer, cpu), found, &passed));
	if (found <= 0)
		return NULL;
	if (ts)
		*ts = r.ts;
	if (lost_events)
		*lost_events = r.lost;
	return r.event;
}

/**
 * ring_buffer_peek - look at the next record to be consumed
 * @buffer: the buffer
 * @cpu: the CPU whose stream to read
 * @ts: set to the record's time, if not NULL
 * @lost_events: set to the number of records that were lost before it, if not NULL
 *
 * The record stays valid until the next ring_buffer_peek(), _consume() or
 * _read_page() on this CPU's stream. One such reader at a time.
 *
 * Context: any; in an NMI or an oops it gives up rather than wait.
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
 * ring_buffer_consume - take the next record
 * @buffer: the buffer
 * @cpu: the CPU whose stream to read
 * @ts: as for ring_buffer_peek()
 * @lost_events: as for ring_buffer_peek()
 *
 * Context and return: as for ring_buffer_peek().
 */
struct ring_buffer_event *
ring_buffer_consume(struct trace_buffer *buffer, int cpu, u64 *ts,
		    unsigned long *lost_events)
{
	return rb_read_cpu(buffer, cpu, ts, lost_events, true);
}
EXPORT_SYMBOL_GPL(ring_buffer_consume);

/**
 * rb_oldest_no - number of the oldest page that may have unread records
 * @cb: the CPU's stream, its lock held
 *
 * Return: the number.
 */
unsigned long rb_oldest_no(struct rb_cpu *cb)
{
	const struct rb_reader *reader = &cb->reader;

	if (reader->cur.pos < reader->cur.size)
		return reader->no;
	return rb_remaining_no(cb, reader->no + reader->whole);
}

/**
 * rb_has_unread - may there be something to read?
 * @cb: the CPU's stream, its lock held
 *
 * Return: false if not. If true, there may still be nothing but discarded records.
 */
bool rb_has_unread(struct rb_cpu *cb)
{
	const struct rb_reader *reader = &cb->reader;
	unsigned long no = rb_oldest_no(cb);
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
	page = rb_page_in(ring, smp_load_acquire(rb_slot(ring, no)), no);	/* pair B */
	return page && READ_ONCE(page->data->commit) > pos;
}
