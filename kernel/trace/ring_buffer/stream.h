/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The structures that the fast path of writing accesses: the stream of a CPU, and a buffer.
 * internal.h has the rules by which CPUs and contexts access them. Other rooms get these
 * structures through write.h, and do not access their members.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_STREAM_H
#define _KERNEL_TRACE_RING_BUFFER_STREAM_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include <linux/stddef.h>
#include <linux/timer.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <asm/local.h>

struct rb_data_page;
struct rb_map;
struct rb_page;
struct rb_ring;

/* Type of the clocks that ring_buffer_set_clock() accepts. */
typedef u64 (*rb_clock_fn)(void);

/**
 * struct rb_cursor - position in a page that is being read
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
 * struct rb_reader - state of the consuming reader; protected by rb_cpu.lock
 * @page: the page that belongs to the reader, and is in no slot of the ring
 * @no: number of the page being read, in the stream
 * @whole: true if @page was taken out of the ring, false if @page is a copy of a page
 *	that is still in the ring
 * @cur: position in @page
 * @next: number of the next record in the stream
 * @dropped_seen: rb_page.dropped_before of the page being read: so many dropped records have been
 *	added to @lost
 * @lost: number of records lost before the next one, and not reported to the caller yet
 * @read: number of records read since the last reset
 * @bytes_before: number of bytes in the stream before the page
 */
struct rb_reader {
	struct rb_page	*page;
	unsigned long	no;
	bool		whole;
	struct rb_cursor cur;
	unsigned long	next;
	unsigned long	dropped_seen;
	unsigned long	lost;
	unsigned long	read;
	unsigned long	bytes_before;
};

/**
 * struct rb_waiters - tasks that wait for records of one CPU or of all CPUs
 * @any: tasks that wait for any record
 * @full: tasks that wait until a share of the pages is full; not used for all CPUs
 * @nr_wakeups: number of wakeups, by which a waiter notices that it was woken
 * @recheck: timer that looks for records once more, a moment after a task began to wait, in
 *	case the writer did not see that the task waits
 * @rearm: a task began to wait since @recheck last expired. The next expiry may be too early for
 *	that task, so it starts @recheck once more
 * @buffer: the buffer that the tasks wait for
 * @cpu: the CPU that the tasks wait for, or RING_BUFFER_ALL_CPUS
 */
struct rb_waiters {
	wait_queue_head_t	any;
	wait_queue_head_t	full;
	atomic_t		nr_wakeups;
	struct timer_list	recheck;
	bool			rearm;
	struct trace_buffer	*buffer;
	int			cpu;
};

/* Flag in rb_cpu.write_flags: no record may be reserved. */
#define RB_BLOCKED	BIT(0)
/* Flag in rb_cpu.write_flags: the clock is not arch_trace_clock(), which the fast path reads. */
#define RB_OTHER_CLOCK	BIT(1)
/* Flag in rb_cpu.write_flags: records get full timestamps, see ring_buffer_set_time_stamp_abs(). */
#define RB_ABSOLUTE	BIT(2)

/**
 * struct rb_cpu - the stream of one CPU
 * @depth: number of writers between reserve and commit
 * @write_flags: RB_BLOCKED, RB_OTHER_CLOCK and RB_ABSOLUTE, computed by rb_update_write_flags()
 *	from the settings of the buffer and of this CPU; 0 allows the fast path
 * @busy: @depth and @write_flags as one word, so that the fast path tests both at once
 * @clock: the clock, NULL for arch_trace_clock()
 * @waiting: a task waits for any record: the next commit has to wake it
 * @exclusive: a page is being opened, or the stream is being changed: nested writers, which can
 *	only be NMIs, drop their records
 * @stream: the members that ring_buffer_swap_cpu() exchanges with those of another buffer
 * @write: address of the next free byte
 * @limit: address up to which the fast path may write; 0 sends it to the slow path
 * @stamp: time of the last record, valid if @limit is not 0
 * @nr_fast: number of records that the fast path wrote
 * @commit_base: address of the first record of the commit page
 * @tail: the page that @write points into
 * @tail_end: address behind the last byte of @tail that records may take
 * @tail_no: number of @tail; read by other CPUs
 * @commit_page: the page up to which records are published: earlier pages are complete
 * @ring: the pages; NULL until the CPU comes up for the first time
 * @payload: bytes of records that fit a page
 * @floor: number of the oldest page that may be read: the first page since the last
 *	reset or since a resize dropped pages, or a later one
 * @nr: number of slots of @ring; may be read without @lock
 * @reader: state of the consuming reader; protected by @lock
 * @dropped: number of records dropped because the buffer was full and does not overwrite,
 *	because a writer found @exclusive set, because writers nested too deep, or by
 *	rb_count_dropped()
 * @overtaken: number of records of nested writers that were dropped because these writers had
 *	filled the ring, up to the page with the uncommitted record of the outermost writer
 * @lock: protects @ring and @reader; see the comment at its declaration below
 * @mapped: number of mappings of the pages by user space; see rb_pages_pinned()
 * @map: state of the mapping, NULL while @mapped is 0; changes together with @mapped
 * @cpu: number of the CPU
 * @buffer: the buffer that this stream belongs to
 * @disabled: number of calls of ring_buffer_record_disable_cpu() that are in effect
 * @iterators: number of iterators on this stream
 * @full_want: smallest share of full pages that a task in waiters.full waits for, in percent; 0
 *	if no task waits
 * @wake_full: set if @wake has to wake the tasks in waiters.full, too
 * @wake: irq_work that wakes waiters, because writers must not do so themselves
 * @waiters: tasks that wait for records of this CPU
 * @spare_ring: during a change of the ring: first the new ring, then the old one, which it has
 *	replaced; otherwise NULL. Changed under trace_buffer.mutex. During a resize, readers use
 *	the old ring under @lock, and the writer uses it while a slot of @ring is AWAY.
 *
 * Parameters and variables that point to a stream are called @cb.
 */
