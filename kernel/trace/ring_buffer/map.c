// SPDX-License-Identifier: GPL-2.0
/*
 * The pages of a CPU's stream in the memory of a user: a meta page, and behind it
 * the sub-buffers by their numbers.
 *
 * One page of memory more than usual belongs to a stream that is mapped: the one
 * shown, which the meta page names. It is not in the ring, and not with the
 * reader: so nothing changes on it until the next ring_buffer_map_get_reader(),
 * whoever else consumes meanwhile. That one has the reader take its next page as
 * always, or copy what there is of the one being written; it shows that page, and
 * the one that was shown is the reader's from then on. What user space sees next is
 * always another page than what it saw before.
 *
 * Of a page that was not consumed from its beginning, because somebody else did so
 * or because it was shown as a copy while it was being written, the front part is
 * made void: no record is seen twice.
 *
 * While a stream is mapped its pages stay where they are (rb_pages_stay()), so the
 * number of a sub-buffer is as good as the index of its page. They are handed to
 * the user when he touches them.
 *
 * Called by the files, in process context. The caller of
 * ring_buffer_map_get_reader() is a consumer as any other. Must never show a page
 * that a writer or a reader can get at.
 */
#include <linux/cacheflush.h>
#include <linux/cacheinfo.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "extent.h"
#include "map.h"

/* -- Numbers of sub-buffers. -- */

static unsigned long rb_map_swap(unsigned long n, unsigned long a, unsigned long b)
{
	if (n == a)
		return b;
	return n == b ? a : n;
}

/*
 * At first the page shown has number 0 and the reader's number 1; the others have
 * that of their place in rb_ring.pages, but for those two that had to make room.
 */
static unsigned long rb_map_id(const struct rb_map *map, unsigned long index)
{
	return rb_map_swap(rb_map_swap(index, 0, map->zero), 1, map->one);
}

static unsigned long rb_map_index(const struct rb_map *map, unsigned long id)
{
	return rb_map_swap(rb_map_swap(id, 1, map->one), 0, map->zero);
}

static unsigned long rb_map_shown_id(const struct rb_cpu *cb)
{
	return rb_map_id(cb->map, cb->map->shown - cb->ring->pages);
}

/* The sub-buffers that can be mapped: one in each slot, the reader's, the one shown. */
static unsigned long rb_map_subbufs(const struct rb_cpu *cb)
{
	return cb->ring->nr + 2;
}

unsigned long rb_map_pages(const struct rb_cpu *cb)
{
	return (rb_map_subbufs(cb) + 1) << cb->ring->order;
}

/* -- The meta page. -- */

void rb_map_tell(struct rb_cpu *cb)
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
	/* Who sees a new number, and reads on from there, sees what has that number. */
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
	/* They come again with the next access. */
	nr = 1UL << cb->ring->order;
	unmap_mapping_pages(map->mapping, (rb_map_shown_id(cb) + 1) * nr, nr, false);
	unmap_mapping_pages(map->mapping, 0, 1, false);
}

static void rb_map_describe(struct rb_cpu *cb)
{
	struct trace_buffer_meta *meta = cb->map->meta;

	meta->meta_page_size = PAGE_SIZE << cb->ring->order;
	meta->meta_struct_len = sizeof(*meta);
	meta->subbuf_size = PAGE_SIZE << cb->ring->order;
	meta->nr_subbufs = rb_map_subbufs(cb);
	rb_map_tell(cb);
}

/* -- Mapped, and no longer. -- */

static void rb_map_free(struct rb_map *map, struct rb_data_page *data, unsigned int order)
{
	rb_data_free(data, order);
	rb_data_free((void *)map->meta, order);
	kfree(map);
}

/* Pages stay from here on; @data is for the one that no slot and no reader has. */
static void rb_map_begin(struct rb_cpu *cb, struct rb_map *map, struct rb_data_page *data)
{
	struct rb_ring *ring = cb->ring;
	unsigned long flags;

	raw_spin_lock_irqsave(&cb->lock, flags);
	map->shown = &ring->pages[ring->vacant];
	map->shown->data = data;
	map->zero = ring->vacant;
	map->one = rb_map_swap(cb->reader.page - ring->pages, 0, map->zero);
	cb->map = map;
	WRITE_ONCE(cb->mapped, 1);
	rb_map_describe(cb);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
}

static int rb_map_first(struct rb_cpu *cb, struct address_space *mapping)
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
	rb_map_begin(cb, map, data);
	rb_map_flush(cb);
	return 0;
}

static void rb_map_count(struct rb_cpu *cb, int change)
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
		return rb_map_first(cb, mapping);
	if (cb->mapped == UINT_MAX)
		return -EBUSY;
	rb_map_count(cb, 1);
	return 0;
}

/* The last mapping is gone, and with it the page that was shown. */
static void rb_map_end(struct rb_cpu *cb)
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

/* Is it what can be mapped? trace_buffer.mutex held. */
static int rb_map_fits(const struct rb_cpu *cb, struct vm_area_struct *vma)
{
	unsigned long pages = rb_map_pages(cb), from = vma->vm_pgoff;

	if (from % (1UL << cb->ring->order) || from >= pages)
		return -EINVAL;
	return vma_pages(vma) > pages - from ? -EINVAL : 0;
}

