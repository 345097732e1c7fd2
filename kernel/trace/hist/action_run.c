// SPDX-License-Identifier: GPL-2.0
/*
 * Actions of histograms. hist_run_actions() is called for each counted hit, after hit.c has set the
 * variables of the row. It has the context of hist_hit(): any, NMI included; preemption off, inside
 * the recursion guard (guard/guard.h).
 *
 * Two CPUs that reach a new maximum of the same key at the same time may leave the saved values
 * of the lower one in the row. Preventing this would need a lock, and a hit never waits.
 */
#include <linux/atomic.h>
#include <linux/sched.h>

#include "action.h"
#include "fields.h"
#include "internal.h"
#include "layout.h"
#include "peak.h"
#include "synth/synth.h"
#include "value.h"

/* ------------------------------------------------------------------ */
/* Values of parameters							*/

static u64 hist_addr_to_val(const void *at)
{
	return (uintptr_t)at;
}

/**
 * struct synth_args - values that a synthetic event gets
 * @vals: a number or an address for each field
 * @lens: bytes that are readable at each address; unused for numbers
 */
struct synth_args {
	u64	*vals;
	u16	*lens;
};

static u64 get_located_param(const struct hist_field *f, const void *rec, u16 *len)
{
	unsigned int bytes;
	const void *at = hist_find_array(f, rec, &bytes);

	*len = bytes;
	return hist_addr_to_val(at);
}

/* A stack is no part of the record: keep it in the row, where the synthetic event can read it. */
static const void *store_param_stack(const struct hist_param *param, const struct hist_now *now)
{
	void *to = hist_row_param(now->row, param);

	hist_store_field(to, &param->value, now);
	return to;
}

/*
 * Return: the value of a parameter: a number, or the address of a text or stack. Sets *@len to the
 * number of bytes that may be read at that address.
 */
static u64 get_param_val(const struct hist *h, const struct hist_param *param,
			 const struct hist_now *now, u16 *len)
{
	const struct hist_field *f = &param->value;

	*len = f->len;
	switch (f->source) {
	case HIST_OWN_NUMBER:
	case HIST_OWN_TEXT:
		return now->vars[f->var];
	case HIST_REF_NUMBER:
	case HIST_REF_TEXT:
		return now->refs[f->ref];
	case HIST_TEXT:
		*len = f->rec.size;
		return hist_addr_to_val(now->rec + f->rec.offset);
	case HIST_DATA_LOC:
	case HIST_REL_LOC:
	case HIST_STACK_FIELD:
		return get_located_param(f, now->rec, len);
	case HIST_COMM:
		return hist_addr_to_val(current->comm);
	case HIST_STACK:
		return hist_addr_to_val(store_param_stack(param, now));
	default:
		return hist_number(h, f, now->hit, now->refs);
	}
}

static __always_inline void hit_synth_event(const struct hist *h, const struct hist_action *a,
					    const struct hist_now *now, struct synth_args to)
{
	for (unsigned int i = 0; i < a->nr_params; i++)
		to.vals[i] = get_param_val(h, &a->params[i], now, &to.lens[i]);
	synth_event_hit(a->synth, to.vals, to.lens, now->hit->word);
}

/* Number of parameters up to which the arrays of values fit on the stack. */
#define FEW_PARAMS	8U

static noinline void hit_synth_event_large(const struct hist *h, const struct hist_action *a,
					   const struct hist_now *now)
{
	struct hist_synth_vals args __uninitialized;

	hit_synth_event(h, a, now, (struct synth_args){ args.vals, args.lens });
}

static void run_trace_action(const struct hist *h, const struct hist_action *a,
			     const struct hist_now *now)
{
	u64 vals[FEW_PARAMS];
	u16 lens[FEW_PARAMS];

	if (likely(a->nr_params <= FEW_PARAMS))
		hit_synth_event(h, a, now, (struct synth_args){ vals, lens });
	else if (now->synth_vals)
		hit_synth_event(h, a, now, (struct synth_args){
				now->synth_vals->vals, now->synth_vals->lens });
	else
		hit_synth_event_large(h, a, now);
}

/* ------------------------------------------------------------------ */
/* Values kept in the row						*/

static void run_save_action(const struct hist *h, const struct hist_action *a,
			    const struct hist_now *now)
{
	const struct hist_param *param;
	atomic64_t *to;
	u16 len;

	for (unsigned int i = 0; i < a->nr_params; i++) {
		param = &a->params[i];
		to = hist_row_param(now->row, param);
		if (hist_is_number(&param->value))
			atomic64_set(to, get_param_val(h, param, now, &len));
		else
			hist_store_field(to, &param->value, now);
	}
}

/*
 * Store the value of the tracked variable if it is a new maximum, or has changed. If several
 * CPUs race here, each one stores its value unless another one has already stored one that
 * makes it obsolete.
 *
 * Return: true if the value was stored, so that the action is due.
 */
static bool update_tracked_val(const struct hist_action *a, const struct hist_now *now)
{
	atomic64_t *latest = hist_row_tracked(now->row, a);
	u64 value = now->vars[a->var_index];
	s64 before = atomic64_read(latest);

	do {
		if (!hist_value_is_due(a->handler, value, before))
			return false;
	} while (!atomic64_try_cmpxchg(latest, &before, value));
	return true;
}

static void run_action(const struct hist *h, const struct hist_action *a,
		       const struct hist_now *now)
{
	if (a->handler != HIST_ON_MATCH && !update_tracked_val(a, now))
		return;
	switch (a->what) {
	case HIST_TRACE:
		run_trace_action(h, a, now);
		break;
	case HIST_SAVE:
		run_save_action(h, a, now);
		break;
	default:
		hist_peak_request(h, now->vars[a->var_index], now->key);
	}
}

void hist_run_actions(const struct hist *h, const struct hist_now *now)
{
	for (unsigned int i = 0; i < h->nr_actions; i++)
		run_action(h, h->actions[i], now);
}
