/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the ring buffer share: its structures and the rules by
 * which CPUs and contexts may touch them. Only the files of this room include
 * this.
 *
 * A CPU's stream is a sequence of pages, numbered in order. A ring of nr slots
 * holds the last ones: the page whose number is n more than the ring's origin
 * lies in slot n % nr. Lap n / nr is the number of times that the slot was used
 * before. One further page belongs to the reader. Numbers wrap; n does not,
 * because the origin goes on before: see rb_renew_origin().
 *
 * The slot word
 * -------------
 * A word names the page in the slot (an index into rb_ring.pages), the lap and
 * one of four states. It is the only thing that writer and reader contend for:
 *
 *	EMPTY	nothing to read. The owning CPU alone may change the word.
 *	OPEN	being written. The owning CPU alone may change the word; others
 *		may copy the bytes below the page's commit.
 *	CLOSED	written and unread. Whoever wins a cmpxchg of the word has the
 *		page: the writer makes it EMPTY with the next lap (the page is
 *		overwritten), a reader makes it EMPTY with a spare page in it.
 *
 *	EMPTY --writer opens--> OPEN --outermost writer leaves--> CLOSED
 *	CLOSED --writer overwrites, or reader takes--> EMPTY
 *
 * A fourth state, AWAY, says that the page is in another ring, while one replaces
 * the other: see "A ring of another size".
 *
 * The lap makes each OPEN and CLOSED word one of a kind: a reader that saw it,
 * and sees it again after copying the page, has copied what was written in that
 * lap; a reader whose cmpxchg succeeds has that very page and none that came
 * into the slot since. (On 32 bits the lap has 12 bits. To be deceived, a reader
 * would have to sleep through exactly 4096 laps between two loads, with
 * interrupts off. A number that was remembered for longer is compared with that
 * of the page itself: rb_page_in().)
 *
 * Writers of one CPU
 * ------------------
 * Interrupts nest: whoever interrupts a writer is done before the writer goes
 * on. So all that the CPU's writers share is plain memory, and the rules are:
 *
 *  - rb_cpu.depth counts the writers that are between reserve and commit.
 *    Each leaves it as found.
 *  - rb_cpu.write, the address of the next free byte, is moved by a cmpxchg
 *    that is atomic only on this CPU. It succeeds only if no one wrote since it
 *    was loaded, hence the time taken in between is that of the place in order,
 *    and all that was loaded in between (page, end) belongs to that place. The
 *    address cannot come back by lapping: a writer cannot enter a slot that is
 *    OPEN, and pages become CLOSED only by the outermost writer's hand.
 *  - rb_cpu.stamp is the time of the last record and rb_cpu.limit is where the
 *    page ends, if the outermost wrote that record. Nested writers set limit
 *    to 0 ("the time of the last record is not in stamp"), give each of their
 *    records a full time, and leave stamp alone. A limit of 0 sends the next
 *    outermost writer the long way, where it writes a full time too. Whoever
 *    restores limit checks afterwards that its record is still the last.
 *  - Only the outermost writer publishes: it sets the page's commit to where
 *    write stands, lets go of depth, and looks at write again. If that moved,
 *    someone nested between the two; it takes depth again and repeats.
 *    Whenever depth is 0 and limit is not, all is published and the page in
 *    commit_page is the one that write points into. The straight line of
 *    write.h rests on that.
 *  - A writer that loaded write, stamp and limit must not find write as it was
 *    if stamp and limit are no longer right. Whoever nests leaves a record or,
 *    if it discards that, the time before it. The first record of a page has no
 *    time before it: while a page is empty, limit is 0.
 *  - The next page is opened with interrupts off and rb_cpu.advancing set. An
 *    NMI that finds it set drops its record and counts it.
 *
 * The number of records before a page (rb_page.first) is fixed when the page
 * becomes the commit page. What a reader lost is the difference of that and of
 * what it expected: no counter that could miss something. Counters only grow
 * (rb_cpu.count, rb_page.events, each but for a record that is discarded), and
 * none is folded into another, so that who adds them up counts nothing twice.
 *
 * Reader and writer on different CPUs
 * -----------------------------------
 *  A. Records, then commit: smp_store_release() in rb_publish(),
 *     rb_close_page() and rb_commit_straight(); pairs with the
 *     smp_load_acquire() of commit in rb_copy_page(). A reader that saw the page
 *     OPEN may find the commit of any of them.
 *  B. All of a page, then OPEN or CLOSED in its slot: smp_store_release() in
 *     rb_open_page() and rb_close_page(); pairs with smp_load_acquire() of the
 *     word in rb_copy_page() and with the cmpxchg() in rb_take_page().
 *  C. A page is made EMPTY or AWAY (cmpxchg(), a full barrier) before its bytes
 *     are overwritten: rb_claim_slot(), rb_claim_away(); pairs with the smp_rmb()
 *     before rb_copy_page() and rb_page_begins() look at the word again.
 *  D. A reader has read its last of a page before it puts it into a slot:
 *     cmpxchg() in rb_take_page(); pairs with the load of the word in
 *     rb_claim_slot() and rb_claim_away(), which is an acquire.
 *  E. A page is OPEN, then its number is the last one's: smp_store_release() of
 *     tail_no in rb_open_page(); pairs with the smp_load_acquire() of tail_no in
 *     rb_refill() and the like. Who sees the number finds the page.
 *  F. A waiter's flag and the records it waits for: see wait.c.
 *  G. first, straight and bytes of a page, then that it is the commit page:
 *     smp_store_release() of commit_page in rb_close_page(); pairs with the
 *     smp_load_acquire() in rb_writer_at().
 *
 * A ring of another size
 * ----------------------
 * What replaces a ring has slots for the same numbers and more, or for the last
 * of them. The stream goes on in the new ring in one step; rb_cpu.spare_ring is
 * the one before from then on, until the last of its pages has come over. A page
 * whose slot in the new ring is AWAY has the one in the ring before: rb_ring_of().
 * The pages come over
 *
 *  - a batch at a time, while neither writer nor reader is at work, the oldest
 *    first: rb_resize_step();
 *  - when the writer needs the slot, which it does only to overwrite the page.
 *    Then it has to win it from a reader, as always: rb_claim_away(). From CLOSED
 *    or EMPTY its word in the ring before becomes AWAY.
 *
 * The owning CPU alone makes a word AWAY, or something else again.
 *
 * Until a page has come over readers copy it where it is, or take it from there.
 * The page that they leave in its place has to be one of that ring: rb_ring.seat
 * is there for that, with the memory of the reader's.
 *
 * Other changes
 * -------------
 * What changes more of a stream than the above, as a reset or a step of a resize
 * does, runs on the owning CPU, in an interrupt that found depth at 0, and raises
 * depth and advancing while it works; see rb_run_quiet(). So does the exchange of
 * a CPU's stream with that of another buffer, in swap.c. A struct rb_cpu stays
 * with its buffer: only what is in rb_cpu.stream goes, and not while depth is
 * raised. Who has a pointer to the rb_cpu from reserve to commit commits what he
 * reserved.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_INTERNAL_H
