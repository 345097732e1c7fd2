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
 * @page: the page that belongs to the reader
 * @no: number of the page being read
 * @whole: true if @page was taken out of the ring, false if @page is a copy of a page
 *	that is still in the ring
 * @cur: position in @page
 * @next: number of the next record in the stream
 * @missed: number of dropped records that are accounted in @lost or were reported
 * @lost: number of records lost before the next one, not yet reported
 * @read: number of records read since the last reset
 * @bytes: number of bytes in the stream before the page
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
 * struct rb_waiters - tasks that wait for records of one CPU or of all CPUs
 * @any: tasks that wait for any record
 * @full: tasks that wait until a share of the pages is full; used for single CPUs only
 * @rounds: number of wakeups; changes each time that waiters are woken
 * @settle: timer that checks for records once more, a moment after a task began to wait
 * @again: a task began to wait since @settle ran last
 * @buffer: the buffer that the tasks wait for
 * @cpu: the CPU that the tasks wait for, or RING_BUFFER_ALL_CPUS
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

/* Flag in rb_cpu.write_flags: no record may be reserved. */
#define RB_BLOCKED	BIT(0)
/* Flag in rb_cpu.write_flags: the clock is not arch_trace_clock(), as the fast path needs it. */
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
 * @waiting: a task waits for any record
 * @advancing: a page is being opened, or the stream is being changed; a nested writer
 *	drops its record
 * @stream: members that move to the other buffer when streams are exchanged
 * @write: address of the next free byte
 * @limit: address up to which the fast path may write; 0 sends it to the slow path
 * @stamp: time of the last record, valid if @limit is not 0
 * @count: number of records that the fast path wrote
 * @commit_base: address of the first record of the commit page
 * @tail: the page that @write points into
 * @tail_end: address behind the last byte that records may take in @tail
 * @tail_no: number of @tail; read by other CPUs
 * @commit_page: the page whose commit the outermost writer advances
 * @ring: the pages; NULL until the CPU comes up
 * @payload: bytes of records that fit a page
 * @floor: number of the oldest page that may be read: the first page since the last
 *	reset or since a resize dropped pages, or a later one
 * @nr: number of slots of @ring; may be read without @lock
 * @reader: state of the consuming reader; protected by @lock
 * @dropped: number of records dropped because the buffer was full and does not overwrite,
 *	because an NMI found @advancing set, because writers nested too deep, or by
 *	rb_count_dropped()
 * @overtaken: number of records dropped because the next slot still belongs to the
 *	outermost writer
 * @lock: protects @ring and @reader; see the comment at its definition
 * @mapped: number of mappings of the pages by user space; see rb_pages_pinned()
 * @map: state of the mapping, NULL while @mapped is 0; changes together with @mapped
 * @cpu: number of the CPU
 * @buffer: the buffer that this stream belongs to
 * @disabled: count of ring_buffer_record_disable_cpu()
 * @iterators: number of iterators on this stream
 * @full_want: smallest share of the pages that a task waits for, in percent; 0 if no
 *	task waits
 * @wake_full: @wake shall also wake the tasks in waiters.full
 * @wake: irq_work that wakes waiters, because writers must not do so themselves
 * @waiters: tasks that wait for records of this CPU
 * @spare_ring: ring that a change under way will install or has replaced; changed
 *	under trace_buffer.mutex. During a resize it is the old ring, which readers
 *	use under @lock, and the writer while a slot of @ring is AWAY.
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
	bool			advancing;

	struct_group_tagged(rb_stream, stream,
			    /* Used by the fast path. */
		unsigned long		write;
		unsigned long		limit;
		u64			stamp;
		unsigned long		count;
		unsigned long		commit_base;

		/* Used by the slow path, on the owning CPU. */
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

	/* Counters of drops, to which an NMI may add at any time. */
	local_t			dropped;
	local_t			overtaken;

	/*
	 * Protects reader and ring against other readers and against replacement.
	 * Innermost lock; taken with interrupts off, never by writers. NMIs only
	 * try to take it, see rb_lock_reader(); so does ring_buffer_swap_cpu(),
	 * which needs two of these locks.
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
 * @cpu: the streams
 * @disabled: count of ring_buffer_record_disable(), and RB_OFF
 * @folds: number of calls of rb_update_write_flags(), by which concurrent calls notice each other
 * @overwrite: a full ring gives up its oldest page
 * @absolute: each record shall have a full timestamp in front of it
 * @order: each page is 2^order pages of memory
 * @max_len: most bytes of data that a record can have
 * @nr: number of slots that the ring of a CPU gets when the CPU comes up
 * @mutex: serializes resizing and resets; taken inside cpus_read_lock()
 * @cpumask: CPUs that have pages; changed under @mutex
 * @waiters: tasks that wait for records of any CPU
 * @node: node in the instance list of CPUHP_TRACE_RB_PREPARE
 * @key: lock class of rb_cpu.lock
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
	struct mutex		mutex;	/* serializes resize and reset; protects cpumask */
	cpumask_var_t		cpumask;
	struct rb_waiters	waiters;
	struct hlist_node	node;
	struct lock_class_key	*key;
};

/* Bit in trace_buffer.disabled: ring_buffer_record_off() is in force, whatever the count. */
#define RB_OFF	BIT(20)

#endif /* _KERNEL_TRACE_RING_BUFFER_STREAM_H */
