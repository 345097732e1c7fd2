// SPDX-License-Identifier: GPL-2.0
/*
 * Counting of hits. The probe of an event calls hist_hit(), through triggers/, in any context, NMI
 * included, with preemption off, and inside the recursion guard (guard/guard.h). Nothing here may
 * wait. The key is gathered on the stack, field by field.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "action.h"
#include "fields.h"
#include "internal.h"
#include "layout.h"
#include "pad.h"
#include "value.h"
#include "vars.h"

/* ------------------------------------------------------------------ */
/* Keys and rows							*/

/* Keys do not refer to variables of other histograms: hist_read_number() needs no @refs. */
static __always_inline void gather_key(void *key, const struct hist *h, struct action_hit *hit)
{
	const struct hist_field *f = h->keys, *end = f + h->nr_keys;

	/* There is at least one key. */
	do {
		if (likely(hist_is_number(f)))
			*(u64 *)(key + f->at) = hist_read_number(h, f, hit, NULL);
		else
			hist_store_non_number(key + f->at, f, hit);
	} while (++f < end);
}

/* Set a variable. Return: its number, or the address of text or a stack in the row. */
static u64 set_var(const struct hist *h, const struct hist_var *var,
		   const struct hist_now *now)
{
	atomic64_t *to = hist_row_var(now->row, var);
	u64 number;

	if (unlikely(!hist_is_number(&var->value))) {
		hist_store_field(to, &var->value, now);
		return (uintptr_t)to;
	}
	number = hist_read_number(h, &var->value, now->hit, now->refs);
	atomic64_set(to, number);
	return number;
}

/* Set all variables, and mark them as set. */
static void set_vars(const struct hist *h, struct hist_now *now)
{
	for (unsigned int i = 0; i < h->nr_vars; i++)
		now->vars[i] = set_var(h, &h->vars[i], now);
	/* Values are stored before they are marked. Pairs with the acquire in read_ref(). */
	atomic64_fetch_or_release(BIT_ULL(h->nr_vars) - 1, hist_row_mark(h, now->row));
}

/*
 * Read a variable of another histogram for a key. @value is set to its number, or to the address
 * of text or a stack.
 *
 * Return: false if the variable is not set for the key, or was withdrawn.
 */
static bool read_ref(const struct hist *h, const struct hist_ref *ref, const void *key, u64 *value)
{
	const struct hist *of = rcu_dereference_sched(ref->of);
	const struct hist_var *var;
	struct table_row *row;
	u64 bit = BIT_ULL(ref->var), set;

	/*
	 * table_find() compares as many bytes of @key as a key of the other histogram has. If that
	 * has longer keys, no row can be found.
	 */
	if (!of || of->key_size > h->key_size)
		return false;
	row = table_find(rcu_dereference_sched(of->counts->table), key);
	if (!row)
		return false;
	/* The mark is read before the value. Pairs with the release in set_vars(). */
	set = ref->once ? atomic64_fetch_andnot_acquire(bit, hist_row_mark(of, row)) :
			  atomic64_read_acquire(hist_row_mark(of, row));
	var = &of->vars[ref->var];
	*value = hist_is_number(&var->value) ? atomic64_read(hist_row_var(row, var)) :
					       (uintptr_t)hist_row_var(row, var);
	return set & bit;
}

static bool read_refs(const struct hist *h, const void *key, u64 *refs)
{
	for (unsigned int i = 0; i < h->nr_refs; i++)
		if (!read_ref(h, &h->refs[i], key, &refs[i]))
			return false;
	return true;
}

static noinline void update_highest(u64 number, atomic64_t *kept)
{
	s64 before = atomic64_read(kept);

	while (number > (u64)before && !atomic64_try_cmpxchg(kept, &before, number))
		;
}

static __always_inline void add_values(const struct hist *h, struct table_row *row,
				       struct action_hit *hit, const u64 *refs)
{
	for (unsigned int i = 0; i < h->nr_vals; i++) {
		u64 number = hist_read_number(h, &h->vals[i], hit, refs);

		if (likely(h->vals[i].keeps == HIST_KEEPS_SUM))
			atomic64_add(number, hist_row_val(row, i));
		else
			update_highest(hist_extreme_to_kept(&h->vals[i], number),
				       hist_row_val(row, i));
	}
	atomic64_inc(&row->hits);
}

