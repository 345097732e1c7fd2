// SPDX-License-Identifier: GPL-2.0
/*
 * Creation and removal of probes and of their events. Several probes may share an event, if they
 * fetch the same types under the same names.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events/events.h"
#include "internal.h"

/* ------------------------------------------------------------------ */
/* Allocation of probes							*/

struct probe *probe_alloc(const struct probe_kind *kind)
{
	struct probe *p = kzalloc(kind->size, GFP_KERNEL);

	if (!p)
		return NULL;
	p->hits = alloc_percpu(unsigned long);
	if (!p->hits) {
		kfree(p);
		return NULL;
	}
	return p;
}

void probe_exit(struct probe *p)
{
	probe_args_free(&p->args);
	free_percpu(p->hits);
}

/* Size of the longest place, with its NUL: a path with an offset. */
#define PROBE_PLACE_MAX	(PATH_MAX + 64)

/* Return: the place of a probe as the user writes it, for kfree(); or NULL. */
static char *probe_place_text(const struct probe_kind *kind, const struct probe *p)
{
	char *room __free(kfree) = kmalloc(PROBE_PLACE_MAX, GFP_KERNEL);
	struct seq_buf s;

	if (!room)
		return NULL;
	seq_buf_init(&s, room, PROBE_PLACE_MAX);
	kind->place(&s, p);
	return kstrdup(seq_buf_str(&s), GFP_KERNEL);
}

/* ------------------------------------------------------------------ */
/* Creation of events							*/

static const struct probe_kind *probe_kind_of(const struct dyn_event *ev)
{
	return container_of(ev->kind, struct probe_kind, dyn);
}

static struct probe_event *probe_event_find(const struct probe_name *name)
{
	struct event *event;

	lockdep_assert_held(&dyn_events_lock);
	guard(mutex)(&events_lock);
	event = event_find(name->system, name->event);
	/* The event stays as long as dyn_events_lock is held. */
	return event && event->call->class->reg == probe_reg ? probe_event_of(event->call) : NULL;
}

/* Offset of the first address word in a record. */
#define PROBE_HEAD_OFFSET	sizeof(struct trace_entry)

static void probe_event_fill_head(struct probe_event *event)
{
	for (unsigned int i = 0; i < event->nr_head; i++)
		event->table[i] = (struct trace_event_fields){
			.type	= "unsigned long",
			.name	= probe_head_name(event, i),
			.offset	= PROBE_HEAD_OFFSET + i * sizeof(long),
			.size	= sizeof(long),
		};
}

static int probe_event_make_table(struct probe_event *event)
{
	const struct probe_field *f = event->fields;
	struct trace_event_fields *to;

	event->table = kcalloc(event->nr_head + event->nr + 1, sizeof(*to), GFP_KERNEL);
	if (!event->table)
		return -ENOMEM;
	probe_event_fill_head(event);
	for (to = event->table + event->nr_head; f < event->fields + event->nr; f++, to++) {
		to->type = f->field;
		to->name = f->name;
		to->offset = f->offset;
		to->size = f->type->size * (f->count ?: 1);
		to->is_signed = f->type->is_signed;
	}
	return 0;
}

static void probe_event_free(struct probe_event *event)
{
	struct probe *p, *next;

	list_for_each_entry_safe(p, next, &event->removed, node)
		event->kind->free(p);
	probe_fields_free(event->fields, event->nr);
	kfree(event->table);
	kfree(event->class.system);
	kfree(event->call.name);
	kfree(event->attached);
	kfree(event);
}

static bool probe_args_have_text(const struct probe_args *args)
{
	for (unsigned int i = 0; i < args->nr; i++)
		if (fetch_type_is_text(args->fetches[i].type))
			return true;
	return false;
}

/* Allocate an event, which takes over the fields of the arguments of @p. */
static struct probe_event *probe_event_alloc(struct probe *p, const struct probe_spec *spec)
{
	struct probe_event *event = kzalloc(sizeof(*event), GFP_KERNEL);

	if (!event)
		return NULL;
	INIT_LIST_HEAD(&event->files);
	INIT_LIST_HEAD(&event->probes);
	INIT_LIST_HEAD(&event->removed);
	event->kind = spec->kind;
	event->returns = spec->returns;
	event->nr_head = spec->nr_head;
	event->has_texts = probe_args_have_text(&p->args);
	event->len = p->args.len;
	event->nr = p->args.nr;
	event->fields = p->args.fields;
	p->args.fields = NULL;
	event->class.system = kstrdup(spec->name.system, GFP_KERNEL);
	event->class.reg = probe_reg;
	event->class.ops = &probe_ops;
	event->call.class = &event->class;
	event->call.flags = TRACE_EVENT_FL_DYNAMIC | spec->kind->flags;
	event->call.name = kstrdup(spec->name.event, GFP_KERNEL);
	return event;
}

