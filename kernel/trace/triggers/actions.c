// SPDX-License-Identifier: GPL-2.0
/*
 * The kind of triggers that execute a row of the table of actions:
 * ``ACTION[:SYSTEM:EVENT][:COUNT]``.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events/events.h"
#include "instance/instance.h"
#include "internal.h"

/**
 * struct action_trigger - a trigger that executes an action
 * @t: common part of all triggers
 * @action: row of the table of actions
 * @on: target of the action: the instance, and for some actions an event, which is held
 * @left: remaining executions, or ACTION_UNLIMITED
 * @missed: hits on which the filter could not be evaluated because there was no record
 * @held: true while the resources of &action.hold are held
 */
struct action_trigger {
	struct trigger		t;
	const struct action	*action;
	struct action_target	on;
	atomic_long_t		left;
	atomic_long_t		missed;
	bool			held;
};

static struct action_trigger *action_trigger_of(struct trigger *t)
{
	return container_of(t, struct action_trigger, t);
}

static const struct action_trigger *action_trigger_of_const(const struct trigger *t)
{
	return container_of(t, struct action_trigger, t);
}

/* ------------------------------------------------------------------ */
/* Parsing								*/

/* Parse ``COUNT`` or nothing. The count of a trigger to be removed is ignored. */
static int action_trigger_parse_count(struct action_trigger *a, const struct trigger_text *text,
				      const char *param)
{
	unsigned long val;

	atomic_long_set(&a->left, a->action->count == COUNT_ONE ? 1 : ACTION_UNLIMITED);
	if (a->action->count != COUNT_ANY || !param || text->remove)
		return 0;
	if (kstrtoul(param, 0, &val) || val > LONG_MAX)
		return cmd_refuse(&text->cmd, param, TRIGGER_ERR_NO_COUNT);
	atomic_long_set(&a->left, val);
	return 0;
}

static int action_trigger_parse_event(struct action_trigger *a, const struct trigger_text *text,
				      char **param)
{
	const char *at = *param;

	if (!a->action->names_event)
		return 0;
	a->on.event = *param ? action_event(a->t.tr, param) : NULL;
	return a->on.event ? 0 : cmd_refuse(&text->cmd, at, TRIGGER_ERR_NO_EVENT);
}

static int action_trigger_parse(struct action_trigger *a, const struct trigger_text *text)
{
	char *param = text->param;

	a->action = action_named(text->name);
	if (!a->action || !a->action->for_events)
		return cmd_refuse(&text->cmd, text->name, TRIGGER_ERR_NONE);
	a->t.when = a->action->after ? TRIGGER_AFTER : TRIGGER_BEFORE;
	a->t.emptied = a->action->events_only;
	a->t.toggles = a->action->names_event;
	a->t.idle_word = a->action->idle_word ? a->action->idle_word(&a->on) : NULL;
	return action_trigger_parse_event(a, text, &param) ?:
	       action_trigger_parse_count(a, text, param);
}

static void action_trigger_release(struct action_trigger *a)
{
	if (a->held && a->action->release)
		a->action->release(&a->on);
	a->held = false;
}

/* Take the steps that may refuse the trigger before those that allocate memory. */
static int action_trigger_hold(struct trigger *t)
{
	struct action_trigger *a = action_trigger_of(t);
	int err = tracing_expand(a->on.tr);

	if (!err && a->action->hold)
		err = a->action->hold(&a->on);
	a->held = !err;
	if (!err && a->action->prepare)
		err = a->action->prepare(a->on.tr);
	if (err)
		action_trigger_release(a);
	return err;
}

static void action_trigger_free(struct trigger *t)
{
	struct action_trigger *a = action_trigger_of(t);

	action_trigger_release(a);
	if (a->on.event)
		event_file_put(a->on.event);
	kfree(a);
}

static struct trigger *action_trigger_make(struct trace_array *tr,
					   const struct trigger_text *text)
{
	struct action_trigger *a = kzalloc(sizeof(*a), GFP_KERNEL);
	int err;

	if (!a)
		return ERR_PTR(-ENOMEM);
	a->t.tr = tr;
	a->on.tr = tr;
	err = action_trigger_parse(a, text);
	if (!err)
		return &a->t;
	action_trigger_free(&a->t);
	return ERR_PTR(err);
}

/* ------------------------------------------------------------------ */
/* Callbacks while on an event						*/

static bool action_excludes(const struct action *a, const struct action *b)
{
	return a == b || (a->group && a->group == b->group);
}

static bool action_trigger_is_like(const struct trigger *a, const struct trigger *b)
{
	const struct action_trigger *x = action_trigger_of_const(a);
	const struct action_trigger *y = action_trigger_of_const(b);

	return action_excludes(x->action, y->action) && x->on.event == y->on.event;
}

static void action_trigger_hit(struct trigger *t, struct action_hit *hit)
{
	struct action_trigger *a = action_trigger_of(t);

	action_do(a->action, &a->on, &a->left, hit);
}

/* A trigger whose count has run out would do nothing, so it misses nothing. */
static void action_trigger_miss(struct trigger *t)
{
	struct action_trigger *a = action_trigger_of(t);

	if (atomic_long_read(&a->left))
		atomic_long_inc(&a->missed);
}

static void action_trigger_show(struct seq_file *m, const struct trigger *t)
{
	const struct action_trigger *a = action_trigger_of_const(t);
	long left = atomic_long_read(&a->left);
	unsigned long missed = atomic_long_read(&a->missed);

	seq_printf(m, "%s:", a->action->name);
	action_show_event(m, &a->on);
	if (left == ACTION_UNLIMITED)
		seq_puts(m, "unlimited");
	else
		seq_printf(m, "count=%ld", left);
	if (t->filter_text)
		seq_printf(m, " if %s", t->filter_text);
	if (missed)
		seq_printf(m, " [missed %lu]", missed);
}

struct trigger_kind action_triggers = {
	.make		= action_trigger_make,
	.hold		= action_trigger_hold,
	.is_like	= action_trigger_is_like,
	.hit		= action_trigger_hit,
	.miss		= action_trigger_miss,
	.show		= action_trigger_show,
	.free		= action_trigger_free,
};
