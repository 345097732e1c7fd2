// SPDX-License-Identifier: GPL-2.0
/*
 * The columns that all records share, and what stands above them.
 *
 * The formats are those that tools have parsed for long: every blank counts.
 * The columns are put together digit by digit, without a format string to
 * parse, because each line of a trace has them.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/utsname.h>

#include "dispatch/death.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "output.h"
#include "reader.h"
#include "record/cmdlines.h"

/* More than all columns of a line take. */
#define COLUMNS_MAX	128

/* Building blocks: each writes at @p and returns the place behind. */

static char *put_blanks(char *p, int n)
{
	while (n-- > 0)
		*p++ = ' ';
	return p;
}

/* A number in at least @width columns, to the right. */
static char *put_right(char *p, u64 value, unsigned int width)
{
	return p + num_to_str(p, COLUMNS_MAX, value, width);
}

static char *put_zeroes(char *p, u32 value, unsigned int width)
{
	unsigned int i;

	for (i = width; i--; value /= 10)
		p[i] = '0' + value % 10;
	return p + width;
}

static char *put_text(char *p, const char *text, int len)
{
	memcpy(p, text, len);
	return p + len;
}

static char *put_comm(char *p, int pid, int width, int limit)
{
	char comm[TASK_COMM_LEN];
	int len;

	trace_find_cmdline(pid, comm);
	len = strnlen(comm, limit);
	p = put_blanks(p, width - len);
	return put_text(p, comm, len);
}

/* "-123" with blanks behind, in at least eight columns. */
static char *put_pid_nr(char *p, int pid)
{
	char *start = p;

	*p++ = '-';
	if (pid < 0) {
		*p++ = '-';
		pid = -pid;
	}
	p = put_right(p, pid, 0);
	return put_blanks(p, 8 - (p - start));
}

static char *put_cpu_nr(char *p, int cpu)
{
	*p++ = '[';
	p = cpu < 1000 ? put_zeroes(p, cpu, 3) : put_right(p, cpu, 0);
	*p++ = ']';
	return p;
}

static char *put_tgid(char *p, int pid)
{
	int tgid = trace_find_tgid(pid);

	if (!tgid)
		return put_text(p, "(-------) ", 10);
	*p++ = '(';
	p = put_right(p, tgid, 7);
	return put_text(p, ") ", 2);
}

static char *put_time(char *p, u64 ts, bool in_ns)
{
	u32 usecs;
	u64 secs;

	*p++ = ' ';
	if (!in_ns)
		return put_right(p, ts, 12);
	/* Rounds to the nearest microsecond, as all of the tracer does. */
	secs = div_u64_rem(div_u64(ts + 500, NSEC_PER_USEC), USEC_PER_SEC, &usecs);
	p = put_right(p, secs, 5);
	*p++ = '.';
	return put_zeroes(p, usecs, 6);
}

/* The letters of the flags */

static char irqs_letter(unsigned int flags)
{
	bool bh_off = flags & TRACE_FLAG_BH_OFF;

	if (flags & TRACE_FLAG_IRQS_OFF)
		return bh_off ? 'D' : 'd';
	if (bh_off)
		return 'b';
	return flags & TRACE_FLAG_IRQS_NOSUPPORT ? 'X' : '.';
}

static char resched_letter(unsigned int flags)
{
	bool task = flags & TRACE_FLAG_NEED_RESCHED;
	bool preempt = flags & TRACE_FLAG_PREEMPT_RESCHED;

	if (task)
		return preempt ? 'N' : 'n';
	return preempt ? 'p' : '.';
}

static char context_letter(unsigned int flags)
{
	bool hardirq = flags & TRACE_FLAG_HARDIRQ;
	bool softirq = flags & TRACE_FLAG_SOFTIRQ;

	if (flags & TRACE_FLAG_NMI)
		return hardirq ? 'Z' : 'z';
	if (hardirq)
		return softirq ? 'H' : 'h';
	return softirq ? 's' : '.';
}

static char depth_digit(unsigned int depth)
{
	return depth ? hex_asc_lo(depth) : '.';
}

static char *put_flags(char *p, const struct trace_entry *ent)
{
	*p++ = irqs_letter(ent->flags);
	*p++ = resched_letter(ent->flags);
	*p++ = context_letter(ent->flags);
	*p++ = depth_digit(ent->preempt_count & 0xf);
	*p++ = depth_digit(ent->preempt_count >> 4);
	return p;
}

