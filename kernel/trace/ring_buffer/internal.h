/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private header of the ring buffer: its pages and rings, and the rules by which CPUs
 * and contexts access them and the streams (stream.h). Only the files of this room
 * include this header.
 *
 * The stream of a CPU is a sequence of pages that are numbered in order. A ring
 * with nr slots holds the newest pages: a page whose number is n more than the
 * origin of the ring lies in slot n % nr. The lap of the page is n / nr, the number
 * of times that its slot was used before. One further page belongs to the reader.
 * Page numbers may wrap; n does not wrap, because rb_renew_origin() moves the
 * origin before n gets too large.
 *
 * The slot word
 * -------------
 * A slot word names the page in the slot (an index into rb_ring.pages), the lap,
 * and one of four states. Writer and reader contend for nothing else:
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
 * later. (On 32 bits the lap has 12 bits. To be deceived, a reader would have to
 * miss exactly 4096 laps between two loads, with interrupts off. A page number that
 * is remembered for longer is compared with the number in the page itself, see
 * rb_page_in().)
 *
 * Writers of one CPU
 * ------------------
 * Writers nest as interrupts do: a writer that interrupts another one has finished
 * before the interrupted writer continues. All data that the writers of a CPU share
 * is therefore plain memory, under these rules:
 *
 *  - rb_cpu.depth counts the writers that are between reserve and commit.
 *    Each writer leaves depth as it found it.
 *  - rb_cpu.write, the address of the next free byte, is moved by a cmpxchg
 *    that is atomic on this CPU only. The cmpxchg succeeds only if no one has
 *    written since write was loaded. A timestamp read in between is therefore in
 *    order with the position of the record, and everything else that was loaded in
 *    between (page, end) belongs to that position. Lapping cannot bring the same
 *    address back: a writer cannot enter a slot that is OPEN, and only the
 *    outermost writer makes pages CLOSED.
 *  - rb_cpu.stamp is the time of the last record, and rb_cpu.limit is the end of
 *    the page, if the outermost writer wrote that record. A nested writer sets
 *    limit to 0 ("stamp is not the time of the last record"), writes a full
 *    timestamp in front of each of its records, and does not change stamp. A limit
 *    of 0 sends the next outermost writer to the slow path, where it writes a full
 *    timestamp, too. A writer that restores limit checks afterwards that its record
 *    is still the last one.
 *  - Only the outermost writer publishes: it sets the commit of the page to the
 *    value of write, drops depth to 0, and loads write again. If write has moved,
 *    another writer nested between the two steps; the outermost writer then raises
 *    depth again and repeats. Whenever depth is 0 and limit is not 0, everything is
 *    published and commit_page is the page that write points into. The fast path in
 *    write.h relies on that.
 *  - A writer that loaded write, stamp and limit must find write changed if stamp
 *    or limit is no longer valid. A nested writer therefore always leaves something
 *    behind: a record or, if it discards that record, the full timestamp in front of
 *    it. The first record of a page has no timestamp in front of it; limit is 0
 *    while a page is empty.
 *  - The next page is opened with interrupts off and rb_cpu.advancing set. An
 *    NMI that finds advancing set drops its record and counts it.
 *
 * The number of records before a page (rb_page.first) is fixed when the page
 * becomes the commit page. The number of lost records is the difference between
 * that number and the one that the reader expected; there is no separate counter
 * that could miss a loss. Counters only grow, except that rb_page.events shrinks by
 * one for a discarded record. No counter is added to another one (rb_cpu.count,
 * rb_page.events), so a sum of them counts nothing twice.
 *
 * Reader and writer on different CPUs
 * -----------------------------------
 *  A. Records before commit: smp_store_release() in rb_publish(),
 *     rb_close_page() and rb_commit_inline(); pairs with the
 *     smp_load_acquire() of commit in rb_copy_page(). A reader that saw the page
 *     OPEN may find the commit of any of these three.
 *  B. All of a page before OPEN or CLOSED in its slot: smp_store_release() in
 *     rb_open_page() and rb_close_page(); pairs with the smp_load_acquire() of the
 *     word in rb_copy_page() and with the cmpxchg() in rb_take_page().
 *  C. A page becomes EMPTY or AWAY (cmpxchg(), a full barrier) before its bytes
 *     are overwritten: rb_claim_slot(), rb_claim_away(); pairs with the smp_rmb()
 *     before rb_copy_page() and rb_find_page_start() load the word again.
 *  D. A reader has finished reading a page before it puts the page into a slot:
 *     cmpxchg() in rb_take_page(); pairs with the load of the word in
 *     rb_claim_slot() and rb_claim_away(), which is an acquire.
 *  E. A page is OPEN before tail_no is its number: smp_store_release() of
 *     tail_no in rb_open_page(); pairs with the smp_load_acquire() of tail_no in
 *     rb_refill_step(), rb_remaining_no() and rb_iter_set_end(). A reader that sees
 *     the number finds the page.
 *  F. The flag of a waiter and the records that it waits for: see wait.c.
 *  G. first, straight and bytes of a page before it is the commit page:
 *     smp_store_release() of commit_page in rb_close_page(); pairs with the
 *     smp_load_acquire() in rb_find_writer().
 *
 * Resizing
 * --------
 * A new ring that replaces an old one has slots for the same page numbers and more,
 * or for the newest of them. The stream continues in the new ring in one step. From
 * then on rb_cpu.spare_ring is the old ring, until its last page has moved to the new
 * one. A page whose slot in the new ring is AWAY is still in the old ring; readers
 * find the right ring by rb_ring_of(). Pages move to the new ring
 *
 *  - in batches, the oldest first, while neither writer nor reader is at work:
 *    rb_resize_step();
 *  - when the writer needs the slot, which it does only to overwrite the page. It then
 *    has to win the page from a reader, as always: rb_claim_away() changes the word in
 *    the old ring from CLOSED or EMPTY to AWAY.
 *
 * Only the owning CPU changes a word to AWAY or from AWAY.
 *
 * Until a page has moved, readers copy it from the old ring or take it out of there.
 * The page that a reader leaves in its place must be a page of the old ring:
 * rb_ring.seat is such a page; it gets the memory of the reader's page.
 *
 * Other changes of a stream
 * -------------------------
 * A change that affects more of a stream than the above, such as a reset or a step of
 * a resize, runs on the owning CPU, in an interrupt that found depth at 0, and keeps
 * depth and advancing raised while it works; see rb_run_quiet(). The exchange of a
 * CPU's streams between two buffers in swap.c does so, too. A struct rb_cpu stays with
 * its buffer: only the members of rb_cpu.stream are exchanged, and never while depth is
 * raised. A writer that keeps its pointer to the rb_cpu from reserve to commit
 * therefore commits the record that it reserved.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_INTERNAL_H
