// SPDX-License-Identifier: GPL-2.0
/*
 * Events of probes come and go. Several probes may make the same event come; then they fetch
 * the same types under the same names.
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
/* A probe								*/

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

/* The longest place is that of a file. */
#define PLACE_MAX	(PATH_MAX + 64)

/* Return: what it is about, as it is written, for kfree(); or NULL. */
static char *place_of(const struct probe_kind *kind, const struct probe *p)
{
	char *room __free(kfree) = kmalloc(PLACE_MAX, GFP_KERNEL);
	struct seq_buf s;

	if (!room)
		return NULL;
	seq_buf_init(&s, room, PLACE_MAX);
	kind->place(&s, p);
	return kstrdup(seq_buf_str(&s), GFP_KERNEL);
}

/* ------------------------------------------------------------------ */
/* Its event								*/

static const struct probe_kind *kind_of(const struct dyn_event *ev)
{
	return container_of(ev->kind, struct probe_kind, dyn);
}

static struct probe_event *find_probe_event(const struct probe_name *name)
{
	struct event *event;

	lockdep_assert_held(&dyn_events_lock);
	guard(mutex)(&events_lock);
	event = event_find(name->system, name->event);
	/* The event stays as long as dyn_events_lock is held. */
	return event && event->call->class->reg == probe_reg ? probe_event_of(event->call) : NULL;
}

const char *probe_head_name(const struct probe_event *event, unsigned int i)
{
	if (!event->returns)
		return "__probe_ip";
	return i ? "__probe_ret_ip" : "__probe_func";
}

/* Where the words before the arguments begin. */
#define HEAD_AT	sizeof(struct trace_entry)

static void fill_head(struct probe_event *event)
{
	for (unsigned int i = 0; i < event->nr_head; i++)
		event->table[i] = (struct trace_event_fields){
			.type	= "unsigned long",
			.name	= probe_head_name(event, i),
			.offset	= HEAD_AT + i * sizeof(long),
			.size	= sizeof(long),
		};
}

static int table_make(struct probe_event *event)
{
	const struct probe_field *f = event->fields;
	struct trace_event_fields *to;

	event->table = kcalloc(event->nr_head + event->nr + 1, sizeof(*to), GFP_KERNEL);
	if (!event->table)
		return -ENOMEM;
	fill_head(event);
	for (to = event->table + event->nr_head; f < event->fields + event->nr; f++, to++) {
		to->type = f->field;
		to->name = f->name;
		to->offset = f->offset;
		to->size = f->type->size * (f->count ?: 1);
		to->is_signed = f->type->is_signed;
	}
	return 0;
}

static void event_free(struct probe_event *event)
{
	probe_fields_free(event->fields, event->nr);
	kfree(event->table);
	kfree(event->class.system);
	kfree(event->call.name);
	kfree(event->attached);
	kfree(event);
}

static bool any_text(const struct probe_args *args)
{
	for (unsigned int i = 0; i < args->nr; i++)
		if (fetch_type_is_text(args->fetches[i].type))
			return true;
	return false;
}

/* What the arguments have for their fields the event has from now on. */
static struct probe_event *event_alloc(struct probe *p, const struct probe_made *made)
{
	struct probe_event *event = kzalloc(sizeof(*event), GFP_KERNEL);

	if (!event)
		return NULL;
	INIT_LIST_HEAD(&event->files);
	INIT_LIST_HEAD(&event->probes);
	event->kind = made->kind;
	event->returns = made->returns;
	event->nr_head = made->nr_head;
	event->fills = any_text(&p->args);
	event->len = p->args.len;
	event->nr = p->args.nr;
	event->fields = p->args.fields;
	p->args.fields = NULL;
	event->class.system = kstrdup(made->name.system, GFP_KERNEL);
	event->class.reg = probe_reg;
	event->class.ops = &probe_ops;
	event->call.class = &event->class;
	event->call.flags = TRACE_EVENT_FL_DYNAMIC | made->kind->flags;
	event->call.name = kstrdup(made->name.event, GFP_KERNEL);
	return event;
}

static int event_fill(struct probe_event *event, const struct probe *p,
		      const struct probe_made *made)
{
	if (!made->nr_head) {
		event->attached = place_of(made->kind, p);
		if (!event->attached)
			return -ENOMEM;
	}
	return event->class.system && event->call.name ? table_make(event) : -ENOMEM;
}

