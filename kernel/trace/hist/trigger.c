// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching histograms to events and detaching them. Histograms of the same name share a table.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "action.h"
#include "clock/clock.h"
#include "errors.h"
#include "events/events.h"
#include "expr.h"
#include "fields.h"
#include "hist.h"
#include "instance/instance.h"
#include "instance/part.h"
#include "internal.h"
#include "layout.h"
#include "pad.h"
#include "text.h"
#include "vars.h"

/* ------------------------------------------------------------------ */
/* Counts								*/

/* All &struct hist_counts that have a name; protected by events_lock. */
static LIST_HEAD(named_counts);

static struct hist_counts *find_named_counts(const char *name)
{
	struct hist_counts *counts;

	list_for_each_entry(counts, &named_counts, node)
		if (!strcmp(counts->name, name))
			return counts;
	return NULL;
}

static struct table *alloc_hist_table(const struct hist *h)
{
	return table_alloc(h->max_rows, h->key_size, h->wants_comm ? TASK_COMM_LEN : 0,
			   h->nr_words);
}

static void free_counts(struct hist_counts *counts)
{
	table_free(rcu_dereference_protected(counts->table, true));
	kfree(counts->name);
	kfree(counts);
}

static struct hist_counts *alloc_counts(const struct hist *h)
{
	struct hist_counts *counts = kzalloc(sizeof(*counts), GFP_KERNEL);

	if (!counts)
		return NULL;
	INIT_LIST_HEAD(&counts->users);
	RCU_INIT_POINTER(counts->table, alloc_hist_table(h));
	if (h->name)
		counts->name = kstrdup(h->name, GFP_KERNEL);
	if (rcu_access_pointer(counts->table) && !h->name == !counts->name)
		return counts;
	free_counts(counts);
	return NULL;
}

/* Have a histogram use the counts that have its name; new ones if there are none. */
static int attach_counts(struct hist *h)
{
	struct hist_counts *counts = h->name ? find_named_counts(h->name) : NULL;

	if (!counts) {
		counts = alloc_counts(h);
		if (!counts)
			return -ENOMEM;
		if (h->name)
			list_add(&counts->node, &named_counts);
	}
	list_add(&h->user, &counts->users);
	h->counts = counts;
	hist_poll_attach(h);
	return 0;
}

/* Undo attach_counts(). The histogram is hit no more. */
static void detach_counts(struct hist *h)
{
	struct hist_counts *counts = h->counts;

	scoped_guard(mutex, &events_lock) {
		list_del(&h->user);
		hist_poll_detach(counts);
		if (!list_empty(&counts->users))
			return;
		if (counts->name)
			list_del(&counts->node);
	}
	free_counts(counts);
}

/* Replace the table by an empty one. Hits meanwhile are counted in either table. */
static int clear_counts(const struct hist *h)
{
	struct hist_counts *counts = h->counts;
	struct table *table = alloc_hist_table(h);

	if (!table)
		return -ENOMEM;
	table = rcu_replace_pointer(counts->table, table, lockdep_is_held(&events_lock));
	synchronize_rcu();
	table_free(table);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Comparison								*/

/*
 * True if a field is a variable of another histogram alone. Its source is HIST_EXPR with one step
 * for a number, HIST_REF_TEXT for text or a stack. Text and stacks whose variable was withdrawn
 * before the field was parsed have HIST_EXPR as well: see hist_ref_find().
 */
static bool is_single_ref(const struct hist_field *f)
{
	return f->source == HIST_REF_TEXT || (f->source == HIST_EXPR && f->expr->nr_steps == 1 &&
					      f->expr->steps[0].what == HIST_REF);
}

static bool same_field_source(const struct hist_field *a, const struct hist_field *b)
{
	return (a->source == b->source && a->len == b->len) ||
	       (is_single_ref(a) && is_single_ref(b));
}

static bool same_field(const struct hist_field *a, const struct hist_field *b)
{
	return same_field_source(a, b) && a->as == b->as && a->width == b->width &&
	       a->is_signed == b->is_signed && a->percentile == b->percentile &&
	       hist_same_text(a->name, b->name) && hist_same_text(a->type, b->type);
}

static bool same_fields(const struct hist_field *a, const struct hist_field *b, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!same_field(&a[i], &b[i]))
			return false;
	return true;
}

static bool same_vars(const struct hist *a, const struct hist *b)
{
	if (a->nr_vars != b->nr_vars)
		return false;
	for (unsigned int i = 0; i < a->nr_vars; i++)
		if (strcmp(a->vars[i].name, b->vars[i].name) ||
		    !same_field(&a->vars[i].value, &b->vars[i].value))
			return false;
	return true;
}

static bool same_sorts(const struct hist *a, const struct hist *b)
{
	for (unsigned int i = 0; i < a->nr_sorts; i++)
		if (a->sorts[i].descending != b->sorts[i].descending ||
		    !a->sorts[i].by != !b->sorts[i].by ||
		    (a->sorts[i].by && strcmp(a->sorts[i].by->name, b->sorts[i].by->name)))
			return false;
	return true;
}

