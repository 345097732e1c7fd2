/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private header of the ring buffer: its pages and rings, and the rules by which CPUs
 * and contexts access them and the streams (stream.h). Only files of ring_buffer/
 * include this header.
 *
 * The stream of a CPU is a sequence of pages that are numbered in order. A ring
 * with nr slots holds the newest pages: a page whose number is n more than the
 * origin of the ring lies in slot n % nr. The lap of the page is n / nr, the number
 * of times that its slot was used before. One further page belongs to the reader:
 * it is in no slot, and the reader exchanges it for a page that it takes from a slot.
 * Page numbers may wrap; n does not wrap, because rb_advance_origin() moves the
 * origin before n gets too large.
 *
 * The slot word
 * -------------
 * A slot word names the page in the slot (an index into rb_ring.pages), the lap,
 * and one of four states. Slot words are the only data that both writers and readers change:
 *
 *	EMPTY	nothing to read. Only the owning CPU may change the word.
 *	OPEN	being written. Only the owning CPU may change the word; other CPUs
 *		may copy the bytes below the commit of the page.
 *	CLOSED	written and unread. The winner of a cmpxchg of the word gets the
 *		page: the writer makes it EMPTY with the next lap (the page is
 *		overwritten), a reader makes it EMPTY with a spare page in it.
 *
 *	EMPTY --writer opens--> OPEN --outermost writer leaves--> CLOSED
 *	CLOSED --writer overwrites, or reader takes--> EMPTY
 *
 * The fourth state, AWAY, means that the page is still in the old ring while a
 * new ring replaces it; see "Resizing" below.
 *
 * The lap makes each OPEN and CLOSED word unique. A reader that sees the same word
 * before and after it copied the page has copied data of that lap only. A reader
 * whose cmpxchg succeeds has got that very page, not a page that came into the slot
 * later. (On 32 bits the lap has 12 bits. To take one lap for another, a reader would
 * have to miss exactly 4096 laps between two loads, with interrupts off. A page number
 * that is remembered for longer is compared with the number in the page itself, see
 * rb_word_to_page().)
 *
 * Writers of one CPU
 * ------------------
 * Writers nest as interrupts do: a writer that interrupts another one has finished
 * before the interrupted writer continues. The data that the writers of a CPU share
 * therefore need no locks and no atomic operations between CPUs, under these rules:
 *
 *  - rb_cpu.depth counts the writers that are between reserve and commit.
 *    Each writer leaves depth as it found it.
 *  - rb_cpu.write, the address of the next free byte, is moved by a cmpxchg
 *    that is atomic on this CPU only. The cmpxchg succeeds only if no writer has
 *    moved write since it was loaded. If it succeeds, a timestamp that was read in
 *    between is not earlier than that of the record before, and what else was loaded
 *    in between (page, end) belongs to the position of the record. Nested writers
 *    cannot move write once round the ring, back to the same address: no writer can
 *    use a slot that is OPEN, and only the outermost writer makes pages CLOSED.
 *  - rb_cpu.stamp is the time of the last record, and rb_cpu.limit is the end of
 *    the page, if the outermost writer wrote that record. A nested writer sets
 *    limit to 0, which means that stamp is not the time of the last record. It writes
 *    a full timestamp in front of each of its records, and does not change stamp. A
 *    limit of 0 sends the next outermost writer to the slow path, where it writes a
 *    full timestamp, too, and sets limit again. It then checks that its record is
 *    still the last one; otherwise it sets limit back to 0.
 *  - Only the outermost writer publishes: it sets the commit of the page to the
 *    value of write, sets depth to 0, and loads write again. If write has moved,
 *    another writer nested before depth was 0, and has not published its record; the
 *    outermost writer then sets depth to 1 again and repeats. Whenever depth is 0 and
 *    limit is not 0, everything is published and commit_page is the page that write
 *    points into. The fast path in write.h relies on that.
 *  - The cmpxchg of a writer must fail if stamp or limit has become invalid since the
 *    writer loaded them. A nested writer therefore always moves write: by a record or,
 *    if it discards that record, by the full timestamp in front of it. The first
 *    record of a page has no timestamp in front of it; if it is discarded, limit is
 *    set to 0 instead.
 *  - The next page is opened with interrupts off and rb_cpu.exclusive set. A writer in
 *    an NMI that finds exclusive set drops its record and counts it as dropped.
 *
 * The number of the first record of a page (rb_page.first_record) is fixed when the
 * page becomes the commit page. The number of lost records is the difference between
 * that number and the one that the reader expected; there is no separate counter
 * that could miss a loss. The number of records on a page follows from rb_cpu.nr_fast
 * and rb_page.nr_slow. These counters only grow, except that nr_slow is decremented for
 * a discarded record, and neither is ever added to the other: so another CPU that reads
 * them one after the other counts no record twice.
 *
 * Reader and writer on different CPUs
 * -----------------------------------
 * The barriers come in pairs, which comments in the code name by these letters:
 *
 *  A. Records before commit: smp_store_release() in rb_publish(),
 *     rb_close_page() and rb_commit_inline(); pairs with the
 *     smp_load_acquire() of commit in rb_copy_page(). A reader that saw the page
 *     OPEN may find the commit of any of these three.
 *  B. All of a page before OPEN or CLOSED in its slot: smp_store_release() in
 *     rb_open_page() and rb_close_page(); pairs with the smp_load_acquire() of the
 *     word in rb_copy_page() and with the cmpxchg() in rb_take_page().
 *  C. A page becomes EMPTY or AWAY (cmpxchg(), a full barrier) before its bytes
 *     are overwritten: rb_claim_slot(), rb_claim_away_page(); pairs with the smp_rmb()
 *     before rb_copy_page() and rb_find_page_start() load the word again.
 *  D. A reader has finished reading a page before it puts the page into a slot:
 *     cmpxchg() in rb_take_page(); pairs with the load of the word in
 *     rb_claim_slot() and rb_claim_away_page(), which is an acquire.
 *  E. A page is OPEN before tail_no is its number: smp_store_release() of
 *     tail_no in rb_open_page(); pairs with the smp_load_acquire() of tail_no in
 *     rb_refill_step(), rb_first_remaining_no() and rb_iter_set_end(). A reader that sees
 *     the number finds the page.
 *  F. rb_cpu.waiting, which a waiter sets, and the records that it waits for: see wait.c.
 *  G. first_record, nr_fast_before and bytes_before of a page before it is the commit page:
 *     smp_store_release() of commit_page in rb_close_page(); pairs with the
 *     smp_load_acquire() in rb_find_writer_point().
 *
 * Resizing
 * --------
 * A new ring that replaces an old one has slots for the page numbers of the old one and
 * for more of them, or only for the newest of them. The stream switches to the new ring in
 * one step: from then on the writer opens pages in the new ring, and rb_cpu.spare_ring is
 * the old ring, until its last page has moved to the new one. A page whose slot in the
 * new ring is AWAY is still in the old ring; readers find the ring of a page by
 * rb_ring_of(). Pages move to the new ring
 *
 *  - in batches, the oldest first, while neither writer nor reader is at work:
 *    rb_resize_step();
 *  - when the writer needs the slot, which it does only to overwrite the page. A reader may
 *    take the page at the same time: so rb_claim_away_page() changes the word in the old
 *    ring from CLOSED or EMPTY to AWAY by a cmpxchg.
 *
 * Only the owning CPU changes a word to AWAY or from AWAY.
 *
 * Until a page has moved, readers copy it from the old ring or take it out of there.
 * The page that a reader leaves in its place must be one of rb_ring.pages of the old ring,
 * which the reader's page is not. So the old ring has a page for that, rb_ring.spare, which
 * gets the memory of the reader's page.
 *
 * Other changes of a stream
 * -------------------------
 * A change that affects more of a stream than the above, such as a reset or a step of
 * a resize, runs on the owning CPU, in an interrupt that found depth at 0, and keeps
 * depth at 1 and exclusive set while it works; see rb_run_without_writers(). The exchange of
 * a CPU's streams between two buffers in swap.c does so, too. A struct rb_cpu stays with
 * its buffer: only the members of rb_cpu.stream are exchanged, and only if depth was 0.
 * A writer that keeps its pointer to the rb_cpu from reserve to commit therefore commits
 * the record that it reserved.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_INTERNAL_H
