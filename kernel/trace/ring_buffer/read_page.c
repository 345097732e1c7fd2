// SPDX-License-Identifier: GPL-2.0
/*
 * Taking records out of the ring buffer, a page at a time: for who hands them on
 * as they are, to user space or to a file.
 *
 * Called from any context. The caller sees to it that one consuming reader is at
 * work on a CPU's stream.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

/**
 * ring_buffer_alloc_read_page - allocate a page to read into
 * @buffer: the buffer
 * @cpu: the CPU whose stream will be read; a hint
 * @rpage: where to store the page
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM; -ENODEV if the CPU has no stream.
 */
int ring_buffer_alloc_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page **rpage)
{
	struct buffer_data_read_page *page;

	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return -ENODEV;
	page = kzalloc(sizeof(*page), GFP_KERNEL);
	if (!page)
		return -ENOMEM;
	page->order = READ_ONCE(buffer->order);
	page->data = rb_data_alloc(cpu, page->order);
	if (!page->data) {
		kfree(page);
		return -ENOMEM;
	}
	*rpage = page;
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_alloc_read_page);

/**
 * ring_buffer_free_read_page - free what ring_buffer_alloc_read_page() made
 * @buffer: the buffer
 * @cpu: the CPU that it was made for
 * @rpage: the page, or NULL
 *
 * Context: process.
 */
void ring_buffer_free_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page *rpage)
{
	if (!rpage)
		return;
	rb_data_free(rpage->data, rpage->order);
	kfree(rpage);
}
EXPORT_SYMBOL_GPL(ring_buffer_free_read_page);

/* Give the reader's page away whole, for the empty one in @rpage. */
static unsigned int rb_hand_over(struct rb_reader *reader,
				 struct buffer_data_read_page *rpage)
{
	unsigned long records = reader->page->records;

	swap(reader->page->data, rpage->data);
	reader->next += records;
	reader->read += records;
	reader->cur.page = reader->page->data;
	reader->cur.pos = reader->cur.size;
	return reader->cur.size;
}

/* Copy records from the reader's page, as many as @room has bytes for, or a piece. */
static unsigned int rb_copy_records(struct rb_reader *reader, void *to,
				    unsigned int room)
{
	struct rb_cursor *cur = &reader->cur;
	const u8 *from = &cur->page->data[cur->pos];
	unsigned int start = cur->pos;
	unsigned int end = rb_piece_end(cur->page, start, cur->size);

	while (cur->pos < end) {
		const struct ring_buffer_event *event = (void *)&cur->page->data[cur->pos];

		if (cur->pos - start + rb_record_size(event) > room)
			break;
		if (rb_is_data(event)) {
			reader->next++;
			reader->read++;
		}
		rb_cursor_pass(cur, event);
	}
	memcpy(to, from, cur->pos - start);
	return cur->pos - start;
}

/**
 * rb_mark_lost - tell on a page for user space that records are missing before it
 * @page: the page
 * @size: bytes of records on it
 * @payload: how many it has room for
 * @lost: records that are missing; their number follows the last record, if it fits
 *
 * Context: any, while nobody else has the page.
 * Return: what @page's commit is to be.
 */
unsigned long rb_mark_lost(struct rb_data_page *page, unsigned int size,
			   unsigned int payload, unsigned long lost)
{
	if (!lost)
		return size;
	if (size + sizeof(lost) > payload)
		return size | RB_MISSED_EVENTS;
	memcpy(&page->data[size], &lost, sizeof(lost));
	return size | RB_MISSED_EVENTS | RB_MISSED_STORED;
}

/* Finish a page for user space: mark what is missing, leave no stale bytes. */
static void rb_seal(struct rb_data_page *page, unsigned int size,
		    unsigned int payload, unsigned long lost)
{
	page->commit = rb_mark_lost(page, size, payload, lost);
	if (page->commit & RB_MISSED_STORED)
		size += sizeof(lost);
	memset(&page->data[size], 0, payload - size);
}

/**
 * struct rb_filling - a page on its way to a caller
 * @rpage: the page
 * @room: most bytes of records that it shall have
 * @size: how many it has
 * @lost: records lost before the first of them
 * @from: where the reader had them from,
 * @no: the number of that page,
 * @pos: and where on it the reader stands since
 */
struct rb_filling {
	struct buffer_data_read_page *rpage;
	unsigned int		room;
	unsigned int		size;
	unsigned long		lost;
	const struct rb_data_page *from;
	unsigned long		no;
	unsigned int		pos;
};

static void rb_fill(struct rb_cpu *cb, struct rb_filling *f)
{
	struct rb_reader *reader = &cb->reader;

	f->size += rb_copy_records(reader, &f->rpage->data->data[f->size],
				   f->room - f->size);
	f->from = reader->cur.page;
	f->no = reader->no;
	f->pos = reader->cur.pos;
}

/* Does the reader stand where it was left? */
static bool rb_fill_goes_on(const struct rb_reader *reader, const struct rb_filling *f)
{
	return reader->cur.page == f->from && reader->no == f->no &&
	       reader->cur.pos == f->pos;
}

