// SPDX-License-Identifier: GPL-2.0
/*
 * Prints records as lines of function_graph (SPEC T3): calls as blocks of C, with their
 * durations.
 *
 *	 1)   0.437 us    |    rcu_lock();
 *
 * The columns are an interface, every blank counts. From left to right they are: time, CPU,
 * task and context, as far as the options show them; the duration; the function.
 *
 * A line depends on previous lines of the same CPU: on their task, their depth, and which
 * functions were entered. This state is in struct graph_view; a reader that has no memory for
 * it prints lines without it.
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

/* Number of nested calls that graph_view.open holds; deeper calls are not tracked. */
#define DEPTH_MAX	50

/* Upper bound for the length of a call's line with the lines printed around it. */
#define LINE_MAX	2048

/* Indentation per level of depth, in blanks. */
#define INDENT		2

/**
 * struct graph_view - state of printing the records of one CPU
 * @pid: task of the last record; -1 before the first one
 * @depth: depth of the current block; a comment is indented one level deeper
 * @irq_depth: depth of the interrupt whose calls are hidden; -1 outside of one
 * @open: functions whose block was opened, indexed by their depth; 0 for none
 */
struct graph_view {
	pid_t		pid;
	int		depth;
	int		irq_depth;
	unsigned long	open[DEPTH_MAX];
};

/**
 * struct graph_views - state of printing the records of all CPUs
 * @part: links the state to an output whose tracer has a print_line()
 * @of_cpu: state of each CPU
 */
struct graph_views {
	struct output_part	part;
	struct graph_view	of_cpu[];
};

/* ------------------------------------------------------------------ */
/* State of a reader							*/

static struct graph_views *graph_views_of(struct output_part *part)
{
	return container_of(part, struct graph_views, part);
}

static void graph_views_rewind(struct output_part *part)
{
	int cpu;

	for_each_possible_cpu(cpu)
		graph_views_of(part)->of_cpu[cpu] =
			(struct graph_view) { .pid = -1, .irq_depth = -1 };
}

static void graph_views_free(struct output_part *part)
{
	kvfree(graph_views_of(part));
}

static const struct output_part_ops graph_views_ops = {
	.rewind	= graph_views_rewind,
	.free	= graph_views_free,
};

static struct output_part *graph_views_add(struct trace_output *o)
{
	struct graph_views *views;

	if (o->r.atomic || !o->tracer->print_line)
		return NULL;
	views = kvmalloc(struct_size(views, of_cpu, nr_cpu_ids), GFP_KERNEL | __GFP_NOWARN);
	if (!views)
		return NULL;
	views->part.ops = &graph_views_ops;
	graph_views_rewind(&views->part);
	output_part_add(o, &views->part);
	return &views->part;
}

/* State of the CPU of the current record; NULL without memory for it. */
static struct graph_view *graph_cpu_view(struct trace_output *o)
{
	struct output_part *part = output_part(o, &graph_views_ops) ?: graph_views_add(o);

	return part ? &graph_views_of(part)->of_cpu[o->r.ent_cpu] : NULL;
}

/* ------------------------------------------------------------------ */
/* Lines before and after the line of a call				*/

/* If the record belongs to another task than the previous one of the CPU, print a note. */
static void graph_put_switch(struct trace_output *o, struct graph_view *c)
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

static bool graph_is_irq_entry(unsigned long func)
{
	return func >= (unsigned long)__irqentry_text_start &&
	       func < (unsigned long)__irqentry_text_end;
}