#define _KERNEL_TRACE_RING_BUFFER_INTERNAL_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/hardirq.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <asm/local.h>

#include "event.h"

#define RB_SLOT_STATE	GENMASK(1, 0)
#ifdef CONFIG_64BIT
# define RB_SLOT_INDEX	GENMASK(25, 2)
# define RB_SLOT_LAP	GENMASK(63, 26)
#else
# define RB_SLOT_INDEX	GENMASK(19, 2)
# define RB_SLOT_LAP	GENMASK(31, 20)
#endif

/* How many slots the ring of a CPU can have. */
#define RB_MIN_PAGES	2UL
#define RB_MAX_PAGES	(FIELD_MAX(RB_SLOT_INDEX) - 1)
/* How far pages may get from the origin before it goes on, by a step or more. */
#define RB_ORIGIN_FAR	(3UL << (BITS_PER_LONG - 3))
/*
 * Bytes that a reader copies at once, with interrupts off: a large page is copied
 * in pieces of whole records.
 */
#define RB_COPY_MOST	SZ_16K
/*
 * Pages that a reader passes at once, with interrupts off, while there is nothing to read
 * on them: all their records were discarded, or they were overwritten before it came.
 */
#define RB_PASS_MOST	16
/* Writers that may nest on a CPU. Records of further ones are dropped. */
#define RB_MAX_DEPTH	16

/* A clock, as ring_buffer_set_clock() takes it. */
typedef u64 (*rb_clock_fn)(void);

/**
 * enum rb_slot_state - who may have the page in a slot; see above
 * @RB_EMPTY: nothing to read; the owning CPU writes here next
 * @RB_OPEN: being written
 * @RB_CLOSED: written and unread
 * @RB_AWAY: the page is in another ring
 */
