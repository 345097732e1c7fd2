// SPDX-License-Identifier: GPL-2.0
/*
 * Actions of histograms, carried out: a key has been counted, and its variables are noted.
 * Called as hit.c is.
 *
 * What is saved for the highest value may be that of a second one, if another CPU has met that
 * at the same time: to prevent that somebody would have to wait.
 */
#include <linux/atomic.h>
#include <linux/sched.h>

#include "action.h"
#include "peak.h"
#include "synth/synth.h"

/* ------------------------------------------------------------------ */
/* What actions are told						*/

static u64 address(const void *at)
{
	return (uintptr_t)at;
}

/* What an action is told, and how long it can be if it is no number. */
struct telling {
	u64	*vals;
	u16	*lens;
};

static u64 located(const struct hist_field *f, const void *rec, u16 *len)
{
	unsigned int bytes;
	const void *at = hist_located(f, rec, &bytes);

	*len = bytes;
	return address(at);
}

/* A stack is kept with the row, for it has to be somewhere. */
static const void *own_stack(const struct hist_param *param, const struct hist_now *now)
{
	void *to = &now->row->sums[param->slot];

	hist_put(to, &param->value, now);
	return to;
}

static u64 told(const struct hist *h, const struct hist_param *param, const struct hist_now *now,
		u16 *len)
{
	const struct hist_field *f = &param->value;

	*len = f->len;
	switch (f->source) {
	case HIST_OWN:
	case HIST_OWN_TEXT:
		return now->vars[f->offset];
	case HIST_REF_NUMBER:
	case HIST_REF_TEXT:
		return now->refs[f->offset];
	case HIST_TEXT:
		*len = f->size;
		return address(now->rec + f->offset);
	case HIST_DATA_LOC:
	case HIST_REL_LOC:
	case HIST_STACK_FIELD:
		return located(f, now->rec, len);
	case HIST_COMM:
		return address(current->comm);
	case HIST_STACK:
		return address(own_stack(param, now));
	default:
		return hist_number(h, f, now->hit, now->refs);
	}
}

static __always_inline void tell(const struct hist *h, const struct hist_action *a,
				 const struct hist_now *now, struct telling to)
{
	for (unsigned int i = 0; i < a->nr_params; i++)
		to.vals[i] = told(h, &a->params[i], now, &to.lens[i]);
	synth_event_hit(a->synth, to.vals, to.lens, now->hit->word);
}

/* So many are told at little cost. */
#define FEW	8U

static noinline void tell_many(const struct hist *h, const struct hist_action *a,
			       const struct hist_now *now)
{
	struct hist_told told __uninitialized;

	tell(h, a, now, (struct telling){ told.vals, told.lens });
}

static void trace(const struct hist *h, const struct hist_action *a, const struct hist_now *now)
{
	u64 vals[FEW];
	u16 lens[FEW];

	if (likely(a->nr_params <= FEW))
		tell(h, a, now, (struct telling){ vals, lens });
	else if (now->told)
		tell(h, a, now, (struct telling){ now->told->vals, now->told->lens });
	else
		tell_many(h, a, now);
}

/* ------------------------------------------------------------------ */
/* What they keep							*/

static void save(const struct hist *h, const struct hist_action *a, const struct hist_now *now)
{
	const struct hist_param *param;
	atomic64_t *to;
	u16 len;

	for (unsigned int i = 0; i < a->nr_params; i++) {
		param = &a->params[i];
		to = &now->row->sums[param->slot];
		if (hist_is_number(&param->value))
			atomic64_set(to, told(h, param, now, &len));
		else
			hist_put(to, &param->value, now);
	}
}

/* Of several CPUs that meet a value that matters, each has its turn, or a higher one. */
static bool is_due(const struct hist_action *a, const struct hist_now *now)
{
	atomic64_t *latest = &now->row->sums[a->slot];
	u64 value = now->vars[a->var_index];
	s64 before = atomic64_read(latest);

	do {
		if (!hist_matters(a->handler, value, before))
			return false;
	} while (!atomic64_try_cmpxchg(latest, &before, value));
	return true;
}

static void act(const struct hist *h, const struct hist_action *a, const struct hist_now *now)
{
	if (a->handler != HIST_ON_MATCH && !is_due(a, now))
		return;
	switch (a->what) {
	case HIST_TRACE:
		trace(h, a, now);
		break;
	case HIST_SAVE:
		save(h, a, now);
		break;
	default:
		hist_peak_ask(h, now->vars[a->var_index], now->key);
	}
}

void hist_act(const struct hist *h, const struct hist_now *now)
{
	for (unsigned int i = 0; i < h->nr_actions; i++)
		act(h, h->actions[i], now);
}
