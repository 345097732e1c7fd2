// SPDX-License-Identifier: GPL-2.0
/*
 * Types of the values of histograms, which decide whether a field of a synthetic event can take
 * them. A variable keeps its type, as the reference that it was set from may be withdrawn.
 */
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "events/events.h"
#include "expr.h"
#include "fields.h"
#include "internal.h"
#include "synth/synth.h"
#include "vars.h"

static const struct hist_type u64_type = { "u64", SYNTH_NUMBER, sizeof(u64), false };

/* Type of a reference whose variable was withdrawn: a number of 0 bytes, which fits no field. */
static const struct hist_type no_type = { NULL, SYNTH_NUMBER, 0, false };

static struct hist_type get_ref_type(const struct hist *h, unsigned int ref)
{
	const struct hist_var *var = hist_ref_var(h, ref);

	return var ? var->type : no_type;
}

/* An expression has the type of its first operand. */
static struct hist_type get_expr_type(const struct hist *h, const struct hist_expr *expr)
{
	const struct hist_step *step = &expr->steps[0];

	switch (step->what) {
	case HIST_FIELD:
		return hist_type_of(h, &expr->fields[step->index]);
	case HIST_REF:
		return get_ref_type(h, step->index);
	default:
		return u64_type;
	}
}

struct hist_type hist_type_of(const struct hist *h, const struct hist_field *f)
{
	switch (f->source) {
	case HIST_OWN_NUMBER:
	case HIST_OWN_TEXT:
		return h->vars[f->var].type;
	case HIST_EXPR:
		return get_expr_type(h, f->expr);
	case HIST_REF_NUMBER:
	case HIST_REF_TEXT:
		return get_ref_type(h, f->ref);
	case HIST_STACK:
	case HIST_STACK_FIELD:
		return (struct hist_type){ NULL, SYNTH_STACK };
	case HIST_DATA_LOC:
	case HIST_REL_LOC:
		return (struct hist_type){ f->type, SYNTH_DYN_TEXT };
	case HIST_TEXT:
		return (struct hist_type){ f->type, SYNTH_TEXT, f->rec.size };
	case HIST_COMM:
		return (struct hist_type){ NULL, SYNTH_TEXT, TASK_COMM_LEN };
	case HIST_CPU:
		return (struct hist_type){ NULL, SYNTH_NUMBER, sizeof(int), false };
	case HIST_TIME:
	case HIST_HITS:
		return u64_type;
	default:
		return (struct hist_type){ f->type, SYNTH_NUMBER, f->rec.size, f->is_signed };
	}
}

bool hist_type_fits(const struct synth_field *to, const struct hist_type *from)
{
	if (from->name && !strcmp(to->type, from->name))
		return true;
	switch (to->kind) {
	case SYNTH_DYN_TEXT:
		return from->kind == SYNTH_TEXT || from->kind == SYNTH_DYN_TEXT;
	case SYNTH_TEXT:
		/* A string of variable length fits if there is room for the longest such string. */
		return (from->kind == SYNTH_TEXT && to->size == from->size) ||
		       (from->kind == SYNTH_DYN_TEXT && to->size == SYNTH_TEXT_MAX);
	case SYNTH_STACK:
		return from->kind == SYNTH_STACK;
	default:
		return from->kind == SYNTH_NUMBER && to->size == from->size &&
		       to->is_signed == from->is_signed;
	}
}
