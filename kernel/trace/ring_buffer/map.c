// SPDX-License-Identifier: GPL-2.0
/*
 * Mapping the pages of a CPU's stream into user space: a meta page, followed by the
 * sub-buffers in the order of their ids.
 *
 * A mapped stream has memory for one more page than usual: the shown page, whose id is in
 * the meta page, and whose records user space reads. It is neither in a slot nor the page
 * of the reader. So nothing changes on it until the next ring_buffer_map_get_reader(), even if
 * another consumer reads meanwhile. ring_buffer_map_get_reader() makes the reader take its
 * next page, or copy the published part of the page being written. Then the page of the
 * reader becomes the shown page, and the page shown before becomes the page of the reader.
 * So user space gets a different page each time.
 *
 * If a page was not consumed from its beginning, because another consumer read its front
 * part or because it was shown as a copy while it was being written, that front part is
 * turned into padding. No record is shown twice.
 *
 * While a stream is mapped its pages stay where they are (rb_pages_pinned()), so the
 * id of a sub-buffer follows from the index of its page in rb_ring.pages. Page faults map
 * the pages one by one.
 *
 * Called by the operations of tracefs files, in process context. The caller of
 * ring_buffer_map_get_reader() is a consumer like any other. The shown page must never be one
 * that a writer or a reader can change.
 */
#include <linux/cacheflush.h>
#include <linux/cacheinfo.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "extent.h"
#include "internal.h"
#include "map.h"

/* -- Ids of sub-buffers. -- */

/* Return: @b if @n is @a; @a if @n is @b; otherwise @n. */
static unsigned long rb_map_swap_numbers(unsigned long n, unsigned long a, unsigned long b)
{
	if (n == a)
		return b;
	return n == b ? a : n;
}

/*
 * When the mapping begins, the shown page has id 0, and the page of the reader has id 1. The id
 * of each other page is its index in rb_ring.pages, except that the pages with index 0 and 1 get
 * the indices of those two pages as their ids.
 */
static unsigned long rb_map_index_to_id(const struct rb_map *map, unsigned long index)
{
	unsigned long n = rb_map_swap_numbers(index, 0, map->id0_index);

	return rb_map_swap_numbers(n, 1, map->id1_index);
}

static unsigned long rb_map_id_to_index(const struct rb_map *map, unsigned long id)
{
	unsigned long n = rb_map_swap_numbers(id, 1, map->id1_index);

	return rb_map_swap_numbers(n, 0, map->id0_index);
}

static unsigned long rb_map_shown_id(const struct rb_cpu *cb)
{
	return rb_map_index_to_id(cb->map, cb->map->shown - cb->ring->pages);
}

/* Number of sub-buffers: one in each slot, the page of the reader and the shown page. */
static unsigned long rb_map_nr_subbufs(const struct rb_cpu *cb)
{
	return cb->ring->nr + 2;
}

unsigned long rb_map_pages(const struct rb_cpu *cb)
{
	return (rb_map_nr_subbufs(cb) + 1) << cb->ring->order;
}

/* -- The meta page. -- */

void rb_map_update_meta(struct rb_cpu *cb)
{
	const struct rb_map *map = cb->map;
	struct trace_buffer_meta *meta;
	struct rb_extent extent;

	if (!map)
		return;
	meta = map->meta;
	extent = rb_get_extent(cb);
	WRITE_ONCE(meta->entries, extent.entries + extent.overrun + cb->reader.read);
	WRITE_ONCE(meta->overrun, extent.overrun);
	WRITE_ONCE(meta->read, cb->reader.read);
	WRITE_ONCE(meta->reader.lost_events, map->lost);
	WRITE_ONCE(meta->reader.read, map->size);
	/* Store the content of the page and of the meta page before the id that announces it. */
	smp_store_release(&meta->reader.id, rb_map_shown_id(cb));
}