#define _KERNEL_TRACE_RING_BUFFER_INTERNAL_H

#include <linux/gfp.h>
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <asm/local.h>
#include <asm/trace_clock_inline.h>

#include "event.h"
#include "stream.h"

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
/* Largest distance of the newest page from the origin; then rb_renew_origin() moves the origin. */
#define RB_ORIGIN_FAR	(3UL << (BITS_PER_LONG - 3))
/*
 * Most bytes that a reader copies at once, with interrupts off. A larger page is
 * copied in pieces of whole records.
 */
#define RB_COPY_MAX	SZ_16K
/*
 * Most pages without anything to read that a reader skips at once, with interrupts off:
 * pages whose records were all discarded, or that were overwritten before they were read.
 */
#define RB_PASS_MAX	16
/* Most writers that may nest on a CPU. The records of further writers are dropped. */
#define RB_MAX_DEPTH	16

/**
 * enum rb_slot_state - state of a slot, which says who may take the page in it
 * @RB_EMPTY: nothing to read; only the owning CPU may write to the page
 * @RB_OPEN: the owning CPU writes to the page; readers may copy its published part
 * @RB_CLOSED: written and unread; writer and readers contend for the page by cmpxchg()
 * @RB_AWAY: the page of this slot is still in the old ring of a resize
 */
enum rb_slot_state { RB_EMPTY, RB_OPEN, RB_CLOSED, RB_AWAY };

static_assert(RB_AWAY <= RB_SLOT_STATE);

/**
 * struct rb_page - descriptor of a page of a CPU's stream
 * @data: memory that is handed to readers; a reader may exchange it while it has the page
 * @no: number of the page in the stream
 * @first: number of records in the stream before this page
 * @bytes: number of bytes in the stream before this page
 * @missed: number of records dropped before this page was opened
 * @end: address behind the last record, valid once a writer has left the page
 * @events: number of records that the slow path wrote to this page
 * @straight: rb_cpu.count when this page became the commit page; the increase of
 *	rb_cpu.count since then is the number of records of the fast path on this page
 * @records: number of records on the page, valid once it is CLOSED
 */
