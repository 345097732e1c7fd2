// SPDX-License-Identifier: GPL-2.0
/*
 * Events of programs come and go: with their first user, and with their last one unless they
 * are to stay.
 */
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "events/events.h"
#include "instance/part.h"
#include "internal.h"

unsigned int user_events_max = 32768;

/* How many there are; dyn_events_lock. */
static unsigned int nr_events;

/* ------------------------------------------------------------------ */
/* Found								*/

static struct user_event *next_event(struct user_event *event)
{
	struct dyn_event *ev = event ? &event->dyn :
				       list_entry(&all_dyn_events, struct dyn_event, node);

	lockdep_assert_held(&dyn_events_lock);
	list_for_each_entry_continue(ev, &all_dyn_events, node)
		if (ev->kind == &user_events)
			return to_user_event(ev);
	return NULL;
}

/* Return: the event; NULL if there is none; ERR_PTR(-EADDRINUSE) if it is another one. */
static struct user_event *find(const char *name, const struct user_fields *fields, bool multi)
{
	struct user_event *event;

	for (event = next_event(NULL); event; event = next_event(event)) {
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
/* Made									*/

static void event_free(struct user_event *event)
{
	if (event->call.name != event->name)
		kfree(event->call.name);
	kfree(event->name);
	user_fields_free(&event->fields);
	kfree(event);
}

/* No other one has or had it. */
static char *numbered(const char *name)
{
	static u64 number;

	lockdep_assert_held(&dyn_events_lock);
	return kasprintf(GFP_KERNEL_ACCOUNT, "%s.%llx", name, number++);
}

/* What @fields have the event has from now on, if there is one. */
static struct user_event *event_alloc(const char *name, const struct user_fields *fields,
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
	event->call.name = multi ? numbered(name) : event->name;
	return event;
}

static int event_add(struct user_event *event)
{
	int err = event->name && event->call.name ? 0 : -ENOMEM;

	err = err ?: trace_add_event_call(&event->call);
	if (err)
		return err;
	dyn_event_add(&event->dyn, &user_events);
	nr_events++;
	return 0;
}

/* Whatever comes of it, @fields are used up. */
static struct user_event *make(const char *name, struct user_fields *fields, bool multi)
{
	struct user_event *event = NULL;
	int err = -EMFILE;

	if (nr_events < READ_ONCE(user_events_max)) {
		event = event_alloc(name, fields, multi);
		err = event ? event_add(event) : -ENOMEM;
	}
	if (!err)
		return event;
	if (event)
		event_free(event);
	else
		user_fields_free(fields);
	return ERR_PTR(err);
}

/* There is to be a directory of that name, and perhaps a number behind it. */
static bool is_name(const char *name)
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

static struct user_event *find_or_make(const char *name, const char *words, bool multi)
{
	struct user_fields fields;
	struct user_event *event;
	int err = user_fields_parse(&fields, words);

	event = err ? ERR_PTR(err) : find(name, &fields, multi);
	if (!event)
		return make(name, &fields, multi);
	user_fields_free(&fields);
	return event;
}

struct user_event *user_event_get(char *text, unsigned int flags)
{
	bool stays = flags & USER_EVENT_REG_PERSIST;
	char *name = strsep(&text, " ");
	struct user_event *event;

	lockdep_assert_held(&dyn_events_lock);
	if (!is_name(name))
		return ERR_PTR(-EINVAL);
	if (stays && !perfmon_capable())
		return ERR_PTR(-EPERM);
	event = find_or_make(name, text, flags & USER_EVENT_REG_MULTI_FORMAT);
	if (IS_ERR(event))
		return event;
	if (stays)
		WRITE_ONCE(event->stays, true);
	atomic_inc(&event->users);
	return event;
}

/* ------------------------------------------------------------------ */
/* Taken away								*/

static int event_remove(struct user_event *event)
{
	int err;

	lockdep_assert_held(&dyn_events_lock);
	if (atomic_read(&event->users))
		return -EBUSY;
	err = trace_remove_event_call(&event->call);
	if (err)
		return err;
	dyn_event_del(&event->dyn);
	nr_events--;
	event_free(event);
	return 0;
}

/* For who asks for it, who may not do so with all of them. */
static int remove(struct dyn_event *ev)
{
	struct user_event *event = to_user_event(ev);

	if (atomic_read(&event->users))
		return -EBUSY;
	return event->stays && !perfmon_capable() ? -EPERM : event_remove(event);
}

int user_events_delete(const char *name)
{
	struct user_event *event, *next;
	int err = -ENOENT;

	for (event = next_event(NULL); event; event = next) {
		next = next_event(event);
		if (strcmp(event->name, name))
			continue;
		err = remove(&event->dyn);
		if (err)
			break;
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* When nobody uses them any more					*/

/* One that is on is swept when it goes off: user_event_reg(). */
static bool is_left(const struct user_event *event)
{
	return !event->stays && !atomic_read(&event->users) && list_empty(&event->files);
}

/* One at a time: each waits for probes, and others want the lock. Return: is one gone? */
static bool sweep_one(bool *busy)
{
	struct user_event *event;

	guard(mutex)(&dyn_events_lock);
	*busy = false;
	for (event = next_event(NULL); event; event = next_event(event)) {
		if (!is_left(event))
			continue;
		if (!event_remove(event))
			return true;
		*busy = true;
	}
	return false;
}

static void sweep(struct work_struct *work)
{
	bool busy;

	user_bits_sweep();
	while (sweep_one(&busy))
		cond_resched();
	/* Somebody looks at one of them just now. */
	if (busy)
		schedule_delayed_work(to_delayed_work(work), HZ);
}

static DECLARE_DELAYED_WORK(sweeping, sweep);

void user_events_sweep(void)
{
	mod_delayed_work(system_wq, &sweeping, 0);
}

void user_event_put(struct user_event *event)
{
	/* It may go as soon as it is not used. */
	bool stays = READ_ONCE(event->stays);

	if (atomic_dec_and_test(&event->users) && !stays)
		user_events_sweep();
}

/* ------------------------------------------------------------------ */
/* As dynamic events							*/

static int create(const char *line)
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

static bool has_fields(const struct user_event *event, const char *words)
{
	struct user_fields fields;
	bool same;

	same = !user_fields_parse(&fields, words) &&
	       user_fields_are_same(&event->fields, &fields);
	user_fields_free(&fields);
	return same;
}

static bool is(const struct dyn_event *ev, const struct dyn_event_name *name)
{
	const struct user_event *event = to_user_event(ev);

	if (strcmp(event->name, name->event) && strcmp(event->call.name, name->event))
		return false;
	if (name->system && strcmp(event->class.system, name->system))
		return false;
	return !name->rest || !*name->rest || has_fields(event, name->rest);
}

static bool is_busy(const struct dyn_event *ev)
{
	const struct user_event *event = to_user_event(ev);

	return atomic_read(&event->users) || event_call_is_busy(&event->call);
}

struct dyn_event_kind user_events = {
	.create		= create,
	.show		= user_event_show,
	.is		= is,
	.is_busy	= is_busy,
	.remove		= remove,
};

static void setup(void)
{
	dyn_event_kind_add(&user_events);
}

struct instance_part user_events_part = {
	.setup	= setup,
};
