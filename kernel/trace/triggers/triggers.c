// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers come and go.
 *
 * An event has a list of them, which its probe walks; who takes one away waits for probes
 * before he frees it. What a trigger needs (a snapshot, another event) is held from before
 * it can be found until after that.
 */
#define pr_fmt(fmt) "trace triggers: " fmt

#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/workqueue.h>
#include <asm/setup.h>

#include "command/error_log.h"
#include "command/words.h"
#include "events/events.h"
#include "events/filter.h"
#include "instance/instance.h"
#include "instance/part.h"
#include "internal.h"
#include "record/beside.h"
#include "triggers.h"

/* One write at a time. Inside trace_lock, outside events_lock. */
static DEFINE_MUTEX(triggers_lock);

static struct event_triggers *triggers_of(const struct trace_event_file *file)
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

/* That of actions, which has many names, knows itself whether there is one. */
static const struct trigger_kind *kind_named(const char *name)
{
	const struct trigger_kind *kind;

	list_for_each_entry(kind, &trigger_kinds, node)
		if (!strcmp(kind->name, name))
			return kind;
	return &action_triggers;
}

/* ------------------------------------------------------------------ */
/* A trigger								*/

/* No probe finds it any more. */
static void trigger_free(struct trigger *t)
{
	struct event_filter *filter = t->filter;

	kfree(t->filter_text);
	t->kind->free(t);
	if (filter)
		event_filter_free(filter);
}

static void triggers_free(struct list_head *gone)
{
	struct trigger *t, *next;

	if (list_empty(gone))
		return;
	synchronize_rcu();
	list_for_each_entry_safe(t, next, gone, gone)
		trigger_free(t);
}

static struct trigger *trigger_make(struct trace_array *tr, const struct trigger_text *text)
{
	const struct trigger_kind *kind = kind_named(text->name);
	struct trigger *t = kind->make(tr, text);

	if (!IS_ERR(t)) {
		t->kind = kind;
		t->tr = tr;
	}
	return t;
}