static int probe_event_fill(struct probe_event *event, const struct probe *p,
			    const struct probe_spec *spec)
{
	if (!spec->nr_head) {
		event->attached = probe_place_text(spec->kind, p);
		if (!event->attached)
			return -ENOMEM;
	}
	return event->class.system && event->call.name ? probe_event_make_table(event) : -ENOMEM;
}

void probe_event_destroy(struct probe *p)
{
	if (p->event)
		probe_event_free(p->event);
	p->event = NULL;
}

int probe_event_create(struct probe *p, const struct probe_spec *spec)
{
	struct probe_event *event = probe_event_alloc(p, spec);
	int err;

	if (!event)
		return -ENOMEM;
	/* The list is complete before the event is registered, as it may be enabled at once. */
	p->event = event;
	list_add(&p->node, &event->probes);
	err = probe_event_fill(event, p, spec);
	if (err)
		probe_event_destroy(p);
	return err;
}

static int probe_event_register(const struct probe_line *line)
{
	struct probe *p = line->probe;
	int err = probe_event_create(p, &line->spec);

	if (err)
		return err;
	err = trace_add_event_call(&p->event->call);
	if (!err)
		return 0;
	probe_event_destroy(p);
	if (err == -EEXIST)
		cmd_refuse(&line->text, line->name, PROBE_ERR_EXISTS);
	/* probe_name_parse() has not checked a default name, such as that of a tracepoint. */
	if (err == -EINVAL)
		cmd_refuse(&line->text, line->name, PROBE_ERR_EVENT_TAKEN);
	return err;
}

/* ------------------------------------------------------------------ */
/* Further probes of an event						*/

static bool probe_same_field(const struct probe_field *a, const struct probe_field *b)
{
	return a->type == b->type && a->count == b->count && !strcmp(a->name, b->name);
}

/* Check that the arguments have the same types and names as the fields of the event. */
static int probe_check_fields(const struct cmd_text *text, const struct probe_event *event,
			      const struct probe_args *args)
{
	for (unsigned int i = 0; i < args->nr; i++)
		if (i >= event->nr || !probe_same_field(&args->fields[i], &event->fields[i]))
			return cmd_refuse_with(text, args->fields[i].written,
					       PROBE_ERR_OTHER_ARGS, -EEXIST);
	if (args->nr == event->nr)
		return 0;
	/* An argument is missing. */
	cmd_refuse_end(text, PROBE_ERR_OTHER_ARGS);
	return -EEXIST;
}

static void probe_describe(struct seq_buf *s, const struct probe *p)
{
	const struct probe_event *event = p->event;

	event->kind->place(s, p);
	for (unsigned int i = 0; i < p->args.nr; i++)
		seq_buf_printf(s, " %s=%s", event->fields[i].name,
			       p->args.fetches[i].written);
}

static bool probe_same_fetches(const struct probe_args *a, const struct probe_args *b)
{
	for (unsigned int i = 0; i < a->nr; i++)
		if (strcmp(a->fetches[i].written, b->fetches[i].written))
			return false;
	return true;
}

/* Check that no other probe of the event fetches the same at the same place. */
static int probe_check_duplicates(const struct cmd_text *text, const struct probe_event *event,
				  const struct probe *p)
{
	const struct probe *other;

	list_for_each_entry(other, &event->probes, node)
		if (event->kind->same_place(other, p) && probe_same_fetches(&other->args, &p->args))
			return cmd_refuse_with(text, NULL, PROBE_ERR_SAME, -EEXIST);
	return 0;
}

/* Check that a further probe fits the event. */
static int probe_event_check_join(const struct probe_event *event, const struct probe_line *line)
{
	const struct probe_spec *spec = &line->spec;

	if (event->kind == spec->kind && event->kind->single_probe)
		return cmd_refuse_with(&line->text, line->name, PROBE_ERR_EXISTS, -EEXIST);
	if (event->kind != spec->kind || event->returns != spec->returns)
		return cmd_refuse_with(&line->text, NULL, PROBE_ERR_OTHER_KIND, -EEXIST);
	return probe_check_fields(&line->text, event, &line->probe->args) ?:
	       probe_check_duplicates(&line->text, event, line->probe);
}

/* Start a further probe of an event that is on. */
static int probe_start_further(const struct probe_event *event, struct probe *p)
{
	int err = event->kind->join ? event->kind->join(event, p) : 0;

	return err ?: event->kind->start(p);
}

static int probe_link(struct probe *p)
{
	struct probe_event *event = p->event;
	int err = 0;

	guard(mutex)(&events_lock);
	if (probe_event_is_on(event))
		err = probe_start_further(event, p);
	if (!err)
		list_add_tail(&p->node, &event->probes);
	return err;
}

