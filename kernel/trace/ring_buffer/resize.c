// SPDX-License-Identifier: GPL-2.0
/*
 * Giving a CPU's stream a ring of another size, with what is in the old one.
 *
 * Called by whoever owns a buffer, in process context. Must never take a page
 * from a writer or a reader that is at work on it.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/oom.h>
#include <linux/sched.h>

#include "write.h"

/* A page goes from one ring to another: what it is, and its memory. */
static void rb_move_page(struct rb_page *to, struct rb_page *from)
{
	*to = *from;
	from->data = NULL;
}

/* Move what is in the old ring and still fits. Returns how many pages. */
static unsigned long rb_move_filled(struct rb_cpu *cb, struct rb_ring *old,
				    struct rb_ring *new)
{
	unsigned long tail = cb->tail_no, word, moved = 0, no;
	unsigned long first = rb_oldest_no(cb);
	struct rb_page *page;

	/* A page that the reader has a copy of may be gone from the ring. */
	first = rb_remaining_no(cb, first);
	if (tail - first >= new->nr)
		first = tail - new->nr + 1;
	cb->floor = first;
	new->origin = first;
	for (no = first; no != tail + 1; no++) {
		word = *rb_slot(old, no);
		page = rb_page_in(old, word, no);
		if (!page)
			continue;
		*rb_slot(new, no) = rb_slot_word(new, no, moved, rb_word_state(word));
		rb_move_page(&new->pages[moved++], page);
	}
	return moved;
}

/* Every slot that got no page yet gets one without records. */
static void rb_move_empty(struct rb_ring *old, struct rb_ring *new,
			  unsigned long moved)
{
	unsigned long spare = 0, i;

	for (i = 0; i < new->nr; i++) {
		if (new->slots[i])
			continue;
		while (spare <= old->nr && !old->pages[spare].data)
			spare++;
		if (spare <= old->nr)
			rb_move_page(&new->pages[moved], &old->pages[spare]);
		new->slots[i] = rb_slot_word(new, new->origin + i, moved++, RB_EMPTY);
	}
}

/* Give the stream the ring in spare_ring, with what is in the old one. */
static void rb_change_ring(struct rb_cpu *cb)
{
	struct rb_ring *old = cb->ring, *new = cb->spare_ring;
	struct rb_reader *reader = &cb->reader;
	unsigned long moved;

	/* All is published: the only open page is the one being written. */
	moved = rb_move_filled(cb, old, new);
	cb->tail = &new->pages[rb_word_index(*rb_slot(new, cb->tail_no))];
	cb->commit_page = cb->tail;
	rb_move_page(&new->pages[moved], reader->page);
	reader->page = &new->pages[moved++];
	rb_move_empty(old, new, moved);
	swap(cb->ring, cb->spare_ring);
	WRITE_ONCE(cb->nr, new->nr);
}

/* A ring of another size for one CPU: of the memory, what the old one lacks. */
static int rb_prepare_resize(struct rb_cpu *cb, unsigned long nr)
{
	/* The ring may go to another buffer, and be freed there: see swap.c. */
	unsigned long old = READ_ONCE(cb->nr);
	struct rb_ring *ring;

	if (old == nr)
		return 0;
	if (rb_pages_stay(cb))
		return -EBUSY;
	ring = rb_ring_alloc(cb->cpu, nr, nr > old ? nr - old : 0, cb->buffer->order);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	cb->spare_ring = ring;
	return 0;
}

static int rb_resize_cpus(struct trace_buffer *buffer, const struct cpumask *cpus,
			  unsigned long nr)
{
	int cpu, ret;

	for_each_cpu(cpu, cpus) {
		ret = rb_prepare_resize(rb_cpu_of(buffer, cpu), nr);
		if (ret)
			return ret;
	}
	for_each_cpu(cpu, cpus) {
		struct rb_cpu *cb = rb_cpu_of(buffer, cpu);

		if (cb->spare_ring)
			rb_run_quiet(cb, rb_change_ring);
	}
	return 0;
}

/**
 * ring_buffer_resize - change how much a buffer can hold
 * @buffer: the buffer, or NULL
 * @size: bytes for each CPU, rounded up to whole sub-buffers, two at least
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 *
 * Writers and readers go on meanwhile. What is in the buffer stays; if it does
 * not fit, the newest of it. The owning CPU is held for some 20 ns per
 * sub-buffer.
 *
 * Context: process, may sleep; takes cpus_read_lock().
 * Return: 0; -ENOMEM, -EINTR if the task is being killed, or -EBUSY while pages
 *	are mapped: nothing is changed.
 */
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu)
{
	const struct cpumask *cpus;
	unsigned long nr;
	int ret;

	if (!buffer)
		return 0;
	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	if (cpu != RING_BUFFER_ALL_CPUS && !cpumask_test_cpu(cpu, buffer->cpumask))
		return 0;
	cpus = cpu == RING_BUFFER_ALL_CPUS ? buffer->cpumask : cpumask_of(cpu);
	nr = rb_pages_for(size, buffer->order);
	/* If memory ends up short, it shall be this task that is told. */
	if (current->mm)
		set_current_oom_origin();
	ret = rb_resize_cpus(buffer, cpus, nr);
	if (current->mm)
		clear_current_oom_origin();
	if (!ret && cpu == RING_BUFFER_ALL_CPUS)
		buffer->nr = nr;
	rb_free_spares(buffer);
	return ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_resize);
