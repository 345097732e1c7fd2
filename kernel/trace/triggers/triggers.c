// SPDX-License-Identifier: GPL-2.0
/*
 * Adding and removing the triggers of events.
 *
 * The probe of an event walks a list of its triggers. Removal waits for running probes before
 * it frees a trigger. The resources that a trigger needs (a snapshot, another event) are held
 * from before the trigger is in the list until it is freed.
 */
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/workqueue.h>

#include "events/events.h"
#include "events/filter.h"
#include "instance/instance.h"
#include "instance/part.h"
#include "internal.h"
#include "record/scratch.h"
#include "triggers.h"

/* Serializes changes through trigger files. Taken inside trace_lock, outside events_lock. */
static DEFINE_MUTEX(triggers_lock);

static struct event_triggers *event_triggers_of(const struct trace_event_file *file)
{
	return rcu_dereference_protected(file->triggers, lockdep_is_held(&events_lock));
}

/* ------------------------------------------------------------------ */
/* Kinds								*/

LIST_HEAD(trigger_kinds);

void trigger_kind_add(struct trigger_kind *kind)
{
	list_add_tail(&kind->node, &trigger_kinds);
}

/* Return: the kind called @name, or action_triggers, whose ->make() refuses unknown names. */
static const struct trigger_kind *trigger_kind_named(const char *name)
{
	const struct trigger_kind *kind;

	list_for_each_entry(kind, &trigger_kinds, node)
		if (!strcmp(kind->name, name))
			return kind;
	return &action_triggers;
}

/* ------------------------------------------------------------------ */
/* Making and freeing a trigger						*/

/* Free @t, which no probe can find any more. */
static void trigger_free(struct trigger *t)
{
	struct event_filter *filter = t->filter;

	kfree(t->filter_text);
	t->kind->free(t);
	if (filter)
		event_filter_free(filter);
}

static void triggers_free(struct list_head *retired)
{
	struct trigger *t, *next;

	if (list_empty(retired))
		return;
	synchronize_rcu();
	list_for_each_entry_safe(t, next, retired, retired)
		trigger_free(t);
}

static struct trigger *trigger_make(struct trace_array *tr, const struct trigger_text *text)
{
	const struct trigger_kind *kind = trigger_kind_named(text->name);
	struct trigger *t = kind->make(tr, text);

	if (!IS_ERR(t)) {
		t->kind = kind;
		t->tr = tr;
	}
	return t;
}

static int trigger_compile_filter(struct trigger *t, const struct trace_event_file *file,
				  const char *text)
{
	struct predicate_error why;
	struct event_filter *filter;

	if (!text)
		return 0;
	t->filter_text = kstrdup(text, GFP_KERNEL);
	if (!t->filter_text)
		return -ENOMEM;
	t->filter_hash = full_name_hash(NULL, text, strlen(text));
	filter = event_filter_make(file->event, text, &why);
	if (filter == ERR_PTR(-EINVAL))
		event_filter_log_error(t->tr, text, &why);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	t->filter = filter;
	t->reads |= EVENT_HOW_NO_FIELDS;
	if (filter->needs & PREDICATE_HEADER)
		t->reads |= EVENT_HOW_NO_HEADER;
	return 0;
}

/* ------------------------------------------------------------------ */
/* The triggers of an event						*/

static bool triggers_are_equal(const struct trigger *a, const struct trigger *b)
{
	return a->kind == b->kind && a->kind->is_like(a, b);
}

static struct trigger *trigger_find_equal(struct event_triggers *triggers, const struct trigger *as)
{
	struct trigger *t;

	if (!triggers)
		return NULL;
	list_for_each_entry(t, &triggers->list, node)
		if (triggers_are_equal(t, as))
			return t;
	return NULL;
}

struct trigger *trigger_next(struct trace_event_file *file, const struct trigger *t)
{
	struct event_triggers *triggers = event_triggers_of(file);
	const struct list_head *node;

	if (!triggers)
		return NULL;
	node = t ? t->node.next : triggers->list.next;
	return node == &triggers->list ? NULL : list_entry(node, struct trigger, node);
}

static struct event_triggers *triggers_list_create(struct trace_event_file *file)
{
	struct event_triggers *triggers = kmalloc(sizeof(*triggers), GFP_KERNEL);
	int err = triggers ? trace_scratch_get(TRACE_SCRATCH_READ) : -ENOMEM;

