/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace ring buffer: one stream of time-stamped records per CPU.
 *
 * Writers (tracers, events, markers) reserve, fill and commit a record from any
 * context, NMI included, without locks. Readers consume records
 * (ring_buffer_consume(), ring_buffer_read_page()) or only read them
 * (ring_buffer_read_start() and the iterator), on any CPU, while writers continue.
 *
 * The bit layout of pages and records is fixed: events/header_page and
 * events/header_event describe it to user space.
 *
 * The kernel-doc of each function is at its definition in kernel/trace/ring_buffer/: write.c
 * (writing), event.c, read.c (consuming), iter.c (reading without consuming), map.c, wait.c,
 * resize.c, swap.c, stat.c (statistics) and ctl.c (the rest).
 */
#ifndef _LINUX_RING_BUFFER_H
#define _LINUX_RING_BUFFER_H

#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/types.h>

struct trace_buffer;
struct trace_seq;
struct hlist_node;
struct ring_buffer_iter;
struct buffer_data_read_page;

/**
 * struct ring_buffer_event - head of a record in the buffer
 * @type_len: length of the data in words, or one of enum ring_buffer_type
 * @time_delta: time since the previous record, in units of the clock
 * @array: data, or its length (then data), or more bits of time
 *
 * Use ring_buffer_event_data() and ring_buffer_event_length() to access a record.
 */
struct ring_buffer_event {
	u32 type_len:5, time_delta:27;
	u32 array[];
};

/**
 * enum ring_buffer_type - meaning of ring_buffer_event.type_len
 *
 * @RINGBUF_TYPE_DATA_TYPE_LEN_MAX: largest length that type_len itself can
 *	express, in words. 1..28: that many words of data start at array[0].
 *	0: array[0] holds the number of bytes, itself included, and the data
 *	starts at array[1].
 * @RINGBUF_TYPE_PADDING: no data. With a time_delta of 0 the rest of the page
 *	is void; otherwise array[0] is the number of bytes behind the head to skip.
 * @RINGBUF_TYPE_TIME_EXTEND: 8 bytes; the next record lies a further
 *	(array[0] << 27) + time_delta units of the clock ahead.
 * @RINGBUF_TYPE_TIME_STAMP: 8 bytes; the time now is
 *	(array[0] << 27) + time_delta, modulo 2^59.
 */
enum ring_buffer_type {
	RINGBUF_TYPE_DATA_TYPE_LEN_MAX	= 28,
	RINGBUF_TYPE_PADDING		= 29,
	RINGBUF_TYPE_TIME_EXTEND	= 30,
	RINGBUF_TYPE_TIME_STAMP		= 31,
};

/**
 * enum ring_buffer_flags - flags of ring_buffer_alloc()
 * @RB_FL_OVERWRITE: a full buffer discards its oldest page; without this flag,
 *	new records are dropped
 */
enum ring_buffer_flags {
	RB_FL_OVERWRITE		= 1 << 0,
};

/* Selects all CPUs where a function takes the number of a CPU. */
#define RING_BUFFER_ALL_CPUS	(-1)

/* -- Creating, resizing and clearing a buffer. May sleep; process context only. -- */

struct trace_buffer *__ring_buffer_alloc(unsigned long size, unsigned int flags,
					 struct lock_class_key *key);

/**
 * ring_buffer_alloc - create a buffer
 * @size: bytes for each CPU, rounded up to whole sub-buffers, two at least
 * @flags: flags of enum ring_buffer_flags
 *
 * Each caller has its own lock class: lockdep would otherwise report recursive
 * locking where the code of one buffer is traced into another buffer.
 *
 * Context: process, may sleep; takes cpus_read_lock().
 * Return: the buffer, or NULL if there is no memory.
 */
#define ring_buffer_alloc(size, flags)				\
({								\
	static struct lock_class_key __rb_key;			\
	__ring_buffer_alloc(size, flags, &__rb_key);		\
})

void ring_buffer_free(struct trace_buffer *buffer);
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu);
int ring_buffer_subbuf_order_set(struct trace_buffer *buffer, int order);
void ring_buffer_reset(struct trace_buffer *buffer);
void ring_buffer_reset_cpu(struct trace_buffer *buffer, int cpu);
void ring_buffer_reset_online_cpus(struct trace_buffer *buffer);
int ring_buffer_swap_cpu(struct trace_buffer *buffer_a,
			 struct trace_buffer *buffer_b, int cpu);

/* -- Writing. Any context, NMI included. -- */

struct ring_buffer_event *
ring_buffer_lock_reserve(struct trace_buffer *buffer, unsigned long length);
int ring_buffer_unlock_commit(struct trace_buffer *buffer);
void ring_buffer_discard_commit(struct trace_buffer *buffer,
				struct ring_buffer_event *event);
int ring_buffer_write(struct trace_buffer *buffer, unsigned long length,
		      void *data);

void *ring_buffer_event_data(struct ring_buffer_event *event);
unsigned int ring_buffer_event_length(struct ring_buffer_event *event);
u64 ring_buffer_event_time_stamp(struct trace_buffer *buffer,
				 struct ring_buffer_event *event);