void rb_map_flush(struct rb_cpu *cb)
{
	const struct rb_map *map = cb->map;
	unsigned long nr;

	if (!map)
		return;
	flush_dcache_folio(virt_to_folio(map->meta));
	flush_dcache_folio(virt_to_folio(map->shown->data));
	if (!cpu_dcache_is_aliasing() || !map->mapping)
		return;
	/* The next access faults the pages in again. */
	nr = 1UL << cb->ring->order;
	unmap_mapping_pages(map->mapping, (rb_map_shown_id(cb) + 1) * nr, nr, false);
	unmap_mapping_pages(map->mapping, 0, 1, false);
}

static void rb_map_init_meta(struct rb_cpu *cb)
{
	struct trace_buffer_meta *meta = cb->map->meta;

	meta->meta_page_size = PAGE_SIZE << cb->ring->order;
	meta->meta_struct_len = sizeof(*meta);
	meta->subbuf_size = PAGE_SIZE << cb->ring->order;
	meta->nr_subbufs = rb_map_nr_subbufs(cb);
	rb_map_update_meta(cb);
}

/* -- Mapping and unmapping. -- */

static void rb_map_free(struct rb_map *map, struct rb_data_page *data, unsigned int order)
{
	rb_data_free(data, order);
	rb_data_free((void *)map->meta, order);
	kfree(map);
}

/* Begin the first mapping, which pins all pages. @data becomes the memory of the shown page. */
static void rb_map_begin_first(struct rb_cpu *cb, struct rb_map *map, struct rb_data_page *data)
{
	struct rb_ring *ring = cb->ring;
	unsigned long flags;

	raw_spin_lock_irqsave(&cb->lock, flags);
	map->shown = &ring->pages[ring->vacant];
	map->shown->data = data;
	map->id0_index = ring->vacant;
	map->id1_index = rb_map_swap_numbers(cb->reader.page - ring->pages, 0, map->id0_index);
	cb->map = map;
	WRITE_ONCE(cb->mapped, 1);
	rb_map_init_meta(cb);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
}

static int rb_map_add_first(struct rb_cpu *cb, struct address_space *mapping)
{
	unsigned int order = cb->buffer->order;
	struct rb_data_page *data;
	struct rb_map *map;

	map = kzalloc(sizeof(*map), GFP_KERNEL);
	if (!map)
		return -ENOMEM;
	map->mapping = mapping;
	map->meta = (void *)rb_data_alloc(cb->cpu, order);
	data = rb_data_alloc(cb->cpu, order);
	if (!map->meta || !data) {
		rb_map_free(map, data, order);
		return -ENOMEM;
	}
	rb_map_begin_first(cb, map, data);
	rb_map_flush(cb);
	return 0;
}

static void rb_map_adjust_count(struct rb_cpu *cb, int change)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&cb->lock, flags);
	WRITE_ONCE(cb->mapped, cb->mapped + change);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
}

int rb_map_add(struct rb_cpu *cb, struct address_space *mapping)
{
	lockdep_assert_held(&cb->buffer->mutex);
	if (!cb->mapped)
		return rb_map_add_first(cb, mapping);
	if (cb->mapped == UINT_MAX)
		return -EBUSY;
	rb_map_adjust_count(cb, 1);
	return 0;
}

/* End the last mapping: free the memory of the shown page, and the meta page. */
static void rb_map_end_last(struct rb_cpu *cb)
{
	struct rb_map *map = cb->map;
	struct rb_ring *ring = cb->ring;
	struct rb_data_page *data;
	unsigned long flags;

	raw_spin_lock_irqsave(&cb->lock, flags);
	data = map->shown->data;
	map->shown->data = NULL;
	ring->vacant = map->shown - ring->pages;
	cb->map = NULL;
	WRITE_ONCE(cb->mapped, 0);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
	rb_map_free(map, data, ring->order);
}

/* Returns 0 if the range of @vma can be mapped, otherwise -EINVAL; trace_buffer.mutex held. */
static int rb_map_check_vma(const struct rb_cpu *cb, struct vm_area_struct *vma)
{
	unsigned long pages = rb_map_pages(cb), from = vma->vm_pgoff;

	if (from % (1UL << cb->ring->order) || from >= pages)
		return -EINVAL;
	return vma_pages(vma) > pages - from ? -EINVAL : 0;
}

