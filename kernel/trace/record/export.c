// SPDX-License-Identifier: GPL-2.0
/*
 * Exporters: a user of register_ftrace_export() gets a copy of each record of the kinds that it
 * asks for. For example, a driver of a trace port sends the copies out of the machine.
 *
 * The list of exporters is walked in every context in which records are made, with preemption
 * off, and also where RCU is not watching, as in parts of the idle loop. So a change of the list is
 * a store of one pointer, followed by the grace period of trace_export_synchronize(), which covers
 * these places, too. A kind of records that no exporter wants costs those who make the records a
 * nop each.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>

#include "export.h"
#include "instance/fast_path.h"
#include "internal.h"
#include "record.h"

DEFINE_STATIC_KEY_FALSE(trace_export_function_key);
DEFINE_STATIC_KEY_FALSE(trace_export_event_key);
DEFINE_STATIC_KEY_FALSE(trace_export_marker_key);

/* Protects the list of exporters and the keys. Only the locks of jump labels are taken inside. */
static DEFINE_MUTEX(export_lock);
static struct trace_export __rcu *trace_exporters;

void trace_export_record(const void *record, unsigned int len, int kind)
{
	struct trace_export *export;

	for (export = rcu_dereference_raw_check(trace_exporters); export;
	     export = rcu_dereference_raw_check(export->next))
		if (export->flags & kind)
			export->write(export, record, len);
}

/* Count an exporter of the kinds @flags in the keys of these kinds; if not @more, discount it. */
static void export_update_keys(int flags, bool more)
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

/* Function that counts the exporters of events; NULL for none. */
static void (*export_count_events)(bool more) __ro_after_init;

void __init trace_export_follow_events(void (*count)(bool more))
{
	export_count_events = count;
}

static void export_notify_events(int flags, bool more)
{
	if (flags & TRACE_EXPORT_EVENT && export_count_events)
		export_count_events(more);
}

/**
 * register_ftrace_export - register an exporter of records
 * @export: the exporter; its @write and @flags must not change until it is unregistered
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
				 rcu_dereference_protected(trace_exporters,
							   lockdep_is_held(&export_lock)));
		rcu_assign_pointer(trace_exporters, export);
		export_update_keys(export->flags, true);
	}
	export_notify_events(export->flags, true);

	return 0;
}
EXPORT_SYMBOL_GPL(register_ftrace_export);

/* Return: the pointer in the list that points to @export, or NULL. */
static struct trace_export __rcu **export_find_link(const struct trace_export *export)
{
	struct trace_export __rcu **link = &trace_exporters;
	struct trace_export *next;

	while ((next = rcu_dereference_protected(*link, lockdep_is_held(&export_lock)))) {
		if (next == export)
			return link;
		link = &next->next;
	}

	return NULL;
}

/**
 * unregister_ftrace_export - unregister an exporter of records
 * @export: the exporter
 *
 * No call of @export->write is in flight when this returns.
 *
 * Context: process; sleeps.
 * Return: 0, or -ENOENT if @export was not registered.
 */
int unregister_ftrace_export(struct trace_export *export)
{
	struct trace_export __rcu **link;

	scoped_guard(mutex, &export_lock) {
		link = export_find_link(export);
		if (!link)
			return -ENOENT;
		export_update_keys(export->flags, false);
		rcu_assign_pointer(*link,
				   rcu_dereference_protected(export->next,
							     lockdep_is_held(&export_lock)));
	}

	export_notify_events(export->flags, false);
	trace_export_synchronize();

	return 0;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_export);