static int trigger_filter(struct trigger *t, const struct trace_event_file *file,
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
		tracing_log_err(t->tr, "event filter parse error", text, predicate_errors,
				why.what, why.pos);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	t->filter = filter;
	t->looks |= EVENT_HOW_BLIND | (filter->needs & PREDICATE_HEADER ? EVENT_HOW_HEADLESS : 0);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Those of an event							*/

static bool is_like(const struct trigger *a, const struct trigger *b)
{
	return a->kind == b->kind && a->kind->is_like(a, b);
}

static struct trigger *find_like(struct event_triggers *triggers, const struct trigger *as)
{
	struct trigger *t;

	if (!triggers)
		return NULL;
	list_for_each_entry(t, &triggers->list, node)
		if (is_like(t, as))
			return t;
	return NULL;
}

struct trigger *trigger_next(struct trace_event_file *file, const struct trigger *t)
{
	struct event_triggers *triggers = triggers_of(file);
	const struct list_head *node;

	if (!triggers)
		return NULL;
	node = t ? t->node.next : triggers->list.next;
	return node == &triggers->list ? NULL : list_entry(node, struct trigger, node);
}

static struct event_triggers *begin(struct trace_event_file *file)
{
	struct event_triggers *triggers = kmalloc(sizeof(*triggers), GFP_KERNEL);
	int err = triggers ? trace_beside_get(TRACE_BESIDE_LOOK) : -ENOMEM;

	if (err)
		goto free;
	INIT_LIST_HEAD(&triggers->list);
	err = event_triggers_set(file, triggers);
	if (!err)
		return triggers;
	trace_beside_put(TRACE_BESIDE_LOOK);
free:
	kfree(triggers);
	return ERR_PTR(err);
}

/* The last one has gone. */
static void end(struct trace_event_file *file)
{
	struct event_triggers *triggers = triggers_of(file);

	event_triggers_set(file, NULL);
	kfree_rcu_mightsleep(triggers);
	trace_beside_put(TRACE_BESIDE_LOOK);
}

/* What triggers need of their event: EVENT_HOW_*, whose turn it is, and when they all rest. */
struct needs {
	unsigned int	looks;
	unsigned int	when;
	bool		switches;
	unsigned int	nr;
	unsigned long __percpu *rest;
};

static void add_needs(struct needs *needs, const struct trigger *t)
{
	needs->rest = !needs->nr++ || needs->rest == t->rest ? t->rest : NULL;
	needs->looks |= t->looks;
	needs->when |= t->when;
	needs->switches |= t->switches;
}

/* @another is about to be one of them: it is told before that is there. */
static void tell_event(struct trace_event_file *file, const struct trigger *another)
{
	struct needs needs = {};
	const struct trigger *t;

	list_for_each_entry(t, &triggers_of(file)->list, node)
		add_needs(&needs, t);
	if (another)
		add_needs(&needs, another);
	event_how_set(file, EVENT_HOW_TURNS, needs.switches || hweight32(needs.when) > 1);
	event_how_set(file, EVENT_HOW_HEADLESS, needs.nr && !(needs.looks & EVENT_HOW_HEADLESS));
	event_how_set(file, EVENT_HOW_BLIND, needs.nr && !(needs.looks & EVENT_HOW_BLIND));
	event_triggers_rest(file, needs.rest);
}

static void unlink(struct trigger *t, struct list_head *gone)
{
	if (t->kind->leave)
		t->kind->leave(t);
	list_del_rcu(&t->node);
	list_add(&t->gone, gone);
}

static void end_if_empty(struct trace_event_file *file)
{
	tell_event(file, NULL);
	if (list_empty(&triggers_of(file)->list))
		end(file);
}

static int may_go(const struct trigger *t)
{
	return t->kind->may_go ? t->kind->may_go(t) : 0;
}

static void unlink_all(struct trace_event_file *file, struct list_head *gone)
{
	struct trigger *t, *next;

	list_for_each_entry_safe(t, next, &triggers_of(file)->list, node)
		unlink(t, gone);
	end_if_empty(file);
}

/* If one of a kind may not go, none does. */
static bool kind_may_go(const struct trace_event_file *file, const struct trigger_kind *kind)
{
	const struct trigger *t;

	list_for_each_entry(t, &triggers_of(file)->list, node)
		if (t->kind == kind && may_go(t))
			return false;
	return true;
}

/* As the kernel has it, the others stay when the file is emptied: ">" adds to them. */
static void unlink_emptied(struct trace_event_file *file, struct list_head *gone)
{
	struct trigger *t, *next;

	list_for_each_entry_safe(t, next, &triggers_of(file)->list, node)
		if (t->emptied && kind_may_go(file, t->kind))
			unlink(t, gone);
	end_if_empty(file);
}

static int fit(struct trigger *t, struct trace_event_file *file,
	       const struct trigger_text *text)
{
	int err = t->kind->fit ? t->kind->fit(t, file, text) : 0;

	return err ?: trigger_filter(t, file, text->filter);
}

/* There is none like it. */
static int link_new(struct trace_event_file *file, struct trigger *t)
{
	struct event_triggers *triggers = triggers_of(file) ?: begin(file);

	if (IS_ERR(triggers))
		return PTR_ERR(triggers);
	tell_event(file, t);
	if (t->kind->last)
		list_add_tail_rcu(&t->node, &triggers->list);
	else
		list_add_rcu(&t->node, &triggers->list);
	return 0;
}

/* Return: 0 if it is on the event now; 1 if it has changed one that was; or an errno. */
static int link(struct trace_event_file *file, struct trigger *t,
		const struct trigger_text *text)
{
	struct trigger *old = find_like(triggers_of(file), t);
	int err = 0;

	if (t->kind->come)
		err = t->kind->come(t, old, file, text);
	else if (old)
		err = -EEXIST;
	return err ?: link_new(file, t);
}

static int fit_and_link(struct trace_array *tr, u32 key, struct trigger *t,
			const struct trigger_text *text)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_of(tr, key);
	return file ? fit(t, file, text) ?: link(file, t, text) : -ENODEV;
}

