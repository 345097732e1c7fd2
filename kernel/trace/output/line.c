// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the columns that all records have in common.
 *
 * The formats are an interface, which tools parse: every blank counts. The columns are written
 * digit by digit, because every line of a trace has them, and parsing a format string takes longer.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "instance/instance.h"
#include "instance/options.h"
#include "internal.h"
#include "output.h"
#include "sym_cache.h"
#include "tasks/cmdlines.h"

/* Upper bound for the length of all columns of a line. */
#define LINE_COLUMNS_MAX	128

/* Functions for parts of columns: each writes text to @p, and returns the end of the text. */

static char *line_put_blanks(char *p, int n)
{
	while (n-- > 0)
		*p++ = ' ';
	return p;
}

/* Write a number in at least @width columns, aligned to the right. */
static char *line_put_right(char *p, u64 value, unsigned int width)
{
	return p + num_to_str(p, LINE_COLUMNS_MAX, value, width);
}

/* Write the last @width digits of a number, with leading zeroes. */
static char *line_put_zeroes(char *p, u32 value, unsigned int width)
{
	unsigned int i;

	for (i = width; i--; value /= 10)
		p[i] = '0' + value % 10;
	return p + width;
}

static char *line_put_text(char *p, const char *text, int len)
{
	memcpy(p, text, len);
	return p + len;
}

/* Write at most @limit characters of the comm of a task, aligned to the right in @width. */
static char *line_put_comm(char *p, int pid, int width, int limit)
{
	char comm[TASK_COMM_LEN];
	int len;

	trace_find_cmdline(pid, comm);
	len = strnlen(comm, limit);
	p = line_put_blanks(p, width - len);
	return line_put_text(p, comm, len);
}

/* Write a PID as "-123", followed by blanks up to eight columns. */
static char *line_put_pid(char *p, int pid)
{
	char *start = p;

	*p++ = '-';
	if (pid < 0) {
		*p++ = '-';
		pid = -pid;
	}
	p = line_put_right(p, pid, 0);
	return line_put_blanks(p, 8 - (p - start));
}

static char *line_put_cpu(char *p, int cpu)
{
	*p++ = '[';
	p = cpu < 1000 ? line_put_zeroes(p, cpu, 3) : line_put_right(p, cpu, 0);
	*p++ = ']';
	return p;
}

static char *line_put_tgid(char *p, int pid)
{
	int tgid = trace_find_tgid(pid);

	if (!tgid)
		return line_put_text(p, "(-------) ", 10);
	*p++ = '(';
	p = line_put_right(p, tgid, 7);
	return line_put_text(p, ") ", 2);
}

static char *line_put_time(char *p, u64 ts, bool in_ns)
{
	u32 usecs;
	u64 secs;

	*p++ = ' ';
	if (!in_ns)
		return line_put_right(p, ts, 12);
	/* Round to the nearest microsecond. */
	secs = div_u64_rem(div_u64(ts + 500, NSEC_PER_USEC), USEC_PER_SEC, &usecs);
	p = line_put_right(p, secs, 5);
	*p++ = '.';
	return line_put_zeroes(p, usecs, 6);
}

/* Functions for the characters that show the context of a record. */

static char line_irqs_letter(unsigned int flags)
{
	bool bh_off = flags & TRACE_FLAG_BH_OFF;

	if (flags & TRACE_FLAG_IRQS_OFF)
		return bh_off ? 'D' : 'd';
	if (bh_off)
		return 'b';
	return flags & TRACE_FLAG_IRQS_NOSUPPORT ? 'X' : '.';
}

static char line_resched_letter(unsigned int flags)
{
	bool task = flags & TRACE_FLAG_NEED_RESCHED;
	bool preempt = flags & TRACE_FLAG_PREEMPT_RESCHED;

	if (task)
		return preempt ? 'N' : 'n';
	return preempt ? 'p' : '.';
}

static char line_context_letter(unsigned int flags)
{
	bool hardirq = flags & TRACE_FLAG_HARDIRQ;
	bool softirq = flags & TRACE_FLAG_SOFTIRQ;

	if (flags & TRACE_FLAG_NMI)
		return hardirq ? 'Z' : 'z';
	if (hardirq)
		return softirq ? 'H' : 'h';
	return softirq ? 's' : '.';
}

static char line_depth_digit(unsigned int depth)
{
	return depth ? hex_asc_lo(depth) : '.';
}

static char *line_put_flags(char *p, const struct trace_entry *ent)
{
	*p++ = line_irqs_letter(ent->flags);
	*p++ = line_resched_letter(ent->flags);
	*p++ = line_context_letter(ent->flags);
	*p++ = line_depth_digit(ent->preempt_count & 0xf);
	*p++ = line_depth_digit(ent->preempt_count >> 4);
	return p;
}

/* Functions that print whole columns. */