/**
 * ring_buffer_map - map the pages of a CPU's stream into user space
 * @buffer: the buffer
 * @cpu: the CPU
 * @vma: area to map; at file offset 0 is the meta page, which is as large as a sub-buffer, and
 *	the sub-buffers follow it
 *
 * The caller sets the operations of @vma: open calls ring_buffer_map_dup(), close
 * calls ring_buffer_unmap(), and fault gets its pages from ring_buffer_map_page(). Until
 * the last unmap, resizing the buffer, changing the size of its sub-buffers and exchanging
 * its streams with another buffer fail, and readers get copies of pages (SPEC B1).
 *
 * Context: process, may sleep; mmap_lock held; takes trace_buffer.mutex.
 * Return: 0; -EPERM if the mapping is not shared, or may be written or executed;
 *	-EINVAL if the range is too large, does not begin at a sub-buffer, or the CPU has
 *	no stream; -EBUSY if there are too many mappings; -ENOMEM.
 */
int ring_buffer_map(struct trace_buffer *buffer, int cpu, struct vm_area_struct *vma)
{
	struct rb_cpu *cb;
	int ret;

	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC) || !(vma->vm_flags & VM_MAYSHARE))
		return -EPERM;
	guard(mutex)(&buffer->mutex);
	cb = rb_cpu_of(buffer, cpu);
	ret = rb_map_check_vma(cb, vma);
	if (!ret)
		ret = rb_map_add(cb, vma->vm_file->f_mapping);
	if (ret)
		return ret;
	/*
	 * No huge pages: page faults map single pages, also of large sub-buffers. mprotect() must
	 * not allow writing.
	 */
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP | VM_NOHUGEPAGE,
		     VM_MAYWRITE | VM_MAYEXEC);
	return 0;
}

/**
 * ring_buffer_map_dup - count a mapping that was split, moved or inherited
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: process, may sleep; takes trace_buffer.mutex.
 */
void ring_buffer_map_dup(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

	guard(mutex)(&buffer->mutex);
	if (!WARN_ON(!cb->mapped))
		rb_map_adjust_count(cb, 1);
}

/**
 * ring_buffer_unmap - end a mapping
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: process, may sleep; takes trace_buffer.mutex. No page fault of that mapping
 *	may be under way.
 * Return: 0; -ENODEV if there is no mapping, -EINVAL if the CPU has no stream.
 */
int ring_buffer_unmap(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *cb;

	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return -EINVAL;
	cb = rb_cpu_of(buffer, cpu);
	guard(mutex)(&buffer->mutex);
	if (!cb->mapped)
		return -ENODEV;
	if (cb->mapped > 1)
		rb_map_adjust_count(cb, -1);
	else
		rb_map_end_last(cb);
	return 0;
}

/**
 * ring_buffer_map_page - get a page of memory of a mapped stream
 * @buffer: the buffer
 * @cpu: the CPU
 * @pgoff: offset in the file, in pages
 *
 * Context: any, while there is a mapping.
 * Return: the page, NULL if @pgoff is behind the last sub-buffer.
 */
struct page *ring_buffer_map_page(struct trace_buffer *buffer, int cpu,
				  unsigned long pgoff)
{
	struct rb_cpu *cb = rb_cpu_of(buffer, cpu);
	unsigned long subbuf, rest;
	void *data;

	if (pgoff >= rb_map_pages(cb))
		return NULL;
	subbuf = pgoff >> cb->ring->order;
	rest = pgoff - (subbuf << cb->ring->order);
	if (subbuf)
		data = cb->ring->pages[rb_map_id_to_index(cb->map, subbuf - 1)].data;
	else
		data = cb->map->meta;
	return virt_to_page(data + rest * PAGE_SIZE);
}

/* -- Showing the next page. -- */

/* Move the reader behind all records of its page. Returns the number of these records. */
static unsigned long rb_map_skip_records(struct rb_reader *reader)
{
	struct ring_buffer_event *event;
	unsigned long n = 0;

	if (reader->whole) {
		n = reader->page->first_record + reader->page->records - reader->next;
		reader->cur.pos = reader->cur.size;
		return n;
	}
	while ((event = rb_cursor_next(&reader->cur))) {
		rb_cursor_advance(&reader->cur, event);
		n++;
	}
	return n;
}

