// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of events: of the records of another event, what is asked for.
 *
 * To the other event one more user has come, as perf would be: its probe fills a record in,
 * beside the buffer, from which the arguments are fetched.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/once_lite.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "eprobe.h"
#include "events/links.h"
#include "events/pids.h"
#include "guard/guard.h"
#include "record/beside.h"
#include "record/record.h"

/* ------------------------------------------------------------------ */
/* Hits									*/

static struct event_probe *of_file(struct trace_event_file *file)
{
	return container_of(file, struct event_probe, file);
}

/* Once of each kind: it may go on like that. */
static void tell_why(const struct event_probe *e, unsigned int len)
{
	const char *name = e->file.event->type.name;

	if (len > TRACE_BESIDE_MAX)
		DO_ONCE_LITE(printk_deferred, KERN_WARNING
			     "trace probes: a record of %s is too long to be probed\n", name);
	else
		DO_ONCE_LITE(printk_deferred, KERN_WARNING
			     "trace probes: too much is nested for a record of %s to be probed\n",
			     name);
}

static void eprobe_lose(struct trace_event_file *file)
{
	event_links_lose(&of_file(file)->probe.event->files);
}

static noinline void lose_probed_record(const struct trace_event_buffer *b)
{
	struct trace_own own;

	trace_own_begin(&own);
	tell_why(of_file(b->trace_file), b->len);
	trace_own_end(&own);
	eprobe_lose(b->trace_file);
}

static void *eprobe_reserve(struct trace_event_buffer *b)
{
	struct trace_entry *rec = trace_beside_start(b->len);

	if (unlikely(!rec)) {
		lose_probed_record(b);
		return NULL;
	}
	trace_entry_fill(rec, b->trace_file->type, trace_ctx_full(trace_callers_word()), current);
	b->event = rec;
	return rec;
}

static void hit_probe(const struct event_probe *e, const struct trace_event_buffer *b)
{
	const void *rec = b->event;
	bool of_two = event_is_of_two(&e->file);

	if (of_two)
		event_pids_begin(&e->file, rec);
	if (b->inside)
		probe_hit_inside(&e->probe, rec, b->hit.word);
	else
		probe_hit(&e->probe, NULL, rec, 0, 0);
	if (of_two)
		trace_pids_two_end();
}

static void eprobe_commit(struct trace_event_buffer *b, unsigned long probe)
{
	const struct event_probe *e = of_file(b->trace_file);

	if (!e->filter || event_filter_asks(e->filter, b->event))
		hit_probe(e, b);
	trace_beside_end();
}

static const struct event_elsewhere eprobe_records = {
	.reserve	= eprobe_reserve,
	.commit		= eprobe_commit,
	.lose		= eprobe_lose,
};

/* ------------------------------------------------------------------ */
/* On and off								*/

/* Of no CPU: all records are made. */
static DEFINE_PER_CPU(unsigned long, never_stopped);

/* How many have been stopped, and wait for those under way; events_lock. */
static unsigned int nr_ending;

void eprobes_settle(void)
{
	lockdep_assert_held(&events_lock);
	if (!nr_ending)
		return;
	tracepoint_synchronize_unregister();
	while (nr_ending) {
		trace_beside_put(TRACE_BESIDE_PROBE);
		nr_ending--;
	}
}

static int start(struct probe *p)
{
	struct event_probe *e = to_event_probe(p);
	int err;

	/* A hit that goes over the event's users at this moment would find this probe again. */
	eprobes_settle();
	err = trace_beside_get(TRACE_BESIDE_PROBE);
	if (err)
		return err;
	e->file.head.stopped = &never_stopped;
	e->file.type = e->of->type.id;
	e->file.event = e->of;
	e->file.how = EVENT_HOW_ELSEWHERE;
	e->file.elsewhere = &eprobe_records;
	event_pids_find(&e->file);
	err = event_probe_add(&e->file, TRACE_REG_PERF_REGISTER);
	if (err)
		trace_beside_put(TRACE_BESIDE_PROBE);
	return err;
}

static void stop(struct probe *p)
{
	struct event_probe *e = to_event_probe(p);

	event_probe_remove(&e->file, TRACE_REG_PERF_UNREGISTER);
	nr_ending++;
	if (!events_are_many())
		eprobes_settle();
}

static void free_probe(struct probe *p)
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

/* ------------------------------------------------------------------ */
/* As it is written							*/

static void place(struct seq_buf *s, const struct probe *p)
{
	const struct event *of = to_event_probe(p)->of;

	seq_buf_printf(s, "%s.%s", of->call->class->system, of->type.name);
}

static void behind(struct seq_file *m, const struct probe *p)
{
	const struct event_probe *e = to_event_probe(p);

	if (e->filter_text)
		seq_printf(m, " if %s", e->filter_text);
}

/* Of what is written the filter is cut off. Return: false if it is another one. */
static bool cut_filter(const struct event_probe *e, char *rest)
{
	char *filter = strstr(rest, " if ");

	if (!filter)
		return true;
	*filter = '\0';
	return e->filter_text && !strcmp(e->filter_text, filter + strlen(" if "));
}

/* It may also be written with a slash, and without the filter. */
static bool is(const struct dyn_event *ev, const struct dyn_event_name *name)
{
	char *rest __free(kfree) = NULL;
	struct dyn_event_name dotted = *name;
	char *slash;

	if (!name->rest)
		return probe_is(ev, name);
	rest = kstrdup(name->rest, GFP_KERNEL);
	if (!rest || !cut_filter(to_event_probe(to_probe(ev)), rest))
		return false;
	slash = strpbrk(rest, " \t/");
	if (slash && *slash == '/')
		*slash = '.';
	dotted.rest = rest;
	return probe_is(ev, &dotted);
}

struct probe_kind eprobe_kind = {
	.dyn = {
		.create		= eprobe_create,
		.show		= probe_show,
		.is		= is,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.who	= "event_probe",
	.letter	= 'e',
	.system	= "eprobes",
	.size	= sizeof(struct event_probe),
	.parse	= eprobe_parse,
	.name	= eprobe_name,
	.start	= start,
	.stop	= stop,
	.place	= place,
	.behind	= behind,
	.alone	= true,
	.free	= free_probe,
};