enum rb_slot_state { RB_EMPTY, RB_OPEN, RB_CLOSED, RB_AWAY };

static_assert(RB_AWAY <= RB_SLOT_STATE);

/**
 * struct rb_page - a page of a CPU's stream, beside its data
 * @data: what is handed to readers; a reader may exchange it while it has the page
 * @no: number of the page in the stream
 * @first: number of records in the stream before this page
 * @bytes: number of bytes in the stream before this page
 * @missed: number of records dropped before this page was opened
 * @end: address behind the last record, once a writer has left the page
 * @events: records that came here by the long way
 * @straight: rb_cpu.count when the page became the commit page; what that grew
 *	since came here, too
 * @records: records on the page, once it is CLOSED
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
 * @origin: number of a page in the first slot, from which distances are told
 * @away: pages from this number on, and
 * @away_end: before that one, may still be in the ring before
 * @seat: once the stream goes on in another ring: the page that no slot has
 * @vacant: index of the one in @pages without memory, while none is shown in map.c
 * @pages: the @nr pages in slots, the one of the reader and @vacant, in no order
 * @slots: the slot words
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
 * struct rb_cursor - a place in a page that is being read
 * @page: the page
 * @pos: offset of the next unread byte
 * @size: number of valid bytes
 * @ts: time of the last record before @pos
 */
struct rb_cursor {
	struct rb_data_page	*page;
	unsigned int		pos;
	unsigned int		size;
	u64			ts;
};

/**
 * struct rb_reader - where consuming stands; under rb_cpu.lock
 * @page: the page in the reader's hands
 * @no: number of the page being read
 * @whole: @page was taken out of the ring, else it is a copy of what was there
 * @cur: the place in @page
 * @next: number in the stream of the next record
 * @missed: number of dropped records that the reader knows of
 * @lost: records gone before the next one, not told yet
 * @read: records that were read
 * @bytes: bytes of the stream before the page
 */
struct rb_reader {
	struct rb_page	*page;
	unsigned long	no;
	bool		whole;
	struct rb_cursor cur;
	unsigned long	next;
	unsigned long	missed;
	unsigned long	lost;
	unsigned long	read;
	unsigned long	bytes;
};

/**
 * struct rb_waiters - those who wait for records
 * @any: for any record
 * @full: for a share of the pages, per CPU only
 * @rounds: changes each time that someone is woken
 * @settle: looks once more, a moment after someone began to wait
 * @again: someone began to wait since @settle ran last
 * @buffer: the buffer
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 */
struct rb_waiters {
	wait_queue_head_t	any;
	wait_queue_head_t	full;
	atomic_t		rounds;
	struct timer_list	settle;
	bool			again;
	struct trace_buffer	*buffer;
	int			cpu;
};

/* Nobody shall begin to write. */
#define RB_BLOCKED	BIT(0)
/* The clock is not the CPU's own, which is the one that the straight line reads. */
#define RB_OTHER_CLOCK	BIT(1)
/* Each record has the whole time before it: see ring_buffer_set_time_stamp_abs(). */
#define RB_ABSOLUTE	BIT(2)

/**
 * struct rb_cpu - the stream of one CPU
 * @depth: writers between reserve and commit
 * @special: RB_BLOCKED, RB_OTHER_CLOCK, RB_ABSOLUTE; folded from what is set elsewhere
 * @busy: both of them, for a look at once
 * @clock: the clock, NULL for the CPU's own
 * @waiting: someone waits for a record
 * @advancing: a page is being opened, or something replaced: who nests drops
 *	its record
 * @stream: what goes to another buffer when streams are exchanged
 * @write: address of the next free byte
 * @limit: where the straight line has to stop
 * @stamp: time of the last record, if @limit is not 0
 * @count: records that went the straight line
 * @commit_base: address of the commit page's first record
 * @tail: the page that @write points into
 * @tail_end: address behind the room for records there
 * @tail_no: number of @tail; read by others
 * @commit_page: the page that readers see the last records on
 * @ring: the pages; NULL until the CPU comes up
 * @payload: bytes of records per page
 * @floor: no page before this number is to be read; the first one since the last
 *	reset or loss by resizing, or later
 * @nr: number of slots of @ring; may be read without @lock
 * @reader: where consuming stands; under @lock
 * @dropped: records dropped because there was no room, or no time (NMI)
 * @overtaken: records dropped because the next slot is still the outermost
 *	writer's
 * @lock: see at its definition
 * @mapped: how often the pages are mapped by user space; see rb_pages_stay()
 * @map: what there is of it then; changed with @mapped
 * @cpu: the CPU
 * @buffer: what it is the stream of
 * @disabled: count of ring_buffer_record_disable_cpu()
 * @iterators: how many iterators there are
 * @full_want: share of the pages that someone waits for, in percent; 0: nobody
 * @wake_full: @wake is to wake those, too
 * @wake: wakes waiters, where writers must not
 * @waiters: those who wait for this CPU
 * @spare_ring: what a change under way needs or leaves; changed under
 *	trace_buffer.mutex. During a resize the ring before, for readers under @lock
 *	and for the writer, while one of its own slots is AWAY.
 */
