// SPDX-License-Identifier: GPL-2.0
/*
 * The columns that all records share.
 *
 * The formats are those that tools have parsed for long: every blank counts.
 * The columns are put together digit by digit, without a format string to
 * parse, because each line of a trace has them.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "instance/instance.h"
#include "instance/options.h"
#include "output.h"
#include "sym_cache.h"
#include "tasks/cmdlines.h"

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

void output_context(struct trace_output *o)
{
	const struct trace_entry *ent = o->r.ent;
	char *p = output_place(&o->seq, COLUMNS_MAX);

	if (!p)
		return;
	p = put_comm(p, ent->pid, 16, TASK_COMM_LEN);
	p = put_pid_nr(p, ent->pid);
	*p++ = ' ';
	if (o->options & TRACE_OPT_RECORD_TGID)
		p = put_tgid(p, ent->pid);
	p = put_cpu_nr(p, o->r.ent_cpu);
	*p++ = ' ';
	if (o->options & TRACE_OPT_IRQ_INFO)
		p = put_flags(p, ent);
	p = put_time(p, o->r.ts, o->r.in_ns);
	p = put_text(p, ": ", 2);
	output_placed(&o->seq, p);
}

void output_flags(struct trace_output *o)
{
	char *p = output_place(&o->seq, COLUMNS_MAX);

	if (p)
		output_placed(&o->seq, put_flags(p, o->r.ent));
}

void output_time(struct trace_output *o, u64 ts)
{
	char *p = output_place(&o->seq, COLUMNS_MAX);

	if (p)
		output_placed(&o->seq, put_time(p, ts, o->r.in_ns));
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
		put_zeroes(text + len + 1, rest, 3);
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

static u64 to_usecs(u64 nsecs)
{
	return div_u64(nsecs + 500, NSEC_PER_USEC);
}

static void latency_time_verbose(struct trace_output *o, u64 since, u64 delay)
{
	u32 since_rest, delay_rest;

	if (!o->r.in_ns) {
		trace_seq_printf(&o->seq, "[%016llx] %lld (+%lld): ",
				 o->r.ts, since, delay);
		return;
	}
	since = div_u64_rem(to_usecs(since), USEC_PER_MSEC, &since_rest);
	delay = div_u64_rem(to_usecs(delay), USEC_PER_MSEC, &delay_rest);
	trace_seq_printf(&o->seq, "[%08llx] %lld.%03ums (+%lld.%03ums): ",
			 to_usecs(o->r.ts), since, since_rest, delay, delay_rest);
}

static void latency_time(struct trace_output *o, u64 since, u64 delay)
{
	if (o->r.in_ns)
		trace_seq_printf(&o->seq, " %4lldus%c: ", to_usecs(since),
				 output_mark(to_usecs(delay) * NSEC_PER_USEC));
	else
		trace_seq_printf(&o->seq, " %4lld: ", since);
}

u64 output_since(const struct trace_output *o)
{
	s64 since = o->r.ts - (o->r.kept.since ?: o->r.tr->time_start);

	/* Since another CPU's records were thrown away: that is older, and still there. */
	return max(since, 0);
}

void output_latency_context(struct trace_output *o)
{
	u64 delay = reader_next_ts(&o->r) - o->r.ts;
	u64 since = output_since(o);
	const struct trace_entry *ent = o->r.ent;
	char *p = output_place(&o->seq, COLUMNS_MAX);

	if (!p)
		return;
	if (o->options & TRACE_OPT_VERBOSE) {
		p = put_comm(p, ent->pid, 16, TASK_COMM_LEN);
		output_placed(&o->seq, p);
		trace_seq_printf(&o->seq, " %7d %3d %d %08x %08lx ", ent->pid,
				 o->r.ent_cpu, ent->flags,
				 ent->preempt_count & 0xf, o->r.idx);
		latency_time_verbose(o, since, delay);
		return;
	}
	p = put_comm(p, ent->pid, 8, 8);
	p = put_pid_nr(p, ent->pid);
	*p++ = ' ';
	p = put_right(p, o->r.ent_cpu, 3);
	p = put_flags(p, ent);
	output_placed(&o->seq, p);
	latency_time(o, since, delay);
}