#define _KERNEL_TRACE_RING_BUFFER_INTERNAL_H

#include <linux/gfp.h>
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <asm/local.h>
#include <asm/trace_clock_inline.h>

#include "records.h"
#include "stream.h"

/* Fields of a slot word. RB_SLOT_INDEX is an index into rb_ring.pages. */
#define RB_SLOT_STATE	GENMASK(1, 0)
#ifdef CONFIG_64BIT
# define RB_SLOT_INDEX	GENMASK(25, 2)
# define RB_SLOT_LAP	GENMASK(63, 26)
#else
# define RB_SLOT_INDEX	GENMASK(19, 2)
# define RB_SLOT_LAP	GENMASK(31, 20)
#endif

/* Least and largest number of slots in the ring of a CPU. */
#define RB_MIN_PAGES	2UL
#define RB_MAX_PAGES	(FIELD_MAX(RB_SLOT_INDEX) - 1)
/* Distance of the newest page from the origin above which rb_advance_origin() moves the origin. */
#define RB_ORIGIN_DISTANCE_MAX	(3UL << (BITS_PER_LONG - 3))
/*
 * Most bytes that a reader copies at once, with interrupts off. A larger page is
 * copied in pieces of whole records.
 */
#define RB_COPY_MAX	SZ_16K
/*
 * Maximum number of pages that a reader looks at with interrupts off, without finding a
 * record: their records were all discarded, or were overwritten before they were read.
 */