	if (err)
		goto free;
	INIT_LIST_HEAD(&triggers->list);
	err = event_triggers_set(file, triggers);
	if (!err)
		return triggers;
	trace_scratch_put(TRACE_SCRATCH_READ);
free:
	kfree(triggers);
	return ERR_PTR(err);
}

/* Free the list of an event whose last trigger has been removed. */
static void triggers_list_destroy(struct trace_event_file *file)
{
	struct event_triggers *triggers = event_triggers_of(file);

	event_triggers_set(file, NULL);
	kfree_rcu_mightsleep(triggers);
	trace_scratch_put(TRACE_SCRATCH_READ);
}

/**
 * struct trigger_needs - what the triggers of an event together need from its probe
 * @reads: union of &trigger.reads
 * @when: union of &trigger.when
 * @toggles: true if a trigger may switch the event that it is on
 * @nr: number of triggers
 * @idle_word: the &trigger.idle_word that all triggers share, or NULL
 */
struct trigger_needs {
	unsigned int	reads;
	unsigned int	when;
	bool		toggles;
	unsigned int	nr;
	unsigned long __percpu *idle_word;
};

static void trigger_add_needs(struct trigger_needs *needs, const struct trigger *t)
{
	if (!needs->nr)
		needs->idle_word = t->idle_word;
	else if (needs->idle_word != t->idle_word)
		needs->idle_word = NULL;
	needs->nr++;
	needs->reads |= t->reads;
	needs->when |= t->when;
	needs->toggles |= t->toggles;
}

/*
 * Set the EVENT_HOW_* bits of @file by the needs of its triggers, and of @another, a trigger that
 * is about to be attached, or NULL: the probe must know its needs before it can find it.
 */
static void triggers_update_event(struct trace_event_file *file, const struct trigger *another)
{
	struct trigger_needs needs = {};
	const struct trigger *t;

	list_for_each_entry(t, &event_triggers_of(file)->list, node)
		trigger_add_needs(&needs, t);
	if (another)
		trigger_add_needs(&needs, another);
	event_how_set(file, EVENT_HOW_TOGGLES, needs.toggles || hweight32(needs.when) > 1);
	event_how_set(file, EVENT_HOW_NO_HEADER, needs.nr && !(needs.reads & EVENT_HOW_NO_HEADER));
	event_how_set(file, EVENT_HOW_NO_FIELDS, needs.nr && !(needs.reads & EVENT_HOW_NO_FIELDS));
	event_triggers_set_idle(file, needs.idle_word);
}

static void trigger_unlink(struct trigger *t, struct list_head *retired)
{
	if (t->kind->detach)
		t->kind->detach(t);
	list_del_rcu(&t->node);
	list_add(&t->retired, retired);
}

static void triggers_update_or_destroy(struct trace_event_file *file)
{
	triggers_update_event(file, NULL);
	if (list_empty(&event_triggers_of(file)->list))
		triggers_list_destroy(file);
}

static int trigger_check_removable(const struct trigger *t)
{
	return t->kind->check_remove ? t->kind->check_remove(t) : 0;
}

static void triggers_unlink_all(struct trace_event_file *file, struct list_head *retired)
{
	struct trigger *t, *next;

	list_for_each_entry_safe(t, next, &event_triggers_of(file)->list, node)
		trigger_unlink(t, retired);
	triggers_update_or_destroy(file);
}

/* Return: false if any trigger of @kind cannot be removed: truncation then keeps them all. */
static bool trigger_kind_is_removable(const struct trace_event_file *file,
				      const struct trigger_kind *kind)
{
	const struct trigger *t;

	list_for_each_entry(t, &event_triggers_of(file)->list, node)
		if (t->kind == kind && trigger_check_removable(t))
			return false;
	return true;
}

/*
 * Remove the triggers that truncating the file removes. The others stay, so that ">" adds to
 * them, as in the stock kernel.
 */
static void triggers_unlink_truncated(struct trace_event_file *file, struct list_head *retired)
{
	struct trigger *t, *next;

	list_for_each_entry_safe(t, next, &event_triggers_of(file)->list, node)
		if (t->emptied && trigger_kind_is_removable(file, t->kind))
			trigger_unlink(t, retired);
	triggers_update_or_destroy(file);
}

