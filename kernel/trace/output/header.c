// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the header of the file trace.
 *
 * The formats are an interface, which tools parse: every blank counts.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/time64.h>
#include <linux/utsname.h>

#include "dispatch/death.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "output.h"

/*
 * Set *@now to the number of records in the buffer, and *@ever to that plus the number of those
 * overwritten. Both are for all CPUs, even in the file of a single CPU, as tools expect. If the
 * reader skips the oldest records, these are not counted, and nor are overwritten ones, which are
 * older still.
 */
static void header_count_records(struct trace_output *o, unsigned long *now,
				 unsigned long *ever)
{
	*now = ring_buffer_entries(o->r.buffer) - o->r.skipped;
	*ever = *now + (o->r.skipped ? 0 : ring_buffer_overruns(o->r.buffer));
}

/*
 * Print the titles of the columns. @gap is the number of blanks between the PID and the CPU, where
 * the TGID is if @tgid.
 */
static void header_function_columns(struct seq_file *m, bool flags, bool tgid)
{
	static const char *const arrows[] = {
		"  _-----=> irqs-off/BH-disabled\n",
		" / _----=> need-resched\n",
		"| / _---=> hardirq/softirq\n",
		"|| / _--=> preempt-depth\n",
		"||| / _-=> migrate-disable\n",
		"|||| /     delay\n",
	};
	int i, gap = tgid ? 12 : 2;

	if (!flags) {
		seq_printf(m, "#           TASK-PID    %s CPU#     TIMESTAMP  FUNCTION\n",
			   tgid ? "   TGID   " : "");
		seq_printf(m, "#              | |      %s   |         |         |\n",
			   tgid ? "     |    " : "");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(arrows); i++)
		seq_printf(m, "#%*s%s", 28 + gap, "", arrows[i]);
	seq_printf(m, "#           TASK-PID  %.*s CPU#  |||||  TIMESTAMP  FUNCTION\n",
		   gap, "     TGID   ");
	seq_printf(m, "#              | |    %.*s   |   |||||     |         |\n",
		   gap, "       |    ");
}

static const char *header_preempt_model(void)
{
	if (preempt_model_none())
		return "server";
	if (preempt_model_voluntary())
		return "desktop";
	if (preempt_model_full())
		return "preempt";
	return preempt_model_rt() ? "preempt_rt" : "unknown";
}

static void header_put_address(struct seq_file *m, struct trace_output *o, const char *what,
			       unsigned long ip)
{
	trace_seq_init(&o->seq);
	output_address(o, ip);
	seq_printf(m, "\n#  => %s", what);
	seq_write(m, o->seq.buffer, trace_seq_used(&o->seq));
	trace_seq_init(&o->seq);
}

/* Print the task of the latency that the tracer has kept; all values are 0 if it keeps none. */
static void header_latency_task(struct seq_file *m, struct trace_output *o)
{
	const struct trace_latency *kept = &o->r.kept;

	seq_puts(m, "#    -----------------\n");
	seq_printf(m, "#    | task: %.16s-%d (uid:%d nice:%d policy:%u rt_prio:%u)\n",
		   kept->comm, kept->pid, from_kuid_munged(seq_user_ns(m), kept->uid),
		   kept->nice, kept->policy, kept->rt_priority);
	seq_puts(m, "#    -----------------");
	if (kept->start_ip) {
		header_put_address(m, o, "started at: ", kept->start_ip);
		header_put_address(m, o, "ended at:   ", kept->end_ip);
		seq_puts(m, "\n#");
	}
	seq_puts(m, "\n#\n");
}

static void header_latency_summary(struct seq_file *m, struct trace_output *o)
{
	bool keeps = o->tracer->uses_snapshot;
	unsigned long now, ever;

	header_count_records(o, &now, &ever);
	seq_printf(m, "# %s latency trace v1.1.5 on %s\n", o->tracer->name,
		   init_utsname()->release);
	seq_puts(m, "# --------------------------------------------------------------------\n");
	seq_printf(m, "# latency: %llu us, #%lu/%lu, CPU#%d | (M:%s VP:0, KP:0, SP:0 HP:0",
		   div_u64(o->r.kept.ns, NSEC_PER_USEC), now, ever,
		   keeps ? o->r.kept.cpu : READ_ONCE(o->r.tr->start_cpu), header_preempt_model());
	if (IS_ENABLED(CONFIG_SMP))
		seq_printf(m, " #P:%d", num_online_cpus());
	seq_puts(m, ")\n");
	header_latency_task(m, o);
}

/* Print the titles of the columns. All lines but the second are padded, as tools expect. */
static void header_latency_columns(struct seq_file *m)
{
	static const struct {
		int		width;
		const char	*text;
	} lines[] = {
		{ 46, "                    _------=> CPU#" },
		{ 0, "                   / _-----=> irqs-off/BH-disabled" },
		{ 46, "                  | / _----=> need-resched" },
		{ 46, "                  || / _---=> hardirq/softirq" },
		{ 46, "                  ||| / _--=> preempt-depth" },
		{ 46, "                  |||| / _-=> migrate-disable" },
		{ 46, "                  ||||| /     delay" },
		{ 46, "  cmd     pid     |||||| time  |   caller" },
		{ 44, "     \\   /        ||||||  \\    |    /" },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(lines); i++)
		seq_printf(m, "#%-*s\n", lines[i].width, lines[i].text);
}

void output_title(struct seq_file *m, struct trace_output *o)
{
	seq_printf(m, "# tracer: %s\n#\n", o->tracer->name);
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER) && ftrace_is_dead())
		seq_puts(m, "# WARNING: FUNCTION TRACING IS CORRUPTED\n"
			    "#          MAY BE MISSING FUNCTION EVENTS\n");
}

void output_column_header(struct seq_file *m, struct trace_output *o)
{
	u32 options = READ_ONCE(o->r.tr->flags);
	unsigned long now, ever;

	if (options & TRACE_OPT_VERBOSE)
		return;
	if (o->latency) {
		header_latency_columns(m);
		return;
	}
	header_count_records(o, &now, &ever);
	seq_printf(m, "# entries-in-buffer/entries-written: %lu/%lu   #P:%d\n#\n",
		   now, ever, num_online_cpus());
	header_function_columns(m, options & TRACE_OPT_IRQ_INFO,
				options & TRACE_OPT_RECORD_TGID);
}

void output_header(struct seq_file *m, struct trace_output *o)
{
	output_title(m, o);
	if (!trace_array_opt(o->r.tr, TRACE_OPT_CONTEXT_INFO) ||
	    (o->latency && reader_empty(&o->r)))
		return;
	if (o->latency)
		header_latency_summary(m, o);
	if (o->tracer->print_header)
		o->tracer->print_header(m, o);
	else
		output_column_header(m, o);
}
