// SPDX-License-Identifier: GPL-2.0
/*
 * Records of probes, and when probes are hit.
 *
 * The hot path: a probe in the middle of the kernel, a record for each place where its event is
 * on.
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
#include "internal.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* A hit								*/

static __always_inline void put_head(const struct probe_event *event, void *rec,
				     unsigned long at, unsigned long to)
{
	unsigned long *head = rec + sizeof(struct trace_entry);

	if (event->nr_head)
		head[0] = at;
	if (event->nr_head > 1)
		head[1] = to;
}

/*
 * What is known of a hit is passed by value until somebody fetches something, which most probes
 * of functions do not: then nothing of it is in memory.
 */
static noinline void fetch(const struct probe *p, void *rec, unsigned int room,
			   struct pt_regs *regs, const void *also)
{
	struct fetch_from from = { .regs = regs, .kept = also, .rec = also };
	unsigned int len = p->event->len;

	fetch_fill(p->args.fetches, p->args.nr, rec, len, len + room, &from);
}

static __always_inline void put_args(const struct probe *p, void *rec, unsigned int room,
				     struct pt_regs *regs, const void *also)
{
	if (!p->args.nr)
		return;
	if (p->args.retval_at)
		record_put_number(rec + p->args.retval_at, sizeof(long), regs_return_value(regs));
	else
		fetch(p, rec, room, regs, also);
}

static noinline unsigned int room_for(const struct probe *p, struct pt_regs *regs,
				      const void *also)
{
	struct fetch_from from = { .regs = regs, .kept = also, .rec = also };

	return min(fetch_room(p->args.fetches, p->args.nr, &from),
		   PROBE_ROOM_MAX - p->event->len);
}

/* Elsewhere nothing can be probed while RCU does not watch, which keeps the links. */
static __always_inline bool can_record(void)
{
	return IS_ENABLED(CONFIG_ARCH_WANTS_NO_INSTR) || rcu_is_watching();
}

/* @word: trace_preempt_word() of who holds the guard and has made the event come; NULL: nobody. */
static __always_inline void record_hit(const struct probe *p, struct pt_regs *regs,
				       const void *also, unsigned long at, unsigned long to,
				       const unsigned int *word)
{
	const struct probe_event *event = p->event;
	struct trace_event_buffer b __uninitialized;
	struct event_link *link;
	struct trace_event_file *file;
	unsigned int room = 0;
	void *rec;

	this_cpu_inc(*p->hits);
	if (!can_record())
		return;
	if (event->fills)
		room = room_for(p, regs, also);
	for_each_event_link(link, &event->files) {
		file = link->file;
		if (trace_event_is_stopped(file))
			continue;
		/* Triggers may ask for them before there is a record, and perf only afterwards. */
		b.hit.regs = regs;
		rec = word ? event_reserve_inside(&b, file, event->len + room, *word) :
			     trace_event_buffer_reserve(&b, file, event->len + room);
		if (!rec)
			continue;
		put_head(event, rec, at, to);
		put_args(p, rec, room, regs, also);
		b.hit.regs = regs;
		if (word)
			event_commit_inside(&b);
		else
			trace_event_buffer_commit(&b);
	}
}

void probe_hit(const struct probe *p, struct pt_regs *regs, const void *also,
	       unsigned long at, unsigned long to)
{
	record_hit(p, regs, also, at, to, NULL);
}

void probe_hit_inside(const struct probe *p, const void *also, unsigned int word)
{
	record_hit(p, NULL, also, 0, 0, &word);
}

void probe_hit_made(const struct probe *p, const void *rec, unsigned int len,
		    struct pt_regs *regs)
{
	guard(preempt_notrace)();
	this_cpu_inc(*p->hits);
	event_links_record(&p->event->files, rec, len, regs);
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

static void stop_before(struct probe_event *event, struct probe *end)
{
	struct probe *p;

	list_for_each_entry(p, &event->probes, node) {
		if (p == end)
			return;
		event->kind->stop(p);
	}
}

/* All of them, or none. */
static int start_all(struct probe_event *event)
{
	struct probe *p;
	int err;

	list_for_each_entry(p, &event->probes, node) {
		err = event->kind->start(p);
		if (err) {
			stop_before(event, p);
			return err;
		}
	}
	return 0;
}

/* It was on, and is, but in other tasks. */
static int others_want(struct probe_event *event, bool more)
{
	struct probe *p;
	int err = 0;

	if (!event->kind->others_want)
		return 0;
	list_for_each_entry(p, &event->probes, node)
		err = err ?: event->kind->others_want(p, more);
	return err;
}

int probe_others_want(struct trace_event_call *call, bool more)
{
	return others_want(probe_event_of(call), more);
}

/* What is to be found is there before somebody looks. */
static int file_on(struct probe_event *event, struct trace_event_file *file)
{
	bool first = !probe_event_is_on(event);
	int err = event_link_add(&event->files, file);

	if (err)
		return err;
	err = first ? start_all(event) : others_want(event, true);
	if (!err)
		return 0;
	event_link_remove(&event->files, file);
	if (!first)
		others_want(event, false);
	return err;
}

static void file_off(struct probe_event *event, struct trace_event_file *file)
{
	if (!event_link_remove(&event->files, file))
		return;
	if (probe_event_is_on(event))
		others_want(event, false);
	else
		stop_before(event, NULL);
}

int probe_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	struct probe_event *event = probe_event_of(call);

	lockdep_assert_held(&events_lock);
	switch (what) {
	case TRACE_REG_REGISTER:
	case TRACE_REG_PERF_REGISTER:
		return file_on(event, data);
	case TRACE_REG_UNREGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		file_off(event, data);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}