/* If @func is an interrupt entry, print a line that marks the begin or end of an interrupt. */
static void graph_put_irq(struct trace_output *o, unsigned long func, const char *arrow)
{
	struct trace_seq *s = &o->seq;

	if (!graph_is_irq_entry(func))
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

/* True if option funcgraph-irqs is off and the call is the entry of an interrupt or inside. */
static bool graph_hides_entry(struct trace_output *o, struct graph_view *c,
			      const struct ftrace_graph_ent *call)
{
	if (!c || (graph_opts(o) & GRAPH_OPT_IRQS))
		return false;
	if (c->irq_depth < 0 && graph_is_irq_entry(call->func))
		c->irq_depth = call->depth;
	return c->irq_depth >= 0;
}

/* True if option funcgraph-irqs is off and the return belongs to a hidden interrupt. */
static bool graph_hides_return(struct trace_output *o, struct graph_view *c, int depth)
{
	if (!c || (graph_opts(o) & GRAPH_OPT_IRQS) || c->irq_depth < 0)
		return false;
	/* If the return of the interrupt itself is missing, the next one above ends it. */
	if (depth <= c->irq_depth)
		c->irq_depth = -1;
	return true;
}

/* ------------------------------------------------------------------ */
/* Entries and returns							*/

static void graph_note_open(struct graph_view *c, int depth, unsigned long func)
{
	if (c && depth >= 0 && depth < DEPTH_MAX)
		c->open[depth] = func;
}

/* True if the function that returns is the one whose block is open, or that is not known. */
static bool graph_matches_open(const struct graph_view *c, int depth, unsigned long func)
{
	return !c || depth < 0 || depth >= DEPTH_MAX || c->open[depth] == func;
}

/* If the next record of the CPU is the return of @entry, find it; otherwise NULL. */
static const struct graph_ret_entry *graph_find_return(struct trace_output *o,
						       const struct graph_ent_entry *entry)
{
	struct graph_ret_entry *ret = (void *)reader_peek_same_cpu(&o->r);

	if (!ret || ret->ent.type != TRACE_GRAPH_RET || ret->ent.pid != entry->ent.pid ||
	    ret->ret.func != entry->graph_ent.func)
		return NULL;
	return ret;
}

/**
 * struct graph_call - copy of the record of an entry
 * @entry: the record without the arguments
 * @nr_args: number of recorded arguments
 * @args: the recorded arguments
 */
struct graph_call {
	struct graph_ent_entry	entry;
	unsigned int		nr_args;
	unsigned long		args[GRAPH_ENT_ARGS];
};

/* Copy the current record, which may move when the reader looks at the next one. */
static void graph_copy_call(const struct trace_output *o, struct graph_call *call)
{
	unsigned int size = min_t(unsigned int, o->r.ent_size, GRAPH_ENT_ARGS_SIZE) -
			    sizeof(call->entry);
	const void *args = ((const struct graph_ent_entry *)o->r.ent)->args;

	memcpy(&call->entry, o->r.ent, sizeof(call->entry));
	memcpy(call->args, args, size);
	call->nr_args = size / sizeof(long);
}

static void graph_put_args(struct trace_output *o, const struct graph_call *call)
{
	output_text(&o->seq, "(");
	if (call->nr_args)
		args_put(o, call->entry.graph_ent.func, call->args, call->nr_args);
	output_text(&o->seq, ")");
}

/* Print an entry and its return as one line. */
static enum print_line_t graph_put_leaf(struct trace_output *o, struct graph_view *c,
					const struct graph_call *call,
					const struct graph_ret_entry *entry)
{
	const struct ftrace_graph_ret *ret = &entry->ret;

	if (c)
		c->depth = ret->depth - 1;
	graph_note_open(c, ret->depth, 0);
	graph_put_duration(o, ret);
	graph_put_blanks(&o->seq, ret->depth * INDENT);
	graph_put_function(o, ret->func);
	graph_put_args(o, call);
	output_text(&o->seq, ";");
	if (graph_has_retval(o)) {
		trace_seq_puts(&o->seq, " /*");
		graph_put_retval(o, ftrace_graph_retval(ret));
	} else {
		output_text(&o->seq, "\n");
	}
	graph_put_irq(o, ret->func, IRQ_ENDS);
	return output_done(&o->seq);
}

/* Print an entry as the begin of a block. */
static enum print_line_t graph_put_block(struct trace_output *o, struct graph_view *c,
					 const struct graph_call *call)
{
	const struct ftrace_graph_ent *ent = &call->entry.graph_ent;

	if (c)
		c->depth = ent->depth;
	graph_note_open(c, ent->depth, ent->func);
	graph_put_no_duration(o);
	graph_put_blanks(&o->seq, ent->depth * INDENT);
	graph_put_function(o, ent->func);
	graph_put_args(o, call);
	output_text(&o->seq, " {\n");
	return output_done(&o->seq);
}

static enum print_line_t graph_entry_line(struct trace_output *o, struct graph_view *c)
{
	const struct graph_ret_entry *ret;
	struct graph_call call;

	graph_copy_call(o, &call);
	if (graph_hides_entry(o, c, &call.entry.graph_ent))
		return TRACE_TYPE_HANDLED;
	graph_put_switch(o, c);
	graph_put_irq(o, call.entry.graph_ent.func, IRQ_BEGINS);
	graph_put_columns(o);
	ret = graph_find_return(o, &call.entry);
	if (!ret)
		return graph_put_block(o, c, &call);
	graph_put_leaf(o, c, &call, ret);
	reader_skip_same_cpu(&o->r);
	return output_done(&o->seq);
}

static void graph_put_closing(struct trace_output *o, const struct ftrace_graph_ret *ret,
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

static enum print_line_t graph_return_line(struct trace_output *o, struct graph_view *c)
{
	const struct ftrace_graph_ret *ret = &((struct graph_ret_entry *)o->r.ent)->ret;
	bool matches, named;

	if (graph_hides_return(o, c, ret->depth))
		return TRACE_TYPE_HANDLED;
	if (c)
		c->depth = ret->depth - 1;
	matches = graph_matches_open(c, ret->depth, ret->func);
	graph_note_open(c, ret->depth, 0);
	graph_put_switch(o, c);
	graph_put_columns(o);
	graph_put_duration(o, ret);
	graph_put_blanks(&o->seq, ret->depth * INDENT);
	named = !matches || graph_has_retval(o) || (graph_opts(o) & GRAPH_OPT_TAIL);
	graph_put_closing(o, ret, named);
	if (graph_opts(o) & GRAPH_OPT_OVERRUN)
		trace_seq_printf(&o->seq, " (Overruns: %u)\n", ret->overrun);
	graph_put_irq(o, ret->func, IRQ_ENDS);
	return output_done(&o->seq);
}

/* ------------------------------------------------------------------ */
/* Comments								*/

static void graph_put_comment(struct trace_output *o)
{
	const struct record_type *type = output_type(o);

	if (type->class->message)
		type->class->message(o);
	else
		type->class->text(o);
}

static enum print_line_t graph_comment_line(struct trace_output *o, struct graph_view *c)
{
	pid_t pid = c ? c->pid : 0;
	struct trace_seq *s = &o->seq;

	graph_put_switch(o, c);
	graph_put_columns(o);
	graph_put_no_duration(o);
	if (c && c->depth > 0)
		graph_put_blanks(s, (c->depth + 1) * INDENT);
	trace_seq_puts(s, "/* ");
	graph_put_comment(o);
	if (s->seq.len && s->buffer[s->seq.len - 1] == '\n')
		s->seq.len--;
	trace_seq_puts(s, " */\n");
	/* The record will be printed again, with its note of the switch, where there is room. */
	if (trace_seq_has_overflowed(s) && c)
		c->pid = pid;
	return output_done(s);
}

enum print_line_t graph_line(struct trace_output *o)
{
	struct trace_seq *s = &o->seq;
	struct graph_view *c;

	/*
	 * Refuse in advance a line that may not fit: it may consume two records, so it could
	 * not be printed again.
	 */
	if (trace_seq_used(s) && TRACE_SEQ_BUFFER_SIZE - trace_seq_used(s) < LINE_MAX) {
		s->full = 1;
		return TRACE_TYPE_PARTIAL_LINE;
	}
	c = graph_cpu_view(o);
	switch (o->r.ent->type) {
	case TRACE_GRAPH_ENT:
		return graph_entry_line(o, c);
	case TRACE_GRAPH_RET:
		return graph_return_line(o, c);
	case TRACE_FN:
	case TRACE_STACK:
		return TRACE_TYPE_UNHANDLED;
	default:
		return output_type(o) ? graph_comment_line(o, c) : TRACE_TYPE_UNHANDLED;
	}
}

enum print_line_t graph_line_if_wanted(struct trace_output *o)
{
	return trace_array_opt(o->r.tr, TRACE_OPT_DISPLAY_GRAPH) ? graph_line(o) :
								 TRACE_TYPE_UNHANDLED;
}
