// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of events: fetch values from the records of another event.
 *
 * For the other event, such a probe is one more consumer, as perf is: the event fills in a scratch
 * record, and the probe fetches its arguments from that.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/once_lite.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

#include "eprobe.h"
#include "events/links.h"
#include "events/pids.h"
#include "guard/guard.h"
#include "record/scratch.h"
#include "record/record.h"

/* ------------------------------------------------------------------ */
/* Hits									*/

static struct event_probe *eprobe_of_file(struct trace_event_file *file)
{
	return container_of(file, struct event_probe, file);
}

/*
 * Warn only once for each reason: if one record is lost, many more may be, and a warning for each
 * would flood the log.
 */
static void eprobe_warn_lost(const struct event_probe *e, unsigned int len)
{
	const char *name = e->file.event->type.name;

	if (len > TRACE_SCRATCH_MAX)
		DO_ONCE_LITE(printk_deferred, KERN_WARNING
			     "trace probes: a record of %s is too long to be probed\n", name);
	else
		DO_ONCE_LITE(printk_deferred, KERN_WARNING
			     "trace probes: too much is nested for a record of %s to be probed\n",
			     name);
}

static void eprobe_lose(struct trace_event_file *file)
{
	event_links_lose(&eprobe_of_file(file)->probe.event->files);
}

static noinline void eprobe_lose_record(const struct trace_event_buffer *b)
{
	struct trace_own own;

	trace_own_begin(&own);
	eprobe_warn_lost(eprobe_of_file(b->trace_file), b->len);
	trace_own_end(&own);
	eprobe_lose(b->trace_file);
}

static void *eprobe_reserve(struct trace_event_buffer *b)
{
	struct trace_entry *rec = trace_scratch_start(b->len);

	if (unlikely(!rec)) {
		eprobe_lose_record(b);
		return NULL;
	}
	trace_entry_fill(rec, b->trace_file->type, trace_ctx_full(trace_callers_word()), current);
	b->event = rec;
	return rec;
}

static void eprobe_hit(const struct event_probe *e, const struct trace_event_buffer *b)
{
	const void *rec = b->event;
	bool two_tasks = event_has_two_tasks(&e->file);

	if (two_tasks)
		event_pids_begin(&e->file, rec);
	if (b->inside)
		probe_hit_inside(&e->probe, rec, b->hit.word);
	else
		probe_hit(&e->probe, NULL, rec, 0, 0);
	if (two_tasks)
		trace_pids_two_end();
}

static void eprobe_commit(struct trace_event_buffer *b, unsigned long probe)
{
	const struct event_probe *e = eprobe_of_file(b->trace_file);

	if (!e->filter || event_filter_match(e->filter, b->event))
		eprobe_hit(e, b);
	trace_scratch_end();
}

static const struct event_other_consumers eprobe_records = {
	.reserve	= eprobe_reserve,
	.commit		= eprobe_commit,
	.lose		= eprobe_lose,
};

/* ------------------------------------------------------------------ */
/* On and off								*/

/*
 * &trace_event_head.stopped of all event probes. Always 0, so that the other event makes a record
 * of every hit, on all CPUs.
 */
static DEFINE_PER_CPU(unsigned long, eprobe_never_stopped);

/* Number of stopped probes whose hits may be in flight until a grace period; events_lock. */
static unsigned int nr_eprobes_stopping;

void eprobes_settle(void)
{
	lockdep_assert_held(&events_lock);
	if (!nr_eprobes_stopping)
		return;
	tracepoint_synchronize_unregister();
	while (nr_eprobes_stopping) {
		trace_scratch_put(TRACE_SCRATCH_PROBE);
		nr_eprobes_stopping--;
	}
}

int eprobe_start(struct probe *p)
{
	struct event_probe *e = to_event_probe(p);
	int err;

	/*
	 * If this probe was stopped in the same batch, hits in flight may still find it: wait for
	 * them before it is started again.
	 */
	eprobes_settle();
	err = trace_scratch_get(TRACE_SCRATCH_PROBE);
	if (err)
		return err;
	e->file.head.stopped = &eprobe_never_stopped;
	e->file.type = e->of->type.id;
	e->file.event = e->of;
	e->file.how = EVENT_HOW_OTHER_CONSUMERS;
	e->file.other_consumers = &eprobe_records;
	event_pids_find(&e->file);
	err = event_probe_add(&e->file, TRACE_REG_PERF_REGISTER);
	if (err)
		trace_scratch_put(TRACE_SCRATCH_PROBE);
	return err;
}

void eprobe_stop(struct probe *p)
{
	struct event_probe *e = to_event_probe(p);

	event_probe_remove(&e->file, TRACE_REG_PERF_UNREGISTER);
	nr_eprobes_stopping++;
	if (!events_in_batch())
		eprobes_settle();
}

void eprobe_free(struct probe *p)
{
	struct event_probe *e = to_event_probe(p);

	if (e->of)
		event_put(e->of);
	if (e->filter)
		event_filter_free(e->filter);
	probe_exit(p);
	kfree(e->filter_text);
	kfree(e);
}
