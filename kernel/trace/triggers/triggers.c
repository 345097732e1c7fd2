// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers come and go.
 *
 * An event has a list of them, which its probe walks; who takes one away waits for probes
 * before he frees it. What a trigger needs (a snapshot, another event) is held from before
 * it can be found until after that.
 */
#define pr_fmt(fmt) "trace triggers: " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <asm/setup.h>

#include "command/error_log.h"
#include "events/events.h"
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
/* A trigger								*/

/* No probe finds it any more. */
static void trigger_free(struct trigger *t)
{
	if (t->action->release)
		t->action->release(&t->on);
	if (t->filter)
		event_filter_free(t->filter);
	kfree(t->filter_text);
	kfree(t);
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

static int hold(struct trigger *t)
{
	int err = tracing_expand(t->on.tr);

	if (!err && t->action->prepare)
		err = t->action->prepare(t->on.tr);
	if (!err && t->action->hold)
		err = t->action->hold(&t->on);
	return err;
}

/* What it needs is held; it has no filter yet. */
static struct trigger *trigger_make(struct trace_array *tr, const struct trigger_text *text)
{
	struct trigger *t = kzalloc(sizeof(*t), GFP_KERNEL);
	int err;

	if (!t)
		return ERR_PTR(-ENOMEM);
	t->action = text->action;
	t->on = (struct action_target) { .tr = tr, .event = text->event };
	atomic_long_set(&t->left, text->count);
	err = hold(t);
	if (err) {
		kfree(t);
		return ERR_PTR(err);
	}
	return t;
}

static int trigger_filter(struct trigger *t, const struct trace_event_file *file,
			  const char *text)
{
	struct predicate_error why;
	struct event_filter *filter;

	t->filter_text = kstrdup(text, GFP_KERNEL);
	if (!t->filter_text)
		return -ENOMEM;
	filter = event_filter_make(file->event, text, &why);
	if (filter == ERR_PTR(-EINVAL))
		tracing_log_err(t->on.tr, "event filter parse error", text, predicate_errors,
				why.what, why.pos);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	t->filter = filter;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Those of an event							*/

static bool is_like(const struct trigger *t, const struct trigger_text *text)
{
	return t->action->group == text->action->group && t->on.event == text->event;
}

static struct trigger *find(struct event_triggers *triggers, const struct trigger_text *text)
{
	struct trigger *t;

	if (!triggers)
		return NULL;
	list_for_each_entry(t, &triggers->list, node)
		if (is_like(t, text))
			return t;
	return NULL;
}

static struct event_triggers *begin(struct trace_event_file *file)
{
	struct event_triggers *triggers = kmalloc(sizeof(*triggers), GFP_KERNEL);
	int err = triggers ? trace_beside_get() : -ENOMEM;

	if (err)
		goto free;
	INIT_LIST_HEAD(&triggers->list);
	err = event_triggers_set(file, triggers);
	if (!err)
		return triggers;
	trace_beside_put();
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
	trace_beside_put();
}

static void unlink(struct trace_event_file *file, struct trigger *t, struct list_head *gone)
{
	list_del_rcu(&t->node);
	list_add(&t->gone, gone);
	if (list_empty(&triggers_of(file)->list))
		end(file);
}

static void unlink_all(struct trace_event_file *file, struct list_head *gone)
{
	struct event_triggers *triggers = triggers_of(file);
	struct trigger *t, *next;

	list_for_each_entry_safe(t, next, &triggers->list, node)
		unlink(file, t, gone);
}

/* Return: -EEXIST if it has one like that. */
static int link(struct trace_event_file *file, struct trigger *t,
		const struct trigger_text *text)
{
	struct event_triggers *triggers = triggers_of(file);
	int err;

	err = text->filter ? trigger_filter(t, file, text->filter) : 0;
	if (err)
		return err;
	if (find(triggers, text))
		return -EEXIST;
	if (!triggers)
		triggers = begin(file);
	if (IS_ERR(triggers))
		return PTR_ERR(triggers);
	list_add_rcu(&t->node, &triggers->list);
	return 0;
}

static int add(struct trace_array *tr, unsigned int type, const struct trigger_text *text)
{
	struct trigger *t = trigger_make(tr, text);
	struct trace_event_file *file;
	int err;

	if (IS_ERR(t))
		return PTR_ERR(t);
	scoped_guard(mutex, &events_lock) {
		file = event_file_of(tr, type);
		err = file ? link(file, t, text) : -ENODEV;
	}
	if (err)
		trigger_free(t);
	return err;
}

/* What is not there is gone already. */
static int take_away(struct trace_array *tr, unsigned int type,
		     const struct trigger_text *text)
{
	struct trace_event_file *file;
	struct trigger *t;
	LIST_HEAD(gone);

	scoped_guard(mutex, &events_lock) {
		file = event_file_of(tr, type);
		if (!file)
			return -ENODEV;
		t = find(triggers_of(file), text);
		if (t)
			unlink(file, t, &gone);
	}
	triggers_free(&gone);
	return 0;
}

static int trigger_write(struct trace_array *tr, unsigned int type, char *words)
{
	struct trigger_text text;
	int err;

	/* Who only empties the file writes this as well. */
	if (!*words)
		return 0;
	guard(mutex)(&trace_lock);
	guard(mutex)(&triggers_lock);
	err = trigger_parse(tr, words, &text);
	if (err)
		return err;
	err = text.remove ? take_away(tr, type, &text) : add(tr, type, &text);
	if (text.event)
		event_file_put(text.event);
	return err;
}

static int trigger_clear(struct trace_array *tr, unsigned int type)
{
	struct trace_event_file *file;
	LIST_HEAD(gone);

	guard(mutex)(&triggers_lock);
	scoped_guard(mutex, &events_lock) {
		file = event_file_of(tr, type);
		if (file && triggers_of(file))
			unlink_all(file, &gone);
	}
	triggers_free(&gone);
	return file ? 0 : -ENODEV;
}

static void triggers_show(struct seq_file *m, struct trace_event_file *file)
{
	struct event_triggers *triggers = triggers_of(file);
	struct trigger *t;

	if (!triggers) {
		seq_puts(m, "# Available triggers:\n#");
		action_names_of_events(m);
		seq_putc(m, '\n');
		return;
	}
	list_for_each_entry(t, &triggers->list, node)
		trigger_show(m, t);
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

static void trigger_event_gone(struct trace_event_file *file)
{
	unlink_all(file, &left);
	schedule_work(&free_left_work);
}

static int let_go(struct trace_array *tr)
{
	struct trace_event_file *file;
	LIST_HEAD(gone);

	guard(mutex)(&triggers_lock);
	scoped_guard(mutex, &events_lock)
		list_for_each_entry(file, &events_of(tr)->files, node)
			if (triggers_of(file))
				unlink_all(file, &gone);
	triggers_free(&gone);
	/* Those that a module has left may act on this instance. */
	flush_work(&free_left_work);
	return 0;
}

static const struct event_trigger_ops ops = {
	.hit	= trigger_hit,
	.gone	= trigger_event_gone,
	.show	= triggers_show,
	.write	= trigger_write,
	.clear	= trigger_clear,
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
	if (*boot_triggers)
		strlcat(boot_triggers, ",", sizeof(boot_triggers));
	strlcat(boot_triggers, str, sizeof(boot_triggers));
	return 1;
}
__setup("trace_trigger=", trace_trigger_setup);

static int __init type_named(const char *name)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_named(&global_trace, NULL, name);
	return file ? file->type : -ENOENT;
}

/* ``EVENT.TRIGGER`` */
static int __init boot_trigger(char *word)
{
	char *trigger = word, *event = strsep(&trigger, ".");
	int type = type_named(event);

	if (type < 0 || !trigger)
		return -EINVAL;
	return trigger_write(&global_trace, type, trigger);
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