void probe_event_unmake(struct probe *p)
{
	if (p->event)
		event_free(p->event);
	p->event = NULL;
}

int probe_event_make(struct probe *p, const struct probe_made *made)
{
	struct probe_event *event = event_alloc(p, made);
	int err;

	if (!event)
		return -ENOMEM;
	/* Who switches it on as soon as it is there finds its probe. */
	p->event = event;
	list_add(&p->node, &event->probes);
	err = event_fill(event, p, made);
	if (err)
		probe_event_unmake(p);
	return err;
}

static int event_make(const struct probe_text *text, struct probe *p,
		      const struct probe_made *made)
{
	int err = probe_event_make(p, made);

	if (err)
		return err;
	err = trace_add_event_call(&p->event->call);
	if (!err)
		return 0;
	probe_event_unmake(p);
	if (err == -EEXIST)
		probe_refuse(text, made->name_at, PROBE_ERR_EXISTS);
	/* The name may be that of a tracepoint, which has not been looked at. */
	if (err == -EINVAL)
		probe_refuse(text, made->name_at, PROBE_ERR_EVENT_TAKEN);
	return err;
}

/* ------------------------------------------------------------------ */
/* One more probe of an event						*/

static bool is_same_field(const struct probe_field *a, const struct probe_field *b)
{
	return a->type == b->type && a->count == b->count && !strcmp(a->name, b->name);
}

/* Is what is fetched what the event has? */
static int check_fields(const struct probe_text *text, const struct probe_event *event,
			const struct probe_args *args)
{
	for (unsigned int i = 0; i < args->nr; i++)
		if (i >= event->nr || !is_same_field(&args->fields[i], &event->fields[i]))
			return probe_refuse_with(text, args->fields[i].written,
						 PROBE_ERR_OTHER_ARGS, -EEXIST);
	if (args->nr == event->nr)
		return 0;
	/* Where one more would stand. */
	return probe_refuse_with(text, text->text + strlen(text->whole) + 1,
				 PROBE_ERR_OTHER_ARGS, -EEXIST);
}

static void describe(struct seq_buf *s, const struct probe *p)
{
	const struct probe_event *event = p->event;

	event->kind->place(s, p);
	for (unsigned int i = 0; i < p->args.nr; i++)
		seq_buf_printf(s, " %s=%s", event->fields[i].name,
			       p->args.fetches[i].written);
}

static bool is_same_fetch(const struct probe_args *a, const struct probe_args *b)
{
	for (unsigned int i = 0; i < a->nr; i++)
		if (strcmp(a->fetches[i].written, b->fetches[i].written))
			return false;
	return true;
}

static int is_same_text(const struct probe_kind *kind, const struct probe *a,
			const struct probe *b)
{
	char *one __free(kfree) = place_of(kind, a);
	char *other __free(kfree) = place_of(kind, b);

	return one && other ? !strcmp(one, other) : -ENOMEM;
}

static int is_same_place(const struct probe_kind *kind, const struct probe *a,
			 const struct probe *b)
{
	return kind->is_same ? kind->is_same(a, b) : is_same_text(kind, a, b);
}

/* Is there the same one already? */
static int check_others(const struct probe_text *text, const struct probe_event *event,
			const struct probe *p)
{
	struct probe *other;
	int same;

	list_for_each_entry(other, &event->probes, node) {
		same = is_same_place(event->kind, other, p);
		if (same < 0)
			return same;
		if (same && is_same_fetch(&other->args, &p->args))
			return probe_refuse_with(text, NULL, PROBE_ERR_SAME, -EEXIST);
	}
	return 0;
}

static int link_probe(struct probe *p)
{
	struct probe_event *event = p->event;
	int err = 0;

	guard(mutex)(&events_lock);
	if (probe_event_is_on(event))
		err = event->kind->start(p);
	if (!err)
		list_add_tail(&p->node, &event->probes);
	return err;
}

static int event_join(const struct probe_text *text, struct probe_event *event,
		      struct probe *p, const struct probe_made *made)
{
	int err;

