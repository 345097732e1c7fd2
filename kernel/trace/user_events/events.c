// SPDX-License-Identifier: GPL-2.0
/*
 * Adding and removing user events. An event is created with its first user, and removed after
 * its last one unless it is persistent.
 */
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "events/events.h"
#include "internal.h"

/* Number of user events. Protected by dyn_events_lock. */
static unsigned int nr_user_events;

/* ------------------------------------------------------------------ */
/* Finding events							*/

static struct user_event *user_event_next(struct user_event *event)
{
	struct dyn_event *ev = event ? &event->dyn : NULL;

	lockdep_assert_held(&dyn_events_lock);
	ev = list_prepare_entry(ev, &all_dyn_events, node);
	list_for_each_entry_continue(ev, &all_dyn_events, node)
		if (ev->kind == &user_events)
			return to_user_event(ev);
	return NULL;
}

/* Return: the event; NULL if there is none; ERR_PTR(-EADDRINUSE) if it has other fields. */
static struct user_event *user_event_find(const char *name, const struct user_fields *fields,
					  bool multi)
{
	struct user_event *event;

	for (event = user_event_next(NULL); event; event = user_event_next(event)) {
		if (event->multi != multi || strcmp(event->name, name))
			continue;
		if (user_fields_are_same(&event->fields, fields))
			return event;
		if (!multi)
			return ERR_PTR(-EADDRINUSE);
	}
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Creating events							*/

static void user_event_free(struct user_event *event)
{
	if (event->call.name != event->name)
		kfree(event->call.name);
	kfree(event->name);
	user_fields_free(&event->fields);
	kfree(event);
}

/* Return: @name with a number that no other event has, or ever had. */
static char *user_event_numbered_name(const char *name)
{
	static u64 number;

	lockdep_assert_held(&dyn_events_lock);
	return kasprintf(GFP_KERNEL_ACCOUNT, "%s.%llx", name, number++);
}

/* Allocate an event. On success it owns the memory of @fields. */
static struct user_event *user_event_alloc(const char *name, const struct user_fields *fields,
					   bool multi)
{
	struct user_event *event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);

	if (!event)
		return NULL;
	INIT_LIST_HEAD(&event->files);
	INIT_LIST_HEAD(&event->bits);
	event->fields = *fields;
	event->multi = multi;
	event->name = kstrdup(name, GFP_KERNEL_ACCOUNT);
	event->class.system = multi ? USER_EVENTS_MULTI_SYSTEM : USER_EVENTS_SYSTEM;
	event->class.reg = user_event_reg;
	event->class.ops = &user_event_ops;
	event->call.class = &event->class;
	event->call.flags = TRACE_EVENT_FL_DYNAMIC;
	event->call.name = multi ? user_event_numbered_name(name) : event->name;
	return event;
}

static int user_event_add(struct user_event *event)
{
	int err = event->name && event->call.name ? 0 : -ENOMEM;

	err = err ?: trace_add_event_call(&event->call);
	if (err)
		return err;
	dyn_event_add(&event->dyn, &user_events);
	nr_user_events++;
	return 0;
}

/* Create an event. @fields belong to the event, or are freed after a failure. */
static struct user_event *user_event_make(const char *name, struct user_fields *fields, bool multi)
{
	struct user_event *event = NULL;
	int err = -EMFILE;

	if (nr_user_events < READ_ONCE(user_events_max)) {
		event = user_event_alloc(name, fields, multi);
		err = event ? user_event_add(event) : -ENOMEM;
	}
	if (!err)
		return event;
	if (event)
		user_event_free(event);
	else
		user_fields_free(fields);
	return ERR_PTR(err);
}

/* True if @name can be the name of a directory, also with a number appended. */
static bool user_event_name_is_valid(const char *name)
{
	size_t len = strlen(name);

	if (event_name_is_taken(name) || !len || len > NAME_MAX - (1 + 2 * sizeof(u64)) ||
	    *name == '.')
		return false;
	for (; *name; name++)
		if (!isgraph(*name) || *name == '/' || *name == ':')
			return false;
	return true;
}

static struct user_event *user_event_find_or_make(const char *name, const char *words, bool multi)
{
	struct user_fields fields;
	struct user_event *event;
	int err = user_fields_parse(&fields, words);

	event = err ? ERR_PTR(err) : user_event_find(name, &fields, multi);
	if (!event)
		return user_event_make(name, &fields, multi);
	user_fields_free(&fields);
	return event;
}

struct user_event *user_event_get(char *text, unsigned int flags)
{
	bool persistent = flags & USER_EVENT_REG_PERSIST;
	char *name = strsep(&text, " ");
	struct user_event *event;