/**
 * ring_buffer_map - the pages of a CPU's stream are mapped by user space
 * @buffer: the buffer
 * @cpu: the CPU
 * @vma: where; its offset in the file is 0 for the meta page, and the size of a
 *	sub-buffer for the first of these
 *
 * The caller gives @vma its operations: open calls ring_buffer_map_dup(), close
 * ring_buffer_unmap(), and fault gets its pages from ring_buffer_map_page(). From now
 * on resizing the buffer, changing the size of its sub-buffers, and exchanging its
 * streams with another are refused, and pages are handed out as copies. SPEC B1.
 *
 * Context: process, may sleep; under mmap_lock.
 * Return: 0; -EPERM unless it is shared and can only be read; -EINVAL for what is
 *	not there, or does not begin with a sub-buffer, or if the CPU has no stream;
 *	-ENOMEM.
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
	ret = rb_map_fits(cb, vma);
	if (!ret)
		ret = rb_map_add(cb, vma->vm_file->f_mapping);
	if (ret)
		return ret;
	/* Pages one by one, however large they are; and no writing by mprotect(). */
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP | VM_NOHUGEPAGE,
		     VM_MAYWRITE | VM_MAYEXEC);
	return 0;
}

/**
 * ring_buffer_map_dup - a mapping was split, moved or inherited: there is one more
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: process, may sleep.
 */
void ring_buffer_map_dup(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

	guard(mutex)(&buffer->mutex);
	if (!WARN_ON(!cb->mapped))
		rb_map_count(cb, 1);
}

/**
 * ring_buffer_unmap - a mapping is gone
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: process, may sleep; nobody has a fault in that mapping.
 * Return: 0; -ENODEV if there was none, -EINVAL if the CPU has no stream.
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
		rb_map_count(cb, -1);
	else
		rb_map_end(cb);
	return 0;
}

/**
 * ring_buffer_map_page - a page of memory of a mapped stream
 * @buffer: the buffer
 * @cpu: the CPU
 * @pgoff: where in the file, in pages
 *
 * Context: any, while there is a mapping.
 * Return: the page, NULL if there is none at that place.
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
		data = cb->ring->pages[rb_map_index(cb->map, subbuf - 1)].data;
	else
		data = cb->map->meta;
	return virt_to_page(data + rest * PAGE_SIZE);
}

/* -- The next page to be shown. -- */

/* How many records the reader has in its hands; it stands behind them afterwards. */
static unsigned long rb_map_pass(struct rb_reader *reader)
{
	struct ring_buffer_event *event;
	unsigned long n = 0;

	if (reader->whole) {
		n = reader->page->first + reader->page->records - reader->next;
		reader->cur.pos = reader->cur.size;
		return n;
	}
	while ((event = rb_cursor_next(&reader->cur))) {
		rb_cursor_pass(&reader->cur, event);
		n++;
	}
	return n;
}

/*
 * Make void what is before @pos; the next record's delta counts from @ts. Whether the
 * delta of something void counts is a matter of who reads: so there is the time
 * itself behind it, unless there are 12 bytes and no room for both.
 */
static void rb_map_void(struct rb_data_page *data, unsigned int pos, u64 ts)
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

/* What the reader has in its hands, from @start on, is what user space gets. */
static void rb_map_show(struct rb_cpu *cb, const struct rb_cursor *start)
{
	struct rb_reader *reader = &cb->reader;
	struct rb_map *map = cb->map;
	struct rb_page *page = reader->page;

	if (start->pos)
		rb_map_void(page->data, start->pos, start->ts);
	map->size = reader->cur.size;
	map->lost = reader->lost;
	page->data->commit = rb_mark_lost(page->data, map->size, cb->payload, map->lost);
	reader->lost = 0;

	reader->page = map->shown;
	map->shown = page;
	/* Of a page being written, only what comes is still of interest. */
	reader->cur.page = reader->page->data;
	if (reader->whole)
		rb_go_to_page(reader, reader->no + 1);
}

/* Lock held. As rb_refill(): 0 if there is nothing new. */
static int rb_map_advance(struct rb_cpu *cb)
{
	struct rb_reader *reader = &cb->reader;
	struct rb_cursor start;
	unsigned long n = 0;
	int more = 1;

	for (unsigned int pages = 0; pages < RB_PASS_MOST && !n; pages++) {
		if (reader->cur.pos >= reader->cur.size)
			more = rb_refill(cb);
		if (more <= 0)
			return more;
		/* A copy may have become complete since it was made. */
		if (!reader->whole)
			rb_take_page(cb);
		start = reader->cur;
		n = rb_map_pass(reader);
	}
	if (!n)
		return -EAGAIN;
	reader->next += n;
	reader->read += n;
	rb_map_show(cb, &start);
	return 1;
}

/**
 * ring_buffer_map_get_reader - let user space have the next records
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * All that is on the page counts as read from here on. If there is nothing new it is
 * the same page as before, unchanged. If records were lost before those on the page,
 * it tells so as ring_buffer_read_page() does, and so does the meta page.
 *
 * Context: process, may sleep; the caller holds consume_lock().
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
		found = rb_map_advance(cb);
		rb_map_tell(cb);
		raw_spin_unlock_irqrestore(&cb->lock, flags);
	} while (rb_pass_again(cb, found, &passed));
	rb_map_flush(cb);
	return 0;
}