	if (event->kind == made->kind && event->kind->alone)
		return probe_refuse_with(text, made->name_at, PROBE_ERR_EXISTS, -EEXIST);
	if (event->kind != made->kind || event->returns != made->returns)
		return probe_refuse_with(text, NULL, PROBE_ERR_OTHER_KIND, -EEXIST);
	err = check_fields(text, event, &p->args) ?: check_others(text, event, p);
	if (err)
		return err;
	p->event = event;
	err = link_probe(p);
	if (err) {
		p->event = NULL;
		return err;
	}
	probe_fields_free(p->args.fields, p->args.nr);
	p->args.fields = NULL;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Coming and going							*/

static void unlink_probe(struct probe *p)
{
	guard(mutex)(&events_lock);
	if (probe_event_is_on(p->event))
		p->event->kind->stop(p);
	list_del(&p->node);
}

static int add_named(const struct probe_text *text, struct probe *p,
		     const struct probe_made *made)
{
	struct probe_event *event = find_probe_event(&made->name);
	int err;

	err = event ? event_join(text, event, p, made) : event_make(text, p, made);
	if (!err)
		dyn_event_add(&p->dyn, &made->kind->dyn);
	return err;
}

int probe_add(const struct probe_text *text, struct probe *p, const struct probe_made *made)
{
	char *name __free(kfree) = NULL;
	struct probe_made named = *made;

	lockdep_assert_held(&dyn_events_lock);
	if (!named.name.system)
		named.name.system = made->kind->system;
	if (!named.name.event) {
		name = made->kind->name(p);
		if (!name)
			return -ENOMEM;
		named.name.event = name;
	}
	return add_named(text, p, &named);
}

int probe_add_locking(const struct probe_text *text, struct probe *p,
		      const struct probe_made *made)
{
	guard(mutex)(&dyn_events_lock);
	return probe_add(text, p, made);
}

int probe_create(const char *line, const struct probe_kind *kind)
{
	char *copy __free(kfree) = kstrdup(line, GFP_KERNEL);
	struct probe_text text = { .who = kind->who, .whole = line, .text = copy };
	struct probe *p = probe_alloc(kind);
	int err = -ENOMEM;

	if (!p)
		return err;
	if (copy)
		err = kind->parse(&text, p);
	if (err)
		kind->free(p);
	return err;
}

int probe_remove(struct probe *p)
{
	struct probe_event *event = p->event;
	int err = 0;

	lockdep_assert_held(&dyn_events_lock);
	if (list_is_singular(&event->probes))
		err = trace_remove_event_call(&event->call);
	/* The call may have gone before: &dyn_event_kind.remove. */
	if (err && err != -ENOENT)
		return err;
	unlink_probe(p);
	if (event->kind->finish)
		event->kind->finish(p);
	dyn_event_del(&p->dyn);
	if (list_empty(&event->probes))
		event_free(event);
	p->event = NULL;
	return 0;
}

/* ------------------------------------------------------------------ */
/* As dynamic events							*/

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
	const struct probe_kind *kind = kind_of(ev);
	int err = probe_remove(p);

	if (!err)
		kind->free(p);
	return err;
}

/* What is written names a probe by its beginning, up to a blank. */
static bool begins(const char *whole, const char *words)
{
	size_t len = strlen(words);

	return strstarts(whole, words) && (!whole[len] || whole[len] == ' ');
}

static bool is_described(const struct probe *p, const char *words)
{
	size_t size = PLACE_MAX + p->args.nr * (PROBE_ARG_LEN_MAX + PROBE_ARG_NAME_MAX + 2);
	char *room;
	struct seq_buf s;
	bool yes;

	if (!words || !*words)
		return true;
	room = kmalloc(size, GFP_KERNEL);
	/* Without memory nothing is taken away that was not meant. */
	if (!room)
		return false;
	seq_buf_init(&s, room, size);
	describe(&s, p);
	yes = begins(seq_buf_str(&s), words);
	kfree(room);
	return yes;
}

bool probe_is(const struct dyn_event *ev, const struct dyn_event_name *name)
{
	const struct probe *p = to_probe(ev);

	return (!*name->event || !strcmp(p->event->call.name, name->event)) &&
	       (!name->system || !strcmp(p->event->class.system, name->system)) &&
	       is_described(p, name->rest);
}

static void show_name(struct seq_file *m, const struct probe *p)
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

	place = place_of(p->event->kind, p);
	show_name(m, p);
	seq_puts(m, place ?: "");
	for (unsigned int i = 0; i < p->args.nr; i++)
		seq_printf(m, " %s=%s", p->event->fields[i].name,
			   p->args.fetches[i].written);
	if (p->event->kind->behind)
		p->event->kind->behind(m, p);
	seq_putc(m, '\n');
}
