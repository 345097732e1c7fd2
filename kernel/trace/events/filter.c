// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of events: which of its records an instance keeps.
 *
 * A filter is asked when a record is complete, beside the buffer (record/beside.h), so what it
 * does not want touches no buffer. One that takes another one's place is used at once; probes
 * that still ask the old one have preemption off, and it goes a grace period of RCU later.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "command/error_log.h"
#include "events.h"
#include "filter.h"
#include "guard/guard.h"
#include "record/beside.h"

/* What it calls is the tracer's own (SPEC D18). */
bool event_filter_asks_more(const struct event_filter *filter, const void *rec)
{
	struct trace_own own;
	bool yes;

	if (!(filter->needs & PREDICATE_CALLS))
		return predicate_match(filter->p, rec);
	trace_own_begin(&own);
	yes = predicate_match(filter->p, rec);
	trace_own_end(&own);
	return yes;
}

struct event_filter event_no_filter = { .needs = EVENT_FILTER_NONE };

void event_filter_free(struct event_filter *filter)
{
	predicate_free(filter->p);
	free_percpu(filter->counts);
	kfree(filter);
}

static void filter_free_rcu(struct rcu_head *rcu)
{
	event_filter_free(container_of(rcu, struct event_filter, rcu));
}

/* Or NULL. */
static struct event_filter *filter_of(const struct trace_event_file *file)
{
	struct event_filter *filter = rcu_dereference_protected(file->filter,
								lockdep_is_held(&events_lock));

	return filter == &event_no_filter ? NULL : filter;
}

/* @filter may be NULL. There is room beside the buffer for each event that has one. */
static int use(struct trace_event_file *file, struct event_filter *filter)
{
	struct event_filter *old = filter_of(file);
	int err = filter && !old ? trace_beside_get(TRACE_BESIDE_LOOK) : 0;

	if (err)
		return err;
	if (!filter)
		event_how_set(file, EVENT_HOW_FILTER, false);
	rcu_assign_pointer(file->filter, filter ?: &event_no_filter);
	if (filter)
		event_how_set(file, EVENT_HOW_FILTER, true);
	if (!old)
		return 0;
	call_rcu(&old->rcu, filter_free_rcu);
	if (!filter)
		trace_beside_put(TRACE_BESIDE_LOOK);
	return 0;
}

struct event_filter *event_filter_make(const struct event *event, const char *text,
				       struct predicate_error *why)
{
	struct event_filter *filter = kzalloc(sizeof(*filter), GFP_KERNEL);

	if (!filter)
		return ERR_PTR(-ENOMEM);
	filter->p = predicate_compile(event->type.fields, text, why);
	if (IS_ERR(filter->p)) {
		int err = PTR_ERR(filter->p);

		kfree(filter);
		return ERR_PTR(err);
	}
	filter->needs = predicate_needs(filter->p);
	return filter;
}

/* What the file reads as from now on; without memory as before. */
static void keep_text(char **kept, char *text)
{
	if (!text)
		return;
	kfree(*kept);
	*kept = text;
}

/* What was refused, with a caret under what was wrong with it. */
static void refuse(struct trace_array *tr, char **kept, const char *text,
		   const struct predicate_error *why)
{
	int width = why->pos ? why->pos + 1 : 0;

	keep_text(kept, kasprintf(GFP_KERNEL, "%s\n%*s\nparse_error: %s\n", text, width, "^",
				  predicate_errors[why->what]));
	tracing_log_err(tr, "event filter parse error", text, predicate_errors, why->what,
			why->pos);
}

static void forget_text(char **kept)
{
	kfree(*kept);
	*kept = NULL;
}

void event_filter_clear(struct trace_event_file *file)
{
	use(file, NULL);
	forget_text(&file->filter_text);
}

static bool means_none(const char *text)
{
	return !strcmp(text, "0");
}

/* @filter is freed if it cannot be used. */
static int install(struct trace_event_file *file, struct event_filter *filter, const char *text)
{
	char *kept = kasprintf(GFP_KERNEL, "%s\n", text);
	int err = -ENOMEM;

	filter->counts = alloc_percpu(struct event_filter_counts);
	if (kept && filter->counts)
		err = use(file, filter);
	if (err) {
		event_filter_free(filter);
		kfree(kept);
		return err;
	}
	keep_text(&file->filter_text, kept);
	return 0;
}

int event_filter_set(struct trace_event_file *file, const char *text)
{
	struct predicate_error why;
	struct event_filter *filter;

	lockdep_assert_held(&events_lock);
	if (means_none(text)) {
		event_filter_clear(file);
		return 0;
	}
	filter = event_filter_make(file->event, text, &why);
	if (filter == ERR_PTR(-EINVAL))
		refuse(file->tr, &file->filter_text, text, &why);
	return IS_ERR(filter) ? PTR_ERR(filter) : install(file, filter, text);
}

/* Return: has it the fields? Or no memory. */
static int set_if_it_fits(struct trace_event_file *file, const char *text)
{
	struct predicate_error why;
	struct event_filter *filter = event_filter_make(file->event, text, &why);

	if (filter == ERR_PTR(-EINVAL))
		return 0;
	return IS_ERR(filter) ? PTR_ERR(filter) : install(file, filter, text) ?: 1;
}

static int set_in_system(struct event_system *system, const char *text)
{
	struct trace_event_file *file;
	int ret, fit = 0;

	list_for_each_entry(file, &events_of(system->tr)->files, node) {
		if (file->system != system)
			continue;
		ret = set_if_it_fits(file, text);
		if (ret < 0)
			return ret;
		fit += ret;
	}
	return fit;
}

static void clear_in_system(struct event_system *system)
{
	struct trace_event_file *file;

	list_for_each_entry(file, &events_of(system->tr)->files, node)
		if (file->system == system)
			event_filter_clear(file);
	forget_text(&system->filter_text);
}

int event_system_filter_set(struct event_system *system, const char *text)
{
	static const struct predicate_error none_fits = { .what = PREDICATE_BAD_SYSTEM };
	int fit;

	lockdep_assert_held(&events_lock);
	if (means_none(text)) {
		clear_in_system(system);
		return 0;
	}
	fit = set_in_system(system, text);
	if (fit > 0) {
		keep_text(&system->filter_text, kasprintf(GFP_KERNEL, "%s\n", text));
		return 0;
	}
	if (!fit)
		refuse(system->tr, &system->filter_text, text, &none_fits);
	return fit ?: -EINVAL;
}

void event_filter_show(struct seq_file *m, struct trace_event_file *file)
{
	seq_puts(m, file->filter_text ?: "none\n");
}

void event_filter_show_counts(struct seq_file *m, struct trace_event_file *file)
{
	const struct event_filter *filter = filter_of(file);
	unsigned long passed = 0, held = 0;
	int cpu;

	if (!filter) {
		seq_puts(m, "none\n");
		return;
	}
	for_each_possible_cpu(cpu) {
		passed += READ_ONCE(per_cpu_ptr(filter->counts, cpu)->passed);
		held += READ_ONCE(per_cpu_ptr(filter->counts, cpu)->held);
	}
	seq_printf(m, "passed: %lu\nheld back: %lu\n", passed, held);
}

void event_system_filter_show(struct seq_file *m, const struct event_system *system)
{
	static const char usage[] =
		"### global filter ###\n"
		"# Use this to set filters for multiple events.\n"
		"# Only events with the given fields will be affected.\n"
		"# If no events are modified, an error message will be displayed here\n";

	seq_puts(m, system->filter_text ?: usage);
}
