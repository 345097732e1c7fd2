/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bit layout of the ring buffer's pages and records.
 *
 * User space (libtraceevent) reads this layout from raw pages; see
 * events/header_page and events/header_event. A page consists of a time, a length and
 * that many bytes of records, back to back. A record consists of a 32-bit head and its
 * data. The head has the kind of the record, and the time since the previous record:
 *
 *	kind 1..28	data of 1 to 28 words
 *	kind 0		a word with the number of bytes that follow the head, then data
 *	PADDING		a discarded record: a word with the number of bytes that follow
 *			the head, then bytes to be ignored
 *	TIME_EXTEND	a word with the upper bits of a delta that is too long for the
 *			head; the head has the lower 27 bits
 *	TIME_STAMP	a word with the upper bits of a time; the head has the lower 27 bits
 *
 * Here is what other rooms need to reserve a record; records.h has the rest. Nothing in either
 * file may depend on how pages are written and read.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_EVENT_H
#define _KERNEL_TRACE_RING_BUFFER_EVENT_H

#include <linux/align.h>
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/ring_buffer.h>
#include <linux/stddef.h>

#ifdef CONFIG_HAVE_64BIT_ALIGNED_ACCESS
# define RB_ALIGN	8U
# define RB_LONG_ONLY	true	/* data behind a short head would not be aligned */
#else
# define RB_ALIGN	4U
# define RB_LONG_ONLY	false
#endif

#ifdef __LITTLE_ENDIAN
# define RB_HEAD_KIND	GENMASK(4, 0)
# define RB_HEAD_DELTA	GENMASK(31, 5)
#else
# define RB_HEAD_KIND	GENMASK(31, 27)
# define RB_HEAD_DELTA	GENMASK(26, 0)
#endif

#define RB_HEAD_SIZE	((unsigned int)sizeof(struct ring_buffer_event))
#define RB_DELTA_BITS	27
#define RB_DELTA_MAX	(BIT_ULL(RB_DELTA_BITS) - 1)
/* Maximum number of bytes of data whose length the head can hold, as a kind of 1 to 28. */
#define RB_SHORT_MAX	(4U * RINGBUF_TYPE_DATA_TYPE_LEN_MAX)

/**
 * struct rb_data_page - a page as user space sees it
 * @time_stamp: base time, to which the delta of the first record is added
 * @commit: bytes of @data that hold finished records
 * @data: the records
 */
struct rb_data_page {
	u64		time_stamp;
	unsigned long	commit;
	u8		data[] __aligned(RB_ALIGN);
};

#define RB_PAGE_HEAD	((unsigned int)offsetof(struct rb_data_page, data))

static_assert(sizeof(struct ring_buffer_event) == sizeof(u32));
static_assert(offsetof(struct rb_data_page, commit) == sizeof(u64));
static_assert(offsetof(struct rb_data_page, data) == sizeof(u64) + sizeof(long));

/* True if a record with @len bytes of data keeps its length in a word of its own. */
static __always_inline bool rb_is_long(unsigned int len)
{
	return RB_LONG_ONLY || len > RB_SHORT_MAX;
}

/* Number of bytes that a record with @len bytes of data takes in a page. */
static __always_inline unsigned long rb_event_size(unsigned int len)
{
	/* On 64 bit the sum cannot wrap, whatever @len is. */
	unsigned long size = RB_HEAD_SIZE + (unsigned long)(len ?: 1);

	if (rb_is_long(len))
		size += sizeof(u32);
	return ALIGN(size, RB_ALIGN);
}

/* Head of a record. @kind: kind, or length of the data in words. @delta: time delta. */
static __always_inline u32 rb_head(unsigned int kind, u32 delta)
{
	return FIELD_PREP(RB_HEAD_KIND, kind) | FIELD_PREP(RB_HEAD_DELTA, delta);
}

/* Write the head of a record with @len bytes of data at @event. */
static __always_inline void rb_put_head(struct ring_buffer_event *event,
					unsigned int len, u32 delta)
{
	unsigned int size = rb_event_size(len);

	if (rb_is_long(len)) {
		*(u32 *)event = rb_head(0, delta);
		event->array[0] = size - RB_HEAD_SIZE;
	} else {
		*(u32 *)event = rb_head((size - RB_HEAD_SIZE) / 4, delta);
	}
}

#endif /* _KERNEL_TRACE_RING_BUFFER_EVENT_H */