struct rb_cpu {
	union {
		struct {
			u32	depth;
			u32	special;
		};
		u64		busy;
	};
	rb_clock_fn		clock;
	bool			waiting;
	bool			advancing;

	struct_group_tagged(rb_stream, stream,
			    /* The straight line. */
		unsigned long		write;
		unsigned long		limit;
		u64			stamp;
		unsigned long		count;
		unsigned long		commit_base;

		/* The long way; the owning CPU's. */
		struct rb_page		*tail;
		unsigned long		tail_end;
		unsigned long		tail_no;
		struct rb_page		*commit_page;

		/* Replaced by rb_run_quiet() on the owning CPU, under lock. */
		struct rb_ring		*ring;
		unsigned int		payload;
		unsigned long		floor;
		unsigned long		nr;

		struct rb_reader	reader;
	);

	/* An NMI may add to them at any time. */
	local_t			dropped;
	local_t			overtaken;

	/*
	 * Protects reader and ring against other readers and against their
	 * replacement. Innermost; taken with interrupts off, never by writers.
	 * An NMI only tries: see rb_lock_reader(). So does ring_buffer_swap_cpu(),
	 * which needs two of them.
	 */
	raw_spinlock_t		lock;
	unsigned int		mapped;
	struct rb_map		*map;

	int			cpu;
	struct trace_buffer	*buffer;
	atomic_t		disabled;
	atomic_t		iterators;
	u32			full_want;
	u32			wake_full;
	struct irq_work		wake;
	struct rb_waiters	waiters;
	struct rb_ring		*spare_ring;
} ____cacheline_aligned;

/* What the straight line touches is one line of the cache. */
static_assert(offsetofend(struct rb_cpu, commit_base) <= 64);

/**
 * struct trace_buffer - a stream for each CPU
 * @cpu: the streams
 * @disabled: count of ring_buffer_record_disable(), and RB_OFF
 * @folds: changes with each change of what forbids writing
 * @overwrite: a full ring gives up its oldest page
 * @absolute: each record shall have the whole time before it
 * @order: each page is 2^order pages of memory
 * @max_len: most data that a record can have
 * @nr: pages of a CPU that comes up
 * @mutex: one resize or reset at a time; taken inside cpus_read_lock()
 * @cpumask: CPUs that have pages; changed under @mutex
 * @waiters: those who wait for any CPU
 * @node: in the list of the hotplug state
 * @key: lock class of the streams' locks
 */
struct trace_buffer {
	struct rb_cpu __percpu	*cpu;
	atomic_t		disabled;
	atomic_t		folds;
	bool			overwrite;
	bool			absolute;
	unsigned int		order;
	unsigned int		max_len;
	unsigned long		nr;
	struct mutex		mutex;	/* resize, reset and @cpumask; see above */
	cpumask_var_t		cpumask;
	struct rb_waiters	waiters;
	struct hlist_node	node;
	struct lock_class_key	*key;
};

/* In trace_buffer.disabled: switched off, however often it was enabled. */
#define RB_OFF	BIT(20)

/**
 * struct buffer_data_read_page - a page that a reader gets records in
 * @order: of the memory at @data
 * @data: the page; changes with each page that is handed out uncopied
 */
struct buffer_data_read_page {
	unsigned int		order;
	struct rb_data_page	*data;
};

/* How many pages page number @no is from the origin, which may go on meanwhile. */
static inline unsigned long rb_from_origin(const struct rb_ring *ring, unsigned long no)
{
	return no - READ_ONCE(ring->origin);
}

/* By how many pages the origin goes on: the laps that a word can tell apart. */
static inline unsigned long rb_origin_step(const struct rb_ring *ring)
{
	unsigned long laps = FIELD_MAX(RB_SLOT_LAP) + 1;

	/* After a step all pages of the ring are still ahead of the origin. */
	BUILD_BUG_ON(RB_MAX_PAGES * (FIELD_MAX(RB_SLOT_LAP) + 2) >= RB_ORIGIN_FAR);
	return ring->nr * laps;
}