/* Count a hit of a histogram with variables, references or actions, if all references are set. */
static __always_inline void count_with_vars(const struct hist *h, struct table *table,
					    const void *key, struct action_hit *hit,
					    struct hist_now *now)
{
	if (!read_refs(h, key, now->refs))
		return;
	now->row = table_row(table, key);
	if (!now->row)
		return;
	now->rec = hit->rec;
	now->hit = hit;
	now->key = key;
	if (h->nr_vars)
		set_vars(h, now);
	add_values(h, now->row, hit, now->refs);
	if (h->nr_actions)
		hist_run_actions(h, now);
}

static __always_inline void count_key(const struct hist *h, struct table *table, const void *key,
				      struct action_hit *hit)
{
	struct table_row *row = table_row(table, key);

	if (likely(row))
		add_values(h, row, hit, NULL);
}

static void store_comm(char *to)
{
	if (current->pid)
		strscpy(to, current->comm, TASK_COMM_LEN);
	else
		strscpy(to, "<idle>", TASK_COMM_LEN);
}

/* Count a hit with a key of any size; @key has room for it, and for the name of the task. */
static __always_inline void count_hit(const struct hist *h, struct table *table,
				      struct action_hit *hit, void *key, struct hist_now *now)
{
	gather_key(key, h, hit);
	if (h->wants_comm)
		store_comm((char *)key + h->key_size);
	if (likely(READ_ONCE(h->more) & HIST_MORE_COUNT))
		count_with_vars(h, table, key, hit, now);
	else
		count_key(h, table, key, hit);
}

static __always_inline void count_hit_on_stack(const struct hist *h, struct table *table,
					       struct action_hit *hit)
{
	u64 key[(HIST_KEY_MAX + TASK_COMM_LEN) / sizeof(u64)] __uninitialized;
	struct hist_now now __uninitialized;

	now.synth_vals = NULL;
	count_hit(h, table, hit, key, &now);
}

static __always_inline void wake_pollers(const struct hist *h)
{
	if (READ_ONCE(h->more) & HIST_MORE_WAKE)
		hist_wake();
}

static void count_missed_hit(const struct hist *h, struct table *table)
{
	if (READ_ONCE(h->paused))
		return;
	atomic64_inc(&table->dropped);
	wake_pollers(h);
}

void hist_miss(struct trigger *t)
{
	struct hist *h = hist_of(t);

	count_missed_hit(h, rcu_dereference_sched(h->counts->table));
}

/* A hit without a readable record is counted as missed: see &event_trigger_ops.hit. */
static __always_inline bool can_count_hit(const struct hist *h, struct table *table,
					  const struct action_hit *hit)
{
	if (READ_ONCE(h->paused))
		return false;
	if (likely(hit->rec))
		return true;
	count_missed_hit(h, table);
	return false;
}

/* All that hist_hit() has no fast path for: see &hist.unusual. */
static noinline void hist_hit_slow(const struct hist *h, struct table *table,
				   struct action_hit *hit)
{
	if (!can_count_hit(h, table, hit))
		return;
	count_hit_on_stack(h, table, hit);
	wake_pollers(h);
}

/*
 * Count a hit of a synthetic event that another histogram generates. Actions of this histogram may
 * generate further events within the hit: use a pad for the key and the values, to spare the stack.
 */
static noinline void hist_hit_nested(const struct hist *h, struct table *table,
				     struct action_hit *hit)
{
	struct hist_pad *pad;

	if (!can_count_hit(h, table, hit))
		return;
	pad = hist_pad_take();
	if (unlikely(!pad)) {
		count_missed_hit(h, table);
		return;
	}
	pad->now.synth_vals = &pad->synth_vals;
	count_hit(h, table, hit, pad->key, &pad->now);
	hist_pad_return();
	wake_pollers(h);
}

void hist_hit(struct trigger *t, struct action_hit *hit)
{
	struct hist *h = hist_of(t);
	struct table *table = rcu_dereference_sched(h->counts->table);
	u64 key[HIST_KEY_WORDS_FAST] __uninitialized;

	if (unlikely(READ_ONCE(h->unusual) || !hit->rec)) {
		if (unlikely(h->nr_actions && synth_is_nested()))
			hist_hit_nested(h, table, hit);
		else
			hist_hit_slow(h, table, hit);
		return;
	}
	gather_key(key, h, hit);
	count_key(h, table, key, hit);
}
