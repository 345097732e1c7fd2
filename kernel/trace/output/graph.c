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
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <asm/sections.h>

#include "args.h"
#include "graph.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "output.h"
#include "reader.h"
#include "record/cmdlines.h"
#include "record/entries.h"
#include "record/left_out.h"
#include "sym_cache.h"

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

unsigned int graph_tracer_index;

static u32 graph_opts(const struct trace_reader *r)
{
	return r->tracer->graph_opts ?: READ_ONCE(r->tr->tracer_opts[graph_tracer_index]);
}

/* ------------------------------------------------------------------ */
/* What is remembered							*/

void graph_view_reset(struct graph_view *view)
{
	int cpu;

	if (!view)
		return;
	for_each_possible_cpu(cpu)
		view[cpu] = (struct graph_view) { .pid = -1, .irq_depth = -1 };
}

void graph_view_free(struct graph_view *view)
{
	kvfree(view);
}

/* Of the CPU of the current record; NULL if nothing is remembered. */
static struct graph_view *cpu_view(struct trace_reader *r)
{
	if (!r->graph && !r->atomic && r->tracer->print_line) {
		r->graph = kvmalloc_array(nr_cpu_ids, sizeof(struct graph_view),
					  GFP_KERNEL | __GFP_NOWARN);
		graph_view_reset(r->graph);
	}
	return r->graph ? &r->graph[r->ent_cpu] : NULL;
}

/* ------------------------------------------------------------------ */
/* Columns								*/

static void put_blanks(struct trace_seq *s, int n)
{
	while (n-- > 0)
		trace_seq_putc(s, ' ');
}

static void put_cpu_nr(struct trace_seq *s, int cpu)
{
	int width = 1, most;

	for (most = nr_cpu_ids - 1; most > 9; most /= 10)
		width++;
	trace_seq_printf(s, " %*d) ", width, cpu);
}

/* In the middle of 14 columns, if it is shorter. */
static void put_task(struct trace_seq *s, pid_t pid)
{
	char text[TASK_COMM_LEN + 16], comm[TASK_COMM_LEN];
	int len;

	trace_find_cmdline(pid, comm);
	len = snprintf(text, sizeof(text), "%.7s-%d", comm, pid);
	put_blanks(s, (14 - len) / 2);
	trace_seq_puts(s, text);
	put_blanks(s, 14 - len - max(14 - len, 0) / 2);
}

static void put_abs_time(struct trace_seq *s, u64 ts)
{
	u32 nsecs;
	u64 secs = div_u64_rem(ts, NSEC_PER_SEC, &nsecs);

	trace_seq_printf(s, "%5llu.%06lu |  ", secs, nsecs / NSEC_PER_USEC);
}

static void put_rel_time(struct trace_reader *r)
{
	trace_seq_printf(&r->seq, "%9llu us |  ", div_u64(output_since(r), NSEC_PER_USEC));
}

static void put_columns(struct trace_reader *r)
{
	struct trace_seq *s = &r->seq;
	u32 opts = graph_opts(r);

	if (!(r->options & TRACE_OPT_CONTEXT_INFO))
		return;
	if (opts & GRAPH_OPT_ABSTIME)
		put_abs_time(s, r->ts);
	if (opts & GRAPH_OPT_RELTIME)
		put_rel_time(r);
	if (opts & GRAPH_OPT_CPU)
		put_cpu_nr(s, r->ent_cpu);
	if (opts & GRAPH_OPT_PROC) {
		put_task(s, r->ent->pid);
		trace_seq_puts(s, " | ");
	}
	if (r->options & TRACE_OPT_LATENCY_FMT) {
		trace_seq_putc(s, ' ');
		output_flags(r);
		trace_seq_puts(s, " | ");
	}
}

static bool has_duration(struct trace_reader *r)
{
	return (graph_opts(r) & GRAPH_OPT_DURATION) &&
	       (r->options & TRACE_OPT_CONTEXT_INFO);
}

static void put_no_duration(struct trace_reader *r)
{
	if (has_duration(r))
		trace_seq_puts(&r->seq, "              |  ");
}

char *graph_usecs(char *text, u64 nsecs)
{
	u32 rest;
	int len;

	len = scnprintf(text, GRAPH_USECS_MAX, "%llu", div_u64_rem(nsecs, 1000, &rest));
	if (len < 7)
		len += scnprintf(text + len, min(6, 9 - len), ".%03u", rest);
	memcpy(text + len, " us         ", 13);
	text[max(len, 8) + 4] = '\0';
	return text;
}