#define RB_SKIP_MAX	16
/* Maximum of rb_cpu.depth. If even more writers nest, their records are dropped. */
#define RB_MAX_DEPTH	16

/**
 * enum rb_slot_state - state of a slot, which says who may take the page in it
 * @RB_EMPTY: nothing to read; only the owning CPU may write to the page
 * @RB_OPEN: the owning CPU writes to the page; readers may copy its published part
 * @RB_CLOSED: written and unread; writer and readers contend for the page by cmpxchg()
 * @RB_AWAY: the page of this slot is still in the old ring, because a resize is under way
 */
enum rb_slot_state { RB_EMPTY, RB_OPEN, RB_CLOSED, RB_AWAY };

static_assert(RB_AWAY <= RB_SLOT_STATE);

/**
 * struct rb_page - descriptor of a page of a CPU's stream
 * @data: the memory with the records; a reader that has the page may exchange it for other memory
 * @no: number of the page in the stream
 * @first_record: number of the first record on this page; the records of the stream are counted
 *	from 0
 * @bytes_before: number of bytes in the stream before this page
 * @dropped_before: number of records dropped before this page was opened
 * @end: address behind the last record, valid once the next page has been opened
 * @nr_slow: number of records that the slow path wrote to this page
 * @nr_fast_before: rb_cpu.nr_fast when this page became the commit page; rb_cpu.nr_fast minus this
 *	is the number of records that the fast path wrote to this page
 * @records: number of records on the page, valid once it is CLOSED
 */
struct rb_page {
	struct rb_data_page	*data;
	unsigned long		no;
	unsigned long		first_record;
	unsigned long		bytes_before;
	unsigned long		dropped_before;
	unsigned long		end;
	local_t			nr_slow;
	unsigned long		nr_fast_before;
	unsigned long		records;
};

/**
 * struct rb_ring - the pages of one CPU
 * @nr: number of slots
 * @order: each page is 2^order pages of memory
 * @origin: page number that lies in slot 0; the slot and the lap of a page follow from
 *	the distance of its number from @origin
 * @away: number of the first page that may still be in the old ring
 * @away_end: number behind the last page that may still be in the old ring; equal to
 *	@away when no resize is under way
 * @spare: in an old ring, the page that is in no slot; a reader that takes a page from the
 *	old ring puts this one into the slot
 * @vacant: index in @pages of the page that has no memory; while the stream is mapped, that page
 *	has memory and is in use, and this index is invalid
 * @pages: the pages: one for each of the @nr slots, that of the reader, and the one at @vacant;
 *	in no order
 * @slots: slot words
 */
struct rb_ring {
	unsigned long	nr;
	unsigned int	order;
	unsigned long	origin;
	unsigned long	away;
	unsigned long	away_end;
	struct rb_page	*spare;
	unsigned long	vacant;
	struct rb_page	*pages;
	unsigned long	slots[] __counted_by(nr);
};

/**
 * struct buffer_data_read_page - a page into which a caller reads records
 * @order: @data is 2^order pages of memory
 * @data: the memory of the page; when a whole page is read without copying, it is exchanged for
 *	that of the page in the buffer
 */
struct buffer_data_read_page {
	unsigned int		order;
	struct rb_data_page	*data;
};

/* Distance of page @no from the origin, in pages. The writer may move the origin meanwhile. */
static inline unsigned long rb_distance_from_origin(const struct rb_ring *ring, unsigned long no)
{
	return no - READ_ONCE(ring->origin);
}

/*
 * Step by which the origin moves, in pages: so many laps that the lap in a slot word wraps to the
 * same value, so that slot words need not change.
 */
static inline unsigned long rb_origin_step(const struct rb_ring *ring)
{
	unsigned long laps = FIELD_MAX(RB_SLOT_LAP) + 1;

	/* All pages of the ring are still ahead of the origin after a step. */
	BUILD_BUG_ON(RB_MAX_PAGES * (FIELD_MAX(RB_SLOT_LAP) + 2) >= RB_ORIGIN_DISTANCE_MAX);
	return ring->nr * laps;
}