/* The word of the slot that page number @no lies in, with ring->pages[@index]. */
static inline unsigned long rb_slot_word(const struct rb_ring *ring,
					 unsigned long no, unsigned long index,
					 enum rb_slot_state state)
{
	unsigned long lap = rb_from_origin(ring, no) / ring->nr;

	return FIELD_PREP(RB_SLOT_LAP, lap & FIELD_MAX(RB_SLOT_LAP)) |
	       FIELD_PREP(RB_SLOT_INDEX, index) |
	       FIELD_PREP(RB_SLOT_STATE, state);
}

/* The same page in the same slot, in another state. */
static inline unsigned long rb_word_as(unsigned long word, enum rb_slot_state state)
{
	return (word & ~RB_SLOT_STATE) | FIELD_PREP(RB_SLOT_STATE, state);
}

/* The slot of page number @no. */
static inline unsigned long *rb_slot(struct rb_ring *ring, unsigned long no)
{
	return &ring->slots[rb_from_origin(ring, no) % ring->nr];
}

/* Which of rb_ring.pages a word names. */
static inline unsigned long rb_word_index(unsigned long word)
{
	return FIELD_GET(RB_SLOT_INDEX, word);
}

static inline enum rb_slot_state rb_word_state(unsigned long word)
{
	return FIELD_GET(RB_SLOT_STATE, word);
}

/*
 * The page in the slot with @word if it is number @no, and not empty; else NULL.
 * What follows from it holds while the slot has that word.
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

/* May pages of the ring still be in the one before? */
static inline bool rb_is_resizing(const struct rb_ring *ring)
{
	return ring->away != ring->away_end;
}

/* Records on @page, the commit page, with rb_cpu.count being @count. */
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
 * How far @a is ahead of @b; page and record numbers may wrap. Not for a number
 * that a reader has remembered: that may be any distance behind, and look ahead.
 */
static inline long rb_ahead(unsigned long a, unsigned long b)
{
	return a - b;
}

/*
 * The ring that has a slot with page @no, if there is one; for readers, under the
 * lock. What the writer does meanwhile is seen when the slot's word is compared. For
 * the number of a page that is overwritten it is either: there, too, page->no tells.
 */
static inline struct rb_ring *rb_ring_of(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *ring = cb->ring;

	if (likely(rb_word_state(READ_ONCE(*rb_slot(ring, no))) != RB_AWAY))
		return ring;
	return cb->spare_ring;
}

/* Was all of a page that is closed read while it was being written? */
static inline bool rb_is_read(const struct rb_cpu *cb, const struct rb_page *page)
{
	return READ_ONCE(cb->reader.next) == page->first + page->records;
}

/* Are the records on a page in the ring, closed, to be kept if there is no room for others? */
static inline bool rb_must_keep(const struct rb_cpu *cb, const struct rb_page *page)
{
	return !READ_ONCE(cb->buffer->overwrite) && rb_ahead(cb->floor, page->no) <= 0 &&
	       !rb_is_read(cb, page);
}

/* The stream of @cpu, a possible CPU. */
static inline struct rb_cpu *rb_cpu_of(struct trace_buffer *buffer, int cpu)
{
	return per_cpu_ptr(buffer->cpu, cpu);
}

/*
 * Pages that user space has mapped stay where they are. Whatever moves a page to
 * another ring, frees its memory or exchanges that with a reader asks this first:
 * resizing, changing the size of sub-buffers and exchanging streams are refused
 * with -EBUSY, ring_buffer_read_page() copies. To be changed under both
 * trace_buffer.mutex and rb_cpu.lock, one of which each of them holds.
 */
static inline bool rb_pages_stay(const struct rb_cpu *cb)
{
	return READ_ONCE(cb->mapped);
}

/* write.c */
void rb_publish_all(struct rb_cpu *cb);
unsigned long rb_publish(struct rb_cpu *cb);

/* read.c */

/**
 * struct rb_copied - what rb_copy_page() found
 * @size: bytes of records that were copied, and those that were there before
 * @closed: the page is complete, and all of it copied
 * @first: see struct rb_page
 * @missed: see struct rb_page
 * @bytes: see struct rb_page
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
void rb_fold(struct trace_buffer *buffer);

#endif /* _KERNEL_TRACE_RING_BUFFER_INTERNAL_H */
