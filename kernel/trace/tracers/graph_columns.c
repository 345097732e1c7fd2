// SPDX-License-Identifier: GPL-2.0
/*
 * The columns of the lines of function_graph, and the header above them.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "graph_columns.h"
#include "graph_lines.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "left_out.h"
#include "output/output.h"
#include "output/sym_cache.h"
#include "tasks/cmdlines.h"

/* Upper bounds for the length of the CPU column, and of the text around a duration. */
#define CPU_MAX		16
#define AROUND_MAX	8

unsigned int graph_tracer_index;

u32 graph_opts(const struct trace_output *o)
{
	return o->tracer->graph_opts ?: READ_ONCE(o->r.tr->tracer_opts[graph_tracer_index]);
}

void graph_put_blanks(struct trace_seq *s, int n)
{
	char *p = output_reserve(s, max(n, 0));

	if (p && n > 0)
		output_commit(s, memset(p, ' ', n) + n);
}

void graph_put_cpu(struct trace_seq *s, int cpu)
{
	int width = 1, most;
	char *p = output_reserve(s, CPU_MAX);

	if (!p)
		return;
	for (most = nr_cpu_ids - 1; most > 9; most /= 10)
		width++;
	*p++ = ' ';
	p += num_to_str(p, CPU_MAX, cpu, width);
	*p++ = ')';
	*p++ = ' ';
	output_commit(s, p);
}

/* The text is centered in 14 columns; a longer text is printed as it is. */
void graph_put_task(struct trace_seq *s, pid_t pid)
{
	char text[TASK_COMM_LEN + 16], comm[TASK_COMM_LEN];
	int len;

	trace_find_cmdline(pid, comm);
	len = snprintf(text, sizeof(text), "%.7s-%d", comm, pid);
	graph_put_blanks(s, (14 - len) / 2);
	trace_seq_puts(s, text);
	graph_put_blanks(s, 14 - len - max(14 - len, 0) / 2);
}

static void graph_put_abs_time(struct trace_seq *s, u64 ts)
{
	u32 nsecs;
	u64 secs = div_u64_rem(ts, NSEC_PER_SEC, &nsecs);

	trace_seq_printf(s, "%5llu.%06lu |  ", secs, nsecs / NSEC_PER_USEC);
}

static void graph_put_rel_time(struct trace_output *o)
{
	trace_seq_printf(&o->seq, "%9llu us |  ", div_u64(output_since(o), NSEC_PER_USEC));
}

void graph_put_columns(struct trace_output *o)
{
	struct trace_seq *s = &o->seq;
	u32 opts = graph_opts(o);

	if (!(o->options & TRACE_OPT_CONTEXT_INFO))
		return;
	if (opts & GRAPH_OPT_ABSTIME)
		graph_put_abs_time(s, o->r.ts);
	if (opts & GRAPH_OPT_RELTIME)
		graph_put_rel_time(o);
	if (opts & GRAPH_OPT_CPU)
		graph_put_cpu(s, o->r.ent_cpu);
	if (opts & GRAPH_OPT_PROC) {
		graph_put_task(s, o->r.ent->pid);
		trace_seq_puts(s, " | ");
	}
	if (o->options & TRACE_OPT_LATENCY_FMT) {
		trace_seq_putc(s, ' ');
		output_flags(o);
		trace_seq_puts(s, " | ");
	}
}

bool graph_has_duration(struct trace_output *o)
{
	return (graph_opts(o) & GRAPH_OPT_DURATION) &&
	       (o->options & TRACE_OPT_CONTEXT_INFO);
}

void graph_put_no_duration(struct trace_output *o)
{
	if (graph_has_duration(o))
		output_text(&o->seq, "              |  ");
}

/* The clocks of two CPUs may differ: a negative duration is shown as 0. */
void graph_put_duration(struct trace_output *o, const struct ftrace_graph_ret *ret)
{
	u64 nsecs = max_t(s64, ret->rettime - ret->calltime, 0);
	struct trace_seq *s = &o->seq;
	char *p;

	if (!graph_has_duration(o))
		return;
	p = output_reserve(s, OUTPUT_USECS_MAX + AROUND_MAX);
	if (!p)
		return;
	*p++ = graph_opts(o) & GRAPH_OPT_OVERHEAD ? output_mark(nsecs) : ' ';
	*p++ = ' ';
	p += strlen(output_usecs(p, nsecs));
	output_commit(s, memcpy(p, "|  ", 3) + 3);
}

void graph_put_function(struct trace_output *o, unsigned long func)
{
	sym_cache_put(o->symbols, &o->seq, func, SYM_MODULE);
}

bool graph_has_retval(struct trace_output *o)
{
	return IS_ENABLED(CONFIG_FUNCTION_GRAPH_RETVAL) && (graph_opts(o) & GRAPH_OPT_RETVAL);
}

/* Error numbers are printed as signed decimal numbers, other values in hexadecimal. */
void graph_put_retval(struct trace_output *o, unsigned long value)
{
	unsigned long extended = value;

	/* The value may be an int, which is in the lower half of the register. */
	if (IS_ENABLED(CONFIG_64BIT) && upper_32_bits(value) == 0)
		extended = (long)(s32)value;
	if (!(graph_opts(o) & GRAPH_OPT_RETVAL_HEX) && IS_ERR_VALUE(extended))
		trace_seq_printf(&o->seq, " = %ld */\n", extended);
	else
		trace_seq_printf(&o->seq, " = 0x%lx */\n", value);
}

/* ------------------------------------------------------------------ */
/* Header								*/

static void graph_put_latency_picture(struct seq_file *m, u32 opts)
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

/* The count is shown only for the live buffer, not for a snapshot. */
static void graph_put_left_out(struct seq_file *m, struct trace_output *o)
{
	u64 calls = left_out_calls(o->r.tr, o->r.cpu);

	if (calls && o->r.buffer == READ_ONCE(o->r.tr->buffer))
		seq_printf(m, "# calls left out: %llu\n#\n", calls);
}

void graph_header(struct seq_file *m, struct trace_output *o)
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
	bool latency = trace_array_opt(o->r.tr, TRACE_OPT_LATENCY_FMT);
	u32 opts = graph_opts(o);
	int line, i;

	graph_put_left_out(m, o);
	if (latency)
		graph_put_latency_picture(m, opts);
	for (line = 0; line < 2; line++) {
		seq_putc(m, '#');
		for (i = 0; i < ARRAY_SIZE(columns); i++)
			if (columns[i].opt ? opts & columns[i].opt : latency)
				seq_puts(m, columns[i].texts[line]);
		seq_puts(m, line ? "               |   |   |   |\n" :
				   "               FUNCTION CALLS\n");
	}
}

void graph_header_if_wanted(struct seq_file *m, struct trace_output *o)
{
	if (trace_array_opt(o->r.tr, TRACE_OPT_DISPLAY_GRAPH))
		graph_header(m, o);
	else
		output_column_header(m, o);
}