/* True if two histograms have the same keys, values, variables and actions, to share a table. */
static bool can_share_counts(const struct hist *a, const struct hist *b)
{
	return a->nr_keys == b->nr_keys && a->nr_vals == b->nr_vals &&
	       a->nr_sorts == b->nr_sorts && same_fields(a->keys, b->keys, a->nr_keys) &&
	       same_fields(a->vals, b->vals, a->nr_vals) && same_vars(a, b) &&
	       same_sorts(a, b) && hist_actions_equal(a, b);
}

static bool hist_is_same(const struct trigger *x, const struct trigger *y)
{
	const struct hist *a = container_of(x, struct hist, t);
	const struct hist *b = container_of(y, struct hist, t);

	return x->filter_hash == y->filter_hash && can_share_counts(a, b) &&
	       hist_same_text(a->name, b->name) && hist_same_text(x->filter_text, y->filter_text);
}

/* ------------------------------------------------------------------ */
/* A histogram								*/

/* Only histograms with actions generate events, whose hits take pads. */
static int get_scratch_if_actions(struct hist *h)
{
	int err = h->nr_actions ? hist_scratch_get() : 0;

	h->has_pads = h->nr_actions && !err;
	return err;
}

static void put_scratch_if_actions(struct hist *h)
{
	if (h->has_pads)
		hist_scratch_put();
}

static void hist_free(struct trigger *t)
{
	struct hist *h = hist_of(t);

	scoped_guard(mutex, &events_lock) {
		hist_vars_withdraw(h);
		hist_refs_unlink(h);
		hist_actions_detach(h);
		put_scratch_if_actions(h);
	}
	if (h->counts)
		detach_counts(h);
	hist_actions_free(h);
	for (unsigned int i = 0; i < HIST_KEYS_MAX; i++)
		hist_field_free(&h->keys[i]);
	for (unsigned int i = 0; i < HIST_VALS_MAX; i++)
		hist_field_free(&h->vals[i]);
	hist_vars_free(h);
	kfree(h->clock);
	kfree(h->name);
	kfree(h->text);
	kfree(h);
}

static struct trigger *hist_alloc(struct trace_array *tr, const struct trigger_text *text)
{
	struct hist *h = kzalloc(sizeof(*h), GFP_KERNEL);

	if (!h)
		return ERR_PTR(-ENOMEM);
	h->t.emptied = true;
	h->t.reads = EVENT_HOW_NO_FIELDS;
	/*
	 * Run the trigger after the commit: a generated event must follow the record that caused
	 * it, and a snapshot must contain that record.
	 */
	h->t.when = TRIGGER_WITH;
	INIT_LIST_HEAD(&h->refs_to_vars);
	INIT_LIST_HEAD(&h->with_vars);
	INIT_LIST_HEAD(&h->made);
	INIT_LIST_HEAD(&h->made_node);
	return &h->t;
}

/* ------------------------------------------------------------------ */
/* Attaching								*/

/* Errors show the text without the ! that removes a histogram. */
static struct hist_text *alloc_hist_text(struct hist *h, const struct trigger_text *text)
{
	struct hist_text *ht = kzalloc(sizeof(*ht), GFP_KERNEL);

	if (!ht)
		return NULL;
	ht->h = h;
	ht->file = h->file;
	ht->remove = text->remove;
	snprintf(ht->parser, sizeof(ht->parser), "hist:%s:%s", event_system_name(h->file->event),
		 h->file->event->type.name);
	ht->cmd = (struct cmd_text){
		.tr	= h->t.tr,
		.parser	= ht->parser,
		.whole	= text->cmd.whole + text->remove,
		.text	= text->cmd.text + text->remove,
	};
	return ht;
}

static int hist_parse_trigger(struct trigger *t, struct trace_event_file *file,
			      const struct trigger_text *text)
{
	struct hist *h = hist_of(t);

	h->file = file;
	h->text = alloc_hist_text(h, text);
	if (!h->text)
		return -ENOMEM;
	return text->param ? hist_parse(h->text, text->param) :
			     cmd_refuse(&h->text->cmd, NULL, HIST_ERR_NO_KEYS);
}

/*
 * Pause, continue or clear an existing histogram.
 *
 * Return: 1, as &trigger_kind.attach wants it for a change of an existing trigger; -ENOMEM.
 */
static int change_hist(struct hist *old, const struct hist_text *by)
{
	if (by->pause)
		WRITE_ONCE(old->paused, true);
	else if (by->cont)
		WRITE_ONCE(old->paused, false);
	else
		return clear_counts(old) ?: 1;
	return 1;
}

/* Find a histogram that counts under the same name, or NULL. */
static const struct hist *find_namesake(const struct hist *h)
{
	struct hist_counts *counts = h->name ? find_named_counts(h->name) : NULL;

	return counts ? list_first_entry(&counts->users, struct hist, user) : NULL;
}

/* True if the name is unused, or used by histograms that can share their counts with this one. */
static bool is_name_usable(const struct hist *h)
{
	const struct hist *other = find_namesake(h);

	return !other || can_share_counts(h, other);
}

