// SPDX-License-Identifier: GPL-2.0
/*
 * Counting: called by the probe of an event, in any context, with preemption off, inside the
 * guard. The key is gathered on the stack, by a straight run over the fields.
 */
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/trace_events.h>
#include <linux/unaligned.h>

#include "action.h"
#include "clock/clock.h"
#include "guard/guard.h"
#include "instance/instance.h"
#include "internal.h"
#include "pad.h"
#include "record/stack.h"

/* ------------------------------------------------------------------ */
/* Numbers								*/

/* Those of each size in one way: moved to the highest bits of a word, and back to the lowest. */
static __always_inline u64 number_of_word(const struct hist_field *f, u64 word)
{
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		word <<= f->shift;
	return f->is_signed ? (u64)((s64)word >> f->shift) : word >> f->shift;
}

static __always_inline u64 number_in(const struct hist_field *f, const void *rec)
{
	return number_of_word(f, get_unaligned((u64 *)(rec + f->word)));
}

/* In the header of the record, before which there is nothing to be looked at. */
static u64 early_number(const struct hist_field *f, const void *rec)
{
	u64 word = 0;
	void *to = &word;

	memcpy(to + sizeof(word) - f->size, rec + f->offset, f->size);
	return number_of_word(f, word);
}

static u64 calculate_expr(const struct hist *h, const struct hist_expr *expr,
			  struct action_hit *hit, const u64 *refs);

/* One time for all that is counted of an event, by all histograms. */
static __always_inline u64 time_of(struct action_hit *hit)
{
	if (!hit->time)
		hit->time = trace_clocks[READ_ONCE(hit->file->tr->clock_id)].func();
	return hit->time;
}

static u64 number_elsewhere(const struct hist *h, const struct hist_field *f,
			    struct action_hit *hit, const u64 *refs)
{
	switch (f->source) {
	case HIST_EARLY:
		return early_number(f, hit->rec);
	case HIST_TIME:
		return time_of(hit);
	case HIST_CPU:
		return raw_smp_processor_id();
	case HIST_EXPR:
		return calculate_expr(h, f->expr, hit, refs);
	case HIST_REF_NUMBER:
		return refs[f->offset];
	default:
		return 1;
	}
}

/* Of which power it is no more. */
static __always_inline u64 log2_of(u64 number)
{
	return number > 1 ? fls64(number - 1) : 0;
}

static u64 bucket_of(u64 number, u64 width)
{
	u64 rest;

	div64_u64_rem(number, width, &rest);
	return number - rest;
}

/* Not every clock counts nanoseconds. */
static u64 usecs_of(const struct hist *h, u64 time)
{
	return trace_clocks[READ_ONCE(h->t.tr->clock_id)].in_ns ? div_u64(time, NSEC_PER_USEC) :
								  time;
}

/* What is shown of a number, and what does it count as? */
static u64 number_as(const struct hist *h, const struct hist_field *f, u64 number)
{
	switch (f->as) {
	case HIST_LOG2:
		return log2_of(number);
	case HIST_BUCKETS:
		return bucket_of(number, f->width);
	case HIST_USECS:
		return f->source == HIST_TIME ? usecs_of(h, number) : number;
	default:
		return number;
	}
}

static noinline u64 number_otherwise(const struct hist *h, const struct hist_field *f,
				     struct action_hit *hit, const u64 *refs)
{
	u64 number;

	if (likely(f->way == HIST_WAY_TIME))
		return time_of(hit);
	number = f->source == HIST_WORD ? number_in(f, hit->rec) :
					  number_elsewhere(h, f, hit, refs);
	return f->as < HIST_LOG2 ? number : number_as(h, f, number);
}

/* @refs: what others have noted; see ask_others(). */
static __always_inline u64 number_of(const struct hist *h, const struct hist_field *f,
				     struct action_hit *hit, const u64 *refs)
{
	if (likely(f->way == HIST_WAY_PLAIN))
		return number_in(f, hit->rec);
	return f->way == HIST_WAY_LOG2 ? log2_of(number_in(f, hit->rec)) :
					 number_otherwise(h, f, hit, refs);
}

u64 hist_number(const struct hist *h, const struct hist_field *f, struct action_hit *hit,
		const u64 *refs)
{
	return number_of(h, f, hit, refs);
}

