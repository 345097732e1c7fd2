// SPDX-License-Identifier: GPL-2.0
/*
 * Creating and removing synthetic events.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events/events.h"
#include "internal.h"

/* ------------------------------------------------------------------ */
/* Search by name							*/

static struct event *synth_find_event(const char *name)
{
	struct event *event = event_find(SYNTH_SYSTEM, name);

	return event && event->call->class->reg == synth_reg ? event : NULL;
}

static struct synth_event *synth_find(const char *name)
{
	struct event *event;

	lockdep_assert_held(&dyn_events_lock);
	guard(mutex)(&events_lock);
	event = synth_find_event(name);
	/* The event stays as long as dyn_events_lock is held. */
	return event ? synth_event_of(event->call) : NULL;
}

struct synth_event *synth_event_get(const char *name)
{
	struct event *event = synth_find_event(name);
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

	/* The event may be freed after event_put(), so @mod was read before. */
	event_put(event->event);
	module_put(mod);
}

/* ------------------------------------------------------------------ */
/* An event								*/

/* Each field is aligned to 8 bytes. */
static void lay_out_synth_fields(struct synth_event *event)
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

static int make_field_table(struct synth_event *event)
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

static void free_synth_event(struct synth_event *event)
{
	synth_fields_free(event->fields, event->nr_fields);
	kfree(event->table);
	kfree(event->call.name);
	kfree(event);
}

/* Allocate an event, which takes over the names and types of @fields. */
static struct synth_event *alloc_synth_event(const char *name, const struct synth_field *fields,
					     unsigned int nr)
{
	struct synth_event *event = kzalloc(struct_size(event, fields, nr), GFP_KERNEL);

	if (!event)
		return NULL;
	event->nr_fields = nr;
	memcpy(event->fields, fields, nr * sizeof(*fields));
	INIT_LIST_HEAD(&event->files);
	event->class.system = SYNTH_SYSTEM;
	event->class.reg = synth_reg;
	event->class.ops = &synth_ops;
	event->call.class = &event->class;
	event->call.flags = TRACE_EVENT_FL_DYNAMIC;
	event->call.name = kstrdup(name, GFP_KERNEL);
	lay_out_synth_fields(event);
	return event;
}

/* Register an event, unless its records might not fit into the ring buffer. */
static int register_synth_event(const struct cmd_text *text, struct synth_event *event)
{
	int err;

	if (event->len > SYNTH_LEN_MAX - SYNTH_TEXT_MAX)
		return cmd_refuse(text, NULL, SYNTH_ERR_LENGTH);
	err = event->call.name ? make_field_table(event) : -ENOMEM;
	return err ?: trace_add_event_call(&event->call);
}

struct synth_event *synth_event_make(const struct cmd_text *text, const char *name, char *words,
				     struct module *mod)
{
	struct synth_field *fields __free(kfree) = kcalloc(SYNTH_FIELDS_MAX, sizeof(*fields),
							   GFP_KERNEL);
	struct synth_event *event;
	unsigned int nr;
	int err;

	if (!fields)
		return ERR_PTR(-ENOMEM);
	if (synth_find(name))
		return ERR_PTR(cmd_refuse_with(text, name, SYNTH_ERR_EXISTS, -EEXIST));
	err = synth_fields_parse(text, words, fields, &nr);
	event = err ? NULL : alloc_synth_event(name, fields, nr);
	if (!event) {
		synth_fields_free(fields, nr);
		return ERR_PTR(err ?: -ENOMEM);
	}
	event->mod = mod;
	err = register_synth_event(text, event);
	if (!err)
		return event;
	free_synth_event(event);
	return ERR_PTR(err);
}

int synth_dyn_remove(struct dyn_event *ev)
{
	struct synth_event *event = dyn_to_synth(ev);
	int err = trace_remove_event_call(&event->call);

	/* The call may have been unregistered before: see &dyn_event_kind.remove. */
	if (err && err != -ENOENT)
		return err;
	dyn_event_del(ev);
	free_synth_event(event);
	return 0;
}

int synth_event_remove(const char *name)
{
	struct synth_event *event = synth_find(name);

	return event ? synth_dyn_remove(&event->dyn) : -ENOENT;
}
