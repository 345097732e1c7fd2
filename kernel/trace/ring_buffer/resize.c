// SPDX-License-Identifier: GPL-2.0
/*
 * Giving a CPU's stream a ring of another size, with what is in the old one.
 *
 * The stream goes on in the new ring at once; its pages come over one by one.
 * See "A ring of another size" in internal.h. So no CPU is held for longer than
 * a batch of pages takes, however many there are.
 *
 * Called by whoever owns a buffer, in process context; rb_claim_away() by the
 * writer. Must never take a page from a writer or a reader that is at work on it.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/oom.h>
#include <linux/sched.h>

#include "alike.h"
#include "consume.h"
#include "write.h"

/* How many pages come over at once, with interrupts off on the owning CPU. */
#define RB_BRING_BATCH	256

/*
 * Page @no comes over as it is, unless it has come before: for the writer, or as
 * the page that was being written at the start. From then on it is not to be found
 * in the ring before, nor is its memory.
 */
static void rb_bring(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *old = cb->spare_ring, *ring = cb->ring;
	unsigned long *from = rb_slot(old, no), *to = rb_slot(ring, no);
	struct rb_page *page = &old->pages[rb_word_index(*from)];
	enum rb_slot_state state = rb_word_state(*from);
	unsigned long index = rb_word_index(*to);

	if (state != RB_AWAY) {
		ring->pages[index] = *page;
		*to = rb_slot_word(ring, no, index, state);
		*from = rb_word_as(*from, RB_AWAY);
	}
	page->data = NULL;
}

/**
 * rb_resize_start - go on in the ring in spare_ring; a function for rb_run_quiet()
 * @cb: the CPU's stream
 *
 * The page that is being written comes over at once, and that of the reader. The
 * others are AWAY.
 */
void rb_resize_start(struct rb_cpu *cb)
{
	struct rb_ring *old = cb->ring, *ring = cb->spare_ring;
	unsigned long next = cb->tail_no + 1;

	/* The new ring may have room for more than there ever was in this one. */
	cb->floor = rb_remaining_no(cb, cb->floor);
	ring->origin = next - ring->nr;
	ring->away_end = next;
	ring->away = next - min(old->nr, ring->nr);
	swap(cb->ring, cb->spare_ring);
	WRITE_ONCE(cb->nr, ring->nr);

	old->seat = cb->reader.page;
	ring->pages[ring->nr] = *old->seat;
	cb->reader.page = &ring->pages[ring->nr];
	rb_bring(cb, cb->tail_no);
	cb->tail = &ring->pages[rb_word_index(*rb_slot(ring, cb->tail_no))];
	/* All is published. */
	cb->commit_page = cb->tail;
}

/**
 * rb_resize_step - bring some pages over; a function for rb_run_quiet()
 * @cb: the CPU's stream, after rb_resize_start()
 */
void rb_resize_step(struct rb_cpu *cb)
{
	struct rb_ring *ring = cb->ring;
	unsigned int n;

	for (n = 0; rb_is_resizing(ring) && n < RB_BRING_BATCH; n++)
		rb_bring(cb, ring->away++);
	/* The seat's memory is the reader's; see rb_page_to_leave(). */
	cb->spare_ring->seat->data = NULL;
}

/**
 * rb_claim_away - make the writer's a slot whose page is still in the ring before
 * @cb: the stream of this CPU
 * @no: number of the page that it shall have; it is @cb->ring->nr more than that
 *	of the one to be overwritten
 *
 * Context: any; as the caller opens a page, interrupts are off and nested writers
 *	drop their records.
 * Return: the page; NULL if its records have to stay.
 */
struct rb_page *rb_claim_away(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *old = cb->spare_ring, *ring = cb->ring;
	unsigned long *from = rb_slot(old, no - ring->nr);
	struct rb_page *page = &ring->pages[rb_word_index(*rb_slot(ring, no))];
	const struct rb_page *there;
	unsigned long word;

	do {
		word = smp_load_acquire(from);		/* pair D */
		there = &old->pages[rb_word_index(word)];
		if (rb_word_state(word) == RB_CLOSED && rb_must_keep(cb, there))
			return NULL;
		/* Pair C; or else a reader was first and left a page to write on. */
	} while (cmpxchg(from, word, rb_word_as(word, RB_AWAY)) != word);

	*page = *there;
	return page;
}

static int rb_may_resize(const struct rb_cpu *cb, unsigned long nr)
{
	return READ_ONCE(cb->nr) != nr && rb_pages_stay(cb) ? -EBUSY : 0;
}

/* A ring of another size for one CPU: of the memory, what the old one lacks. */
static int rb_prepare_resize(struct rb_cpu *cb, unsigned long nr)
{
	/* The ring may go to another buffer, and be freed there: see swap.c. */
	unsigned long old = READ_ONCE(cb->nr);
	int ret = rb_may_resize(cb, nr);
	struct rb_ring *ring;

	if (ret || old == nr)
		return ret;
	ring = rb_ring_alloc(cb->cpu, nr, nr > old ? nr - old : 0, cb->buffer->order);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	WRITE_ONCE(cb->spare_ring, ring);
	return 0;
}

static void rb_resize_cpu(struct rb_cpu *cb)
{
	rb_run_quiet(cb, rb_resize_start);
	while (rb_is_resizing(cb->ring)) {
		rb_run_quiet(cb, rb_resize_step);
		cond_resched();
	}
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
			rb_resize_cpu(cb);
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
 * not fit, the newest of it. The owning CPU is held for some 20 ns per sub-buffer,
 * but not for more than 256 of them at once.
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

int ring_buffer_may_resize(struct trace_buffer *buffer, unsigned long size, int cpu)
{
	int i, ret = 0;

	guard(mutex)(&buffer->mutex);
	for_each_cpu(i, buffer->cpumask)
		if (cpu == RING_BUFFER_ALL_CPUS || cpu == i)
			ret = ret ?: rb_may_resize(rb_cpu_of(buffer, i),
						   rb_pages_for(size, buffer->order));
	return ret;
}

int ring_buffer_resize_like(struct trace_buffer *buffer, struct trace_buffer *model)
{
	unsigned int order = READ_ONCE(model->order);
	unsigned long size = READ_ONCE(model->nr) * rb_payload(order);
	int cpu, ret = consume_set_order(buffer, order);

	/* Also what CPUs get that have yet to come up. */
	if (!ret)
		ret = ring_buffer_resize(buffer, size, RING_BUFFER_ALL_CPUS);
	for_each_possible_cpu(cpu) {
		size = ring_buffer_size(model, cpu);
		if (!ret && size)
			ret = ring_buffer_resize(buffer, size, cpu);
	}
	return ret;
}
