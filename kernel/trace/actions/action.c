// SPDX-License-Identifier: GPL-2.0
/*
 * The table of actions, and their counts.
 */
#include <linux/array_size.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "action.h"
#include "events/events.h"
#include "instance/instance.h"
#include "instance/snapshot.h"
#include "messages/snapshot.h"
#include "record/record.h"
#include "record/stack.h"

/* ------------------------------------------------------------------ */
/* Callbacks								*/

static bool action_tracing_is_off(const struct action_target *on)
{
	return !tracer_tracing_is_on(on->tr);
}

static bool action_tracing_is_on(const struct action_target *on)
{
	return tracer_tracing_is_on(on->tr);
}

static unsigned long __percpu *action_word_while_on(const struct action_target *on)
{
	return &on->tr->cpus->is_on;
}

static unsigned long __percpu *action_word_while_off(const struct action_target *on)
{
	return &on->tr->cpus->is_off;
}

static void action_do_traceon(const struct action_target *on, const struct action_hit *hit)
{
	tracer_tracing_on(on->tr);
}

static void action_do_traceoff(const struct action_target *on, const struct action_hit *hit)
{
	tracer_tracing_off(on->tr);
}

static void action_do_stacktrace(const struct action_target *on, const struct action_hit *hit)
{
	trace_stack_record_above(on->tr, trace_ctx_full(hit->word), hit->from,
				 action_hit_above(hit), action_hit_regs(hit));
}

static void action_do_dump(const struct action_target *on, const struct action_hit *hit)
{
	ftrace_dump(DUMP_ALL);
}

static void action_do_cpudump(const struct action_target *on, const struct action_hit *hit)
{
	ftrace_dump(DUMP_ORIG);
}

#ifdef CONFIG_TRACER_SNAPSHOT

static void action_do_snapshot(const struct action_target *on, const struct action_hit *hit)
{
	trace_snapshot(on->tr);
}

static int action_hold_snapshot(const struct action_target *on)
{
	return snapshot_use(on->tr);
}

static void action_release_snapshot(const struct action_target *on)
{
	snapshot_unuse(on->tr);
}

#endif

static int action_hold_event(const struct action_target *on)
{
	/* trace_lock is held, as tracing_expand() requires. */
	return tracing_expand(on->tr) ?: event_soft_get(on->event);
}

static void action_release_event(const struct action_target *on)
{
	event_soft_put(on->event);
}

static bool action_event_is_off(const struct action_target *on)
{
	return !event_is_soft_enabled(on->event);
}

static bool action_event_is_on(const struct action_target *on)
{
	return event_is_soft_enabled(on->event);
}

static void action_do_enable_event(const struct action_target *on, const struct action_hit *hit)
{
	event_soft_set(on->event, true);
}

static void action_do_disable_event(const struct action_target *on, const struct action_hit *hit)
{
	event_soft_set(on->event, false);
}

#ifdef CONFIG_HIST_TRIGGERS

static void action_do_enable_hist(const struct action_target *on, const struct action_hit *hit)
{
	event_trigger_ops->pause(on->event, false);
}

static void action_do_disable_hist(const struct action_target *on, const struct action_hit *hit)
{
	event_trigger_ops->pause(on->event, true);
}

#endif

/* ------------------------------------------------------------------ */
/* The table								*/

/* Values of &action.group, from 1 on. */
enum {
	GROUP_TRACE_ON_OFF = 1, GROUP_SNAPSHOT, GROUP_STACKTRACE, GROUP_EVENT_ON_OFF,
	GROUP_HIST_ON_OFF,
};