static int trigger_fit(struct trigger *t, struct trace_event_file *file,
		       const struct trigger_text *text)
{
	int err = t->kind->fit ? t->kind->fit(t, file, text) : 0;

	return err ?: trigger_compile_filter(t, file, text->filter);
}

/* Attach @t, which has no equal on the event. */
static int trigger_link_new(struct trace_event_file *file, struct trigger *t)
{
	struct event_triggers *triggers = event_triggers_of(file) ?: triggers_list_create(file);

	if (IS_ERR(triggers))
		return PTR_ERR(triggers);
	triggers_update_event(file, t);
	if (t->kind->last)
		list_add_tail_rcu(&t->node, &triggers->list);
	else
		list_add_rcu(&t->node, &triggers->list);
	return 0;
}

/* Return: 0 if @t is attached; 1 if it only changed a trigger that was there; or an errno. */
static int trigger_link(struct trace_event_file *file, struct trigger *t,
			const struct trigger_text *text)
{
	struct trigger *old = trigger_find_equal(event_triggers_of(file), t);
	int err = 0;

	if (t->kind->attach)
		err = t->kind->attach(t, old, file, text);
	else if (old)
		err = -EEXIST;
	return err ?: trigger_link_new(file, t);
}

static int trigger_fit_and_link(struct trace_array *tr, u32 key, struct trigger *t,
				const struct trigger_text *text)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_by_key(tr, key);
	return file ? trigger_fit(t, file, text) ?: trigger_link(file, t, text) : -ENODEV;
}

/* Refuse a bad text and a duplicate before any resource is acquired for them. */
static int trigger_fit_unique(struct trace_event_file *file, struct trigger *t,
			      const struct trigger_text *text)
{
	int err = trigger_fit(t, file, text);

	return err ?: trigger_find_equal(event_triggers_of(file), t) ? -EEXIST : 0;
}

/*
 * ->hold() may take events_lock, so the lock is dropped around it, and the event may be removed
 * meanwhile.
 */
static int trigger_hold_and_link(struct trace_array *tr, u32 key, struct trigger *t,
				 const struct trigger_text *text)
{
	struct trace_event_file *file;
	int err;

	scoped_guard(mutex, &events_lock) {
		file = event_file_by_key(tr, key);
		err = file ? trigger_fit_unique(file, t, text) : -ENODEV;
	}
	err = err ?: t->kind->hold(t);
	if (err)
		return err;
	guard(mutex)(&events_lock);
	return event_file_by_key(tr, key) == file ? trigger_link(file, t, text) : -ENODEV;
}

static int trigger_add(struct trace_array *tr, u32 key, const struct trigger_text *text)
{
	struct trigger *t = trigger_make(tr, text);
	int err;

	if (IS_ERR(t))
		return PTR_ERR(t);
	err = t->kind->hold ? trigger_hold_and_link(tr, key, t, text) :
			      trigger_fit_and_link(tr, key, t, text);
	if (err)
		trigger_free(t);
	return min(err, 0);
}

static int trigger_unlink_equal(struct trace_event_file *file, struct trigger *as,
				const struct trigger_text *text, struct list_head *retired)
{
	struct trigger *t;
	/* The kind of actions has no ->fit(): its triggers are removed whatever their filter. */
	int err = as->kind->fit ? trigger_fit(as, file, text) : 0;

	if (err)
		return err;
	t = trigger_find_equal(event_triggers_of(file), as);
	/* Removing a trigger that does not exist succeeds. */
	err = t ? trigger_check_removable(t) : 0;
	if (!t || err)
		return err;
	trigger_unlink(t, retired);
	triggers_update_or_destroy(file);
	return 0;
}

static int trigger_remove(struct trace_array *tr, u32 key,
			  const struct trigger_text *text)
{
	struct trigger *as = trigger_make(tr, text);
	struct trace_event_file *file;
	LIST_HEAD(retired);
	int err;

	if (IS_ERR(as))
		return PTR_ERR(as);
	scoped_guard(mutex, &events_lock) {
		file = event_file_by_key(tr, key);
		err = file ? trigger_unlink_equal(file, as, text, &retired) : -ENODEV;
	}
	trigger_free(as);
	triggers_free(&retired);
	return err;
}

