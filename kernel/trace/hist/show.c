// SPDX-License-Identifier: GPL-2.0
/*
 * Histograms as text: the trigger in the file trigger, and its counts in the file hist.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "action.h"
#include "events/events.h"
#include "fields.h"
#include "internal.h"
#include "modifier.h"
#include "peak.h"
#include "synth/synth.h"
#include "vars.h"

/* ------------------------------------------------------------------ */
/* The trigger								*/

static void show_hist_field(struct seq_file *m, const struct hist_field *f)
{
	if (f->is_ref)
		seq_putc(m, '$');
	seq_puts(m, f->name);
	if (f->as)
		seq_printf(m, ".%s", f->as->name);
	if (f->as && f->as->takes_width)
		seq_printf(m, "=%llu", f->width);
	if (f->percentile)
		seq_puts(m, ".percentile");
}

static void show_trigger_keys(struct seq_file *m, const struct hist *h)
{
	for (unsigned int i = 0; i < h->nr_keys; i++) {
		if (i)
			seq_putc(m, ',');
		show_hist_field(m, &h->keys[i]);
	}
}

static void show_trigger_vals(struct seq_file *m, const struct hist *h)
{
	if (!h->no_hits)
		seq_puts(m, "hitcount");
	for (unsigned int i = 0; i < h->nr_vals; i++) {
		if (i || !h->no_hits)
			seq_putc(m, ',');
		show_hist_field(m, &h->vals[i]);
	}
}

static void show_trigger_vars(struct seq_file *m, const struct hist *h)
{
	for (unsigned int i = 0; i < h->nr_vars; i++) {
		seq_printf(m, "%c%s=", i ? ',' : ':', h->vars[i].name);
		show_hist_field(m, &h->vars[i].value);
	}
}

static void show_trigger_sorts(struct seq_file *m, const struct hist *h)
{
	for (unsigned int i = 0; i < h->nr_sorts; i++) {
		if (i)
			seq_putc(m, ',');
		if (h->sorts[i].by)
			show_hist_field(m, h->sorts[i].by);
		else
			seq_puts(m, "hitcount");
		if (h->sorts[i].descending)
			seq_puts(m, ".descending");
	}
}

/*
 * "gone": a variable that @h refers to was removed with its histogram. Then @h counts nothing,
 * paused or not.
 */
static const char *get_state_name(const struct hist *h)
{
	if (hist_has_lost_ref(h))
		return "gone";
	return h->paused ? "paused" : "active";
}

void hist_show(struct seq_file *m, const struct trigger *t)
{
	const struct hist *h = container_of(t, struct hist, t);

	seq_puts(m, "hist:");
	if (h->name)
		seq_printf(m, "name=%s:", h->name);
	seq_puts(m, "keys=");
	show_trigger_keys(m, h);
	seq_puts(m, ":vals=");
	show_trigger_vals(m, h);
	show_trigger_vars(m, h);
	seq_puts(m, ":sort=");
	show_trigger_sorts(m, h);
	seq_printf(m, ":size=%u", h->max_rows);
	if (h->times)
		seq_printf(m, ":clock=%s", hist_clock(h));
	if (h->no_hits)
		seq_puts(m, ":nohitcount");
	hist_actions_show(m, h);
	if (t->filter_text)
		seq_printf(m, " if %s", t->filter_text);
	seq_printf(m, " [%s]", get_state_name(h));
}

/* ------------------------------------------------------------------ */
/* Sorting								*/

/**
 * struct hist_view - state of printing the counts of a histogram
 * @m: where to print
 * @h: the histogram
 * @table: table of the histogram, which knows the layout of rows
 * @copy: copy of the rows
 * @highest: highest number of each value, over all rows
 * @total: sum of each value, over all rows
 * @key: key by which compare_by_key() sorts
 */
