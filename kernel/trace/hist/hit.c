// SPDX-License-Identifier: GPL-2.0
/*
 * Counting of hits. The probe of an event calls this in any context, NMI included, with preemption
 * off, inside the guard. Nothing here may wait. The key is gathered on the stack, field by field.
 */
#include <linux/build_bug.h>
#include <linux/indirect_call_wrapper.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/unaligned.h>

#include "action.h"
#include "clock/clock.h"
#include "expr.h"
#include "fields.h"
#include "guard/guard.h"
#include "instance/instance.h"
#include "internal.h"
#include "layout.h"
#include "modifier.h"
#include "pad.h"
#include "record/stack.h"
#include "vars.h"

/* ------------------------------------------------------------------ */
/* Numbers								*/

/*
 * Get a number from the last bytes in memory of a word. In little endian these are the highest
 * bits; in big endian they are moved there first. Shifting them down extends the sign.
 */
static __always_inline u64 extract_number(const struct hist_field *f, u64 word)
{
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		word <<= f->rec.shift;
	return f->is_signed ? (u64)((s64)word >> f->rec.shift) : word >> f->rec.shift;
}

static __always_inline u64 read_word_number(const struct hist_field *f, const void *rec)
{
	return extract_number(f, get_unaligned((u64 *)(rec + f->rec.word)));
}

/* HIST_EARLY: a word that ends with the number would begin before the record, so build the word. */
static u64 read_early_number(const struct hist_field *f, const void *rec)
{
	u64 word = 0;
	void *to = &word;

	memcpy(to + sizeof(word) - f->rec.size, rec + f->rec.offset, f->rec.size);
	return extract_number(f, word);
}

static u64 evaluate_expr(const struct hist *h, const struct hist_expr *expr,
			 struct action_hit *hit, const u64 *refs);

/* All histograms that count a hit use the same time. */
static __always_inline u64 get_hit_time(struct action_hit *hit)
{
	if (!hit->time)
		hit->time = trace_clocks[READ_ONCE(hit->file->tr->clock_id)].func();
	return hit->time;
}

/* Variables are sources of parameters alone: see get_param_val(). */
static u64 read_other_number(const struct hist *h, const struct hist_field *f,
			     struct action_hit *hit, const u64 *refs)
{
	switch (f->source) {
	case HIST_EARLY:
		return read_early_number(f, hit->rec);
	case HIST_TIME:
		return get_hit_time(hit);
	case HIST_CPU:
		return raw_smp_processor_id();
	case HIST_EXPR:
		return evaluate_expr(h, f->expr, hit, refs);
	default:
		return 1;
	}
}

static noinline u64 read_number_slow(const struct hist *h, const struct hist_field *f,
				     struct action_hit *hit, const u64 *refs)
{
	u64 number;

	if (likely(f->way == HIST_WAY_TIME))
		return get_hit_time(hit);
	number = f->source == HIST_WORD ? read_word_number(f, hit->rec) :
					  read_other_number(h, f, hit, refs);
	return f->way != HIST_WAY_CHANGED ? number :
	       INDIRECT_CALL_2(f->as->apply, hist_usecs_of_time, hist_bucket_start,
			       h, f, number);
}

/* Get the number of a field; @refs are the values that read_refs() has read. */
static __always_inline u64 read_number(const struct hist *h, const struct hist_field *f,
				       struct action_hit *hit, const u64 *refs)
{
	if (likely(f->way == HIST_WAY_PLAIN))
		return read_word_number(f, hit->rec);
	return f->way == HIST_WAY_LOG2 ? hist_log2(read_word_number(f, hit->rec)) :
					 read_number_slow(h, f, hit, refs);
}

u64 hist_number(const struct hist *h, const struct hist_field *f, struct action_hit *hit,
		const u64 *refs)
{
	return read_number(h, f, hit, refs);
}

/* ------------------------------------------------------------------ */
/* Calculations								*/

static u64 read_operand(const struct hist *h, const struct hist_expr *expr,
			const struct hist_step *step, struct action_hit *hit, const u64 *refs)
{
	switch (step->what) {
	case HIST_FIELD:
		return read_number(h, &expr->fields[step->index], hit, refs);
	case HIST_REF:
		return refs[step->index];
	default:
		return step->number;
	}
}

/* evaluate_expr() takes the steps before HIST_PLUS for operands, all others for operators. */
static_assert(HIST_NUMBER < HIST_PLUS && HIST_FIELD < HIST_PLUS && HIST_REF < HIST_PLUS);
static_assert(HIST_MINUS > HIST_PLUS && HIST_MULTIPLY > HIST_PLUS && HIST_DIVIDE > HIST_PLUS &&
	      HIST_NEGATE > HIST_PLUS);

