// SPDX-License-Identifier: GPL-2.0
/*
 * Merging the records of all CPUs by time.
 *
 * A reader has a head for each CPU, which points to the oldest unread record of that
 * CPU, and returns the earliest of these records; only the head of the CPU that had the
 * record then moves on. A reader that consumes holds consume_lock(), because the
 * records of its heads are in pages that another consumer would take away. A reader
 * that does not consume owns an iterator per CPU, which works on copies.
 *
 * Called by the files trace and trace_pipe, and by the dump on oops, which takes no
 * locks of readers. Nothing here may ever stop a writer.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "clock/clock.h"
#include "instance/instance.h"
#include "reader.h"
#include "ring_buffer/consume.h"

/* One CPU */

static void reader_head_peek(struct trace_reader *r, struct reader_head *h)
{
	if (!h->iter) {
		h->event = ring_buffer_peek(r->buffer, h->cpu, &h->ts, &h->lost);
		return;
	}
	h->event = ring_buffer_iter_peek(h->iter, &h->ts);
	h->lost = ring_buffer_iter_dropped(h->iter) ? ULONG_MAX : 0;
}

static void reader_head_advance(struct trace_reader *r, struct reader_head *h)
{
	unsigned long lost;
	u64 ts;

	if (h->iter)
		ring_buffer_iter_advance(h->iter);
	else
		ring_buffer_consume(r->buffer, h->cpu, &ts, &lost);
	reader_head_peek(r, h);
}

/* Add a head for @cpu. A CPU that never came up has no stream, and gets no head. */
static void reader_add_head(struct trace_reader *r, int cpu)
{
	if (!ring_buffer_size(r->buffer, cpu))
		return;
	r->nr_heads++;
	r->heads[r->nr_heads - 1] = (struct reader_head){ .cpu = cpu };
}

/* All CPUs */

/* Set up the heads for the CPU or the CPUs that @r reads. */
static void reader_find_heads(struct trace_reader *r)
{
	int cpu;

	r->nr_heads = 0;
	if (r->cpu != RING_BUFFER_ALL_CPUS) {
		reader_add_head(r, r->cpu);
		return;
	}
	for_each_possible_cpu(cpu)
		reader_add_head(r, cpu);
}

/* The head whose record has the earliest time; NULL if no head has a record. */
static struct reader_head *reader_earliest_head(struct trace_reader *r)
{
	struct reader_head *h, *found = NULL;

	for (h = r->heads; h < r->heads + r->nr_heads; h++) {
		if (h->event && (!found || h->ts < found->ts))
			found = h;
	}
	return found;
}

/*
 * Look for records on CPUs that had none. The horizon is the time of this look: a CPU that
 * has no record now can only get records that are later, so records up to the horizon may
 * be returned without another look.
 */
static void reader_poll_idle_heads(struct trace_reader *r)
{
	struct reader_head *h;

	r->horizon = ring_buffer_time_stamp(r->buffer);
	for (h = r->heads; h < r->heads + r->nr_heads; h++) {
		if (!h->event)
			reader_head_peek(r, h);
	}
}

/* The head with the next record; NULL if there is none. */
static struct reader_head *reader_choose_head(struct trace_reader *r)
{
	struct reader_head *h = reader_earliest_head(r);

	if (!r->consuming || (h && h->ts <= r->horizon))
		return h;
	reader_poll_idle_heads(r);
	return reader_earliest_head(r);
}

/* Set @r->cpu_begins. It is never set for the first two records; tools expect that. */
static void reader_note_cpu_start(struct trace_reader *r)
{
	r->cpu_begins = false;
	if (!r->annotate || cpumask_test_and_set_cpu(r->ent_cpu, r->started))
		return;
	r->cpu_begins = r->idx > 1;
}

/* Make the record of @h the current record. False if @h is NULL. */
static bool reader_set_current(struct trace_reader *r, struct reader_head *h)
{
	r->current_head = h;
	r->advanced = false;
	if (!h) {
		r->ent = NULL;
		return false;
	}
	r->ent = ring_buffer_event_data(h->event);
	r->ent_size = ring_buffer_event_length(h->event);
	r->ent_cpu = h->cpu;
	r->ts = h->ts;
	r->lost = h->lost;
	reader_note_cpu_start(r);
	return true;
}

bool reader_next(struct trace_reader *r)
{
	if (r->current_head && !r->consuming) {
		if (!r->advanced)
			reader_head_advance(r, r->current_head);
		r->idx++;
	}
	return reader_set_current(r, reader_choose_head(r));
}

void reader_consume(struct trace_reader *r)
{
	if (!r->advanced)
		reader_head_advance(r, r->current_head);
	r->current_head = NULL;
	r->idx++;
}

/* Copy the current record to @r->saved before its head moves on. False without memory. */
static bool reader_save_current(struct trace_reader *r)
{
	if (r->ent_size > r->saved_room) {
		void *room = r->atomic ? NULL :
				krealloc(r->saved, r->ent_size, GFP_KERNEL);

		if (!room)
			return false;
		r->saved = room;
		r->saved_room = r->ent_size;
	}
	r->ent = memcpy(r->saved, r->ent, r->ent_size);
	return true;
}

u64 reader_next_ts(struct trace_reader *r)
{
	struct reader_head *h;

	if (!r->advanced) {
		if (r->consuming || !reader_save_current(r))
			return r->ts;
		reader_head_advance(r, r->current_head);
		r->advanced = true;
	}
	h = reader_earliest_head(r);
	return h ? h->ts : r->ts;
}