/* On another CPU it may have been earlier than it was on the first one. */
static void put_duration(struct trace_reader *r, const struct ftrace_graph_ret *ret)
{
	u64 nsecs = max_t(s64, ret->rettime - ret->calltime, 0);
	struct trace_seq *s = &r->seq;
	char text[GRAPH_USECS_MAX];

	if (!has_duration(r))
		return;
	trace_seq_putc(s, graph_opts(r) & GRAPH_OPT_OVERHEAD ? output_mark(nsecs) : ' ');
	trace_seq_putc(s, ' ');
	trace_seq_puts(s, graph_usecs(text, nsecs));
	trace_seq_puts(s, "|  ");
}

static void put_function(struct trace_reader *r, unsigned long func)
{
	sym_cache_put(r->symbols, &r->seq, func, SYM_MODULE);
}

static bool has_retval(struct trace_reader *r)
{
	return IS_ENABLED(CONFIG_FUNCTION_GRAPH_RETVAL) && (graph_opts(r) & GRAPH_OPT_RETVAL);
}

/* An error as what it is, anything else as bits. */
static void put_retval(struct trace_reader *r, unsigned long value)
{
	unsigned long extended = value;

	/* An int in half a register. */
	if (IS_ENABLED(CONFIG_64BIT) && upper_32_bits(value) == 0)
		extended = (long)(s32)value;
	if (!(graph_opts(r) & GRAPH_OPT_RETVAL_HEX) && IS_ERR_VALUE(extended))
		trace_seq_printf(&r->seq, " = %ld */\n", extended);
	else
		trace_seq_printf(&r->seq, " = 0x%lx */\n", value);
}

/* ------------------------------------------------------------------ */
/* Lines around a line							*/