/*
 * True if a histogram with the same name, if any, has the same words in a row. Actions that were
 * written the same way may still keep values of different types.
 */
static bool layout_matches_namesake(const struct hist *h)
{
	const struct hist *other = find_namesake(h);

	return !other || hist_layouts_equal(h, other);
}

/* Set the clock of the instance to that of the histogram. The caller holds trace_lock. */
static int set_instance_clock(const struct hist_text *ht)
{
	const struct hist *h = ht->h;
	int id;

	if (!h->times)
		return 0;
	id = trace_clock_find(hist_clock(h));
	if (id < 0)
		return cmd_refuse(&ht->cmd, NULL, HIST_ERR_CLOCK);
	if (id != h->t.tr->clock_id)
		tracing_change_clock(h->t.tr, id);
	return 0;
}

/* Log why a histogram cannot be attached. @old is an equal one that is attached already. */
static int check_attach(const struct hist_text *ht, const struct hist *old)
{
	const char *at;

	if (!is_name_usable(ht->h))
		return cmd_refuse(&ht->cmd, ht->name_at, HIST_ERR_NAMED);
	if (old) {
		cmd_refuse(&ht->cmd, NULL, HIST_ERR_EXISTS);
		return -EEXIST;
	}
	if (hist_vars_clash(ht, &at))
		return cmd_refuse(&ht->cmd, at, HIST_ERR_VAR_TWICE);
	if (ht->cont || ht->clear) {
		cmd_refuse(&ht->cmd, NULL, HIST_ERR_NOT_THERE);
		return -ENOENT;
	}
	return 0;
}

/*
 * Return: HIST_MORE_*, except HIST_MORE_WAKE: work of a hit that the fast path of hist_hit() does
 * not do.
 */
static u8 find_more_work(const struct hist *h)
{
	u8 more = 0;

	if (h->nr_vars || h->nr_refs || h->nr_actions)
		more |= HIST_MORE_COUNT;
	if (h->key_size > HIST_KEY_WORDS_FAST * sizeof(u64) || h->wants_comm)
		more |= HIST_MORE_KEY;
	return more;
}

/* Resolve what the text refers to, and lay the rows out. */
static int prepare_hits(struct hist_text *ht)
{
	struct hist *h = ht->h;
	int err = hist_actions_resolve(ht);

	if (err)
		return err;
	hist_lay_out(h);
	if (!layout_matches_namesake(h))
		return cmd_refuse(&ht->cmd, ht->name_at, HIST_ERR_NAMED);
	h->paused = ht->pause;
	h->more = find_more_work(h);
	return 0;
}

/* Get what hits need: scratch memory, counts and the clock. hist_free() puts it. */
static int get_hit_resources(const struct hist_text *ht)
{
	int err = get_scratch_if_actions(ht->h);

	if (err)
		return err;
	err = attach_counts(ht->h);
	if (err)
		return err;
	return set_instance_clock(ht);
}

/* Nothing needs the text after this function, whatever it returns, so it is freed at the end. */
static int hist_attach(struct trigger *t, struct trigger *old, struct trace_event_file *file,
		       const struct trigger_text *text)
{
	struct hist *h = hist_of(t), *old_hist = old ? hist_of(old) : NULL;
	struct hist_text *ht __free(kfree) = no_free_ptr(h->text);
	int err;

	if (old && (ht->pause || ht->cont || ht->clear))
		return change_hist(old_hist, ht);
	err = check_attach(ht, old_hist);
	if (err)
		return err;
	err = prepare_hits(ht);
	if (err)
		return err;
	err = get_hit_resources(ht);
	if (err)
		return err;
	hist_vars_publish(h);
	return 0;
}

/* A user cannot remove a histogram whose variables others refer to. */
static int hist_check_remove(const struct trigger *t)
{
	return list_empty(&container_of(t, struct hist, t)->refs_to_vars) ? 0 : -EBUSY;
}

static void hist_detach(struct trigger *t)
{
	struct hist *h = hist_of(t);

	hist_vars_withdraw(h);
	hist_refs_unlink(h);
	hist_actions_detach(h);
}

static void hist_pause(struct trigger *t, bool on)
{
	WRITE_ONCE(hist_of(t)->paused, on);
}

static struct trigger_kind hist_triggers = {
	.name		= "hist",
	.last		= true,
	.make		= hist_alloc,
	.fit		= hist_parse_trigger,
	.is_like	= hist_is_same,
	.attach		= hist_attach,
	.check_remove	= hist_check_remove,
	.detach		= hist_detach,
	.hit		= hist_hit,
	.miss		= hist_miss,
	.pause		= hist_pause,
	.show		= hist_show,
	.free		= hist_free,
};

struct hist *hist_next(struct trace_event_file *file, const struct hist *h)
{
	struct trigger *t = trigger_next(file, h ? &h->t : NULL);

	while (t && t->kind != &hist_triggers)
		t = trigger_next(file, t);
	return t ? hist_of(t) : NULL;
}

static void hist_setup(void)
{
	trigger_kind_add(&hist_triggers);
}

struct instance_part hist_part = {
	.setup	= hist_setup,
};