struct hist_view {
	struct seq_file		*m;
	const struct hist	*h;
	const struct table	*table;
	struct table_copy	copy;
	u64			highest[HIST_VALS_MAX];
	u64			total[HIST_VALS_MAX];
	const struct hist_field	*key;
};

/* True if a field is one of the keys of the histogram, not one of its values. */
static bool is_key_field(const struct hist *h, const struct hist_field *f)
{
	return f >= h->keys && f < h->keys + HIST_KEYS_MAX;
}

/* Get a value of a row as it is shown; without a field, the hit count. */
static u64 get_row_val(const struct hist *h, const struct hist_field *f,
		       const struct table_row *row)
{
	u64 hits = atomic64_read(&row->hits);

	return f ? hist_val_result(f, atomic64_read(&row->sums[f - h->vals]), hits) : hits;
}

static int compare_hist_numbers(u64 a, u64 b, bool is_signed)
{
	if (is_signed)
		return (s64)a < (s64)b ? -1 : (s64)a > (s64)b;
	return a < b ? -1 : a > b;
}

static int compare_hist_keys(const struct hist_field *f, const void *a, const void *b)
{
	if (hist_is_number(f))
		return compare_hist_numbers(*(u64 *)(a + f->at), *(u64 *)(b + f->at), f->is_signed);
	return memcmp(a + f->at, b + f->at, f->len);
}

static int compare_by_sort(const struct hist_view *s, const struct hist_sort *sort,
			   const struct table_row *a, const struct table_row *b)
{
	const struct hist_field *f = sort->by;
	int way;

	if (f && is_key_field(s->h, f))
		way = compare_hist_keys(f, table_key(s->table, a), table_key(s->table, b));
	else
		way = compare_hist_numbers(get_row_val(s->h, f, a), get_row_val(s->h, f, b),
					   f && hist_val_has_sign(f));
	return sort->descending ? -way : way;
}

static int compare_hist_rows(const void *a, const void *b, const void *priv)
{
	const struct hist_view *s = priv;
	int way = 0;

	for (unsigned int i = 0; !way && i < s->h->nr_sorts; i++)
		way = compare_by_sort(s, &s->h->sorts[i], *(const struct table_row **)a,
				      *(const struct table_row **)b);
	return way;
}

/* ------------------------------------------------------------------ */
/* Keys									*/

static void show_row_stack(struct seq_file *m, const unsigned long *stack)
{
	for (unsigned int i = 0; i < HIST_STACK_DEPTH && stack[i]; i++)
		seq_printf(m, "         %pS\n", (void *)stack[i]);
}

static void show_key_field(const struct hist_view *s, const struct hist_field *f, const void *key)
{
	if (f->source == HIST_STACK) {
		seq_puts(s->m, "common_stacktrace:\n");
	} else if (f->source == HIST_STACK_FIELD) {
		seq_printf(s->m, "%s.stacktrace", f->name);
	} else {
		seq_printf(s->m, "%s: ", f->name);
		if (hist_is_number(f))
			hist_show_key_number(s->m, s->h, f, key);
		else
			seq_printf(s->m, "%-50.*s", f->len, (const char *)key + f->at);
		return;
	}
	show_row_stack(s->m, key + f->at);
}

static void show_row_key(const struct hist_view *s, const void *key)
{
	bool lines = false;

	seq_puts(s->m, "{ ");
	for (unsigned int i = 0; i < s->h->nr_keys; i++) {
		if (i)
			seq_puts(s->m, ", ");
		show_key_field(s, &s->h->keys[i], key);
		lines |= hist_is_stack(&s->h->keys[i]);
	}
	seq_puts(s->m, lines ? "}" : " }");
}

/* ------------------------------------------------------------------ */
/* Values								*/

static void show_row_val(const struct hist_view *s, unsigned int i, const struct table_row *row)
{
	const struct hist_field *f = &s->h->vals[i];
	struct hist_shown_val val = { get_row_val(s->h, f, row), s->total[i], s->highest[i] };

	seq_putc(s->m, ' ');
	hist_show_val(s->m, f, &val);
}

