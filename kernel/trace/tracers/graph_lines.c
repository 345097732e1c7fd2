// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of function_graph (SPEC T3): calls as blocks of C, with their durations.
 *
 *	 1)   0.437 us    |    rcu_lock();
 *
 * The columns are an interface, each blank of them. They come from the left: what the
 * options show of time, CPU, task and context; the duration; the function.
 *
 * A line depends on those before it on the same CPU: whose calls they were, how deep,
 * which have begun. A reader that has no memory for that (struct graph_view) does
 * without.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/sections.h>

#include "args.h"
#include "entries.h"
#include "graph_columns.h"
#include "graph_lines.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "output/output.h"
#include "types/types.h"

/* Of calls deeper than that is not remembered that they have begun. */
#define DEPTH_MAX	50

/* More than a line takes, with all that may stand around it, but for comments. */
#define LINE_MAX	2048

/* Blanks per depth. */
#define INDENT		2

/**
 * struct graph_view - where the lines of one CPU have come to
 * @pid: the task of the last one, -1 without one
 * @depth: of its block; a comment is written one deeper
 * @irq_depth: of the interrupt that is not shown, -1 outside of one
 * @open: functions that have begun, by their depth
 */
struct graph_view {
	pid_t		pid;
	int		depth;
	int		irq_depth;
	unsigned long	open[DEPTH_MAX];
};

/* Kept with an output that some tracer makes such lines of. */
struct graph_views {
	struct output_part	part;
	struct graph_view	of_cpu[];
};

/* ------------------------------------------------------------------ */
/* What is remembered							*/

static struct graph_views *views_of(struct output_part *part)
{
	return container_of(part, struct graph_views, part);
}

static void rewind_views(struct output_part *part)
{
	int cpu;

	for_each_possible_cpu(cpu)
		views_of(part)->of_cpu[cpu] =
			(struct graph_view) { .pid = -1, .irq_depth = -1 };
}

static void free_views(struct output_part *part)
{
	kvfree(views_of(part));
}

static const struct output_part_ops views_ops = {
	.rewind	= rewind_views,
	.free	= free_views,
};

static struct output_part *add_views(struct trace_output *o)
{
	struct graph_views *views;

	if (o->r.atomic || !o->tracer->print_line)
		return NULL;
	views = kvmalloc(struct_size(views, of_cpu, nr_cpu_ids), GFP_KERNEL | __GFP_NOWARN);
	if (!views)
		return NULL;
	views->part.ops = &views_ops;
	rewind_views(&views->part);
	output_part_add(o, &views->part);
	return &views->part;
}

/* Of the CPU of the current record; NULL if nothing is remembered. */
static struct graph_view *cpu_view(struct trace_output *o)
{
	struct output_part *part = output_part(o, &views_ops) ?: add_views(o);

	return part ? &views_of(part)->of_cpu[o->r.ent_cpu] : NULL;
}

/* ------------------------------------------------------------------ */
/* Lines around a line							*/

/* The records of a CPU go over to another task. */
static void put_switch(struct trace_output *o, struct graph_view *c)
{
	static const char ruler[] = " ------------------------------------------\n";
	struct trace_seq *s = &o->seq;
	pid_t from;

	if (!c || c->pid == o->r.ent->pid)
		return;
	from = c->pid;
	c->pid = o->r.ent->pid;
	if (from == -1)
		return;
	trace_seq_puts(s, ruler);
	graph_put_cpu(s, o->r.ent_cpu);
	graph_put_task(s, from);
	trace_seq_puts(s, " => ");
	graph_put_task(s, o->r.ent->pid);
	trace_seq_putc(s, '\n');
	trace_seq_puts(s, ruler);
	trace_seq_putc(s, '\n');
}

static bool is_irq_entry(unsigned long func)
{
	return func >= (unsigned long)__irqentry_text_start &&
	       func < (unsigned long)__irqentry_text_end;
}

/* An interrupt begins, or ends. */
static void put_irq(struct trace_output *o, unsigned long func, const char *arrow)
{
	struct trace_seq *s = &o->seq;

	if (!is_irq_entry(func))
		return;
	graph_put_columns(o);
	if (graph_has_duration(o))
		trace_seq_puts(s, "  ");
	trace_seq_puts(s, arrow);
	if (graph_has_duration(o))
		trace_seq_puts(s, " |");
	trace_seq_putc(s, '\n');
}

