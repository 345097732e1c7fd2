// SPDX-License-Identifier: GPL-2.0
/*
 * Reading the values of fields: see value.h. All of this has the context of hist_hit(): any, NMI
 * included; preemption off, inside the recursion guard (guard/guard.h). Nothing here may wait.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/indirect_call_wrapper.h>
#include <linux/minmax.h>
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
#include "modifier.h"
#include "record/stack.h"
#include "value.h"

/* ------------------------------------------------------------------ */
/* Numbers								*/

/* HIST_EARLY: a word that ends with the number would begin before the record, so build the word. */
static u64 read_early_number(const struct hist_field *f, const void *rec)
{
	u64 word = 0;
	void *to = &word;

	memcpy(to + sizeof(word) - f->rec.size, rec + f->rec.offset, f->rec.size);
	return hist_extract_number(f, word);
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

u64 hist_number_slow(const struct hist *h, const struct hist_field *f, struct action_hit *hit,
		     const u64 *refs)
{
	u64 number;

	if (likely(f->way == HIST_WAY_TIME))
		return get_hit_time(hit);
	number = f->source == HIST_WORD ? hist_read_word(f, hit->rec) :
					  read_other_number(h, f, hit, refs);
	return f->way != HIST_WAY_CHANGED ? number :
	       INDIRECT_CALL_2(f->as->apply, hist_usecs_of_time, hist_bucket_start,
			       h, f, number);
}

u64 hist_number(const struct hist *h, const struct hist_field *f, struct action_hit *hit,
		const u64 *refs)
{
	return hist_read_number(h, f, hit, refs);
}

/* ------------------------------------------------------------------ */
/* Calculations								*/

static u64 read_operand(const struct hist *h, const struct hist_expr *expr,
			const struct hist_step *step, struct action_hit *hit, const u64 *refs)
{
	switch (step->what) {
	case HIST_FIELD:
		return hist_read_number(h, &expr->fields[step->index], hit, refs);
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

/* Maximum number of frames of the tracer between the unwinder and the event. */
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
	nr = trace_stack_can_unwind(regs) ? stack_trace_save_regs(regs, to, most, 0) :
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

void hist_store_non_number(void *to, const struct hist_field *f, const struct action_hit *hit)
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
	hist_store_non_number(to + sizeof(long), f, hit);
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
		hist_store_non_number(to, f, now->hit);
}