static int probe_event_join(struct probe_event *event, const struct probe_line *line)
{
	struct probe *p = line->probe;
	int err = probe_event_check_join(event, line);

	if (err)
		return err;
	p->event = event;
	err = probe_link(p);
	if (err) {
		p->event = NULL;
		return err;
	}
	probe_fields_free(p->args.fields, p->args.nr);
	p->args.fields = NULL;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Adding and removing probes						*/

static void probe_unlink(struct probe *p)
{
	guard(mutex)(&events_lock);
	if (probe_event_is_on(p->event))
		p->event->kind->stop(p);
	list_del(&p->node);
}

static int probe_set_default_name(struct probe_line *line)
{
	const struct probe_kind *kind = line->spec.kind;
	struct probe_name *name = &line->spec.name;

	if (!name->system)
		name->system = kind->system;
	if (name->event)
		return 0;
	line->default_name = kind->name(line->probe);
	name->event = line->default_name;
	return name->event ? 0 : -ENOMEM;
}

int probe_add(struct probe_line *line)
{
	struct probe_event *event;
	int err = probe_set_default_name(line);

	if (err)
		return err;
	event = probe_event_find(&line->spec.name);
	err = event ? probe_event_join(event, line) : probe_event_register(line);
	if (!err)
		dyn_event_add(&line->probe->dyn, &line->spec.kind->dyn);
	return err;
}

int probe_add_locking(struct probe_line *line)
{
	guard(mutex)(&dyn_events_lock);
	return probe_add(line);
}

int probe_remove(struct probe *p)
{
	struct probe_event *event = p->event;
	int err = 0;

	lockdep_assert_held(&dyn_events_lock);
	if (list_is_singular(&event->probes))
		err = trace_remove_event_call(&event->call);
	/* The call may have been unregistered before: see &dyn_event_kind.remove. */
	if (err && err != -ENOENT)
		return err;
	probe_unlink(p);
	if (event->kind->finish)
		event->kind->finish(p);
	dyn_event_del(&p->dyn);
	if (list_empty(&event->probes))
		probe_event_free(event);
	p->event = NULL;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Callbacks of dynamic events						*/

bool probe_is_busy(const struct dyn_event *ev)
{
	return event_call_is_busy(&to_probe(ev)->event->call);
}

struct trace_event_call *probe_dyn_call(const struct dyn_event *ev)
{
	return &to_probe(ev)->event->call;
}

int probe_dyn_remove(struct dyn_event *ev)
{
	struct probe *p = to_probe(ev);
	struct probe_event *event = p->event;
	bool is_last = list_is_singular(&event->probes);
	const struct probe_kind *kind = probe_kind_of(ev);
	int err = probe_remove(p);

	if (err)
		return err;
	/* The name that probe_get_info() has handed out is valid as long as the event is in use. */
	if (!is_last && event_call_is_busy(&event->call))
		list_add(&p->node, &event->removed);
	else
		kind->free(p);
	return 0;
}

/* True if @whole begins with @words, and a word ends there. */
static bool probe_text_begins(const char *whole, const char *words)
{
	size_t len = strlen(words);

	return strstarts(whole, words) && (!whole[len] || whole[len] == ' ');
}

static bool probe_matches_text(const struct probe *p, const char *words)
{
	size_t size = PROBE_PLACE_MAX + p->args.nr * (PROBE_ARG_LEN_MAX + PROBE_ARG_NAME_MAX + 2);
	char *room;
	struct seq_buf s;
	bool yes;

	if (!words || !*words)
		return true;
	room = kmalloc(size, GFP_KERNEL);
	/* Without memory nothing matches, so that no other probe is removed by mistake. */
	if (!room)
		return false;
	seq_buf_init(&s, room, size);
	probe_describe(&s, p);
	yes = probe_text_begins(seq_buf_str(&s), words);
	kfree(room);
	return yes;
}

bool probe_matches(const struct dyn_event *ev, const struct dyn_event_name *name)
{
	const struct probe *p = to_probe(ev);

	return (!*name->event || !strcmp(p->event->call.name, name->event)) &&
	       (!name->system || !strcmp(p->event->class.system, name->system)) &&
	       probe_matches_text(p, name->rest);
}

static void probe_show_name(struct seq_file *m, const struct probe *p)
{
	const struct probe_event *event = p->event;
	unsigned int instances = event->kind->instances ? event->kind->instances(p) : 0;

	seq_putc(m, event->returns && event->kind->letter == 'p' ? 'r' : event->kind->letter);
	if (instances)
		seq_printf(m, "%u", instances);
	seq_printf(m, ":%s/%s ", event->class.system, event->call.name);
}

void probe_show(struct seq_file *m, const struct dyn_event *ev)
{
	char *place __free(kfree) = NULL;
	const struct probe *p = to_probe(ev);

	place = probe_place_text(p->event->kind, p);
	probe_show_name(m, p);
	seq_puts(m, place ?: "");
	for (unsigned int i = 0; i < p->args.nr; i++)
		seq_printf(m, " %s=%s", p->event->fields[i].name,
			   p->args.fetches[i].written);
	if (p->event->kind->show_suffix)
		p->event->kind->show_suffix(m, p);
	seq_putc(m, '\n');
}
