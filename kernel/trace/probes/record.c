// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of probes, and the start and stop of the probes of an event.
 *
 * A hit is the hot path: a probe interrupts any code of the kernel, and makes one record for each
 * instance and other consumer, such as perf, in which its event is on.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "events/events.h"
#include "events/links.h"
#include "guard/guard.h"
#include "internal.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* Hits									*/

static __always_inline void probe_put_head(const struct probe_event *event, void *rec,
					   unsigned long at, unsigned long to)
{
	unsigned long *head = rec + sizeof(struct trace_entry);

	if (event->nr_head)
		head[0] = at;
	if (event->nr_head > 1)
		head[1] = to;
}

/*
 * The data of a hit is passed in registers, and &struct fetch_from is built only here, out of line:
 * most probes of functions fetch nothing, and then nothing is written to the stack.
 */
static noinline void probe_fetch_args(const struct probe *p, void *rec, unsigned int texts_size,
				      struct pt_regs *regs, const void *data)
{
	struct fetch_from from = { .regs = regs, .kept = data, .rec = data };
	unsigned int len = p->event->len;

	fetch_fill(p->args.fetches, p->args.nr, rec, len, len + texts_size, &from);
}

static __always_inline void probe_put_args(const struct probe *p, void *rec,
					   unsigned int texts_size, struct pt_regs *regs,
					   const void *data)
{
	if (!p->args.nr)
		return;
	if (p->args.retval_at)
		record_put_number(rec + p->args.retval_at, sizeof(long), regs_return_value(regs));
	else
		probe_fetch_args(p, rec, texts_size, regs, data);
}

static noinline unsigned int probe_texts_size(const struct probe *p, struct pt_regs *regs,
					      const void *data)
{
	struct fetch_from from = { .regs = regs, .kept = data, .rec = data };

	return min(fetch_room(p->args.fetches, p->args.nr, &from),
		   PROBE_RECORD_MAX - p->event->len);
}

/*
 * Make a record of a hit for each event link; with @perf false, for those of instances only.
 * @word: NULL, or for probe_hit_inside(), trace_preempt_word() of the other event, which holds the
 * recursion guard.
 */
static __always_inline void probe_record_hit(const struct probe *p, struct pt_regs *regs,
					     const void *data, unsigned long at, unsigned long to,
					     bool perf, const unsigned int *word)
{
	const struct probe_event *event = p->event;
	struct trace_event_buffer b __uninitialized;
	struct event_link *link;
	struct trace_event_file *file;
	unsigned int texts_size = 0;
	void *rec;

	this_cpu_inc(*p->hits);
	/* RCU protects the links of the event. */
	if (!trace_rcu_is_watching())
		return;
	if (event->has_texts)
		texts_size = probe_texts_size(p, regs, data);
	for_each_event_link(link, &event->files) {
		file = link->file;
		if (trace_event_is_stopped(file) || (!perf && event_file_is_perf(file)))
			continue;
		/* Set before reserve, for triggers that run there; and before commit, for perf. */
		b.hit.regs = regs;
		rec = word ? event_reserve_inside(&b, file, event->len + texts_size, *word) :
			     trace_event_buffer_reserve(&b, file, event->len + texts_size);
		if (!rec)
			continue;
		probe_put_head(event, rec, at, to);
		probe_put_args(p, rec, texts_size, regs, data);
		b.hit.regs = regs;
		if (word)
			event_commit_inside(&b);
		else
			trace_event_buffer_commit(&b);
	}
}

void probe_hit(const struct probe *p, struct pt_regs *regs, const void *data,
	       unsigned long at, unsigned long to)
{
	probe_record_hit(p, regs, data, at, to, true, NULL);
}

void probe_hit_without_perf(const struct probe *p, struct pt_regs *regs, const void *data,
			    unsigned long at, unsigned long to)
{
	probe_record_hit(p, regs, data, at, to, false, NULL);
}

void probe_hit_inside(const struct probe *p, const void *data, unsigned int word)
{
	probe_record_hit(p, NULL, data, 0, 0, true, &word);
}

void probe_hit_fetched(const struct probe *p, const void *rec, unsigned int len,
		       struct pt_regs *regs, bool perf)
{
	guard(preempt_notrace)();
	event_links_record(&p->event->files, rec, len, regs, perf);
}

unsigned long probe_hits(const struct probe *p)
{
	unsigned long hits = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		hits += READ_ONCE(*per_cpu_ptr(p->hits, cpu));
	return hits;
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static void probes_stop_before(struct probe_event *event, struct probe *end)
{
	struct probe *p;

	list_for_each_entry(p, &event->probes, node) {
		if (p == end)
			return;
		event->kind->stop(p);
	}
}

/* Start all probes of an event. On failure none is started. */
static int probes_start_all(struct probe_event *event)
{
	struct probe *p;
	int err;

	list_for_each_entry(p, &event->probes, node) {
		err = event->kind->start(p);
		if (err) {
			probes_stop_before(event, p);
			return err;
		}
	}
	return 0;
}

/* Update the probes of an event that stays on, after more or fewer tasks want it. */
static int probes_update_tasks(struct probe_event *event, bool more)
{
	struct probe *p;
	int err = 0;

	if (!event->kind->update_tasks)
		return 0;
	list_for_each_entry(p, &event->probes, node)
		err = err ?: event->kind->update_tasks(p, more);
	return err;
}

int probe_update_tasks(struct trace_event_call *call, bool more)
{
	return probes_update_tasks(probe_event_of(call), more);
}

void probe_set_programs(struct trace_event_call *call, struct bpf_prog_array __rcu **list)
{
	struct probe_event *event = probe_event_of(call);
	struct probe *p;

	lockdep_assert_held(&events_lock);
	/* A hit in flight that has found programs still needs the place of their list. */
	if (list)
		WRITE_ONCE(event->programs, list);
	/* Pairs with smp_load_acquire() in uprobe_run_programs(). */
	smp_store_release(&event->has_programs, list);
	if (!event->kind->set_handlers)
		return;
	list_for_each_entry(p, &event->probes, node)
		event->kind->set_handlers(p);
}

/* Add the link before the probes start, so that their hits find it. */
static int probe_attach_file(struct probe_event *event, struct trace_event_file *file)
{
	bool first = !probe_event_is_on(event);
	int err = event_link_add(&event->files, file);

	if (err)
		return err;
	err = first ? probes_start_all(event) : probes_update_tasks(event, true);
	if (!err)
		return 0;
	event_link_remove(&event->files, file);
	if (!first)
		probes_update_tasks(event, false);
	return err;
}

static void probe_detach_file(struct probe_event *event, struct trace_event_file *file)
{
	if (!event_link_remove(&event->files, file))
		return;
	if (probe_event_is_on(event))
		probes_update_tasks(event, false);
	else
		probes_stop_before(event, NULL);
}

int probe_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	struct probe_event *event = probe_event_of(call);

	lockdep_assert_held(&events_lock);
	switch (what) {
	case TRACE_REG_REGISTER:
	case TRACE_REG_PERF_REGISTER:
		return probe_attach_file(event, data);
	case TRACE_REG_UNREGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		probe_detach_file(event, data);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}
