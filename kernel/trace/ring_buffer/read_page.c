// SPDX-License-Identifier: GPL-2.0
/*
 * Consuming records of the ring buffer a page at a time, for callers that pass raw
 * pages on to user space or to a file.
 *
 * Called from any context. The caller makes sure that a CPU's stream has one consuming
 * reader at a time.
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
 * @cpu: the CPU whose stream will be read; decides the NUMA node of the page
 * @rpage: set to the page
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
 * ring_buffer_free_read_page - free a page of ring_buffer_alloc_read_page()
 * @buffer: the buffer
 * @cpu: the CPU that the page was allocated for
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

/*
 * Exchange the memory of the reader's page for that of @rpage, which consumes all records of the
 * page. Returns the number of bytes of these records.
 */
static unsigned int rb_exchange_page(struct rb_reader *reader,
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

/*
 * Consume records of the reader's page by copying them to @to: at most @room bytes, and at most
 * the next piece, see rb_piece_end(). Returns the number of bytes copied.
 */
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
		rb_cursor_advance(cur, event);
	}
	memcpy(to, from, cur->pos - start);
	return cur->pos - start;
}

/**
 * rb_mark_lost - compute rb_data_page.commit for user space, with the number of lost records
 * @page: the page
 * @size: bytes of records on the page
 * @payload: bytes of records that fit the page
 * @lost: number of records lost before those on the page; stored behind the last record of the
 *	page if there is room
 *
 * Context: any; the page must belong to the caller.
 * Return: value for rb_data_page.commit of @page.
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

/* Finish a page for user space: set its commit, and zero the bytes behind the records. */
static void rb_finish_page(struct rb_data_page *page, unsigned int size,
			   unsigned int payload, unsigned long lost)
{
	page->commit = rb_mark_lost(page, size, payload, lost);
	if (page->commit & RB_MISSED_STORED)
		size += sizeof(lost);
	memset(&page->data[size], 0, payload - size);
}

/**
 * struct rb_filling - a page of ring_buffer_read_page() that is being filled with records
 * @rpage: the page
 * @room: largest number of bytes of records to put on @rpage
 * @size: number of bytes of records on @rpage
 * @lost: number of records lost before the first record on @rpage
 * @from: page that the records were last copied from
 * @no: number of the page @from
 * @pos: offset in @from at which the reader was left after the last copy
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

/* Copy records from the reader's page, and store in @f where the reader is afterwards. */
static void rb_fill_by_copy(struct rb_cpu *cb, struct rb_filling *f)
{
	struct rb_reader *reader = &cb->reader;

	f->size += rb_copy_records(reader, &f->rpage->data->data[f->size],
				   f->room - f->size);
	f->from = reader->cur.page;
	f->no = reader->no;
	f->pos = reader->cur.pos;
}

/* True if the reader is still at the position where rb_fill_by_copy() left it. */
static bool rb_fill_is_current(const struct rb_reader *reader, const struct rb_filling *f)
{
	return reader->cur.page == f->from && reader->no == f->no &&
	       reader->cur.pos == f->pos;
}

/* True if the reader has a copy of a page that is still in the ring: it may take the page later. */
static bool rb_may_take_page_later(struct rb_cpu *cb)
{
	unsigned long no = cb->reader.no;

	return !cb->reader.whole && rb_first_remaining_no(cb, no) == no;
}

/*
 * Consume the whole page of the reader or, by copying, the first piece of it. Returns 0, -EINVAL
 * or -EAGAIN.
 */