/* The names are in files/readme.c, too. */
static const struct action actions[] = {
	{ "traceon",	.act = action_do_traceon,	.pending = action_tracing_is_off,
			.idle_word = action_word_while_on,	.sets_state = true,
			.for_events = true,	.group = GROUP_TRACE_ON_OFF },
	{ "traceoff",	.act = action_do_traceoff,	.pending = action_tracing_is_on,
			.idle_word = action_word_while_off,	.sets_state = true,
			.for_events = true,	.group = GROUP_TRACE_ON_OFF,	.after = true },
#ifdef CONFIG_TRACER_SNAPSHOT
	{ "snapshot",	.act = action_do_snapshot,	.prepare = snapshot_alloc,
			.hold = action_hold_snapshot,	.release = action_release_snapshot,
			.for_events = true,	.group = GROUP_SNAPSHOT,	.after = true },
#endif
#ifdef CONFIG_STACKTRACE
	{ "stacktrace",	.act = action_do_stacktrace,	.pending = action_tracing_is_on,
			.for_events = true,	.group = GROUP_STACKTRACE,	.after = true },
#endif
	{ "enable_event",	.act = action_do_enable_event,	.pending = action_event_is_off,
			.names_event = true,	.sets_state = true,
			.hold = action_hold_event,	.release = action_release_event,
			.for_events = true,	.group = GROUP_EVENT_ON_OFF },
	{ "disable_event",	.act = action_do_disable_event,	.pending = action_event_is_on,
			.names_event = true,	.sets_state = true,
			.hold = action_hold_event,	.release = action_release_event,
			.for_events = true,	.group = GROUP_EVENT_ON_OFF },
#ifdef CONFIG_HIST_TRIGGERS
	{ "enable_hist",	.act = action_do_enable_hist,	.names_event = true,
			.hold = action_hold_event,	.release = action_release_event,
			.for_events = true,	.events_only = true,
			.group = GROUP_HIST_ON_OFF },
	{ "disable_hist",	.act = action_do_disable_hist,	.names_event = true,
			.hold = action_hold_event,	.release = action_release_event,
			.for_events = true,	.events_only = true,
			.group = GROUP_HIST_ON_OFF },
#endif
	{ "dump",	.act = action_do_dump,		.count = COUNT_ONE },
	{ "cpudump",	.act = action_do_cpudump,	.count = COUNT_NONE },
};

const struct action *action_named(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(actions); i++)
		if (!strcmp(actions[i].name, name))
			return &actions[i];
	return NULL;
}

struct trace_event_file *action_event(struct trace_array *tr, char **param)
{
	const char *system = strsep(param, ":"), *name = strsep(param, ":");

	return system && name ? event_file_get(tr, system, name) : NULL;
}

void action_show_event(struct seq_file *m, const struct action_target *on)
{
	if (on->event)
		seq_printf(m, "%s:%s:", event_system_name(on->event->event),
			   on->event->event->type.name);
}

void action_names_of_events(struct seq_file *m)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(actions); i++)
		if (actions[i].for_events)
			seq_printf(m, " %s", actions[i].name);
}

/* ------------------------------------------------------------------ */
/* Counts								*/

/* Decrement @left atomically, so that concurrent callers do not share an execution. */
static bool action_take_count(atomic_long_t *left)
{
	long old = atomic_long_read(left);

	if (old == ACTION_UNLIMITED)
		return true;
	do {
		if (!old)
			return false;
	} while (!atomic_long_try_cmpxchg(left, &old, old - 1));
	return true;
}

/*
 * Set the state first, then decrement the count. A CPU that reads the decremented count then also
 * sees the state, so two CPUs that set the state concurrently do not count twice.
 */
static void action_set_state(const struct action *action, const struct action_target *on,
			     atomic_long_t *left, const struct action_hit *hit)
{
	long old = atomic_long_read(left);

	if (!old)
		return;
	/* Read the count before the state; pairs with the cmpxchg below. */
	smp_rmb();
	if (!action->pending(on))
		return;
	action->act(on, hit);
	if (old != ACTION_UNLIMITED)
		atomic_long_cmpxchg(left, old, old - 1);
}

void action_do(const struct action *action, const struct action_target *on,
	       atomic_long_t *left, const struct action_hit *hit)
{
	if (action->sets_state) {
		action_set_state(action, on, left, hit);
		return;
	}
	if (action->pending && !action->pending(on))
		return;
	if (action_take_count(left))
		action->act(on, hit);
}
