// SPDX-License-Identifier: GPL-2.0
/*
 * Commands on functions, carried out: the table of commands, and the callback
 * that finds the count of the function and decides.
 *
 * What is called from func_command_call() runs in the traced function, in any
 * context, and may not sleep, lock or allocate.  @prepare, @hold and @release may:
 * see struct command_kind.  To add a command, add a row to the table.
 */
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "events/events.h"
#include "func_command_internal.h"
#include "guard/guard.h"
#include "instance/instance.h"
#include "instance/snapshot.h"
#include "messages/snapshot.h"
#include "record/record.h"
#include "record/stack.h"

/* ------------------------------------------------------------------ */
/* What the commands do							*/

static bool is_off(const struct command_target *on)
{
	return !tracer_tracing_is_on(on->tr);
}

static bool is_on(const struct command_target *on)
{
	return tracer_tracing_is_on(on->tr);
}

static void do_traceon(const struct command_target *on, unsigned long ip, unsigned int word)
{
	tracer_tracing_on(on->tr);
}

static void do_traceoff(const struct command_target *on, unsigned long ip, unsigned int word)
{
	tracer_tracing_off(on->tr);
}

static void do_stacktrace(const struct command_target *on, unsigned long ip, unsigned int word)
{
	trace_stack_record(on->tr, trace_ctx_full(word), ip, NULL);
}

static void do_dump(const struct command_target *on, unsigned long ip, unsigned int word)
{
	ftrace_dump(DUMP_ALL);
}

static void do_cpudump(const struct command_target *on, unsigned long ip, unsigned int word)
{
	ftrace_dump(DUMP_ORIG);
}

static void do_snapshot(const struct command_target *on, unsigned long ip, unsigned int word)
{
	trace_snapshot(on->tr);
}

static int hold_snapshot(const struct command_target *on)
{
	return snapshot_use(on->tr);
}

static void release_snapshot(const struct command_target *on)
{
	snapshot_unuse(on->tr);
}

static int hold_event(const struct command_target *on)
{
	/* trace_lock is held. */
	return tracing_expand(on->tr) ?: event_soft_get(on->event);
}

static void release_event(const struct command_target *on)
{
	event_soft_put(on->event);
}

static bool event_is_off(const struct command_target *on)
{
	return !event_is_let(on->event);
}

static bool event_is_on(const struct command_target *on)
{
	return event_is_let(on->event);
}

static void do_enable(const struct command_target *on, unsigned long ip, unsigned int word)
{
	event_soft_let(on->event, true);
}

static void do_disable(const struct command_target *on, unsigned long ip, unsigned int word)
{
	event_soft_let(on->event, false);
}

static const struct command_kind kinds[] = {
	{ "traceon",	.act = do_traceon,	.pending = is_off,	.sets_state = true },
	{ "traceoff",	.act = do_traceoff,	.pending = is_on,	.sets_state = true },
	{ "stacktrace",	.act = do_stacktrace,	.pending = is_on },
	{ "dump",	.act = do_dump,		.count = COUNT_ONE },
	{ "cpudump",	.act = do_cpudump,	.count = COUNT_NONE },
	{ "snapshot",	.act = do_snapshot,	.prepare = snapshot_alloc,
			.hold = hold_snapshot,	.release = release_snapshot },
	{ "enable_event",	.act = do_enable,	.pending = event_is_off,
			.names_event = true,	.sets_state = true,
			.hold = hold_event,	.release = release_event },
	{ "disable_event",	.act = do_disable,	.pending = event_is_on,
			.names_event = true,	.sets_state = true,
			.hold = hold_event,	.release = release_event },
};

const struct command_kind *func_command_kind(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	}
	return NULL;
}

struct trace_event_file *func_command_event(struct trace_array *tr, char **param)
{
	const char *system = strsep(param, ":"), *name = strsep(param, ":");

	return system && name ? event_file_get(tr, system, name) : NULL;
}

/* ------------------------------------------------------------------ */
/* In the traced function						*/

/* Several may get here at once with one left: only one of them gets it. */
static bool take_one(atomic_long_t *left)
{
	long old = atomic_long_read(left);

	if (old == UNLIMITED)
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
static void reach_state(struct func_command *cmd, unsigned long ip,
			unsigned int word, atomic_long_t *left)
{
	long old = atomic_long_read(left);

	if (!old)
		return;
	/* The count before the state; pairs with the cmpxchg below. */
	smp_rmb();
	if (!cmd->kind->pending(&cmd->on))
		return;
	cmd->kind->act(&cmd->on, ip, word);
	if (old != UNLIMITED)
		atomic_long_cmpxchg(left, old, old - 1);
}

static void run_command(struct func_command *cmd, unsigned long ip,
			unsigned int word)
{
	const struct command_kind *kind = cmd->kind;
	struct command_site *site;

	site = find_command_site(rcu_dereference_sched(cmd->sites), ip);
	if (!site)
		return;
	if (kind->sets_state) {
		reach_state(cmd, ip, word, site->left);
		return;
	}
	if (kind->pending && !kind->pending(&cmd->on))
		return;
	if (take_one(site->left))
		kind->act(&cmd->on, ip, word);
}

void func_command_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned int word = trace_preempt_word();
	unsigned int guard;

	preempt_disable_notrace();
	/* The array is freed by RCU; without it, the call is not seen. */
	if (rcu_is_watching() && trace_guard_enter(word, &guard)) {
		run_command(op->private, ip, word);
		trace_guard_exit(guard);
	}
	preempt_enable_notrace();
}