struct rb_page {
	struct rb_data_page	*data;
	unsigned long		no;
	unsigned long		first;
	unsigned long		bytes;
	unsigned long		missed;
	unsigned long		end;
	local_t			events;
	unsigned long		straight;
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
 * @seat: in an old ring, the page that no slot has; a reader leaves it in place of the
 *	page that it takes from the old ring
 * @vacant: index in @pages of the page without memory, unused while the stream is mapped
 * @pages: @nr pages in slots, the page of the reader and @vacant, in no order
 * @slots: slot words
 */
struct rb_ring {
	unsigned long	nr;
	unsigned int	order;
	unsigned long	origin;
	unsigned long	away;
	unsigned long	away_end;
	struct rb_page	*seat;
	unsigned long	vacant;
	struct rb_page	*pages;
	unsigned long	slots[] __counted_by(nr);
};

/**
 * struct buffer_data_read_page - a page into which a caller reads records
 * @order: @data is 2^order pages of memory
 * @data: the page; replaced whenever a whole page is handed out without copying
 */
struct buffer_data_read_page {
	unsigned int		order;
	struct rb_data_page	*data;
};

/* Distance of page @no from the origin, in pages. The writer may move the origin meanwhile. */
static inline unsigned long rb_from_origin(const struct rb_ring *ring, unsigned long no)
{
	return no - READ_ONCE(ring->origin);
}

/* Step by which the origin moves, in pages: all laps that a slot word can tell apart. */
static inline unsigned long rb_origin_step(const struct rb_ring *ring)
{
	unsigned long laps = FIELD_MAX(RB_SLOT_LAP) + 1;

	/* All pages of the ring are still ahead of the origin after a step. */
	BUILD_BUG_ON(RB_MAX_PAGES * (FIELD_MAX(RB_SLOT_LAP) + 2) >= RB_ORIGIN_FAR);
	return ring->nr * laps;
}

/* Slot word that says: page number @no is ring->pages[@index], in state @state. */
static inline unsigned long rb_slot_word(const struct rb_ring *ring,
					 unsigned long no, unsigned long index,
					 enum rb_slot_state state)
{
	unsigned long lap = rb_from_origin(ring, no) / ring->nr;