/*
 * Turn the bytes of @data before @pos into padding. @ts is the time of the last record before
 * @pos, to which the delta of the record at @pos is added. Since programs differ in whether they
 * add the delta of the padding, a TIME_STAMP behind the padding has the full time. It is left
 * out if @pos is 12: that leaves no room for both.
 */
static void rb_map_pad_front(struct rb_data_page *data, unsigned int pos, u64 ts)
{
	struct ring_buffer_event *event = (void *)data->data;

	data->time_stamp = ts;
	if (pos != RB_STAMP_SIZE + sizeof(u32)) {
		pos -= RB_STAMP_SIZE;
		rb_put_stamp((void *)&data->data[pos], RINGBUF_TYPE_TIME_STAMP, ts);
	}
	if (!pos)
		return;
	*(u32 *)event = rb_head(RINGBUF_TYPE_PADDING, 1);
	event->array[0] = pos - RB_HEAD_SIZE;
}

/* Exchange the page of the reader, whose records from @start on are new, and the shown page. */
static void rb_map_show_page(struct rb_cpu *cb, const struct rb_cursor *start)
{
	struct rb_reader *reader = &cb->reader;
	struct rb_map *map = cb->map;
	struct rb_page *page = reader->page;

	if (start->pos)
		rb_map_pad_front(page->data, start->pos, start->ts);
	map->size = reader->cur.size;
	map->lost = reader->lost;
	page->data->commit = rb_mark_lost(page->data, map->size, cb->payload, map->lost);
	reader->lost = 0;

	reader->page = map->shown;
	map->shown = page;
	/* If the page is still being written, the reader continues behind the shown records. */
	reader->cur.page = reader->page->data;
	if (reader->whole)
		rb_go_to_page(reader, reader->no + 1);
}

/*
 * Show the next page; rb_cpu.lock held. Returns 1; 0 if there are no new records; -EAGAIN to try
 * again, see rb_should_retry().
 */
static int rb_map_show_next(struct rb_cpu *cb)
{
	struct rb_reader *reader = &cb->reader;
	struct rb_cursor start;
	unsigned long n = 0;
	int more = 1;

	for (unsigned int pages = 0; pages < RB_SKIP_MAX && !n; pages++) {
		if (reader->cur.pos >= reader->cur.size)
			more = rb_refill(cb);
		if (more <= 0)
			return more;
		/* The page may have become complete since it was copied: then take it. */
		if (!reader->whole)
			rb_take_page(cb);
		start = reader->cur;
		n = rb_map_skip_records(reader);
	}
	if (!n)
		return -EAGAIN;
	reader->next += n;
	reader->read += n;
	rb_map_show_page(cb, &start);
	return 1;
}

/**
 * ring_buffer_map_get_reader - show user space the next records
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * All records on the newly shown page count as read. If there is nothing new to read, the
 * same page stays shown, unchanged. If records were lost before those on the page, the
 * commit word of the page says so as for ring_buffer_read_page(), and so does the meta
 * page.
 *
 * Context: process, may sleep; the caller holds consume_lock(); takes trace_buffer.mutex.
 * Return: 0; -ENODEV if there is no mapping, -EINVAL if the CPU has no stream.
 */
int ring_buffer_map_get_reader(struct trace_buffer *buffer, int cpu)
{
	unsigned long flags, passed = 0;
	struct rb_cpu *cb;
	int found;

	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return -EINVAL;
	cb = rb_cpu_of(buffer, cpu);
	guard(mutex)(&buffer->mutex);
	if (!cb->mapped)
		return -ENODEV;
	do {
		raw_spin_lock_irqsave(&cb->lock, flags);
		found = rb_map_show_next(cb);
		rb_map_update_meta(cb);
		raw_spin_unlock_irqrestore(&cb->lock, flags);
	} while (rb_should_retry(cb, found, &passed));
	rb_map_flush(cb);
	return 0;
}