/* The records of a CPU go over to another task. */
static void put_switch(struct trace_reader *r, struct graph_view *c)
{
	static const char ruler[] = " ------------------------------------------\n";
	struct trace_seq *s = &r->seq;
	pid_t from;

	if (!c || c->pid == r->ent->pid)
		return;
	from = c->pid;
	c->pid = r->ent->pid;
	if (from == -1)
		return;
	trace_seq_puts(s, ruler);
	put_cpu_nr(s, r->ent_cpu);
	put_task(s, from);
	trace_seq_puts(s, " => ");
	put_task(s, r->ent->pid);
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
static void put_irq(struct trace_reader *r, unsigned long func, const char *arrow)
{
	struct trace_seq *s = &r->seq;

	if (!is_irq_entry(func))
		return;
	put_columns(r);
	if (has_duration(r))
		trace_seq_puts(s, "  ");
	trace_seq_puts(s, arrow);
	if (has_duration(r))
		trace_seq_puts(s, " |");
	trace_seq_putc(s, '\n');
}

#define IRQ_BEGINS	"==========>"
#define IRQ_ENDS	"<=========="

/* Are interrupts not to be shown, and is this entry in one, or that of one? */
static bool hides_entry(struct trace_reader *r, struct graph_view *c,
			const struct ftrace_graph_ent *call)
{
	if (!c || (graph_opts(r) & GRAPH_OPT_IRQS))
		return false;
	if (c->irq_depth < 0 && is_irq_entry(call->func))
		c->irq_depth = call->depth;
	return c->irq_depth >= 0;
}

static bool hides_return(struct trace_reader *r, struct graph_view *c, int depth)
{
	if (!c || (graph_opts(r) & GRAPH_OPT_IRQS) || c->irq_depth < 0)
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
static const struct graph_ret_entry *find_return(struct trace_reader *r,
						 const struct graph_ent_entry *entry)
{
	struct graph_ret_entry *ret = (void *)reader_behind(r);

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
static void copy_call(const struct trace_reader *r, struct graph_call *call)
{
	unsigned int size = min_t(unsigned int, r->ent_size, GRAPH_ENT_ARGS_SIZE) -
			    sizeof(call->entry);
	const void *args = ((const struct graph_ent_entry *)r->ent)->args;

	memcpy(&call->entry, r->ent, sizeof(call->entry));
	memcpy(call->args, args, size);
	call->nr_args = size / sizeof(long);
}

static void put_args(struct trace_reader *r, const struct graph_call *call)
{
	trace_seq_putc(&r->seq, '(');
	if (call->nr_args)
		args_put(r, call->entry.graph_ent.func, call->args, call->nr_args);
	trace_seq_putc(&r->seq, ')');
}

static enum print_line_t put_leaf(struct trace_reader *r, struct graph_view *c,
				  const struct graph_call *call,
				  const struct graph_ret_entry *entry)
{
	const struct ftrace_graph_ret *ret = &entry->ret;

	if (c)
		c->depth = ret->depth - 1;
	remember_open(c, ret->depth, 0);
	put_duration(r, ret);
	put_blanks(&r->seq, ret->depth * INDENT);
	put_function(r, ret->func);
	put_args(r, call);
	trace_seq_putc(&r->seq, ';');
	if (has_retval(r)) {
		trace_seq_puts(&r->seq, " /*");
		put_retval(r, ftrace_graph_retval(ret));
	} else {
		trace_seq_putc(&r->seq, '\n');
	}
	put_irq(r, ret->func, IRQ_ENDS);
	return output_done(&r->seq);
}

static enum print_line_t put_block(struct trace_reader *r, struct graph_view *c,
				   const struct graph_call *call)
{
	const struct ftrace_graph_ent *ent = &call->entry.graph_ent;

	if (c)
		c->depth = ent->depth;
	remember_open(c, ent->depth, ent->func);
	put_no_duration(r);
	put_blanks(&r->seq, ent->depth * INDENT);
	put_function(r, ent->func);
	put_args(r, call);
	trace_seq_puts(&r->seq, " {\n");
	return output_done(&r->seq);
}

static enum print_line_t entry_line(struct trace_reader *r, struct graph_view *c)
{
	const struct graph_ret_entry *ret;
	struct graph_call call;

	copy_call(r, &call);
	if (hides_entry(r, c, &call.entry.graph_ent))
		return TRACE_TYPE_HANDLED;
	put_switch(r, c);
	put_irq(r, call.entry.graph_ent.func, IRQ_BEGINS);
	put_columns(r);
	ret = find_return(r, &call.entry);
	if (!ret)
		return put_block(r, c, &call);
	put_leaf(r, c, &call, ret);
	reader_skip_behind(r);
	return output_done(&r->seq);
}

static void put_closing(struct trace_reader *r, const struct ftrace_graph_ret *ret,
			bool named)
{
	struct trace_seq *s = &r->seq;

	if (!named) {
		trace_seq_puts(s, "}\n");
		return;
	}
	trace_seq_puts(s, "} /* ");
	put_function(r, ret->func);
	if (has_retval(r))
		put_retval(r, ftrace_graph_retval(ret));
	else
		trace_seq_puts(s, " */\n");
}

static enum print_line_t return_line(struct trace_reader *r, struct graph_view *c)
{
	const struct ftrace_graph_ret *ret = &((struct graph_ret_entry *)r->ent)->ret;
	bool matches, named;

	if (hides_return(r, c, ret->depth))
		return TRACE_TYPE_HANDLED;
	if (c)
		c->depth = ret->depth - 1;
	matches = matches_open(c, ret->depth, ret->func);
	remember_open(c, ret->depth, 0);
	put_switch(r, c);
	put_columns(r);
	put_duration(r, ret);
	put_blanks(&r->seq, ret->depth * INDENT);
	named = !matches || has_retval(r) || (graph_opts(r) & GRAPH_OPT_TAIL);
	put_closing(r, ret, named);
	if (graph_opts(r) & GRAPH_OPT_OVERRUN)
		trace_seq_printf(&r->seq, " (Overruns: %u)\n", ret->overrun);
	put_irq(r, ret->func, IRQ_ENDS);
	return output_done(&r->seq);
}

/* ------------------------------------------------------------------ */
/* Comments								*/

static void put_comment(struct trace_reader *r)
{
	const struct output_handler *h = output_handler_of(r->ent->type);

	switch (r->ent->type) {
	case TRACE_PRINT:
		trace_seq_puts(&r->seq, ((struct print_entry *)r->ent)->buf);
		break;
	case TRACE_BPRINT:
		output_bprint(r);
		break;
	case TRACE_BPUTS:
		output_bputs(r);
		break;
	default:
		h->trace(r);
	}
}

static enum print_line_t comment_line(struct trace_reader *r, struct graph_view *c)
{
	pid_t pid = c ? c->pid : 0;
	struct trace_seq *s = &r->seq;

	put_switch(r, c);
	put_columns(r);
	put_no_duration(r);
	if (c && c->depth > 0)
		put_blanks(s, (c->depth + 1) * INDENT);
	trace_seq_puts(s, "/* ");
	put_comment(r);
	if (s->seq.len && s->buffer[s->seq.len - 1] == '\n')
		s->seq.len--;
	trace_seq_puts(s, " */\n");
	/* It will be printed once more, where there is room. */
	if (trace_seq_has_overflowed(s) && c)
		c->pid = pid;
	return output_done(s);
}

enum print_line_t graph_line(struct trace_reader *r)
{
	struct trace_seq *s = &r->seq;
	struct graph_view *c;

	/* A line that does not fit could not be begun again: it may have taken two records. */
	if (trace_seq_used(s) && TRACE_SEQ_BUFFER_SIZE - trace_seq_used(s) < LINE_MAX) {
		s->full = 1;
		return TRACE_TYPE_PARTIAL_LINE;
	}
	c = cpu_view(r);
	switch (r->ent->type) {
	case TRACE_GRAPH_ENT:
		return entry_line(r, c);
	case TRACE_GRAPH_RET:
		return return_line(r, c);
	case TRACE_FN:
	case TRACE_STACK:
		return TRACE_TYPE_UNHANDLED;
	default:
		return output_handler_of(r->ent->type) ? comment_line(r, c)
						    : TRACE_TYPE_UNHANDLED;
	}
}

enum print_line_t graph_line_if_wanted(struct trace_reader *r)
{
	return trace_array_opt(r->tr, TRACE_OPT_DISPLAY_GRAPH) ? graph_line(r) :
								 TRACE_TYPE_UNHANDLED;
}

/* ------------------------------------------------------------------ */
/* Above the lines							*/

static void put_latency_picture(struct seq_file *m, u32 opts)
{
	static const char *const lines[] = {
		"  _-----=> irqs-off",
		" / _----=> need-resched",
		"| / _---=> hardirq/softirq",
		"|| / _--=> preempt-depth",
		"||| /",
	};
	int gap = 0, i;

	if (opts & GRAPH_OPT_ABSTIME)
		gap += 16;
	if (opts & GRAPH_OPT_RELTIME)
		gap += 16;
	if (opts & GRAPH_OPT_CPU)
		gap += 4;
	if (opts & GRAPH_OPT_PROC)
		gap += 17;
	for (i = 0; i < ARRAY_SIZE(lines); i++)
		seq_printf(m, "#%*s%-27s\n", gap, "", lines[i]);
}

/* What the buffer that is recorded to would have held. */
static void put_left_out(struct seq_file *m, struct trace_reader *r)
{
	u64 calls = left_out_calls(r->tr, r->cpu);

	if (calls && r->buffer == READ_ONCE(r->tr->buffer))
		seq_printf(m, "# calls left out: %llu\n#\n", calls);
}

void graph_header(struct seq_file *m, struct trace_reader *r)
{
	static const struct {
		u32		opt;
		const char	*texts[2];
	} columns[] = {
		{ GRAPH_OPT_ABSTIME, { "     TIME       ", "      |         " } },
		{ GRAPH_OPT_RELTIME, { "   REL TIME     ", "      |         " } },
		{ GRAPH_OPT_CPU, { " CPU", " |  " } },
		{ GRAPH_OPT_PROC, { "  TASK/PID       ", "   |    |        " } },
		{ 0, { "||||   ", "||||   " } },
		{ GRAPH_OPT_DURATION, { "  DURATION   ", "   |   |      " } },
	};
	bool latency = trace_array_opt(r->tr, TRACE_OPT_LATENCY_FMT);
	u32 opts = graph_opts(r);
	int line, i;

	put_left_out(m, r);
	if (latency)
		put_latency_picture(m, opts);
	for (line = 0; line < 2; line++) {
		seq_putc(m, '#');
		for (i = 0; i < ARRAY_SIZE(columns); i++)
			if (columns[i].opt ? opts & columns[i].opt : latency)
				seq_puts(m, columns[i].texts[line]);
		seq_puts(m, line ? "               |   |   |   |\n" :
				   "               FUNCTION CALLS\n");
	}
}

void graph_header_if_wanted(struct seq_file *m, struct trace_reader *r)
{
	if (trace_array_opt(r->tr, TRACE_OPT_DISPLAY_GRAPH))
		graph_header(m, r);
	else
		output_picture(m, r);
}