/* Slot word that says: page number @no is ring->pages[@index], in state @state. */
static inline unsigned long rb_slot_word(const struct rb_ring *ring,
					 unsigned long no, unsigned long index,
					 enum rb_slot_state state)
{
	unsigned long lap = rb_distance_from_origin(ring, no) / ring->nr;

	return FIELD_PREP(RB_SLOT_LAP, lap & FIELD_MAX(RB_SLOT_LAP)) |
	       FIELD_PREP(RB_SLOT_INDEX, index) |
	       FIELD_PREP(RB_SLOT_STATE, state);
}

/* Slot word with the page and the lap of @word, in state @state. */
static inline unsigned long rb_word_with_state(unsigned long word, enum rb_slot_state state)
{
	return (word & ~RB_SLOT_STATE) | FIELD_PREP(RB_SLOT_STATE, state);
}

/* The slot of page number @no. */
static inline unsigned long *rb_slot(struct rb_ring *ring, unsigned long no)
{
	return &ring->slots[rb_distance_from_origin(ring, no) % ring->nr];
}

/* Index in rb_ring.pages of the page that a slot word names. */
static inline unsigned long rb_word_index(unsigned long word)
{
	return FIELD_GET(RB_SLOT_INDEX, word);
}

static inline enum rb_slot_state rb_word_state(unsigned long word)
{
	return FIELD_GET(RB_SLOT_STATE, word);
}

/*
 * The page that slot word @word names if it is page number @no and has been written;
 * otherwise NULL. The result is valid only as long as the slot still holds @word.
 */
static inline struct rb_page *rb_word_to_page(const struct rb_ring *ring,
					      unsigned long word, unsigned long no)
{
	unsigned long index = rb_word_index(word);
	struct rb_page *page = &ring->pages[index];

	if (rb_word_state(word) == RB_EMPTY || rb_word_state(word) == RB_AWAY ||
	    READ_ONCE(page->no) != no ||
	    word != rb_slot_word(ring, no, index, rb_word_state(word)))
		return NULL;
	return page;
}

/* True while pages of @ring may still be in the old ring. */
static inline bool rb_is_resizing(const struct rb_ring *ring)
{
	return ring->away != ring->away_end;
}

/*
 * Number of records on @page, which must be the commit page. @nr_fast: value of rb_cpu.nr_fast now.
 */
static inline unsigned long rb_count_page_records(const struct rb_page *page,
						  unsigned long nr_fast)
{
	return local_read(&page->nr_slow) + nr_fast - page->nr_fast_before;
}

/* Address of the first record that a page can have. */
static inline unsigned long rb_page_base(const struct rb_page *page)
{
	return (unsigned long)page->data->data;
}

/*
 * How far @a is ahead of @b, two page or record numbers, which may wrap; negative if it is
 * behind. Must not be used for a number that a reader has remembered: it may be so far
 * behind that the difference wraps, and it seems to be ahead.
 */
static inline long rb_ahead(unsigned long a, unsigned long b)
{
	return a - b;
}

/*
 * The ring that holds page @no, for readers, which hold rb_cpu.lock. The writer may
 * overwrite the page meanwhile; the reader notices that when it compares the slot word.
 * If page @no was overwritten already, either ring may be returned, and rb_word_to_page()
 * returns NULL for it.
 */
static inline struct rb_ring *rb_ring_of(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *ring = cb->ring;

	if (likely(rb_word_state(READ_ONCE(*rb_slot(ring, no))) != RB_AWAY))
		return ring;
	return cb->spare_ring;
}

/*
 * True if the reader has read all records of @page, a CLOSED page, as copies while the page was
 * being written.
 */
static inline bool rb_page_is_read(const struct rb_cpu *cb, const struct rb_page *page)
{
	return READ_ONCE(cb->reader.next) == page->first_record + page->records;
}

/* True if @page, a CLOSED page, must not be overwritten: it is unread, and overwriting is off. */
static inline bool rb_must_keep_page(const struct rb_cpu *cb, const struct rb_page *page)
{
	return !READ_ONCE(cb->buffer->overwrite) && rb_ahead(cb->floor, page->no) <= 0 &&
	       !rb_page_is_read(cb, page);
}

/* Stream of @cpu, which must be a possible CPU. */
static inline struct rb_cpu *rb_cpu_of(struct trace_buffer *buffer, int cpu)
{
	return per_cpu_ptr(buffer->streams, cpu);
}