/* ------------------------------------------------------------------ */
/* Calculations								*/

static u64 operand(const struct hist *h, const struct hist_expr *expr,
		   const struct hist_step *step, struct action_hit *hit, const u64 *refs)
{
	switch (step->what) {
	case HIST_FIELD:
		return number_of(h, &expr->fields[step->index], hit, refs);
	case HIST_REF:
		return refs[step->index];
	default:
		return step->number;
	}
}

static u64 calculate_expr(const struct hist *h, const struct hist_expr *expr,
			  struct action_hit *hit, const u64 *refs)
{
	u64 stack[HIST_OPERANDS_MAX] __uninitialized;
	const struct hist_step *step;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < expr->nr_steps; i++) {
		step = &expr->steps[i];
		if (step->what < HIST_PLUS) {
			stack[nr++] = operand(h, expr, step, hit, refs);
		} else if (step->what == HIST_NEGATE) {
			stack[nr - 1] = -stack[nr - 1];
		} else {
			nr--;
			stack[nr - 1] = hist_calculate(step->what, stack[nr - 1], stack[nr]);
		}
	}
	return stack[0];
}

/* ------------------------------------------------------------------ */
/* What is no number							*/

static void put_text(void *to, unsigned int len, const char *from, unsigned int size)
{
	unsigned int n = strnlen(from, min(size, len - 1));

	memcpy(to, from, n);
	memset(to + n, 0, len - n);
}

/* Where an array is that is behind the record: its place and its length. */
const void *hist_located(const struct hist_field *f, const void *rec, unsigned int *len)
{
	u32 loc = get_unaligned((u32 *)(rec + f->offset));
	unsigned int at = loc & 0xffff;

	if (f->source == HIST_REL_LOC)
		at += f->offset + sizeof(u32);
	*len = loc >> 16;
	return rec + at;
}

static void put_located(void *to, const struct hist_field *f, const void *rec)
{
	unsigned int len;
	const char *from = hist_located(f, rec, &len);

	put_text(to, f->len, from, len);
}

/* The tracer's own frames, of which there are so many at most, lead to the event. */
#define OWN_FRAMES	8U

/* The unwinder is not part of what is traced, and looks at lists that RCU protects. */
static unsigned int unwind(unsigned long *to, unsigned int most, struct pt_regs *regs)
{
	struct trace_own own;
	unsigned int nr;

	if (!rcu_is_watching())
		return 0;
	trace_own_begin(&own);
	nr = trace_stack_begins_at(regs) ? stack_trace_save_regs(regs, to, most, 0) :
					   stack_trace_save(to, most, 1);
	trace_own_end(&own);
	return nr;
}

static void put_stack(unsigned long *to, const struct action_hit *hit)
{
	unsigned long all[HIST_STACK_DEPTH + OWN_FRAMES] __uninitialized;
	unsigned int first = 0, nr = unwind(all, ARRAY_SIZE(all), action_hit_regs(hit));

	while (first < nr && all[first] != hit->from)
		first++;
	first = first < nr ? min(first + action_hit_above(hit), nr) : 0;
	nr = min(nr - first, HIST_STACK_DEPTH);
	memcpy(to, all + first, nr * sizeof(*to));
	memset(to + nr, 0, (HIST_STACK_DEPTH - nr) * sizeof(*to));
}

/* What comes first in the record is how many there are. */
static void put_stack_field(unsigned long *to, const struct hist_field *f, const void *rec)
{
	unsigned int len, all, nr;
	const unsigned long *from = hist_located(f, rec, &len);

	all = len / sizeof(*from);
	nr = all ? min(all - 1, HIST_STACK_DEPTH) : 0;
	memcpy(to, from + 1, nr * sizeof(*to));
	memset(to + nr, 0, (HIST_STACK_DEPTH - nr) * sizeof(*to));
}

static noinline void put_other(void *to, const struct hist_field *f, const void *rec,
			       const struct action_hit *hit)
{
	switch (f->source) {
	case HIST_TEXT:
		put_text(to, f->len, rec + f->offset, f->size);
		break;
	case HIST_COMM:
		put_text(to, f->len, current->comm, TASK_COMM_LEN);
		break;
	case HIST_STACK:
		put_stack(to, hit);
		break;
	case HIST_STACK_FIELD:
		put_stack_field(to, f, rec);
		break;
	default:
		put_located(to, f, rec);
	}
}

