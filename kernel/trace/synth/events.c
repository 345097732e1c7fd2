// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events come and go.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events/events.h"
#include "instance/part.h"
#include "internal.h"

#define SYSTEM	"synthetic"

/* ------------------------------------------------------------------ */
/* Found by name							*/

static struct synth_event *to_synth(const struct dyn_event *ev)
{
	return container_of(ev, struct synth_event, dyn);
}

static struct event *find_event(const char *name)
{
	struct event *event = event_find(SYSTEM, name);

	return event && event->call->class->reg == synth_reg ? event : NULL;
}

static struct synth_event *find_synth(const char *name)
{
	struct event *event;

	lockdep_assert_held(&dyn_events_lock);
	guard(mutex)(&events_lock);
	event = find_event(name);
	/* The event stays as long as dyn_events_lock is held. */
	return event ? synth_event_of(event->call) : NULL;
}

struct synth_event *synth_event_get(const char *name)
{
	struct event *event = find_event(name);
	struct synth_event *synth;

	if (!event)
		return NULL;
	synth = synth_event_of(event->call);
	if (!try_module_get(synth->mod))
		return NULL;
	if (!event_get(event)) {
		module_put(synth->mod);
		return NULL;
	}
	synth->event = event;
	return synth;
}

void synth_event_put(struct synth_event *event)
{
	struct module *mod = event->mod;

	/* The last that is read of it. */
	event_put(event->event);
	module_put(mod);
}

/* ------------------------------------------------------------------ */
/* An event								*/

/* Each field is where a long can be. */
static void lay_out(struct synth_event *event)
{
	unsigned int at = round_up(sizeof(struct trace_entry), sizeof(u64));
	struct synth_field *f;

	for (unsigned int i = 0; i < event->nr_fields; i++) {
		f = &event->fields[i];
		f->offset = at;
		at += round_up(f->size, sizeof(u64));
	}
	event->len = at;
}

static int table_make(struct synth_event *event)
{
	struct trace_event_fields *to;
	const struct synth_field *f;

	event->table = kcalloc(event->nr_fields + 1, sizeof(*event->table), GFP_KERNEL);
	if (!event->table)
		return -ENOMEM;
	for (unsigned int i = 0; i < event->nr_fields; i++) {
		f = &event->fields[i];
		to = &event->table[i];
		to->type = f->type;
		to->name = f->name;
		to->offset = f->offset;
		to->size = f->size;
		to->is_signed = f->is_signed;
		to->filter_type = f->kind == SYNTH_STACK ? FILTER_STACKTRACE : FILTER_OTHER;
	}
	return 0;
}

static void event_free(struct synth_event *event)
{
	synth_fields_free(event->fields, event->nr_fields);
	kfree(event->table);
	kfree(event->call.name);
	kfree(event);
}

/* What the fields have, the event has from now on. */
static struct synth_event *event_alloc(const char *name, const struct synth_field *fields,
				       unsigned int nr)
{
	struct synth_event *event = kzalloc(struct_size(event, fields, nr), GFP_KERNEL);

	if (!event)
		return NULL;
	event->nr_fields = nr;
	memcpy(event->fields, fields, nr * sizeof(*fields));
	INIT_LIST_HEAD(&event->files);
	event->class.system = SYSTEM;
	event->class.reg = synth_reg;
	event->class.ops = &synth_ops;
	event->call.class = &event->class;
	event->call.flags = TRACE_EVENT_FL_DYNAMIC;
	event->call.name = kstrdup(name, GFP_KERNEL);
	lay_out(event);
	return event;
}

/* A record can be as long as the ring buffer lets it be. */
static int event_add(const struct synth_text *text, struct synth_event *event)
{
	int err;

	if (event->len > SYNTH_LEN_MAX - SYNTH_TEXT_MAX)
		return synth_refuse(text, NULL, SYNTH_ERR_LENGTH);
	err = event->call.name ? table_make(event) : -ENOMEM;
	err = err ?: trace_add_event_call(&event->call);
	if (!err)
		dyn_event_add(&event->dyn, &synth_events);
	return err;
}

int synth_event_make(const struct synth_text *text, const char *name, char *words,
		     struct module *mod)
{
	struct synth_field *fields __free(kfree) = kcalloc(SYNTH_FIELDS_MAX, sizeof(*fields),
							   GFP_KERNEL);
	struct synth_event *event;
	unsigned int nr;
	int err;

	if (!fields)
		return -ENOMEM;
	if (find_synth(name)) {
		synth_refuse(text, name, SYNTH_ERR_EXISTS);
		return -EEXIST;
	}
	err = synth_fields_parse(text, words, fields, &nr);
	event = err ? NULL : event_alloc(name, fields, nr);
	if (!event) {
		synth_fields_free(fields, nr);
		return err ?: -ENOMEM;
	}
	event->mod = mod;
	err = event_add(text, event);
	if (err)
		event_free(event);
	return err;
}

/* ------------------------------------------------------------------ */
/* As dynamic events							*/

static bool is(const struct dyn_event *ev, const struct dyn_event_name *name)
{
	return !strcmp(to_synth(ev)->call.name, name->event) &&
	       (!name->system || !strcmp(name->system, SYSTEM));
}

static bool is_busy(const struct dyn_event *ev)
{
	return event_call_is_busy(&to_synth(ev)->call);
}

static struct trace_event_call *call_of(const struct dyn_event *ev)
{
	return &to_synth(ev)->call;
}

static int remove(struct dyn_event *ev)
{
	struct synth_event *event = to_synth(ev);
	int err = trace_remove_event_call(&event->call);

	/* The call may have gone before: &dyn_event_kind.remove. */
	if (err && err != -ENOENT)
		return err;
	dyn_event_del(ev);
	event_free(event);
	return 0;
}

static void show(struct seq_file *m, const struct dyn_event *ev)
{
	seq_puts(m, "s:" SYSTEM "/");
	synth_show(m, to_synth(ev));
}

int synth_event_remove(const char *name)
{
	struct synth_event *event = find_synth(name);

	return event ? remove(&event->dyn) : -ENOENT;
}

struct dyn_event_kind synth_events = {
	.create		= synth_create,
	.show		= show,
	.is		= is,
	.is_busy	= is_busy,
	.call		= call_of,
	.remove		= remove,
};

static void setup(void)
{
	dyn_event_kind_add(&synth_events);
}

struct instance_part synth_part = {
	.setup	= setup,
};