/* What makes no sense, or is there already, is refused before anything is held for it. */
static int fit_alone(struct trace_event_file *file, struct trigger *t,
		     const struct trigger_text *text)
{
	int err = fit(t, file, text);

	return err ?: find_like(triggers_of(file), t) ? -EEXIST : 0;
}

/* The event may go meanwhile, as what is held locks it. */
static int hold_and_link(struct trace_array *tr, u32 key, struct trigger *t,
			 const struct trigger_text *text)
{
	struct trace_event_file *file;
	int err;

	scoped_guard(mutex, &events_lock) {
		file = event_file_of(tr, key);
		err = file ? fit_alone(file, t, text) : -ENODEV;
	}
	err = err ?: t->kind->hold(t);
	if (err)
		return err;
	guard(mutex)(&events_lock);
	return event_file_of(tr, key) == file ? link(file, t, text) : -ENODEV;
}

static int add_trigger(struct trace_array *tr, u32 key, const struct trigger_text *text)
{
	struct trigger *t = trigger_make(tr, text);
	int err;

	if (IS_ERR(t))
		return PTR_ERR(t);
	err = t->kind->hold ? hold_and_link(tr, key, t, text) :
			      fit_and_link(tr, key, t, text);
	if (err)
		trigger_free(t);
	return min(err, 0);
}

static int unlink_like(struct trace_event_file *file, struct trigger *as,
		       const struct trigger_text *text, struct list_head *gone)
{
	struct trigger *t;
	/* Of what the table of actions has the filter does not matter. */
	int err = as->kind->fit ? fit(as, file, text) : 0;

	if (err)
		return err;
	t = find_like(triggers_of(file), as);
	/* What is not there is gone already. */
	err = t ? may_go(t) : 0;
	if (!t || err)
		return err;
	unlink(t, gone);
	end_if_empty(file);
	return 0;
}

static int take_away(struct trace_array *tr, u32 key,
		     const struct trigger_text *text)
{
	struct trigger *as = trigger_make(tr, text);
	struct trace_event_file *file;
	LIST_HEAD(gone);
	int err;

	if (IS_ERR(as))
		return PTR_ERR(as);
	scoped_guard(mutex, &events_lock) {
		file = event_file_of(tr, key);
		err = file ? unlink_like(file, as, text, &gone) : -ENODEV;
	}
	trigger_free(as);
	triggers_free(&gone);
	return err;
}

static int trigger_write(struct trace_array *tr, u32 key, char *words)
{
	char *whole __free(kfree) = kstrdup(words, GFP_KERNEL);
	struct trigger_text text = { .whole = whole };
	int err;

	/* Who only empties the file writes this as well. */
	if (!*words)
		return 0;
	if (!whole)
		return -ENOMEM;
	guard(mutex)(&trace_lock);
	guard(mutex)(&triggers_lock);
	err = trigger_divide(tr, words, &text);
	if (err)
		return err;
	return text.remove ? take_away(tr, key, &text) : add_trigger(tr, key, &text);
}

static int trigger_clear(struct trace_array *tr, u32 key)
{
	struct trace_event_file *file;
	LIST_HEAD(gone);

	guard(mutex)(&triggers_lock);
	scoped_guard(mutex, &events_lock) {
		file = event_file_of(tr, key);
		if (file && triggers_of(file))
			unlink_emptied(file, &gone);
	}
	triggers_free(&gone);
	return file ? 0 : -ENODEV;
}

/* ------------------------------------------------------------------ */
/* Events and instances that go						*/

/* Those of events that went with their module; events_lock. */
static LIST_HEAD(left);

/* What a trigger holds is let go of with events_lock, which who finds that out has. */
static void free_left(struct work_struct *work)
{
	LIST_HEAD(gone);

	scoped_guard(mutex, &events_lock)
		list_splice_init(&left, &gone);
	triggers_free(&gone);
}

