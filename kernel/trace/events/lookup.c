// SPDX-License-Identifier: GPL-2.0
/* Finding events, and keeping them and their modules. */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "events.h"
#include "internal.h"
#include "lookup.h"

/* Described in events.h. */
DEFINE_MUTEX(events_lock);

LIST_HEAD(all_events);
LIST_HEAD(all_instance_events);
struct hlist_head events_by_name[1 << EVENT_NAME_BITS];

bool event_system_is_wanted(const struct trace_array *tr, const char *system)
{
	static const char between[] = ", \t\n\v\f\r";
	const char *at = tr->systems;
	size_t len = strlen(system);

	if (!at)
		return true;
	for (at += strspn(at, between); *at; at += strspn(at, between)) {
		if (strcspn(at, between) == len && !strncmp(at, system, len))
			return true;
		at += strcspn(at, between);
	}
	return false;
}

struct event_system *event_find_system(const struct instance_events *in, const char *name)
{
	struct event_system *system;

	list_for_each_entry(system, &in->systems, node)
		if (!strcmp(system->name, name))
			return system;
	return NULL;
}

struct trace_event_file *event_file_named(struct trace_array *tr, const char *system,
					  const char *name)
{
	struct instance_events *in = events_of(tr);
	struct trace_event_file *file, *first = NULL;
	struct event *event;

	/* The table has the event that was registered first behind others of the same name. */
	hash_for_each_possible(events_by_name, event, named, event_name_hash(name)) {
		file = event_has_name(event, system, name) ? event_file_find(in, event) : NULL;
		if (file)
			first = file;
	}
	if (first)
		return first;
	return system && event_has_name(in->print.event, system, name) ? &in->print : NULL;
}

struct trace_event_file *event_file_by_key(struct trace_array *tr, u32 key)
{
	/* The low 16 bits of a key are the type. */
	struct trace_event_file *file = xa_load(&events_of(tr)->by_type, (u16)key);

	if (file && record_type_key(&file->event->type) == key)
		return file;
	return key == TRACE_PRINT ? &events_of(tr)->print : NULL;
}

static bool event_module_get(struct module *mod)
{
#ifdef CONFIG_MODULES
	return !mod || (mod->state == MODULE_STATE_LIVE && try_module_get(mod));
#else
	return true;
#endif
}

bool event_get(struct event *event)
{
	lockdep_assert_held(&events_lock);
	if (!event_module_get(event->call->module))
		return false;
	atomic_inc(&event->refs);
	return true;
}

void event_put(struct event *event)
{
	struct module *mod = event->call->module;

	/* The last access to @event. Pairs with the acquire in event_is_in_use(). */
	atomic_dec_return_release(&event->refs);
	module_put(mod);
}

struct trace_event_file *event_file_get(struct trace_array *tr, const char *system,
					const char *name)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_named(tr, system, name);
	/* The tracer's own events cannot be switched. */
	return file && file->type >= TRACE_FIRST_EVENT && event_get(file->event) ? file : NULL;
}

void event_file_put(struct trace_event_file *file)
{
	event_put(file->event);
}

static struct trace_array *event_instance_get(const char *name)
{
	if (!tracing_initialized())
		return NULL;
	if (name)
		return trace_array_find_get(name);
	return trace_array_get(&global_trace) ? NULL : &global_trace;
}

struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *event)
{
	struct trace_array *tr = event_instance_get(instance);
	struct trace_event_file *file;

	if (!tr)
		return ERR_PTR(-ENOENT);
	file = event_file_get(tr, system, event);
	if (file)
		return file;
	trace_array_put(tr);
	return ERR_PTR(-EINVAL);
}
EXPORT_SYMBOL_GPL(trace_get_event_file);

void trace_put_event_file(struct trace_event_file *file)
{
	struct trace_array *tr = file->tr;

	event_file_put(file);
	trace_array_put(tr);
}
EXPORT_SYMBOL_GPL(trace_put_event_file);