/* Whole columns */

/* Room for all columns at once; without, the line counts as too long. */
static char *columns_begin(struct trace_seq *s)
{
	if (TRACE_SEQ_BUFFER_SIZE - trace_seq_used(s) >= COLUMNS_MAX)
		return trace_seq_buffer_ptr(s);
	s->full = 1;
	return NULL;
}

static void columns_end(struct trace_seq *s, const char *p)
{
	seq_buf_commit(&s->seq, p - trace_seq_buffer_ptr(s));
}

void output_context(struct trace_reader *r)
{
	const struct trace_entry *ent = r->ent;
	char *p = columns_begin(&r->seq);

	if (!p)
		return;
	p = put_comm(p, ent->pid, 16, TASK_COMM_LEN);
	p = put_pid_nr(p, ent->pid);
	*p++ = ' ';
	if (r->options & TRACE_OPT_RECORD_TGID)
		p = put_tgid(p, ent->pid);
	p = put_cpu_nr(p, r->ent_cpu);
	*p++ = ' ';
	if (r->options & TRACE_OPT_IRQ_INFO)
		p = put_flags(p, ent);
	p = put_time(p, r->ts, r->in_ns);
	p = put_text(p, ": ", 2);
	columns_end(&r->seq, p);
}

void output_flags(struct trace_reader *r)
{
	char *p = columns_begin(&r->seq);

	if (p)
		columns_end(&r->seq, put_flags(p, r->ent));
}

void output_time(struct trace_reader *r, u64 ts)
{
	char *p = columns_begin(&r->seq);

	if (p)
		columns_end(&r->seq, put_time(p, ts, r->in_ns));
}

char output_mark(u64 nsecs)
{
	static const char marks[] = " +!#*@$";
	u64 limit = 10 * NSEC_PER_USEC;
	int i = 0;

	while (marks[i + 1] && nsecs > limit) {
		limit *= 10;
		i++;
	}
	return marks[i];
}

static u64 to_usecs(u64 nsecs)
{
	return div_u64(nsecs + 500, NSEC_PER_USEC);
}

static void latency_time_verbose(struct trace_reader *r, u64 since, u64 delay)
{
	u32 since_rest, delay_rest;

	if (!r->in_ns) {
		trace_seq_printf(&r->seq, "[%016llx] %lld (+%lld): ",
				 r->ts, since, delay);
		return;
	}
	since = div_u64_rem(to_usecs(since), USEC_PER_MSEC, &since_rest);
	delay = div_u64_rem(to_usecs(delay), USEC_PER_MSEC, &delay_rest);
	trace_seq_printf(&r->seq, "[%08llx] %lld.%03ums (+%lld.%03ums): ",
			 to_usecs(r->ts), since, since_rest, delay, delay_rest);
}

static void latency_time(struct trace_reader *r, u64 since, u64 delay)
{
	if (r->in_ns)
		trace_seq_printf(&r->seq, " %4lldus%c: ", to_usecs(since),
				 output_mark(to_usecs(delay) * NSEC_PER_USEC));
	else
		trace_seq_printf(&r->seq, " %4lld: ", since);
}

u64 output_since(const struct trace_reader *r)
{
	s64 since = r->ts - (r->kept.since ?: r->tr->time_start);

	/* Since another CPU's records were thrown away: that is older, and still there. */
	return max(since, 0);
}

void output_latency_context(struct trace_reader *r)
{
	u64 delay = reader_next_ts(r) - r->ts;
	u64 since = output_since(r);
	const struct trace_entry *ent = r->ent;
	char *p = columns_begin(&r->seq);

	if (!p)
		return;
	if (r->options & TRACE_OPT_VERBOSE) {
		p = put_comm(p, ent->pid, 16, TASK_COMM_LEN);
		columns_end(&r->seq, p);
		trace_seq_printf(&r->seq, " %7d %3d %d %08x %08lx ", ent->pid,
				 r->ent_cpu, ent->flags,
				 ent->preempt_count & 0xf, r->idx);
		latency_time_verbose(r, since, delay);
		return;
	}
	p = put_comm(p, ent->pid, 8, 8);
	p = put_pid_nr(p, ent->pid);
	*p++ = ' ';
	p = put_right(p, r->ent_cpu, 3);
	p = put_flags(p, ent);
	columns_end(&r->seq, p);
	latency_time(r, since, delay);
}

/* Above the records */