static DECLARE_WORK(free_left_work, free_left);

/* Nobody waits here for probes. */
static void leave_behind(struct trigger *t)
{
	list_add(&t->gone, &left);
	schedule_work(&free_left_work);
}

struct trigger *trigger_add_beside(struct trace_event_file *file, const char *words)
{
	char *copy __free(kfree) = kstrdup(words, GFP_KERNEL);
	struct trigger_text text = { .whole = words };
	struct trigger *t;
	int err;

	lockdep_assert_held(&events_lock);
	err = copy ? trigger_divide(file->tr, copy, &text) : -ENOMEM;
	if (err)
		return ERR_PTR(err);
	t = trigger_make(file->tr, &text);
	if (IS_ERR(t))
		return t;
	err = fit(t, file, &text) ?: link(file, t, &text);
	if (!err)
		return t;
	if (t->kind->leave)
		t->kind->leave(t);
	leave_behind(t);
	/* There is one already. */
	return ERR_PTR(err < 0 ? err : -EEXIST);
}

void trigger_remove_beside(struct trace_event_file *file, struct trigger *t)
{
	unlink(t, &left);
	schedule_work(&free_left_work);
	end_if_empty(file);
}

static void trigger_event_gone(struct trace_event_file *file)
{
	unlink_all(file, &left);
	schedule_work(&free_left_work);
}

static void let_go_of(struct trace_event_file *file, struct list_head *gone)
{
	if (triggers_of(file))
		unlink_all(file, gone);
}

static int let_go(struct trace_array *tr)
{
	struct trace_event_file *file;
	LIST_HEAD(gone);

	guard(mutex)(&triggers_lock);
	scoped_guard(mutex, &events_lock) {
		list_for_each_entry(file, &events_of(tr)->files, node)
			let_go_of(file, &gone);
		let_go_of(&events_of(tr)->print, &gone);
	}
	triggers_free(&gone);
	/* Those that a module has left may act on this instance. */
	flush_work(&free_left_work);
	return 0;
}

static const struct event_trigger_ops ops = {
	.hit		= trigger_hit,
	.miss		= triggers_miss,
	.pause		= triggers_pause,
	.gone		= trigger_event_gone,
	.show		= triggers_show,
	.show_counts	= triggers_show_counts,
	.show_debug	= triggers_show_debug,
	.hits		= triggers_hits,
	.polled		= triggers_polled,
	.write		= trigger_write,
	.clear		= trigger_clear,
};

static void setup(void)
{
	event_trigger_ops = &ops;
}

struct instance_part triggers_part = {
	.setup	= setup,
	.let_go	= let_go,
};

/* ------------------------------------------------------------------ */
/* The command line							*/

static char boot_triggers[COMMAND_LINE_SIZE] __initdata;

/* Each trace_trigger= adds to those before it. */
static int __init trace_trigger_setup(char *str)
{
	tracing_note_boot_parameter("trace_trigger=");
	words_add_boot(boot_triggers, sizeof(boot_triggers), str);
	return 1;
}
__setup("trace_trigger=", trace_trigger_setup);

/* 0 if there is none. */
static u32 __init key_of(const char *name)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_named(&global_trace, NULL, name);
	return file ? record_type_key(&file->event->type) : 0;
}

/* ``EVENT.TRIGGER`` */
static int __init boot_trigger(char *word)
{
	char *trigger = word, *event = strsep(&trigger, ".");
	u32 key = key_of(event);

	if (!key || !trigger)
		return -EINVAL;
	return trigger_write(&global_trace, key, trigger);
}

void __init triggers_boot(void)
{
	char *word, *words = boot_triggers;

	if (!tracing_initialized())
		return;
	while ((word = strsep(&words, ",")))
		if (*word && boot_trigger(word))
			pr_warn("trace_trigger=%s: not set\n", word);
}