struct rb_cpu {
	union {
		struct {
			u32	depth;
			u32	write_flags;
		};
		u64		busy;
	};
	rb_clock_fn		clock;
	bool			waiting;
	bool			exclusive;

	struct_group_tagged(rb_stream, stream,
			    /* Used by the fast path. */
		unsigned long		write;
		unsigned long		limit;
		u64			stamp;
		unsigned long		nr_fast;
		unsigned long		commit_base;

		/* Changed by the slow path, on the owning CPU. */
		struct rb_page		*tail;
		unsigned long		tail_end;
		unsigned long		tail_no;
		struct rb_page		*commit_page;

		/* Replaced by rb_run_without_writers() on the owning CPU, under lock. */
		struct rb_ring		*ring;
		unsigned int		payload;
		unsigned long		floor;
		unsigned long		nr;

		struct rb_reader	reader;
	);

	/* Counters of drops, to which an NMI may add at any time. */
	local_t			dropped;
	local_t			overtaken;

	/*
	 * Protects @reader against other readers, and @ring against being replaced. No
	 * other lock is taken inside. Taken with interrupts off, never by writers. In an
	 * NMI it is only tried, see rb_lock_reader(), and so it is by
	 * ring_buffer_swap_cpu(), which needs two of these locks.
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

/* All members that the fast path accesses share one cache line. */
static_assert(offsetofend(struct rb_cpu, commit_base) <= 64);

/**
 * struct trace_buffer - a stream for each CPU
 * @streams: the stream of each CPU
 * @disabled: number of calls of ring_buffer_record_disable() that are in effect, plus RB_OFF
 * @flag_updates: number of calls of rb_update_write_flags(), by which concurrent calls notice
 *	each other
 * @overwrite: true if a full ring overwrites its oldest page, false if it drops new records
 * @absolute: each record shall have a full timestamp in front of it
 * @order: each page is 2^order pages of memory
 * @max_len: most bytes of data that a record can have
 * @nr: number of slots that the ring of a CPU gets when the CPU comes up for the first time
 * @mutex: serializes resizing and resets; taken inside cpus_read_lock()
 * @cpumask: CPUs that have pages; changed under @mutex
 * @waiters: tasks that wait for records of any CPU
 * @node: node in the instance list of CPUHP_TRACE_RB_PREPARE
 * @key: lock class of rb_cpu.lock
 */
struct trace_buffer {
	struct rb_cpu __percpu	*streams;
	atomic_t		disabled;
	atomic_t		flag_updates;
	bool			overwrite;
	bool			absolute;
	unsigned int		order;
	unsigned int		max_len;
	unsigned long		nr;
	struct mutex		mutex;	/* serializes resize and reset; protects cpumask */
	cpumask_var_t		cpumask;
	struct rb_waiters	waiters;
	struct hlist_node	node;
	struct lock_class_key	*key;
};

/* Bit in trace_buffer.disabled, above the count: ring_buffer_record_off() is in effect. */
#define RB_OFF	BIT(20)

#endif /* _KERNEL_TRACE_RING_BUFFER_STREAM_H */
