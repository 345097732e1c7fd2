// SPDX-License-Identifier: GPL-2.0
/*
 * The merge of the CPUs' records by time.
 *
 * A reader keeps the oldest unread record of each CPU at hand and takes the
 * earliest of them; only the CPU that was taken from is asked for its next
 * one. Readers that consume hold a lock while they do so, because the records
 * at hand lie in pages that another consumer would take away. Readers that
 * do not consume own an iterator per CPU, which works on copies.
 *
 * The files trace and trace_pipe are the callers, and the dump on oops, which
 * locks nothing. Nothing here ever stops a writer.
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

static void head_peek(struct trace_reader *r, struct reader_head *h)
{
	if (!h->iter) {
		h->event = ring_buffer_peek(r->buffer, h->cpu, &h->ts, &h->lost);
		return;
	}
	h->event = ring_buffer_iter_peek(h->iter, &h->ts);
	h->lost = ring_buffer_iter_dropped(h->iter) ? ULONG_MAX : 0;
}

static void head_advance(struct trace_reader *r, struct reader_head *h)
{
	unsigned long lost;
	u64 ts;

	if (h->iter)
		ring_buffer_iter_advance(h->iter);
	else
		ring_buffer_consume(r->buffer, h->cpu, &ts, &lost);
	head_peek(r, h);
}

/* CPUs that never came up have no records, and nothing to look into. */
static void add_head(struct trace_reader *r, int cpu)
{
	if (!ring_buffer_size(r->buffer, cpu))
		return;
	r->nr_heads++;
	r->heads[r->nr_heads - 1] = (struct reader_head){ .cpu = cpu };
}

/* All CPUs */

static void find_heads(struct trace_reader *r)
{
	int cpu;

	r->nr_heads = 0;
	if (r->cpu != RING_BUFFER_ALL_CPUS) {
		add_head(r, r->cpu);
		return;
	}
	for_each_possible_cpu(cpu)
		add_head(r, cpu);
}

static struct reader_head *earliest(struct trace_reader *r)
{
	struct reader_head *h, *found = NULL;

	for (h = r->heads; h < r->heads + r->nr_heads; h++) {
		if (h->event && (!found || h->ts < found->ts))
			found = h;
	}
	return found;
}

/*
 * A CPU that had nothing may have recorded something since. Records up to the
 * horizon are older than the last look, so nothing can have come before them.
 */
static void look_again(struct trace_reader *r)
{
	struct reader_head *h;

	r->horizon = ring_buffer_time_stamp(r->buffer);
	for (h = r->heads; h < r->heads + r->nr_heads; h++) {
		if (!h->event)
			head_peek(r, h);
	}
}

static struct reader_head *choose(struct trace_reader *r)
{
	struct reader_head *h = earliest(r);

	if (!r->consuming || (h && h->ts <= r->horizon))
		return h;
	look_again(r);
	return earliest(r);
}

/* Never said of the first two records: tools know it so. */
static void begin_cpu(struct trace_reader *r)
{
	r->cpu_begins = false;
	if (!r->annotate || cpumask_test_and_set_cpu(r->ent_cpu, r->started))
		return;
	r->cpu_begins = r->idx > 1;
}

static bool take(struct trace_reader *r, struct reader_head *h)
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
	begin_cpu(r);
	return true;
}

bool reader_next(struct trace_reader *r)
{
	if (r->current_head && !r->consuming) {
		if (!r->advanced)
			head_advance(r, r->current_head);
		r->idx++;
	}
	return take(r, choose(r));
}

void reader_consume(struct trace_reader *r)
{
	if (!r->advanced)
		head_advance(r, r->current_head);
	r->current_head = NULL;
	r->idx++;
}

static bool save_current(struct trace_reader *r)
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
		if (r->consuming || !save_current(r))
			return r->ts;
		head_advance(r, r->current_head);
		r->advanced = true;
	}
	h = earliest(r);
	return h ? h->ts : r->ts;
}

struct trace_entry *reader_behind(struct trace_reader *r)
{
	struct reader_head *h = r->current_head;

	if (!r->advanced) {
		if (!save_current(r))
			return NULL;
		head_advance(r, h);
		r->advanced = true;
	}
	return h->event && !h->lost ? ring_buffer_event_data(h->event) : NULL;
}

void reader_skip_behind(struct trace_reader *r)
{
	head_advance(r, r->current_head);
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

/* What other CPUs have in the snapshot belongs to times that were kept before. */
static bool is_of_another_time(const struct trace_reader *r, const struct reader_head *h)
{
	return r->kept.of_one_cpu && h->cpu != r->kept.cpu;
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
		if (is_of_another_time(r, h)) {
			h->event = NULL;
			r->skipped += ring_buffer_entries_cpu(r->buffer, h->cpu);
			continue;
		}
		head_peek(r, h);
		for (; h->event && h->ts < r->kept.since; r->skipped++)
			head_advance(r, h);
	}
}

void reader_lock(struct trace_reader *r)
{
	consume_lock(r->cpu);
	r->buffer = READ_ONCE(r->tr->buffer);
	find_heads(r);
	r->current_head = NULL;
	r->in_ns = trace_clocks[READ_ONCE(r->tr->clock_id)].in_ns;
	look_again(r);
}

void reader_unlock(struct trace_reader *r)
{
	r->current_head = NULL;
	r->ent = NULL;
	consume_unlock(r->cpu);
}

/* Making a reader */

static void set_up(struct trace_reader *r, struct trace_array *tr,
		   struct trace_buffer *buffer, int cpu)
{
	r->tr = tr;
	r->buffer = buffer;
	r->cpu = cpu;
	r->in_ns = trace_clocks[READ_ONCE(tr->clock_id)].in_ns;
	r->consuming = true;
	find_heads(r);
}

static int init_for(struct trace_reader *r, struct trace_array *tr,
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
	set_up(r, tr, buffer, cpu);
	r->saved = kmalloc(READER_SAVED_MIN, GFP_KERNEL);
	r->saved_room = r->saved ? READER_SAVED_MIN : 0;
	return 0;
}

int reader_init(struct trace_reader *r, struct trace_array *tr, int cpu)
{
	return init_for(r, tr, READ_ONCE(tr->buffer), cpu);
}

void reader_reuse(struct trace_reader *r, struct trace_array *tr, int cpu)
{
	set_up(r, tr, READ_ONCE(tr->buffer), cpu);
	r->atomic = true;
	r->current_head = NULL;
	r->ent = NULL;
	r->idx = 0;
	look_again(r);
}

int reader_init_iterating(struct trace_reader *r, struct trace_array *tr,
			  struct trace_buffer *buffer, int cpu)
{
	int ret = init_for(r, tr, buffer, cpu);
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
