/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records in a page as readers and the slow paths of writers handle them: stamps, padding, and
 * what a page can hold. event.h describes the layout.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_RECORDS_H
#define _KERNEL_TRACE_RING_BUFFER_RECORDS_H

#include <linux/align.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/mm.h>
#include <linux/ring_buffer.h>
#include <linux/types.h>

#include "event.h"

/* Bytes of a TIME_EXTEND or TIME_STAMP, and the bits of time that it has room for. */
#define RB_STAMP_SIZE	8U
#define RB_STAMP_BITS	(RB_DELTA_BITS + 32)

/* Bit in rb_data_page.commit of a page that user space gets: records before the page were lost. */
#define RB_MISSED_EVENTS	BIT(31)
/* Bit in rb_data_page.commit: a long behind the last record has the number of lost records. */
#define RB_MISSED_STORED	BIT(30)

/* Number of bytes of records that fit a page of 2^@order pages of memory. */
static inline unsigned int rb_payload(unsigned int order)
{
	return (PAGE_SIZE << order) - RB_PAGE_HEAD;
}

/* Largest number of bytes of data that fit a record of @size bytes. */
static inline unsigned int rb_event_max_len(unsigned int size)
{
	return ALIGN_DOWN(size, RB_ALIGN) - RB_HEAD_SIZE - sizeof(u32);
}

/* Write a TIME_EXTEND or TIME_STAMP at @event with the lower 59 bits of @value. */
static inline void rb_put_stamp(struct ring_buffer_event *event,
				enum ring_buffer_type kind, u64 value)
{
	*(u32 *)event = rb_head(kind, value & RB_DELTA_MAX);
	event->array[0] = value >> RB_DELTA_BITS;
}

/* Value of the TIME_EXTEND or TIME_STAMP at @event, 59 bits. */
static inline u64 rb_get_stamp(const struct ring_buffer_event *event)
{
	return ((u64)event->array[0] << RB_DELTA_BITS) + event->time_delta;
}

/*
 * The 64-bit time whose lower 59 bits are @stamp: of all such times, the one nearest to @near.
 */
static inline u64 rb_full_stamp(u64 stamp, u64 near)
{
	return near + sign_extend64(stamp - near, RB_STAMP_BITS - 1);
}

/* True if @event holds data, and is neither a time nor padding. */
static inline bool rb_is_data(const struct ring_buffer_event *event)
{
	return event->type_len <= RINGBUF_TYPE_DATA_TYPE_LEN_MAX;
}

/* Number of bytes that @event takes in its page; 0 if the rest of the page is padding. */
static inline unsigned int rb_record_size(const struct ring_buffer_event *event)
{
	switch (event->type_len) {
	case RINGBUF_TYPE_TIME_EXTEND:
	case RINGBUF_TYPE_TIME_STAMP:
		return RB_STAMP_SIZE;
	case RINGBUF_TYPE_PADDING:
		return event->time_delta ? RB_HEAD_SIZE + event->array[0] : 0;
	case 0:
		return RB_HEAD_SIZE + event->array[0];
	default:
		return RB_HEAD_SIZE + event->type_len * 4;
	}
}

/* Turn a record into padding, which readers skip, because its room cannot be freed any more. */
static inline void rb_make_padding(struct ring_buffer_event *event)
{
	unsigned int size = rb_record_size(event);

	*(u32 *)event = rb_head(RINGBUF_TYPE_PADDING, event->time_delta ?: 1);
	event->array[0] = size - RB_HEAD_SIZE;
}

#endif /* _KERNEL_TRACE_RING_BUFFER_RECORDS_H */
