// SPDX-License-Identifier: GPL-2.0
/*
 * Exporters: who registered with register_ftrace_export() gets a copy of each
 * record of the kinds he asked for, as it is made. A driver for a trace port
 * sends them out of the machine that way.
 *
 * The list is walked in every context that a record can be made in, with
 * preemption off and without RCU's knowing in the odd places of the idle loop,
 * so it is changed one pointer at a time and waited for with the grace period
 * that covers such places too. A kind that nobody wants costs its recorder
 * nothing.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>

#include "export.h"
#include "instance/straight.h"
#include "record.h"

DEFINE_STATIC_KEY_FALSE(trace_export_function_key);
DEFINE_STATIC_KEY_FALSE(trace_export_event_key);
DEFINE_STATIC_KEY_FALSE(trace_export_marker_key);

/* Protects the list of exporters and the keys. Only the locks of jump labels are inside. */
static DEFINE_MUTEX(export_lock);
static struct trace_export __rcu *exporters;

void trace_export_record(const void *record, unsigned int len, int kind)
{
	struct trace_export *export;

	for (export = rcu_dereference_raw_check(exporters); export;
	     export = rcu_dereference_raw_check(export->next))
		if (export->flags & kind)
			export->write(export, record, len);
}

static void count_wishes(int flags, bool more)
{
	const struct {
		int				kind;
		struct static_key_false		*key;
	} keys[] = {
		{ TRACE_EXPORT_FUNCTION,	&trace_export_function_key },
		{ TRACE_EXPORT_FUNCTION,	&trace_function_general_key },
		{ TRACE_EXPORT_EVENT,		&trace_export_event_key },
		{ TRACE_EXPORT_MARKER,		&trace_export_marker_key },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!(flags & keys[i].kind))
			continue;
		if (more)
			static_branch_inc(keys[i].key);
		else
			static_branch_dec(keys[i].key);
	}
}

/* Whom events do not go by, unless there is somebody who wants them. */
static void (*events_changed)(void) __ro_after_init;

void __init trace_export_follow_events(void (*changed)(void))
{
	events_changed = changed;
}

static void tell_events(int flags)
{
	if (flags & TRACE_EXPORT_EVENT && events_changed)
		events_changed();
}

/**
 * register_ftrace_export - get a copy of records as they are made
 * @export: who; its @write and @flags must not change until it is unregistered
 *
 * Context: process; may sleep.
 * Return: 0, or -EINVAL if @write is missing.
 */
int register_ftrace_export(struct trace_export *export)
{
	if (WARN_ON_ONCE(!export->write))
		return -EINVAL;

	scoped_guard(mutex, &export_lock) {
		RCU_INIT_POINTER(export->next,
				 rcu_dereference_protected(exporters,
							   lockdep_is_held(&export_lock)));
		rcu_assign_pointer(exporters, export);
		count_wishes(export->flags, true);
	}
	tell_events(export->flags);

	return 0;
}
EXPORT_SYMBOL_GPL(register_ftrace_export);

/* Where the list points to @export, or NULL. */
static struct trace_export __rcu **find_link(const struct trace_export *export)
{
	struct trace_export __rcu **link = &exporters;
	struct trace_export *next;

	while ((next = rcu_dereference_protected(*link, lockdep_is_held(&export_lock)))) {
		if (next == export)
			return link;
		link = &next->next;
	}

	return NULL;
}

/**
 * unregister_ftrace_export - get no more of them
 * @export: who
 *
 * No call of @export->write is under way any more when this returns.
 *
 * Context: process; sleeps.
 * Return: 0, or -ENOENT if @export was not registered.
 */
int unregister_ftrace_export(struct trace_export *export)
{
	struct trace_export __rcu **link;

	scoped_guard(mutex, &export_lock) {
		link = find_link(export);
		if (!link)
			return -ENOENT;
		count_wishes(export->flags, false);
		rcu_assign_pointer(*link,
				   rcu_dereference_protected(export->next,
							     lockdep_is_held(&export_lock)));
	}

	tell_events(export->flags);
	trace_export_synchronize();

	return 0;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_export);