/*
 * True while the pages of @cb are mapped by user space. Each page must then keep its
 * memory, and its index in rb_ring.pages: code that moves a page to another ring, frees its
 * memory, or exchanges that memory with a reader tests this first. So resizing, changing the
 * size of sub-buffers and exchanging streams fail with -EBUSY, and ring_buffer_read_page()
 * copies. rb_cpu.mapped changes under both trace_buffer.mutex and rb_cpu.lock; code that tests
 * it holds one of them.
 */
static inline bool rb_pages_pinned(const struct rb_cpu *cb)
{
	return READ_ONCE(cb->mapped);
}

/* Read the clock of @cb, the stream of this CPU. Context: any; preemption off. */
static __always_inline u64 rb_clock(struct rb_cpu *cb)
{
	rb_clock_fn clock = READ_ONCE(cb->clock);

	return clock ? clock() : arch_trace_clock();
}

/* write.c */
void rb_publish_all(struct rb_cpu *cb);
unsigned long rb_publish(struct rb_cpu *cb);

/* read.c */

/**
 * struct rb_copied - result of rb_copy_page()
 * @size: bytes of records in the copy, including those copied by earlier calls
 * @closed: true if no more records are written to the page, and all of it was copied
 * @first_record: as in struct rb_page
 * @dropped_before: as in struct rb_page
 * @bytes_before: as in struct rb_page
 */
struct rb_copied {
	unsigned int	size;
	bool		closed;
	unsigned long	first_record;
	unsigned long	dropped_before;
	unsigned long	bytes_before;
};

unsigned int rb_piece_end(const struct rb_data_page *page, unsigned int from,
			  unsigned int size);
bool rb_copy_page(struct rb_cpu *cb, unsigned long no, struct rb_data_page *to,
		  unsigned int from, struct rb_copied *got);
struct ring_buffer_event *rb_cursor_next(struct rb_cursor *cur);
void rb_cursor_advance(struct rb_cursor *cur, const struct ring_buffer_event *event);
bool rb_lock_reader(struct rb_cpu *cb, unsigned long *flags);
void rb_unlock_reader(struct rb_cpu *cb, unsigned long flags);
bool rb_take_page(struct rb_cpu *cb);
void rb_go_to_page(struct rb_reader *reader, unsigned long no);
int rb_refill(struct rb_cpu *cb);
bool rb_should_retry(struct rb_cpu *cb, int found, unsigned long *passed);
unsigned long rb_first_remaining_no(struct rb_cpu *cb, unsigned long no);
unsigned long rb_oldest_unread_no(struct rb_cpu *cb);
bool rb_has_unread(struct rb_cpu *cb);

/* read_page.c */
unsigned long rb_mark_lost(struct rb_data_page *page, unsigned int size,
			   unsigned int payload, unsigned long lost);

/* ring.c */
struct rb_data_page *rb_data_alloc(int cpu, unsigned int order);
void rb_data_free(struct rb_data_page *data, unsigned int order);
struct rb_ring *rb_ring_alloc(int cpu, unsigned long nr, unsigned long nr_backed,
			      unsigned int order);
void rb_ring_free(struct rb_ring *ring);
void rb_free_spares(struct trace_buffer *buffer);
unsigned long rb_pages_for(unsigned long size, unsigned int order);

/* reset.c */
void rb_run_without_writers(struct rb_cpu *cb, void (*fn)(struct rb_cpu *cb));
void rb_restart_stream(struct rb_cpu *cb);
int rb_cpu_add_ring(struct rb_cpu *cb);

/* resize.c */
void rb_resize_start(struct rb_cpu *cb);
void rb_resize_step(struct rb_cpu *cb);

/* wait.c */
void rb_waiters_init(struct rb_waiters *waiters, struct trace_buffer *buffer,
		     int cpu);
void rb_waiters_stop(struct rb_waiters *waiters);
void rb_wake_work(struct irq_work *work);
void rb_wake_any(struct rb_cpu *cb);
void rb_wake_full(struct rb_cpu *cb);

/* ctl.c */
void rb_update_write_flags(struct trace_buffer *buffer);

/* consume.c */

/**
 * consume_busy - test whether the records of a CPU are being consumed
 * @cpu: the CPU
 *
 * The test covers the buffers of all instances. If it returns false to a caller that holds
 * rb_cpu.lock of a stream of @cpu, no consumer uses a record of that stream. A consumer that
 * comes later waits for rb_cpu.lock, and so sees what the caller has changed.
 *
 * Context: any.
 * Return: true if the lock of consume_lock() is held for @cpu or for all CPUs.
 */
bool consume_busy(int cpu);

#endif /* _KERNEL_TRACE_RING_BUFFER_INTERNAL_H */