/* As a value: how many there are, and then they. */
static void count_stack(unsigned long *stack)
{
	unsigned int nr = 0;

	while (nr < HIST_STACK_DEPTH && stack[1 + nr])
		nr++;
	stack[0] = nr;
}

void hist_put(void *to, const struct hist_field *f, const struct hist_now *now)
{
	switch (f->source) {
	case HIST_STACK:
	case HIST_STACK_FIELD:
		put_other(to + sizeof(long), f, now->rec, now->hit);
		count_stack(to);
		break;
	case HIST_OWN_TEXT:
		memcpy(to, (void *)(uintptr_t)now->vars[f->offset], f->len);
		break;
	case HIST_REF_TEXT:
		memcpy(to, (void *)(uintptr_t)now->refs[f->offset], f->len);
		break;
	default:
		put_other(to, f, now->rec, now->hit);
	}
}

/* ------------------------------------------------------------------ */
/* Keys and rows							*/

/* Nobody else's variables are in a key. */
static __always_inline void put_key(void *key, const struct hist *h, struct action_hit *hit)
{
	const struct hist_field *f = h->keys, *end = f + h->nr_keys;

	/* There is one at least. */
	do {
		if (likely(hist_is_number(f)))
			*(u64 *)(key + f->at) = number_of(h, f, hit, NULL);
		else
			put_other(key + f->at, f, hit->rec, hit);
	} while (++f < end);
}

static u64 note_var(const struct hist *h, const struct hist_var *var,
		    const struct hist_now *now)
{
	atomic64_t *to = &now->row->sums[var->slot];
	u64 number;

	if (unlikely(!hist_is_number(&var->value))) {
		hist_put(to, &var->value, now);
		return (uintptr_t)to;
	}
	number = number_of(h, &var->value, now->hit, now->refs);
	atomic64_set(to, number);
	return number;
}

/* A variable is set before it is said to be: pairs with ask(). */
static void note(const struct hist *h, struct hist_now *now)
{
	for (unsigned int i = 0; i < h->nr_vars; i++)
		now->vars[i] = note_var(h, &h->vars[i], now);
	atomic64_fetch_or_release(BIT_ULL(h->nr_vars) - 1, hist_row_set(h, now->row));
}

/* What another histogram has noted by that key: a number, or the address of what is none. */
static bool ask(const struct hist *h, const struct hist_ref *ref, const void *key, u64 *value)
{
	const struct hist *of = rcu_dereference_sched(ref->of);
	const struct hist_var *var;
	struct table_row *row;
	u64 bit = BIT_ULL(ref->var), set;

	/* Of a longer key the first fields are the other one. */
	if (!of || of->key_size > h->key_size)
		return false;
	row = table_find(rcu_dereference_sched(of->counts->table), key);
	if (!row)
		return false;
	/* Pairs with the release in note(). */
	set = ref->once ? atomic64_fetch_andnot_acquire(bit, hist_row_set(of, row)) :
			  atomic64_read_acquire(hist_row_set(of, row));
	var = &of->vars[ref->var];
	*value = hist_is_number(&var->value) ? atomic64_read(&row->sums[var->slot]) :
					       (uintptr_t)&row->sums[var->slot];
	return set & bit;
}

static bool ask_others(const struct hist *h, const void *key, u64 *refs)
{
	for (unsigned int i = 0; i < h->nr_refs; i++)
		if (!ask(h, &h->refs[i], key, &refs[i]))
			return false;
	return true;
}

static noinline void keep_highest(u64 number, atomic64_t *kept)
{
	s64 before = atomic64_read(kept);

	while (number > (u64)before && !atomic64_try_cmpxchg(kept, &before, number))
		;
}

static __always_inline void add_up(const struct hist *h, struct table_row *row,
				   struct action_hit *hit, const u64 *refs)
{
	for (unsigned int i = 0; i < h->nr_vals; i++) {
		u64 number = number_of(h, &h->vals[i], hit, refs);

		if (likely(h->vals[i].as < HIST_MIN))
			atomic64_add(number, &row->sums[i]);
		else
			keep_highest(hist_as_highest(&h->vals[i], number), &row->sums[i]);
	}
	atomic64_inc(&row->hits);
}

