// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of events: selecting the records that an instance keeps.
 *
 * A filter tests a complete record, in the scratch record (record/scratch.h), so that rejected
 * records never touch the buffer. A new filter is in use at once. Probes that still use the old
 * one have preemption off, so that is freed after a grace period of RCU.
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
#include "internal.h"
#include "record/scratch.h"

/* Functions that the filter calls are the tracer's own work (SPEC D18). */
bool event_filter_match_more(const struct event_filter *filter, const void *rec)
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

static void event_filter_free_rcu(struct rcu_head *rcu)
{
	event_filter_free(container_of(rcu, struct event_filter, rcu));
}

/* Return: the filter of an event, NULL if it has none. */
static struct event_filter *event_filter_get(const struct trace_event_file *file)
{
	struct event_filter *filter = rcu_dereference_protected(file->filter,
								lockdep_is_held(&events_lock));

	return filter == &event_no_filter ? NULL : filter;
}

/*
 * Set the filter of an event; @filter is NULL to remove it. While an event has a filter it is a
 * user of scratch records (trace_scratch_get()), in which its records are filtered.
 */
static int event_filter_replace(struct trace_event_file *file, struct event_filter *filter)
{
	struct event_filter *old = event_filter_get(file);
	int err = filter && !old ? trace_scratch_get(TRACE_SCRATCH_READ) : 0;

	if (err)
		return err;
	if (!filter)
		event_how_set(file, EVENT_HOW_FILTER, false);
	rcu_assign_pointer(file->filter, filter ?: &event_no_filter);
	if (filter)
		event_how_set(file, EVENT_HOW_FILTER, true);
	if (!old)
		return 0;
	call_rcu(&old->rcu, event_filter_free_rcu);
	if (!filter)
		trace_scratch_put(TRACE_SCRATCH_READ);
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

/* Make @text the content of the file filter. Without memory (@text is NULL) the content stays. */
static void event_filter_keep_text(char **kept, char *text)
{
	if (!text)
		return;
	kfree(*kept);
	*kept = text;
}

void event_filter_log_error(struct trace_array *tr, const char *text,
			    const struct predicate_error *why)
{
	tracing_log_err(tr, "event filter parse error", text, why->message, why->pos);
}

/* Log a refused filter. The file shows it, with a caret under the error. */
static void event_filter_refuse(struct trace_array *tr, char **kept, const char *text,
				const struct predicate_error *why)
{
	int width = why->pos ? why->pos + 1 : 0;

	event_filter_keep_text(kept, kasprintf(GFP_KERNEL, "%s\n%*s\nparse_error: %s\n", text,
					       width, "^", why->message));
	event_filter_log_error(tr, text, why);
}

static void event_filter_free_text(char **kept)
{
	kfree(*kept);
	*kept = NULL;
}

void event_filter_clear(struct trace_event_file *file)
{
	event_filter_replace(file, NULL);
	event_filter_free_text(&file->filter_text);
}

static bool event_filter_is_none(const char *text)
{
	return !strcmp(text, "0");
}

/* Frees @filter on failure. */
static int event_filter_install(struct trace_event_file *file, struct event_filter *filter,
				const char *text)
{
	char *kept = kasprintf(GFP_KERNEL, "%s\n", text);
	int err = -ENOMEM;

	filter->counts = alloc_percpu(struct event_filter_counts);
	if (kept && filter->counts)
		err = event_filter_replace(file, filter);
	if (err) {
		event_filter_free(filter);
		kfree(kept);
		return err;
	}
	event_filter_keep_text(&file->filter_text, kept);
	return 0;
}

int event_filter_set(struct trace_event_file *file, const char *text)
{
	struct predicate_error why;
	struct event_filter *filter;

	lockdep_assert_held(&events_lock);
	if (event_filter_is_none(text)) {
		event_filter_clear(file);
		return 0;
	}
	filter = event_filter_make(file->event, text, &why);
	if (filter == ERR_PTR(-EINVAL))
		event_filter_refuse(file->tr, &file->filter_text, text, &why);
	return IS_ERR(filter) ? PTR_ERR(filter) : event_filter_install(file, filter, text);
}

/* Set the filter of an event, and @set to true, unless the event does not have its fields. */
static int event_filter_try_set(struct trace_event_file *file, const char *text, bool *set)
{
	struct predicate_error why;
	struct event_filter *filter = event_filter_make(file->event, text, &why);
	int err;

	if (filter == ERR_PTR(-EINVAL))
		return 0;
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	err = event_filter_install(file, filter, text);
	if (!err)
		*set = true;
	return err;
}

/* Set the filter of the events that have its fields. @set is set to true if there are any. */
static int event_filter_set_in_system(struct event_system *system, const char *text, bool *set)
{
	struct trace_event_file *file;
	int err = 0;

	list_for_each_entry(file, &events_of(system->tr)->files, node) {
		if (file->system == system)
			err = event_filter_try_set(file, text, set);
		if (err)
			break;
	}
	return err;
}

static void event_filter_clear_in_system(struct event_system *system)
{
	struct trace_event_file *file;

	list_for_each_entry(file, &events_of(system->tr)->files, node)
		if (file->system == system)
			event_filter_clear(file);
	event_filter_free_text(&system->filter_text);
}

int event_system_filter_set(struct event_system *system, const char *text)
{
	static const struct predicate_error none_fits = {
		.message = "Couldn't find or set field in one of a subsystem's events",
	};
	bool set = false;
	int err;

	lockdep_assert_held(&events_lock);
	if (event_filter_is_none(text)) {
		event_filter_clear_in_system(system);
		return 0;
	}
	err = event_filter_set_in_system(system, text, &set);
	if (err)
		return err;
	if (!set) {
		event_filter_refuse(system->tr, &system->filter_text, text, &none_fits);
		return -EINVAL;
	}
	event_filter_keep_text(&system->filter_text, kasprintf(GFP_KERNEL, "%s\n", text));
	return 0;
}

void event_filter_show(struct seq_file *m, struct trace_event_file *file)
{
	seq_puts(m, file->filter_text ?: "none\n");
}

void event_filter_show_counts(struct seq_file *m, struct trace_event_file *file)
{
	const struct event_filter *filter = event_filter_get(file);
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