#define IRQ_BEGINS	"==========>"
#define IRQ_ENDS	"<=========="

/* Are interrupts not to be shown, and is this entry in one, or that of one? */
static bool hides_entry(struct trace_output *o, struct graph_view *c,
			const struct ftrace_graph_ent *call)
{
	if (!c || (graph_opts(o) & GRAPH_OPT_IRQS))
		return false;
	if (c->irq_depth < 0 && is_irq_entry(call->func))
		c->irq_depth = call->depth;
	return c->irq_depth >= 0;
}

static bool hides_return(struct trace_output *o, struct graph_view *c, int depth)
{
	if (!c || (graph_opts(o) & GRAPH_OPT_IRQS) || c->irq_depth < 0)
		return false;
	/* The return of the interrupt itself may be missing: then it is the next one. */
	if (depth <= c->irq_depth)
		c->irq_depth = -1;
	return true;
}

/* ------------------------------------------------------------------ */
/* Entries and returns							*/

static void remember_open(struct graph_view *c, int depth, unsigned long func)
{
	if (c && depth >= 0 && depth < DEPTH_MAX)
		c->open[depth] = func;
}

/* Is the function that returns the one whose block is open? */
static bool matches_open(const struct graph_view *c, int depth, unsigned long func)
{
	return !c || depth < 0 || depth >= DEPTH_MAX || c->open[depth] == func;
}

/* The return of this very entry, if it comes next. */
static const struct graph_ret_entry *find_return(struct trace_output *o,
						 const struct graph_ent_entry *entry)
{
	struct graph_ret_entry *ret = (void *)reader_behind(&o->r);

	if (!ret || ret->ent.type != TRACE_GRAPH_RET || ret->ent.pid != entry->ent.pid ||
	    ret->ret.func != entry->graph_ent.func)
		return NULL;
	return ret;
}

/**
 * struct graph_call - a call that was recorded
 * @entry: its entry, without what is behind it
 * @nr_args: how many arguments were recorded
 * @args: these
 */
struct graph_call {
	struct graph_ent_entry	entry;
	unsigned int		nr_args;
	unsigned long		args[GRAPH_ENT_ARGS];
};

/* What is current may be in another place once the next one was looked at. */
static void copy_call(const struct trace_output *o, struct graph_call *call)
{
	unsigned int size = min_t(unsigned int, o->r.ent_size, GRAPH_ENT_ARGS_SIZE) -
			    sizeof(call->entry);
	const void *args = ((const struct graph_ent_entry *)o->r.ent)->args;

	memcpy(&call->entry, o->r.ent, sizeof(call->entry));
	memcpy(call->args, args, size);
	call->nr_args = size / sizeof(long);
}

static void put_args(struct trace_output *o, const struct graph_call *call)
{
	output_text(&o->seq, "(");
	if (call->nr_args)
		args_put(o, call->entry.graph_ent.func, call->args, call->nr_args);
	output_text(&o->seq, ")");
}

static enum print_line_t put_leaf(struct trace_output *o, struct graph_view *c,
				  const struct graph_call *call,
				  const struct graph_ret_entry *entry)
{
	const struct ftrace_graph_ret *ret = &entry->ret;

	if (c)
		c->depth = ret->depth - 1;
	remember_open(c, ret->depth, 0);
	graph_put_duration(o, ret);
	graph_put_blanks(&o->seq, ret->depth * INDENT);
	graph_put_function(o, ret->func);
	put_args(o, call);
	output_text(&o->seq, ";");
	if (graph_has_retval(o)) {
		trace_seq_puts(&o->seq, " /*");
		graph_put_retval(o, ftrace_graph_retval(ret));
	} else {
		output_text(&o->seq, "\n");
	}
	put_irq(o, ret->func, IRQ_ENDS);
	return output_done(&o->seq);
}

static enum print_line_t put_block(struct trace_output *o, struct graph_view *c,
				   const struct graph_call *call)
{
	const struct ftrace_graph_ent *ent = &call->entry.graph_ent;

	if (c)
		c->depth = ent->depth;
	remember_open(c, ent->depth, ent->func);
	graph_put_no_duration(o);
	graph_put_blanks(&o->seq, ent->depth * INDENT);
	graph_put_function(o, ent->func);
	put_args(o, call);
	output_text(&o->seq, " {\n");
	return output_done(&o->seq);
}

