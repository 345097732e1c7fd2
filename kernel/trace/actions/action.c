// SPDX-License-Identifier: GPL-2.0
/*
 * The table of actions, and how often one is done.
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
/* What they do								*/

static bool is_off(const struct action_target *on)
{
	return !tracer_tracing_is_on(on->tr);
}

static bool is_on(const struct action_target *on)
{
	return tracer_tracing_is_on(on->tr);
}

static unsigned long __percpu *rests_on(const struct action_target *on)
{
	return &on->tr->cpus->is_on;
}

static unsigned long __percpu *rests_off(const struct action_target *on)
{
	return &on->tr->cpus->is_off;
}

static void do_traceon(const struct action_target *on, const struct action_hit *hit)
{
	tracer_tracing_on(on->tr);
}

static void do_traceoff(const struct action_target *on, const struct action_hit *hit)
{
	tracer_tracing_off(on->tr);
}

static void do_stacktrace(const struct action_target *on, const struct action_hit *hit)
{
	trace_stack_record_above(on->tr, trace_ctx_full(hit->word), hit->from,
				 action_hit_above(hit), action_hit_regs(hit));
}

static void do_dump(const struct action_target *on, const struct action_hit *hit)
{
	ftrace_dump(DUMP_ALL);
}

static void do_cpudump(const struct action_target *on, const struct action_hit *hit)
{
	ftrace_dump(DUMP_ORIG);
}

#ifdef CONFIG_TRACER_SNAPSHOT

static void do_snapshot(const struct action_target *on, const struct action_hit *hit)
{
	trace_snapshot(on->tr);
}

static int hold_snapshot(const struct action_target *on)
{
	return snapshot_use(on->tr);
}

static void release_snapshot(const struct action_target *on)
{
	snapshot_unuse(on->tr);
}

#endif

static int hold_event(const struct action_target *on)
{
	/* trace_lock is held. */
	return tracing_expand(on->tr) ?: event_soft_get(on->event);
}

static void release_event(const struct action_target *on)
{
	event_soft_put(on->event);
}

static bool event_is_off(const struct action_target *on)
{
	return !event_is_let(on->event);
}

static bool event_is_on(const struct action_target *on)
{
	return event_is_let(on->event);
}

static void do_enable(const struct action_target *on, const struct action_hit *hit)
{
	event_soft_let(on->event, true);
}

static void do_disable(const struct action_target *on, const struct action_hit *hit)
{
	event_soft_let(on->event, false);
}

#ifdef CONFIG_HIST_TRIGGERS

static void do_enable_hist(const struct action_target *on, const struct action_hit *hit)
{
	event_trigger_ops->pause(on->event, false);
}

static void do_disable_hist(const struct action_target *on, const struct action_hit *hit)
{
	event_trigger_ops->pause(on->event, true);
}

#endif

/* ------------------------------------------------------------------ */
/* The table								*/

enum { TRACE_ON_OFF, SNAPSHOT, STACKTRACE, EVENT_ON_OFF, HIST_ON_OFF };

static const struct action actions[] = {
	{ "traceon",	.act = do_traceon,	.pending = is_off,	.rest = rests_on,
			.sets_state = true,
			.of_events = true,	.group = TRACE_ON_OFF },
	{ "traceoff",	.act = do_traceoff,	.pending = is_on,	.rest = rests_off,
			.sets_state = true,
			.of_events = true,	.group = TRACE_ON_OFF,	.after = true },
#ifdef CONFIG_TRACER_SNAPSHOT
	{ "snapshot",	.act = do_snapshot,	.prepare = snapshot_alloc,
			.hold = hold_snapshot,	.release = release_snapshot,
			.of_events = true,	.group = SNAPSHOT,	.after = true },
#endif
#ifdef CONFIG_STACKTRACE
	{ "stacktrace",	.act = do_stacktrace,	.pending = is_on,
			.of_events = true,	.group = STACKTRACE,	.after = true },
#endif
	{ "enable_event",	.act = do_enable,	.pending = event_is_off,
			.names_event = true,	.sets_state = true,
			.hold = hold_event,	.release = release_event,
			.of_events = true,	.group = EVENT_ON_OFF },
	{ "disable_event",	.act = do_disable,	.pending = event_is_on,
			.names_event = true,	.sets_state = true,
			.hold = hold_event,	.release = release_event,
			.of_events = true,	.group = EVENT_ON_OFF },
#ifdef CONFIG_HIST_TRIGGERS
	{ "enable_hist",	.act = do_enable_hist,	.names_event = true,
			.hold = hold_event,	.release = release_event,
			.of_events = true,	.of_events_alone = true,
			.group = HIST_ON_OFF },
	{ "disable_hist",	.act = do_disable_hist,	.names_event = true,
			.hold = hold_event,	.release = release_event,
			.of_events = true,	.of_events_alone = true,
			.group = HIST_ON_OFF },
#endif
	{ "dump",	.act = do_dump,		.count = COUNT_ONE },
	{ "cpudump",	.act = do_cpudump,	.count = COUNT_NONE },
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
		if (actions[i].of_events)
			seq_printf(m, " %s", actions[i].name);
}

/* ------------------------------------------------------------------ */
/* How often								*/

/* Several may get here at once with one left: only one of them gets it. */
static bool take_one(atomic_long_t *left)
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
 * Reach the state first and count then, or two CPUs that do so at once would
 * count twice: the one that finds the lower count also finds the state.
 */
static void reach_state(const struct action *action, const struct action_target *on,
			atomic_long_t *left, const struct action_hit *hit)
{
	long old = atomic_long_read(left);

	if (!old)
		return;
	/* The count before the state; pairs with the cmpxchg below. */
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
		reach_state(action, on, left, hit);
		return;
	}
	if (action->pending && !action->pending(on))
		return;
	if (take_one(left))
		action->act(on, hit);
}