struct trace_entry *reader_peek_same_cpu(struct trace_reader *r)
{
	struct reader_head *h = r->current_head;

	if (!r->advanced) {
		if (!reader_save_current(r))
			return NULL;
		reader_head_advance(r, h);
		r->advanced = true;
	}
	return h->event && !h->lost ? ring_buffer_event_data(h->event) : NULL;
}

void reader_skip_same_cpu(struct trace_reader *r)
{
	reader_head_advance(r, r->current_head);
}

bool reader_empty(struct trace_reader *r)
{
	struct trace_buffer *live = READ_ONCE(r->tr->buffer);
	struct reader_head *h;

	if (r->consuming)
		return r->cpu == RING_BUFFER_ALL_CPUS ?
		       ring_buffer_empty(live) : ring_buffer_empty_cpu(live, r->cpu);
	for (h = r->heads; h < r->heads + r->nr_heads; h++) {
		if (!ring_buffer_iter_empty(h->iter))
			return false;
	}
	return true;
}

/*
 * True if the records of @h in the snapshot belong to earlier latencies: the tracer that
 * kept the last latency exchanged only the records of the CPU of that latency.
 */
static bool reader_head_is_unrelated(const struct trace_reader *r, const struct reader_head *h)
{
	return r->kept.single_cpu && h->cpu != r->kept.cpu;
}

void reader_rewind(struct trace_reader *r)
{
	struct reader_head *h;

	r->current_head = NULL;
	r->ent = NULL;
	r->idx = 0;
	r->annotate = ring_buffer_overruns(r->buffer);
	r->skipped = 0;
	cpumask_clear(r->started);
	for (h = r->heads; h < r->heads + r->nr_heads; h++) {
		ring_buffer_iter_reset(h->iter);
		if (reader_head_is_unrelated(r, h)) {
			h->event = NULL;
			r->skipped += ring_buffer_entries_cpu(r->buffer, h->cpu);
			continue;
		}
		reader_head_peek(r, h);
		for (; h->event && h->ts < r->kept.since; r->skipped++)
			reader_head_advance(r, h);
	}
}

void reader_lock(struct trace_reader *r)
{
	consume_lock(r->cpu);
	r->buffer = READ_ONCE(r->tr->buffer);
	reader_find_heads(r);
	r->current_head = NULL;
	r->in_ns = trace_clocks[READ_ONCE(r->tr->clock_id)].in_ns;
	reader_poll_idle_heads(r);
}

void reader_unlock(struct trace_reader *r)
{
	r->current_head = NULL;
	r->ent = NULL;
	consume_unlock(r->cpu);
}

/* Initializing a reader */

/* Make @r a consuming reader of @buffer of the instance @tr. */
static void reader_attach(struct trace_reader *r, struct trace_array *tr,
			  struct trace_buffer *buffer, int cpu)
{
	r->tr = tr;
	r->buffer = buffer;
	r->cpu = cpu;
	r->in_ns = trace_clocks[READ_ONCE(tr->clock_id)].in_ns;
	r->consuming = true;
	reader_find_heads(r);
}

/* Allocate the memory of @r and attach it to @buffer. Returns 0 or -ENOMEM. */
static int reader_init_buffer(struct trace_reader *r, struct trace_array *tr,
			      struct trace_buffer *buffer, int cpu)
{
	unsigned int nr = cpu == RING_BUFFER_ALL_CPUS ? num_possible_cpus() : 1;

	r->heads = kvcalloc(nr, sizeof(*r->heads), GFP_KERNEL);
	if (!r->heads)
		return -ENOMEM;
	if (!zalloc_cpumask_var(&r->started, GFP_KERNEL)) {
		kvfree(r->heads);
		return -ENOMEM;
	}
	reader_attach(r, tr, buffer, cpu);
	r->saved = kmalloc(READER_SAVED_MIN, GFP_KERNEL);
	r->saved_room = r->saved ? READER_SAVED_MIN : 0;
	return 0;
}

int reader_init(struct trace_reader *r, struct trace_array *tr, int cpu)
{
	return reader_init_buffer(r, tr, READ_ONCE(tr->buffer), cpu);
}

void reader_reuse(struct trace_reader *r, struct trace_array *tr, int cpu)
{
	reader_attach(r, tr, READ_ONCE(tr->buffer), cpu);
	r->atomic = true;
	r->current_head = NULL;
	r->ent = NULL;
	r->idx = 0;
	reader_poll_idle_heads(r);
}

int reader_init_iterating(struct trace_reader *r, struct trace_array *tr,
			  struct trace_buffer *buffer, int cpu)
{
	int ret = reader_init_buffer(r, tr, buffer, cpu);
	struct reader_head *h;

	if (ret)
		return ret;
	r->consuming = false;
	for (h = r->heads; h < r->heads + r->nr_heads; h++) {
		h->iter = ring_buffer_read_start(r->buffer, h->cpu, GFP_KERNEL);
		if (!h->iter) {
			reader_exit(r);
			return -ENOMEM;
		}
	}
	return 0;
}

void reader_exit(struct trace_reader *r)
{
	struct reader_head *h;

	for (h = r->heads; h < r->heads + r->nr_heads; h++) {
		if (h->iter)
			ring_buffer_read_finish(h->iter);
	}
	free_cpumask_var(r->started);
	kfree(r->saved);
	kvfree(r->heads);
}