static int rb_fill_first_piece(struct rb_cpu *cb, struct rb_filling *f, bool full)
{
	struct rb_reader *reader = &cb->reader;
	struct rb_cursor *cur = &reader->cur;
	unsigned int unread;

	if (f->rpage->order != cb->ring->order)
		return -EINVAL;
	/* Also if rb_refill() returns -EAGAIN: the caller calls this function again. */
	if (cur->pos >= cur->size && rb_refill(cb) <= 0)
		return -EAGAIN;
	/* The page may have become complete since it was copied: then take it out of the ring. */
	if (!reader->whole)
		rb_take_page(cb);
	unread = cur->size - cur->pos;
	if (full && (rb_may_take_page_later(cb) || f->room < unread))
		return -EAGAIN;

	if (reader->whole && !cur->pos && f->room >= unread && !rb_pages_pinned(cb)) {
		f->size = rb_exchange_page(reader, f->rpage);
	} else {
		f->rpage->data->time_stamp = cur->ts;
		rb_fill_by_copy(cb, f);
	}
	if (!f->size)
		return -EAGAIN;
	f->lost = reader->lost;
	reader->lost = 0;
	return 0;
}

/* Copy the piece behind that of the last call, of the same page. False if there is none. */
static bool rb_fill_next_piece(struct rb_cpu *cb, struct rb_filling *f)
{
	struct rb_reader *reader = &cb->reader;
	unsigned int size = f->size;
	unsigned long flags;
	bool more;

	if (!rb_lock_reader(cb, &flags))
		return false;
	more = rb_fill_is_current(reader, f);
	/*
	 * The reader may have copied only a piece of an OPEN page: get the next piece. If the page
	 * became CLOSED meanwhile, rb_refill() takes it out of the ring; then its rest is left
	 * for the next read.
	 */
	if (more && !reader->whole && f->pos >= reader->cur.size)
		more = rb_refill(cb) > 0 && rb_fill_is_current(reader, f);
	if (more)
		rb_fill_by_copy(cb, f);
	rb_unlock_reader(cb, flags);
	return f->size > size;
}

/**
 * ring_buffer_read_page - consume up to a page of records
 * @buffer: the buffer
 * @rpage: page from ring_buffer_alloc_read_page(); its old content is overwritten
 * @len: largest number of bytes to return, including the page's header
 * @cpu: the CPU whose stream to read
 * @full: 0 to return any records; otherwise the rest of a page is returned only when no more
 *	records can be added to it, and only if all of it fits @len
 *
 * If no record of a page has been read, the page is complete and @len allows it, the page is
 * exchanged for that in @rpage instead of being copied. The result has the layout that
 * events/header_page describes; bit 31 of its commit word says that records were lost before
 * it, bit 30 that their number follows the last record.
 *
 * Copying is done in pieces; interrupts are on between two pieces.
 *
 * Context: any; in an NMI or an oops it waits for rb_cpu.lock only for a limited time.
 * Return: 0 if @rpage has records, at offset 0; -EAGAIN if there was nothing to
 *	return; -EINVAL if @len is too short, or the size of @rpage is no longer that of
 *	sub-buffers; -ENODEV if the CPU has no stream.
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
	ret = rb_fill_first_piece(cb, &f, full);
	rb_unlock_reader(cb, flags);
	if (ret)
		return ret;
	while (f.pos && rb_payload(rpage->order) > RB_COPY_MAX && rb_fill_next_piece(cb, &f))
		;
	/* No lock is held here, because clearing a large page takes long. */
	rb_finish_page(rpage->data, f.size, rb_payload(rpage->order), f.lost);
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page);

/**
 * ring_buffer_read_page_data - get the raw page for user space
 * @rpage: page from ring_buffer_alloc_read_page()
 *
 * Context: any.
 * Return: address of the raw page; each ring_buffer_read_page() may change it.
 */
void *ring_buffer_read_page_data(struct buffer_data_read_page *rpage)
{
	return rpage->data;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page_data);

/**
 * ring_buffer_read_page_size - get the size of the raw page
 * @rpage: page from ring_buffer_alloc_read_page()
 *
 * Context: any.
 * Return: number of bytes, including the page's header.
 */
unsigned int ring_buffer_read_page_size(struct buffer_data_read_page *rpage)
{
	return PAGE_SIZE << rpage->order;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page_size);