/* Of a page that was overwritten, the copy of its front part is all that there will be. */
static bool rb_may_become_whole(struct rb_cpu *cb)
{
	unsigned long no = cb->reader.no;

	return !cb->reader.whole && rb_remaining_no(cb, no) == no;
}

/* Take what can be taken at once. Returns 0 or an error. */
static int rb_fill_first(struct rb_cpu *cb, struct rb_filling *f, bool full)
{
	struct rb_reader *reader = &cb->reader;
	struct rb_cursor *cur = &reader->cur;
	unsigned int unread;

	if (f->rpage->order != cb->ring->order)
		return -EINVAL;
	/* Who is told so comes again. */
	if (cur->pos >= cur->size && rb_refill(cb) <= 0)
		return -EAGAIN;
	/* A copy may have become complete since it was made, if it is still there. */
	if (!reader->whole)
		rb_take_page(cb);
	unread = cur->size - cur->pos;
	if (full && (rb_may_become_whole(cb) || f->room < unread))
		return -EAGAIN;

	if (reader->whole && !cur->pos && f->room >= unread && !rb_pages_stay(cb)) {
		f->size = rb_hand_over(reader, f->rpage);
	} else {
		f->rpage->data->time_stamp = cur->ts;
		rb_fill(cb, f);
	}
	if (!f->size)
		return -EAGAIN;
	f->lost = reader->lost;
	reader->lost = 0;
	return 0;
}

/* Take more of the same page, unless something came between. */
static bool rb_fill_more(struct rb_cpu *cb, struct rb_filling *f)
{
	struct rb_reader *reader = &cb->reader;
	unsigned int size = f->size;
	unsigned long flags;
	bool more;

	if (!rb_lock_reader(cb, &flags))
		return false;
	more = rb_fill_goes_on(reader, f);
	/*
	 * Of an open page the reader had no more than a piece in its hands. If it
	 * was closed since, the rest is for the next call.
	 */
	if (more && !reader->whole && f->pos >= reader->cur.size)
		more = rb_refill(cb) > 0 && rb_fill_goes_on(reader, f);
	if (more)
		rb_fill(cb, f);
	rb_unlock_reader(cb, flags);
	return f->size > size;
}

/**
 * ring_buffer_read_page - take records, a page of them
 * @buffer: the buffer
 * @rpage: from ring_buffer_alloc_read_page(); its old content is overwritten
 * @len: most bytes to take, the page's header included
 * @cpu: the CPU whose stream to read
 * @full: take nothing but the rest of a page that is complete, and all of it; or what was
 *	read before of one that is overwritten since
 *
 * A complete page of which nothing was read goes into @rpage without copying, if
 * @len allows. The result has the layout that events/header_page tells; bit 31
 * of its commit word says that records were lost before it, bit 30 that their
 * number follows the last record.
 *
 * Where it has to copy, it does so in pieces, between which interrupts are on.
 *
 * Context: any; in an NMI or an oops it gives up rather than wait.
 * Return: 0 if there is something in @rpage, at offset 0; -EAGAIN if there was
 *	nothing to take; -EINVAL if @len is too short, or @rpage of an old size;
 *	-ENODEV if the CPU has no stream.
 */
int ring_buffer_read_page(struct trace_buffer *buffer,
			  struct buffer_data_read_page *rpage,
			  size_t len, int cpu, int full)
{
	struct rb_filling f = { .rpage = rpage };
	unsigned long flags;
	struct rb_cpu *cb;
	int ret;

	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return -ENODEV;
	if (!rpage || !rpage->data || len <= RB_PAGE_HEAD)
		return -EINVAL;
	cb = rb_cpu_of(buffer, cpu);
	f.room = min_t(size_t, len - RB_PAGE_HEAD, rb_payload(rpage->order));
	if (!rb_lock_reader(cb, &flags))
		return -EAGAIN;
	ret = rb_fill_first(cb, &f, full);
	rb_unlock_reader(cb, flags);
	if (ret)
		return ret;
	while (f.pos && rb_payload(rpage->order) > RB_COPY_MOST && rb_fill_more(cb, &f))
		;
	/* The page is the caller's; clearing a large one takes its time. */
	rb_seal(rpage->data, f.size, rb_payload(rpage->order), f.lost);
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page);

/**
 * ring_buffer_read_page_data - the page, as user space shall see it
 * @rpage: from ring_buffer_alloc_read_page()
 *
 * Context: any.
 * Return: the page. It changes with each ring_buffer_read_page().
 */
void *ring_buffer_read_page_data(struct buffer_data_read_page *rpage)
{
	return rpage->data;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page_data);

/**
 * ring_buffer_read_page_size - size of the page
 * @rpage: from ring_buffer_alloc_read_page()
 *
 * Context: any.
 * Return: bytes, the header included.
 */
unsigned int ring_buffer_read_page_size(struct buffer_data_read_page *rpage)
{
	return PAGE_SIZE << rpage->order;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page_size);