int triggers_write(struct trace_array *tr, u32 key, char *words)
{
	char *whole __free(kfree) = kstrdup(words, GFP_KERNEL);
	struct trigger_text text;
	int err;

	/* A write that only truncates the file may still write an empty line. */
	if (!*words)
		return 0;
	if (!whole)
		return -ENOMEM;
	guard(mutex)(&trace_lock);
	guard(mutex)(&triggers_lock);
	err = trigger_divide(tr, whole, words, &text);
	if (err)
		return err;
	return text.remove ? trigger_remove(tr, key, &text) : trigger_add(tr, key, &text);
}

int triggers_truncate(struct trace_array *tr, u32 key)
{
	struct trace_event_file *file;
	LIST_HEAD(retired);

	guard(mutex)(&triggers_lock);
	scoped_guard(mutex, &events_lock) {
		file = event_file_by_key(tr, key);
		if (file && event_triggers_of(file))
			triggers_unlink_truncated(file, &retired);
	}
	triggers_free(&retired);
	return file ? 0 : -ENODEV;
}

/* ------------------------------------------------------------------ */
/* Removal of events and instances					*/

/* Removed triggers that triggers_free_work frees, by &trigger.retired. Protected by events_lock. */
static LIST_HEAD(triggers_to_free);

/* ->free() takes events_lock, which those who fill the list hold, so a work calls it. */
static void triggers_free_queued(struct work_struct *work)
{
	LIST_HEAD(retired);

	scoped_guard(mutex, &events_lock)
		list_splice_init(&triggers_to_free, &retired);
	triggers_free(&retired);
}

static DECLARE_WORK(triggers_free_work, triggers_free_queued);

/* Queue @t for freeing. The caller holds events_lock and must not wait for probes. */
static void trigger_queue_free(struct trigger *t)
{
	list_add(&t->retired, &triggers_to_free);
	schedule_work(&triggers_free_work);
}

struct trigger *trigger_add_dependent(struct trace_event_file *file, const char *words)
{
	char *copy __free(kfree) = kstrdup(words, GFP_KERNEL);
	struct trigger_text text;
	struct trigger *t;
	int err;

	lockdep_assert_held(&events_lock);
	err = copy ? trigger_divide(file->tr, words, copy, &text) : -ENOMEM;
	if (err)
		return ERR_PTR(err);
	t = trigger_make(file->tr, &text);
	if (IS_ERR(t))
		return t;
	err = trigger_fit(t, file, &text) ?: trigger_link(file, t, &text);
	if (!err)
		return t;
	if (t->kind->detach)
		t->kind->detach(t);
	trigger_queue_free(t);
	/* 1 means that an equal trigger existed and was changed instead. */
	return ERR_PTR(err < 0 ? err : -EEXIST);
}

void trigger_remove_dependent(struct trace_event_file *file, struct trigger *t)
{
	trigger_unlink(t, &triggers_to_free);
	schedule_work(&triggers_free_work);
	triggers_update_or_destroy(file);
}

static void triggers_remove_event(struct trace_event_file *file)
{
	triggers_unlink_all(file, &triggers_to_free);
	schedule_work(&triggers_free_work);
}

static void event_triggers_release(struct trace_event_file *file, struct list_head *retired)
{
	if (event_triggers_of(file))
		triggers_unlink_all(file, retired);
}

static int triggers_release(struct trace_array *tr)
{
	struct trace_event_file *file;
	LIST_HEAD(retired);

	guard(mutex)(&triggers_lock);
	scoped_guard(mutex, &events_lock) {
		list_for_each_entry(file, &events_of(tr)->files, node)
			event_triggers_release(file, &retired);
		event_triggers_release(&events_of(tr)->print, &retired);
	}
	triggers_free(&retired);
	/* Triggers that a removed module has left may act on this instance. */
	flush_work(&triggers_free_work);
	return 0;
}

static const struct event_trigger_ops trigger_event_ops = {
	.hit		= trigger_hit,
	.miss		= triggers_miss,
	.pause		= triggers_pause,
	.event_removed	= triggers_remove_event,
};

static void triggers_setup(void)
{
	event_trigger_ops = &trigger_event_ops;
}

struct instance_part triggers_part = {
	.setup	= triggers_setup,
	.release	= triggers_release,
};