static enum print_line_t entry_line(struct trace_output *o, struct graph_view *c)
{
	const struct graph_ret_entry *ret;
	struct graph_call call;

	copy_call(o, &call);
	if (hides_entry(o, c, &call.entry.graph_ent))
		return TRACE_TYPE_HANDLED;
	put_switch(o, c);
	put_irq(o, call.entry.graph_ent.func, IRQ_BEGINS);
	graph_put_columns(o);
	ret = find_return(o, &call.entry);
	if (!ret)
		return put_block(o, c, &call);
	put_leaf(o, c, &call, ret);
	reader_skip_behind(&o->r);
	return output_done(&o->seq);
}

static void put_closing(struct trace_output *o, const struct ftrace_graph_ret *ret,
			bool named)
{
	struct trace_seq *s = &o->seq;

	if (!named) {
		output_text(s, "}\n");
		return;
	}
	trace_seq_puts(s, "} /* ");
	graph_put_function(o, ret->func);
	if (graph_has_retval(o))
		graph_put_retval(o, ftrace_graph_retval(ret));
	else
		trace_seq_puts(s, " */\n");
}

static enum print_line_t return_line(struct trace_output *o, struct graph_view *c)
{
	const struct ftrace_graph_ret *ret = &((struct graph_ret_entry *)o->r.ent)->ret;
	bool matches, named;

	if (hides_return(o, c, ret->depth))
		return TRACE_TYPE_HANDLED;
	if (c)
		c->depth = ret->depth - 1;
	matches = matches_open(c, ret->depth, ret->func);
	remember_open(c, ret->depth, 0);
	put_switch(o, c);
	graph_put_columns(o);
	graph_put_duration(o, ret);
	graph_put_blanks(&o->seq, ret->depth * INDENT);
	named = !matches || graph_has_retval(o) || (graph_opts(o) & GRAPH_OPT_TAIL);
	put_closing(o, ret, named);
	if (graph_opts(o) & GRAPH_OPT_OVERRUN)
		trace_seq_printf(&o->seq, " (Overruns: %u)\n", ret->overrun);
	put_irq(o, ret->func, IRQ_ENDS);
	return output_done(&o->seq);
}

/* ------------------------------------------------------------------ */
/* Comments								*/

static void put_comment(struct trace_output *o)
{
	const struct record_type *type = output_type(o);

	if (type->class->message)
		type->class->message(o);
	else
		type->class->text(o);
}

static enum print_line_t comment_line(struct trace_output *o, struct graph_view *c)
{
	pid_t pid = c ? c->pid : 0;
	struct trace_seq *s = &o->seq;

	put_switch(o, c);
	graph_put_columns(o);
	graph_put_no_duration(o);
	if (c && c->depth > 0)
		graph_put_blanks(s, (c->depth + 1) * INDENT);
	trace_seq_puts(s, "/* ");
	put_comment(o);
	if (s->seq.len && s->buffer[s->seq.len - 1] == '\n')
		s->seq.len--;
	trace_seq_puts(s, " */\n");
	/* It will be printed once more, where there is room. */
	if (trace_seq_has_overflowed(s) && c)
		c->pid = pid;
	return output_done(s);
}

enum print_line_t graph_line(struct trace_output *o)
{
	struct trace_seq *s = &o->seq;
	struct graph_view *c;

	/* A line that does not fit could not be begun again: it may have taken two records. */
	if (trace_seq_used(s) && TRACE_SEQ_BUFFER_SIZE - trace_seq_used(s) < LINE_MAX) {
		s->full = 1;
		return TRACE_TYPE_PARTIAL_LINE;
	}
	c = cpu_view(o);
	switch (o->r.ent->type) {
	case TRACE_GRAPH_ENT:
		return entry_line(o, c);
	case TRACE_GRAPH_RET:
		return return_line(o, c);
	case TRACE_FN:
	case TRACE_STACK:
		return TRACE_TYPE_UNHANDLED;
	default:
		return output_type(o) ? comment_line(o, c) : TRACE_TYPE_UNHANDLED;
	}
}

enum print_line_t graph_line_if_wanted(struct trace_output *o)
{
	return trace_array_opt(o->r.tr, TRACE_OPT_DISPLAY_GRAPH) ? graph_line(o) :
								 TRACE_TYPE_UNHANDLED;
}