	return FIELD_PREP(RB_SLOT_LAP, lap & FIELD_MAX(RB_SLOT_LAP)) |
	       FIELD_PREP(RB_SLOT_INDEX, index) |
	       FIELD_PREP(RB_SLOT_STATE, state);
}

/* Slot word with the page and the lap of @word, in state @state. */
static inline unsigned long rb_word_as(unsigned long word, enum rb_slot_state state)
{
	return (word & ~RB_SLOT_STATE) | FIELD_PREP(RB_SLOT_STATE, state);
}

/* The slot of page number @no. */
static inline unsigned long *rb_slot(struct rb_ring *ring, unsigned long no)
{
	return &ring->slots[rb_from_origin(ring, no) % ring->nr];
}

/* Index into rb_ring.pages of the page that a slot word names. */
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
static inline struct rb_page *rb_page_in(const struct rb_ring *ring,
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

/* Number of records on @page, the commit page, where @count is rb_cpu.count. */
static inline unsigned long rb_page_records(const struct rb_page *page,
					    unsigned long count)
{
	return local_read(&page->events) + count - page->straight;
}

/* Address of the first record that a page can have. */
static inline unsigned long rb_page_base(const struct rb_page *page)
{
	return (unsigned long)page->data->data;
}

/*
 * Distance by which @a is ahead of @b; page and record numbers may wrap. Must not be
 * used for a number that a reader remembers: such a number may be so far behind that
 * it seems to be ahead.
 */
static inline long rb_ahead(unsigned long a, unsigned long b)
{
	return a - b;
}

/*
 * The ring that holds page @no, for readers, which hold rb_cpu.lock. The writer may
 * overwrite the page meanwhile; the reader notices that when it compares the slot word.
 * If page @no was overwritten already, either ring may be returned; rb_page_in() then
 * finds a different page->no.
 */
static inline struct rb_ring *rb_ring_of(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *ring = cb->ring;

	if (likely(rb_word_state(READ_ONCE(*rb_slot(ring, no))) != RB_AWAY))
		return ring;
	return cb->spare_ring;
}

/* True if all records of a CLOSED page were read as copies while it was being written. */
static inline bool rb_is_read(const struct rb_cpu *cb, const struct rb_page *page)
{
	return READ_ONCE(cb->reader.next) == page->first + page->records;
}

/* True if a CLOSED page must not be overwritten: it is unread and overwriting is off. */
static inline bool rb_must_keep(const struct rb_cpu *cb, const struct rb_page *page)
{
	return !READ_ONCE(cb->buffer->overwrite) && rb_ahead(cb->floor, page->no) <= 0 &&
	       !rb_is_read(cb, page);
}

/* Stream of @cpu, which must be a possible CPU. */
static inline struct rb_cpu *rb_cpu_of(struct trace_buffer *buffer, int cpu)
{
	return per_cpu_ptr(buffer->cpu, cpu);
}

/*
 * True while the pages of @cb are mapped by user space. Mapped pages must stay where
 * they are: code that moves a page to another ring, frees its memory or exchanges that
 * memory with a reader tests this first. Resizing, changing the size of sub-buffers and
 * exchanging streams fail with -EBUSY; ring_buffer_read_page() copies. rb_cpu.mapped
 * changes under both trace_buffer.mutex and rb_cpu.lock; each reader of it holds one.
 */
static inline bool rb_pages_pinned(const struct rb_cpu *cb)
{
	return READ_ONCE(cb->mapped);
}

/* Read the clock of @cb, the stream of this CPU; preemption is off. */
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
 * @closed: the page is complete and all of it was copied
 * @first: number of records in the stream before the page
 * @missed: number of records dropped before the page was opened
 * @bytes: number of bytes in the stream before the page
 */
struct rb_copied {
	unsigned int	size;
	bool		closed;
	unsigned long	first;
	unsigned long	missed;
	unsigned long	bytes;
};

unsigned int rb_piece_end(const struct rb_data_page *page, unsigned int from,
			  unsigned int size);
bool rb_copy_page(struct rb_cpu *cb, unsigned long no, struct rb_data_page *to,
		  unsigned int from, struct rb_copied *got);
struct ring_buffer_event *rb_cursor_next(struct rb_cursor *cur);
void rb_cursor_pass(struct rb_cursor *cur, const struct ring_buffer_event *event);
bool rb_lock_reader(struct rb_cpu *cb, unsigned long *flags);
void rb_unlock_reader(struct rb_cpu *cb, unsigned long flags);
bool rb_take_page(struct rb_cpu *cb);
void rb_go_to_page(struct rb_reader *reader, unsigned long no);
int rb_refill(struct rb_cpu *cb);
bool rb_pass_again(struct rb_cpu *cb, int found, unsigned long *passed);
unsigned long rb_remaining_no(struct rb_cpu *cb, unsigned long no);
unsigned long rb_oldest_no(struct rb_cpu *cb);
bool rb_has_unread(struct rb_cpu *cb);

/* read_page.c */
unsigned long rb_mark_lost(struct rb_data_page *page, unsigned int size,
			   unsigned int payload, unsigned long lost);

/* ring.c */
struct rb_data_page *rb_data_alloc(int cpu, unsigned int order);
void rb_data_free(struct rb_data_page *data, unsigned int order);
struct rb_ring *rb_ring_alloc(int cpu, unsigned long nr, unsigned long fresh,
			      unsigned int order);
void rb_ring_free(struct rb_ring *ring);
void rb_free_spares(struct trace_buffer *buffer);
unsigned long rb_pages_for(unsigned long size, unsigned int order);

/* reset.c */
void rb_run_quiet(struct rb_cpu *cb, void (*fn)(struct rb_cpu *cb));
void rb_restart(struct rb_cpu *cb);
int rb_cpu_add_ring(struct rb_cpu *cb);

/* resize.c */
void rb_resize_start(struct rb_cpu *cb);
void rb_resize_step(struct rb_cpu *cb);
struct rb_page *rb_claim_away(struct rb_cpu *cb, unsigned long no);

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
 * The test covers the buffers of all instances. If a caller that holds rb_cpu.lock of a
 * stream gets false, no consumer uses a record of that stream; later consumers wait for
 * rb_cpu.lock and see the stream as it is afterwards.
 *
 * Context: any.
 * Return: true if the lock of consume_lock() is held for @cpu or for all CPUs.
 */
bool consume_busy(int cpu);

#endif /* _KERNEL_TRACE_RING_BUFFER_INTERNAL_H */