/*
 * Of all CPUs, in the file of one as well: that is what tools know. Where the oldest are
 * passed over, nothing of what is shown was lost.
 */
static void count_records(struct trace_reader *r, unsigned long *now,
			  unsigned long *ever)
{
	*now = ring_buffer_entries(r->buffer) - r->skipped;
	*ever = *now + (r->skipped ? 0 : ring_buffer_overruns(r->buffer));
}

/*
 * The picture over the columns. @gap is what the column of thread groups, or
 * its absence, takes.
 */
static void function_picture(struct seq_file *m, bool flags, bool tgid)
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

static const char *preemption(void)
{
	if (preempt_model_none())
		return "server";
	if (preempt_model_voluntary())
		return "desktop";
	if (preempt_model_full())
		return "preempt";
	return preempt_model_rt() ? "preempt_rt" : "unknown";
}

static void put_place(struct seq_file *m, struct trace_reader *r, const char *what,
		      unsigned long ip)
{
	trace_seq_init(&r->seq);
	output_address(r, ip);
	seq_printf(m, "\n#  => %s", what);
	seq_write(m, r->seq.buffer, trace_seq_used(&r->seq));
	trace_seq_init(&r->seq);
}

/* Of tracers that do not measure a latency, all of it is zero. */
static void latency_task(struct seq_file *m, struct trace_reader *r)
{
	const struct trace_latency *kept = &r->kept;

	seq_puts(m, "#    -----------------\n");
	seq_printf(m, "#    | task: %.16s-%d (uid:%d nice:%d policy:%u rt_prio:%u)\n",
		   kept->comm, kept->pid, from_kuid_munged(seq_user_ns(m), kept->uid),
		   kept->nice, kept->policy, kept->rt_priority);
	seq_puts(m, "#    -----------------");
	if (kept->start_ip) {
		put_place(m, r, "started at: ", kept->start_ip);
		put_place(m, r, "ended at:   ", kept->end_ip);
		seq_puts(m, "\n#");
	}
	seq_puts(m, "\n#\n");
}

static void latency_summary(struct seq_file *m, struct trace_reader *r)
{
	bool keeps = r->tracer->uses_snapshot;
	unsigned long now, ever;

	count_records(r, &now, &ever);
	seq_printf(m, "# %s latency trace v1.1.5 on %s\n", r->tracer->name,
		   init_utsname()->release);
	seq_puts(m, "# --------------------------------------------------------------------\n");
	seq_printf(m, "# latency: %llu us, #%lu/%lu, CPU#%d | (M:%s VP:0, KP:0, SP:0 HP:0",
		   to_usecs(r->kept.ns), now, ever,
		   keeps ? r->kept.cpu : READ_ONCE(r->tr->start_cpu), preemption());
	if (IS_ENABLED(CONFIG_SMP))
		seq_printf(m, " #P:%d", num_online_cpus());
	seq_puts(m, ")\n");
	latency_task(m, r);
}

/* Of old, these lines are filled up with blanks, all but the second. */
static void latency_picture(struct seq_file *m)
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

void output_title(struct seq_file *m, struct trace_reader *r)
{
	seq_printf(m, "# tracer: %s\n#\n", r->tracer->name);
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER) && ftrace_is_dead())
		seq_puts(m, "# WARNING: FUNCTION TRACING IS CORRUPTED\n"
			    "#          MAY BE MISSING FUNCTION EVENTS\n");
}

void output_picture(struct seq_file *m, struct trace_reader *r)
{
	u32 options = READ_ONCE(r->tr->flags);
	unsigned long now, ever;

	if (options & TRACE_OPT_VERBOSE)
		return;
	if (r->latency) {
		latency_picture(m);
		return;
	}
	count_records(r, &now, &ever);
	seq_printf(m, "# entries-in-buffer/entries-written: %lu/%lu   #P:%d\n#\n",
		   now, ever, num_online_cpus());
	function_picture(m, options & TRACE_OPT_IRQ_INFO,
			 options & TRACE_OPT_RECORD_TGID);
}

void output_header(struct seq_file *m, struct trace_reader *r)
{
	output_title(m, r);
	if (!trace_array_opt(r->tr, TRACE_OPT_CONTEXT_INFO) ||
	    (r->latency && reader_empty(r)))
		return;
	if (r->latency)
		latency_summary(m, r);
	if (r->tracer->print_header)
		r->tracer->print_header(m, r);
	else
		output_picture(m, r);
}