/* -- On and off. Any context. -- */

void ring_buffer_record_off(struct trace_buffer *buffer);
void ring_buffer_record_on(struct trace_buffer *buffer);
bool ring_buffer_record_is_on(struct trace_buffer *buffer);
bool ring_buffer_record_is_set_on(struct trace_buffer *buffer);
void ring_buffer_record_disable(struct trace_buffer *buffer);
void ring_buffer_record_enable(struct trace_buffer *buffer);
void ring_buffer_record_disable_cpu(struct trace_buffer *buffer, int cpu);
void ring_buffer_record_enable_cpu(struct trace_buffer *buffer, int cpu);
void ring_buffer_change_overwrite(struct trace_buffer *buffer, int val);

/* -- The clock. -- */

void ring_buffer_set_clock(struct trace_buffer *buffer, u64 (*clock)(void));
u64 ring_buffer_time_stamp(struct trace_buffer *buffer);
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs);
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer);

/* -- Consuming records. Only one consuming reader at a time for each CPU. -- */

struct ring_buffer_event *
ring_buffer_consume(struct trace_buffer *buffer, int cpu, u64 *ts,
		    unsigned long *lost_events);
struct ring_buffer_event *
ring_buffer_peek(struct trace_buffer *buffer, int cpu, u64 *ts,
		 unsigned long *lost_events);

int ring_buffer_alloc_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page **rpage);
void ring_buffer_free_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page *rpage);
int ring_buffer_read_page(struct trace_buffer *buffer,
			  struct buffer_data_read_page *rpage,
			  size_t len, int cpu, int full);
void *ring_buffer_read_page_data(struct buffer_data_read_page *rpage);
unsigned int ring_buffer_read_page_size(struct buffer_data_read_page *rpage);

/* -- Mapping pages into user space. The user that maps them is a consuming reader, too. -- */

int ring_buffer_map(struct trace_buffer *buffer, int cpu, struct vm_area_struct *vma);
void ring_buffer_map_dup(struct trace_buffer *buffer, int cpu);
int ring_buffer_unmap(struct trace_buffer *buffer, int cpu);
struct page *ring_buffer_map_page(struct trace_buffer *buffer, int cpu,
				  unsigned long pgoff);
int ring_buffer_map_get_reader(struct trace_buffer *buffer, int cpu);

/* -- Reading without consuming. -- */

struct ring_buffer_iter *
ring_buffer_read_start(struct trace_buffer *buffer, int cpu, gfp_t flags);
struct ring_buffer_event *
ring_buffer_iter_peek(struct ring_buffer_iter *iter, u64 *ts);
bool ring_buffer_iter_dropped(struct ring_buffer_iter *iter);
int ring_buffer_iter_empty(struct ring_buffer_iter *iter);
void ring_buffer_iter_advance(struct ring_buffer_iter *iter);
void ring_buffer_iter_reset(struct ring_buffer_iter *iter);
void ring_buffer_read_finish(struct ring_buffer_iter *iter);

/* -- Waiting for records. -- */

/**
 * typedef ring_buffer_cond_fn - test for another reason to stop waiting
 * @data: the data passed to ring_buffer_wait()
 *
 * Context: process, on the wait queue already: must not sleep.
 * Return: true if the wait is to end.
 */
typedef bool (*ring_buffer_cond_fn)(void *data);

int ring_buffer_wait(struct trace_buffer *buffer, int cpu, int full,
		     ring_buffer_cond_fn cond, void *data);
__poll_t ring_buffer_poll_wait(struct trace_buffer *buffer, int cpu,
			       struct file *filp, poll_table *poll_table,
			       int full);
void ring_buffer_wake_waiters(struct trace_buffer *buffer, int cpu);

/* -- Statistics. Exact while the CPU does not write, otherwise a snapshot. -- */

bool ring_buffer_empty(struct trace_buffer *buffer);
bool ring_buffer_empty_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_size(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_max_event_size(struct trace_buffer *buffer);
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer);
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer);
size_t ring_buffer_nr_dirty_pages(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_entries(struct trace_buffer *buffer);
unsigned long ring_buffer_overruns(struct trace_buffer *buffer);
unsigned long ring_buffer_bytes_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_entries_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_overrun_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_read_events_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_dropped_events_cpu(struct trace_buffer *buffer,
					     int cpu);
unsigned long ring_buffer_commit_overrun_cpu(struct trace_buffer *buffer,
					     int cpu);
u64 ring_buffer_oldest_event_ts(struct trace_buffer *buffer, int cpu);

int ring_buffer_print_page_header(struct trace_buffer *buffer,
				  struct trace_seq *s);
int ring_buffer_print_entry_header(struct trace_seq *s);

#ifdef CONFIG_RING_BUFFER
int trace_rb_cpu_prepare(unsigned int cpu, struct hlist_node *node);
int trace_rb_cpu_dead(unsigned int cpu, struct hlist_node *node);
#else
#define trace_rb_cpu_prepare	NULL
#define trace_rb_cpu_dead	NULL
#endif

#endif /* _LINUX_RING_BUFFER_H */