/* ------------------------------------------------------------------ */
/* Values kept by actions						*/

static void show_saved_param(const struct hist_view *s, const struct hist_param *param,
			     const struct table_row *row)
{
	const struct hist_field *f = &param->value;
	const atomic64_t *at = &row->sums[param->slot];

	if (param->kind == SYNTH_STACK) {
		seq_printf(s->m, "  %s:\n", f->name);
		show_row_stack(s->m, (const unsigned long *)at + 1);
	} else if (hist_is_number(f)) {
		seq_printf(s->m, "  %s: %10llu", f->name, (u64)atomic64_read(at));
	} else {
		seq_printf(s->m, "  %s: %-32.*s", f->name, f->len, (const char *)at);
	}
}

static void show_tracked_val(const struct hist_view *s, const struct hist_action *a,
			     const struct table_row *row)
{
	seq_printf(s->m, "\n\t%s: %10llu", a->handler == HIST_ON_MAX ? "max" : "changed",
		   (u64)atomic64_read(&row->sums[a->slot]));
	for (unsigned int i = 0; a->what == HIST_SAVE && i < a->nr_params; i++)
		show_saved_param(s, &a->params[i], row);
}

/* The tracked value of a snapshot action is shown by show_peak(). */
static void show_row_actions(const struct hist_view *s, const struct table_row *row)
{
	const struct hist_action *a;

	for (unsigned int i = 0; i < s->h->nr_actions; i++) {
		a = s->h->actions[i];
		if (a->handler != HIST_ON_MATCH && a->what != HIST_SNAPSHOT)
			show_tracked_val(s, a, row);
	}
}

/* Show the value and key that caused the latest snapshot. Return: 0 or -ENOMEM. */
static int show_peak(const struct hist_view *s)
{
	void *key = kzalloc(HIST_KEY_MAX + TASK_COMM_LEN, GFP_KERNEL);
	const struct hist_action *a;
	u64 value;

	if (!key)
		return -ENOMEM;
	a = hist_peak_read(s->h, &value, key);
	if (a) {
		seq_puts(s->m, "\nSnapshot taken (see tracing/snapshot).  Details:\n");
		seq_printf(s->m, "\ttriggering value { %s(%s) }: %10llu",
			   a->handler == HIST_ON_MAX ? "onmax" : "onchange", a->var, value);
		seq_puts(s->m, "\ttriggered by event with key: ");
		show_row_key(s, key);
		seq_putc(s->m, '\n');
	}
	kfree(key);
	return 0;
}

static void show_hist_row(const struct hist_view *s, const struct table_row *row)
{
	show_row_key(s, table_key(s->table, row));
	if (!s->h->no_hits)
		seq_printf(s->m, " hitcount: %10llu", (u64)atomic64_read(&row->hits));
	for (unsigned int i = 0; i < s->h->nr_vals; i++)
		show_row_val(s, i, row);
	show_row_actions(s, row);
	seq_putc(s->m, '\n');
}

/* ------------------------------------------------------------------ */
/* Totals								*/

/* Add up the values of all rows, and find the highest ones. Return: hits of all rows. */
static u64 sum_up_rows(struct hist_view *s)
{
	const struct hist *h = s->h;
	u64 value, hits = 0;

	for (unsigned int n = 0; n < s->copy.nr; n++) {
		hits += atomic64_read(&s->copy.rows[n]->hits);
		for (unsigned int i = 0; i < h->nr_vals; i++) {
			value = get_row_val(h, &h->vals[i], s->copy.rows[n]);
			s->total[i] += value;
			s->highest[i] = max(s->highest[i], value);
		}
	}
	return hits;
}

/* ------------------------------------------------------------------ */
/* Percentiles								*/