/* With variables, or actions. What asks others in vain does not count. */
static __always_inline void count_more(const struct hist *h, struct table *table,
				       const void *key, struct action_hit *hit,
				       struct hist_now *now)
{
	if (!ask_others(h, key, now->refs))
		return;
	now->row = table_row(table, key);
	if (!now->row)
		return;
	now->rec = hit->rec;
	now->hit = hit;
	now->key = key;
	if (h->nr_vars)
		note(h, now);
	add_up(h, now->row, hit, now->refs);
	if (h->nr_actions)
		hist_act(h, now);
}

static __always_inline void count(const struct hist *h, struct table *table, const void *key,
				  struct action_hit *hit)
{
	struct table_row *row = table_row(table, key);

	if (likely(row))
		add_up(h, row, hit, NULL);
}

static void put_comm(char *to)
{
	if (current->pid)
		strscpy(to, current->comm, TASK_COMM_LEN);
	else
		strscpy(to, "<idle>", TASK_COMM_LEN);
}

/* With a key of any size, for which there is room at @key. */
static __always_inline void hit_with(const struct hist *h, struct table *table,
				     struct action_hit *hit, void *key, struct hist_now *now)
{
	put_key(key, h, hit);
	if (h->wants_comm)
		put_comm((char *)key + h->key_size);
	if (likely(READ_ONCE(h->more) & HIST_MORE_COUNT))
		count_more(h, table, key, hit, now);
	else
		count(h, table, key, hit);
}

static __always_inline void hit_any(const struct hist *h, struct table *table,
				    struct action_hit *hit)
{
	u64 key[(HIST_KEY_MAX + TASK_COMM_LEN) / sizeof(u64)] __uninitialized;
	struct hist_now now __uninitialized;

	now.told = NULL;
	hit_with(h, table, hit, key, &now);
}

static __always_inline void wake_readers(const struct hist *h)
{
	if (READ_ONCE(h->more) & HIST_MORE_WAKE)
		hist_wake();
}

static void count_missed(const struct hist *h, struct table *table)
{
	if (READ_ONCE(h->paused))
		return;
	atomic64_inc(&table->dropped);
	wake_readers(h);
}

void hist_miss(struct trigger *t)
{
	struct hist *h = hist_of(t);

	count_missed(h, rcu_dereference_sched(h->counts->table));
}

/* There may be a record, and nothing of it to be looked at: see &event_trigger_ops.hit. */
static __always_inline bool is_counted(const struct hist *h, struct table *table,
				       const struct action_hit *hit)
{
	if (READ_ONCE(h->paused))
		return false;
	if (likely(hit->rec))
		return true;
	count_missed(h, table);
	return false;
}

/* With strings, stacks, the name of the task, variables, actions, or who waits; or paused. */
static noinline void hit_unusual(const struct hist *h, struct table *table,
				 struct action_hit *hit)
{
	if (!is_counted(h, table, hit))
		return;
	hit_any(h, table, hit);
	wake_readers(h);
}

/*
 * The event has been made come by another histogram, and this one makes others come: what this
 * takes is not on the stack.
 */
static noinline void hit_nested(const struct hist *h, struct table *table,
				struct action_hit *hit)
{
	struct hist_pad *pad;

	if (!is_counted(h, table, hit))
		return;
	pad = hist_pad_take();
	if (unlikely(!pad)) {
		count_missed(h, table);
		return;
	}
	pad->now.told = &pad->told;
	hit_with(h, table, hit, pad->key, &pad->now);
	hist_pad_return();
	wake_readers(h);
}

void hist_hit(struct trigger *t, struct action_hit *hit)
{
	struct hist *h = hist_of(t);
	struct table *table = rcu_dereference_sched(h->counts->table);
	u64 key[HIST_FEW] __uninitialized;

	if (unlikely(READ_ONCE(h->unusual) || !hit->rec)) {
		if (unlikely(h->nr_actions && synth_is_nested()))
			hit_nested(h, table, hit);
		else
			hit_unusual(h, table, hit);
		return;
	}
	put_key(key, h, hit);
	count(h, table, key, hit);
}