void output_context(struct trace_output *o)
{
	const struct trace_entry *ent = o->r.ent;
	char *p = output_reserve(&o->seq, LINE_COLUMNS_MAX);

	if (!p)
		return;
	p = line_put_comm(p, ent->pid, 16, TASK_COMM_LEN);
	p = line_put_pid(p, ent->pid);
	*p++ = ' ';
	if (o->options & TRACE_OPT_RECORD_TGID)
		p = line_put_tgid(p, ent->pid);
	p = line_put_cpu(p, o->r.ent_cpu);
	*p++ = ' ';
	if (o->options & TRACE_OPT_IRQ_INFO)
		p = line_put_flags(p, ent);
	p = line_put_time(p, o->r.ts, o->r.in_ns);
	p = line_put_text(p, ": ", 2);
	output_commit(&o->seq, p);
}

void output_flags(struct trace_output *o)
{
	char *p = output_reserve(&o->seq, LINE_COLUMNS_MAX);

	if (p)
		output_commit(&o->seq, line_put_flags(p, o->r.ent));
}

void output_time(struct trace_output *o, u64 ts)
{
	char *p = output_reserve(&o->seq, LINE_COLUMNS_MAX);

	if (p)
		output_commit(&o->seq, line_put_time(p, ts, o->r.in_ns));
}

void output_address(struct trace_output *o, unsigned long addr)
{
	struct trace_seq *s = &o->seq;

	if (!addr) {
		trace_seq_putc(s, '0');
		return;
	}
	sym_cache_put(o->symbols, s, addr,
		      o->options & TRACE_OPT_SYM_OFFSET ? SYM_OFFSET : SYM_NAME);
	if (o->options & TRACE_OPT_SYM_ADDR)
		trace_seq_printf(s, " <%0*lx>", (int)(2 * sizeof(addr)), addr);
}

char *output_usecs(char *text, u64 nsecs)
{
	u32 rest;
	int len = num_to_str(text, OUTPUT_USECS_MAX, div_u64_rem(nsecs, 1000, &rest), 0);

	if (len < 7) {
		text[len] = '.';
		line_put_zeroes(text + len + 1, rest, 3);
		len += 1 + min(3, 7 - len);
	}
	memcpy(text + len, " us         ", 13);
	text[max(len, 8) + 4] = '\0';
	return text;
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

static u64 line_to_usecs(u64 nsecs)
{
	return div_u64(nsecs + 500, NSEC_PER_USEC);
}

static void line_latency_verbose(struct trace_output *o, u64 since, u64 delay)
{
	u32 since_rest, delay_rest;

	if (!o->r.in_ns) {
		trace_seq_printf(&o->seq, "[%016llx] %lld (+%lld): ",
				 o->r.ts, since, delay);
		return;
	}
	since = div_u64_rem(line_to_usecs(since), USEC_PER_MSEC, &since_rest);
	delay = div_u64_rem(line_to_usecs(delay), USEC_PER_MSEC, &delay_rest);
	trace_seq_printf(&o->seq, "[%08llx] %lld.%03ums (+%lld.%03ums): ",
			 line_to_usecs(o->r.ts), since, since_rest, delay, delay_rest);
}

static void line_latency_time(struct trace_output *o, u64 since, u64 delay)
{
	if (o->r.in_ns)
		trace_seq_printf(&o->seq, " %4lldus%c: ", line_to_usecs(since),
				 output_mark(line_to_usecs(delay) * NSEC_PER_USEC));
	else
		trace_seq_printf(&o->seq, " %4lld: ", since);
}

u64 output_since(const struct trace_output *o)
{
	s64 since = o->r.ts - (o->r.kept.since ?: o->r.tr->time_start);

	/* Records may be older than time_start, if only those of another CPU were discarded. */
	return max(since, 0);
}

void output_latency_context(struct trace_output *o)
{
	u64 delay = reader_next_ts(&o->r) - o->r.ts;
	u64 since = output_since(o);
	const struct trace_entry *ent = o->r.ent;
	char *p = output_reserve(&o->seq, LINE_COLUMNS_MAX);

	if (!p)
		return;
	if (o->options & TRACE_OPT_VERBOSE) {
		p = line_put_comm(p, ent->pid, 16, TASK_COMM_LEN);
		output_commit(&o->seq, p);
		trace_seq_printf(&o->seq, " %7d %3d %d %08x %08lx ", ent->pid,
				 o->r.ent_cpu, ent->flags,
				 ent->preempt_count & 0xf, o->r.idx);
		line_latency_verbose(o, since, delay);
		return;
	}
	p = line_put_comm(p, ent->pid, 8, 8);
	p = line_put_pid(p, ent->pid);
	*p++ = ' ';
	p = line_put_right(p, o->r.ent_cpu, 3);
	p = line_put_flags(p, ent);
	output_commit(&o->seq, p);
	line_latency_time(o, since, delay);
}