	lockdep_assert_held(&dyn_events_lock);
	if (!user_event_name_is_valid(name))
		return ERR_PTR(-EINVAL);
	if (persistent && !perfmon_capable())
		return ERR_PTR(-EPERM);
	event = user_event_find_or_make(name, text, flags & USER_EVENT_REG_MULTI_FORMAT);
	if (IS_ERR(event))
		return event;
	if (persistent)
		WRITE_ONCE(event->persistent, true);
	atomic_inc(&event->users);
	return event;
}

/* ------------------------------------------------------------------ */
/* Removing events							*/

static int user_event_remove(struct user_event *event)
{
	int err;

	lockdep_assert_held(&dyn_events_lock);
	if (atomic_read(&event->users))
		return -EBUSY;
	err = trace_remove_event_call(&event->call);
	if (err)
		return err;
	dyn_event_del(&event->dyn);
	nr_user_events--;
	user_event_free(event);
	return 0;
}

/* Remove an event on request. Removing persistent events requires CAP_PERFMON. */
static int user_event_remove_checked(struct dyn_event *ev)
{
	struct user_event *event = to_user_event(ev);

	if (atomic_read(&event->users))
		return -EBUSY;
	return event->persistent && !perfmon_capable() ? -EPERM : user_event_remove(event);
}

int user_events_delete(const char *name)
{
	struct user_event *event, *next;
	int err = -ENOENT;

	for (event = user_event_next(NULL); event; event = next) {
		next = user_event_next(event);
		if (strcmp(event->name, name))
			continue;
		err = user_event_remove_checked(&event->dyn);
		if (err)
			break;
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* Removing unused events						*/

/* True if @event can be removed. user_event_reg() removes an event that is on once it is off. */
static bool user_event_is_unused(const struct user_event *event)
{
	return !event->persistent && !atomic_read(&event->users) && list_empty(&event->files);
}

/*
 * Remove one unused event. Each removal waits for probes, so the lock is dropped between two.
 * Return: true if an event was removed; @busy is set if an unused one could not be.
 */
static bool user_events_remove_one_unused(bool *busy)
{
	struct user_event *event;

	guard(mutex)(&dyn_events_lock);
	*busy = false;
	for (event = user_event_next(NULL); event; event = user_event_next(event)) {
		if (!user_event_is_unused(event))
			continue;
		if (!user_event_remove(event))
			return true;
		*busy = true;
	}
	return false;
}

static void user_events_sweep_work(struct work_struct *work)
{
	bool busy;

	user_bits_sweep();
	while (user_events_remove_one_unused(&busy))
		cond_resched();
	/* An unused event is referenced for the moment; try again later. */
	if (busy)
		schedule_delayed_work(to_delayed_work(work), HZ);
}

/* ------------------------------------------------------------------ */
/* Callbacks of dynamic events						*/

static int user_event_create_from_line(const char *line)
{
	struct user_event *event;
	char *text;

	if (!strstarts(line, USER_EVENTS_PREFIX))
		return -ECANCELED;
	text = kstrdup(skip_spaces(line + strlen(USER_EVENTS_PREFIX)), GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	scoped_guard(mutex, &dyn_events_lock)
		event = user_event_get(text, USER_EVENT_REG_PERSIST);
	kfree(text);
	if (IS_ERR(event))
		return PTR_ERR(event);
	user_event_put(event);
	return 0;
}

static bool user_event_has_fields(const struct user_event *event, const char *words)
{
	struct user_fields fields;
	bool same;

	same = !user_fields_parse(&fields, words) &&
	       user_fields_are_same(&event->fields, &fields);
	user_fields_free(&fields);
	return same;
}

static bool user_event_matches(const struct dyn_event *ev, const struct dyn_event_name *name)
{
	const struct user_event *event = to_user_event(ev);

	if (strcmp(event->name, name->event) && strcmp(event->call.name, name->event))
		return false;
	if (name->system && strcmp(event->class.system, name->system))
		return false;
	return !name->rest || !*name->rest || user_event_has_fields(event, name->rest);
}

static bool user_event_is_busy(const struct dyn_event *ev)
{
	const struct user_event *event = to_user_event(ev);

	return atomic_read(&event->users) || event_call_is_busy(&event->call);
}

struct dyn_event_kind user_events = {
	.create		= user_event_create_from_line,
	.show		= user_event_show,
	.matches	= user_event_matches,
	.is_busy	= user_event_is_busy,
	.remove		= user_event_remove_checked,
};

DYN_EVENT_KIND(user, user_events);

static int __init user_events_init(void)
{
	user_events_sweep_init(user_events_sweep_work);
	return 0;
}
core_initcall(user_events_init);