static u64 evaluate_expr(const struct hist *h, const struct hist_expr *expr,
			 struct action_hit *hit, const u64 *refs)
{
	u64 stack[HIST_OPERANDS_MAX] __uninitialized;
	const struct hist_step *step;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < expr->nr_steps; i++) {
		step = &expr->steps[i];
		if (step->what < HIST_PLUS) {
			stack[nr++] = read_operand(h, expr, step, hit, refs);
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
/* Text and stacks							*/

/*
 * Copy a string that is at most @size bytes long at @from into @to. Truncate it to @len - 1 bytes,
 * and zero the rest of @to.
 */
static void store_text(void *to, unsigned int len, const char *from, unsigned int size)
{
	unsigned int n = strnlen(from, min(size, len - 1));

	memcpy(to, from, n);
	memset(to + n, 0, len - n);
}

/* A field that refers to an array has its offset in the lower, its length in the upper 16 bits. */
const void *hist_find_array(const struct hist_field *f, const void *rec, unsigned int *len)
{
	u32 loc = get_unaligned((u32 *)(rec + f->rec.offset));
	unsigned int at = loc & 0xffff;

	if (f->source == HIST_REL_LOC)
		at += f->rec.offset + sizeof(u32);
	*len = loc >> 16;
	return rec + at;
}

static void store_located(void *to, const struct hist_field *f, const void *rec)
{
	unsigned int len;
	const char *from = hist_find_array(f, rec, &len);

	store_text(to, f->len, from, len);
}

/* Most frames of the tracer between the unwinder and the event. */
#define OWN_FRAMES	8U

/*
 * The unwinder walks lists that RCU protects: unwind nothing where RCU is not watching. Its calls
 * must not be traced: mark them as the tracer's own work.
 */
static unsigned int unwind_stack(unsigned long *to, unsigned int most, struct pt_regs *regs)
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

static void store_stack(unsigned long *to, const struct action_hit *hit)
{
	unsigned long all[HIST_STACK_DEPTH + OWN_FRAMES] __uninitialized;
	unsigned int first = 0, nr = unwind_stack(all, ARRAY_SIZE(all), action_hit_regs(hit));

	while (first < nr && all[first] != hit->from)
		first++;
	first = first < nr ? min(first + action_hit_above(hit), nr) : 0;
	nr = min(nr - first, HIST_STACK_DEPTH);
	memcpy(to, all + first, nr * sizeof(*to));
	memset(to + nr, 0, (HIST_STACK_DEPTH - nr) * sizeof(*to));
}

/* Skip the first word of the array in the record: it is the number of addresses. */
static void store_stack_field(unsigned long *to, const struct hist_field *f, const void *rec)
{
	unsigned int len, all, nr;
	const unsigned long *from = hist_find_array(f, rec, &len);

	all = len / sizeof(*from);
	nr = all ? min(all - 1, HIST_STACK_DEPTH) : 0;
	memcpy(to, from + 1, nr * sizeof(*to));
	memset(to + nr, 0, (HIST_STACK_DEPTH - nr) * sizeof(*to));
}

static noinline void store_non_number(void *to, const struct hist_field *f,
				      const struct action_hit *hit)
{
	switch (f->source) {
	case HIST_TEXT:
		store_text(to, f->len, hit->rec + f->rec.offset, f->rec.size);
		break;
	case HIST_COMM:
		store_text(to, f->len, current->comm, TASK_COMM_LEN);
		break;
	case HIST_STACK:
		store_stack(to, hit);
		break;
	case HIST_STACK_FIELD:
		store_stack_field(to, f, hit->rec);
		break;
	default:
		store_located(to, f, hit->rec);
	}
}

/* A stack that is a value begins with the number of its addresses, which are in place already. */
static void set_stack_depth(unsigned long *stack)
{
	unsigned int nr = 0;

	while (nr < HIST_STACK_DEPTH && stack[1 + nr])
		nr++;
	stack[0] = nr;
}

static void store_stack_value(void *to, const struct hist_field *f, const struct action_hit *hit)
{
	store_non_number(to + sizeof(long), f, hit);
	set_stack_depth(to);
}

void hist_store_field(void *to, const struct hist_field *f, const struct hist_now *now)
{
	if (hist_is_stack(f))
		store_stack_value(to, f, now->hit);
	else if (f->source == HIST_OWN_TEXT)
		memcpy(to, (void *)(uintptr_t)now->vars[f->var], f->len);
	else if (f->source == HIST_REF_TEXT)
		memcpy(to, (void *)(uintptr_t)now->refs[f->ref], f->len);
	else
		store_non_number(to, f, now->hit);
}

/* ------------------------------------------------------------------ */
/* Keys and rows							*/

/* Keys do not refer to variables of other histograms, so there are no @refs. */
static __always_inline void gather_key(void *key, const struct hist *h, struct action_hit *hit)
{
	const struct hist_field *f = h->keys, *end = f + h->nr_keys;

	/* There is at least one key. */
	do {
		if (likely(hist_is_number(f)))
			*(u64 *)(key + f->at) = read_number(h, f, hit, NULL);
		else
			store_non_number(key + f->at, f, hit);
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
	number = read_number(h, &var->value, now->hit, now->refs);
	atomic64_set(to, number);
	return number;
}

/* Set all variables, and mark them as set. */
static void set_vars(const struct hist *h, struct hist_now *now)
{
	for (unsigned int i = 0; i < h->nr_vars; i++)
		now->vars[i] = set_var(h, &h->vars[i], now);
	/* Values are stored before they are marked. Pairs with the acquire in read_ref(). */
	atomic64_fetch_or_release(BIT_ULL(h->nr_vars) - 1, hist_row_set(h, now->row));
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

	/* A shorter key of the other histogram is compared with the first fields of this one. */
	if (!of || of->key_size > h->key_size)
		return false;
	row = table_find(rcu_dereference_sched(of->counts->table), key);
	if (!row)
		return false;
	/* The mark is read before the value. Pairs with the release in set_vars(). */
	set = ref->once ? atomic64_fetch_andnot_acquire(bit, hist_row_set(of, row)) :
			  atomic64_read_acquire(hist_row_set(of, row));
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
		u64 number = read_number(h, &h->vals[i], hit, refs);

		if (likely(h->vals[i].keeps == HIST_KEEPS_SUM))
			atomic64_add(number, hist_row_val(row, i));
		else
			update_highest(hist_as_highest(&h->vals[i], number),
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