static int compare_by_key(const void *a, const void *b, const void *priv)
{
	const struct hist_view *s = priv;

	return compare_hist_keys(s->key, table_key(s->table, *(const struct table_row **)a),
				 table_key(s->table, *(const struct table_row **)b));
}

static void show_percentile(const struct hist_view *s, const char *what, unsigned int n)
{
	seq_printf(s->m, "  %s: ", what);
	hist_show_key_number(s->m, s->h, s->key, table_key(s->table, s->copy.rows[n]));
}

static void show_percentiles(struct hist_view *s, const struct hist_field *f, u64 hits)
{
	static const struct { const char *name; unsigned int percent; } all[] = {
		{ "p50", 50 }, { "p90", 90 }, { "p99", 99 },
	};
	unsigned int next = 0;
	u64 below = 0;

	s->key = f;
	sort_r(s->copy.rows, s->copy.nr, sizeof(*s->copy.rows), compare_by_key, NULL, s);
	seq_printf(s->m, "    %s:", f->name);
	for (unsigned int n = 0; n < s->copy.nr; n++) {
		below += atomic64_read(&s->copy.rows[n]->hits);
		for (; next < ARRAY_SIZE(all) && below * 100 >= hits * all[next].percent; next++)
			show_percentile(s, all[next].name, n);
	}
	if (s->copy.nr)
		show_percentile(s, "max", s->copy.nr - 1);
	seq_putc(s->m, '\n');
}

/*
 * Estimated characters of a key and of a value in a row. If rows turn out to be longer, seq_file
 * calls again with a larger buffer.
 */
#define KEY_LENGTH	40U
#define VAL_LENGTH	24U

/*
 * seq_file doubles its buffer and calls again until all fits. If it is foreseeable that the rows
 * do not fit, copying and sorting them would be in vain.
 */
static bool has_seq_room(const struct hist_view *s)
{
	size_t row = s->h->nr_keys * KEY_LENGTH + s->h->nr_vals * VAL_LENGTH;

	return s->m->size - s->m->count >= atomic_read(&s->table->keys) * row;
}

/* Have seq_file call again with a larger buffer. */
static void mark_seq_full(struct seq_file *m)
{
	m->count = m->size;
}

static int show_hist_rows(struct hist_view *s, u64 dropped)
{
	u64 hits = sum_up_rows(s);
	int err;

	sort_r(s->copy.rows, s->copy.nr, sizeof(*s->copy.rows), compare_hist_rows, NULL, s);
	for (unsigned int n = 0; n < s->copy.nr && !seq_has_overflowed(s->m); n++) {
		show_hist_row(s, s->copy.rows[n]);
		cond_resched();
	}
	err = show_peak(s);
	seq_printf(s->m, "\nTotals:\n    Hits: %llu\n    Entries: %u\n    Dropped: %llu\n",
		   hits + dropped, s->copy.nr, dropped);
	for (unsigned int i = 0; i < s->h->nr_keys; i++)
		if (s->h->keys[i].percentile)
			show_percentiles(s, &s->h->keys[i], hits);
	return err;
}

void hist_show_head(struct seq_file *m, const struct hist *h, unsigned int nr)
{
	seq_printf(m, "%s# event histogram\n#\n# trigger info: ", nr ? "\n\n" : "");
	hist_show(m, &h->t);
	seq_puts(m, "\n#\n\n");
}

int hist_show_counts(struct seq_file *m, struct hist *h, unsigned int nr)
{
	struct table *table = rcu_dereference_protected(h->counts->table,
							lockdep_is_held(&events_lock));
	struct hist_view s = { .m = m, .h = h, .table = table };
	u64 dropped = atomic64_read(&table->dropped);
	int err;

	hist_show_head(m, h, nr);
	if (!has_seq_room(&s)) {
		mark_seq_full(m);
		return 0;
	}
	err = table_copy(table, &s.copy);
	if (err)
		return err;
	err = show_hist_rows(&s, dropped);
	table_copy_free(&s.copy);
	return err;
}
