// SPDX-License-Identifier: GPL-2.0
/*
 * trace_printk(): a line of text into the trace, from anywhere in the kernel.
 *
 * A developer puts it where printk() would disturb too much. With a constant
 * format only the arguments are recorded, and the text is made when the trace
 * is read; with a variable one the text is made at once.
 *
 * It runs in every context, NMIs included: it takes no lock and allocates
 * nothing. The work space is per CPU, a piece for each context that can
 * interrupt another, and is allocated only in a kernel that uses it.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "entries.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "instance/part.h"
#include "printk_formats.h"
#include "record/record.h"
#include "record/stack.h"
#include "tasks/cmdlines.h"
#include "trace_printk.h"
#include "types/types.h"

/* Task, softirq, interrupt and NMI. */
#define PRINTK_CONTEXTS	4
#define PRINTK_WORDS	256

/* The longest text, with its NUL. */
#define PRINTK_BYTES	(PRINTK_WORDS * sizeof(u32))

/**
 * struct printk_space - where the text of one CPU is put together
 * @depth: how many pieces are in use
 * @words: the pieces; words, because packed arguments are
 *
 * Whoever interrupts a user gives back what he takes before the interrupted
 * goes on, so a plain counter will do.
 */
struct printk_space {
	int	depth;
	u32	words[PRINTK_CONTEXTS][PRINTK_WORDS];
};

static struct printk_space __percpu *printk_space;

/* Where trace_printk() goes. Read with preemption off, see choose_dest(). */
static struct trace_array *printk_dest = &global_trace;

/* Returns NULL when there is none. Preemption is off until space_put(). */
static u32 *space_get(void)
{
	struct printk_space __percpu *all = READ_ONCE(printk_space);
	struct printk_space *space;

	if (!all)
		return NULL;

	space = this_cpu_ptr(all);
	if (space->depth >= PRINTK_CONTEXTS)
		return NULL;

	/* The piece must be ours before anything is written to it. */
	space->depth++;
	barrier();

	return space->words[space->depth - 1];
}

static void space_put(void)
{
	barrier();
	this_cpu_ptr(printk_space)->depth--;
}

/**
 * struct printk_call - who says something, and where it goes
 * @tr: the instance
 * @ip: the caller
 * @ctx: the context he runs in, as it was before preemption was disabled here
 * @ret: where what he called returns to: his stack begins there
 */
struct printk_call {
	struct trace_array	*tr;
	unsigned long		ip;
	unsigned int		ctx;
	unsigned long		ret;
};

/* The arguments in @words as vbin_printf() packed them, @nr of them. */
static int record_packed(const struct printk_call *call, const char *fmt,
			 const u32 *words, int nr)
{
	struct trace_array *tr = call->tr;
	struct bprint_entry *entry;
	struct trace_record rec;

	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), TRACE_BPRINT,
				   struct_size(entry, buf, nr), call->ctx);
	if (!entry)
		return 0;
	entry->ip = call->ip;
	entry->fmt = fmt;
	memcpy(entry->buf, words, nr * sizeof(*words));
	trace_record_end(&rec);
	trace_option_stacks(tr, call->ctx, call->ret);

	return nr;
}

/* @len bytes of text, to which a line feed is added if @feed and it has none. */
static int record_text(const struct printk_call *call, const char *text, int len, bool feed)
{
	struct trace_array *tr = call->tr;
	struct print_entry *entry;
	struct trace_record rec;
	int end = len;

	feed = feed && (!len || text[len - 1] != '\n');
	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), TRACE_PRINT,
				   struct_size(entry, buf, len + feed + 1), call->ctx);
	if (!entry)
		return 0;
	entry->ip = call->ip;
	memcpy(entry->buf, text, len);
	if (feed)
		entry->buf[end++] = '\n';
	entry->buf[end] = '\0';
	trace_record_end(&rec);
	trace_option_stacks(tr, call->ctx, call->ret);

	return len;
}

static __printf(2, 0)
int print_text(const struct printk_call *call, const char *fmt, va_list args)
{
	char *text = (char *)space_get();
	struct trace_own own;
	int len;

	if (!text)
		return 0;
	trace_own_begin(&own);
	len = vscnprintf(text, PRINTK_BYTES, fmt, args);
	trace_own_end(&own);
	len = record_text(call, text, len, false);
	space_put();

	return len;
}

static __printf(2, 0)
int print_packed(const struct printk_call *call, const char *fmt, va_list args)
{
	u32 *words = space_get();
	struct trace_own own;
	int nr;

	if (!words)
		return 0;
	trace_own_begin(&own);
	nr = vbin_printf(words, PRINTK_WORDS, fmt, args);
	trace_own_end(&own);
	nr = nr >= 0 && nr <= PRINTK_WORDS ? record_packed(call, fmt, words, nr) : 0;
	space_put();

	return nr;
}

static __printf(2, 0)
int vprintk_to_dest(struct printk_call *call, const char *fmt, va_list ap)
{
	call->ctx = trace_ctx();

	guard(preempt_notrace)();
	call->tr = READ_ONCE(printk_dest);
	if (!trace_array_opt(call->tr, TRACE_OPT_PRINTK))
		return 0;

	return print_text(call, fmt, ap);
}

static __printf(2, 0)
int vbprintk_to_dest(struct printk_call *call, const char *fmt, va_list ap)
{
	call->ctx = trace_ctx();

	guard(preempt_notrace)();
	call->tr = READ_ONCE(printk_dest);
	if (!fmt || !trace_array_opt(call->tr, TRACE_OPT_PRINTK))
		return 0;

	return print_packed(call, fmt, ap);
}

/**
 * __ftrace_vprintk - trace_printk() with a variable format and a va_list
 * @ip: who says it
 * @fmt: the format
 * @ap: its arguments
 *
 * Context: any.
 * Return: the length of the text, 0 if it was not recorded.
 */
int __ftrace_vprintk(unsigned long ip, const char *fmt, va_list ap)
{
	struct printk_call call = { .ip = ip, .ret = _RET_IP_ };

	return vprintk_to_dest(&call, fmt, ap);
}
EXPORT_SYMBOL_GPL(__ftrace_vprintk);

/**
 * __ftrace_vbprintk - trace_printk() with a constant format and a va_list
 * @ip: who says it
 * @fmt: the format, which stays where it is for good; NULL for a module whose
 *	formats could not be kept
 * @ap: its arguments
 *
 * Context: any.
 * Return: 32-bit words that the arguments took, 0 if they were not recorded.
 */
int __ftrace_vbprintk(unsigned long ip, const char *fmt, va_list ap)
{
	struct printk_call call = { .ip = ip, .ret = _RET_IP_ };

	return vbprintk_to_dest(&call, fmt, ap);
}
EXPORT_SYMBOL_GPL(__ftrace_vbprintk);

/**
 * __trace_printk - trace_printk() with a variable format
 * @ip: who says it
 * @fmt: the format, with its arguments behind it
 *
 * Context: any.
 * Return: the length of the text, 0 if it was not recorded.
 */
int __trace_printk(unsigned long ip, const char *fmt, ...)
{
	struct printk_call call = { .ip = ip, .ret = _RET_IP_ };
	va_list args;
	int len;

	va_start(args, fmt);
	len = vprintk_to_dest(&call, fmt, args);
	va_end(args);

	return len;
}
EXPORT_SYMBOL_GPL(__trace_printk);

/**
 * __trace_bprintk - trace_printk() with a constant format
 * @ip: who says it
 * @fmt: the format, with its arguments behind it; see __ftrace_vbprintk()
 *
 * Context: any.
 * Return: 32-bit words that the arguments took, 0 if they were not recorded.
 */
int __trace_bprintk(unsigned long ip, const char *fmt, ...)
{
	struct printk_call call = { .ip = ip, .ret = _RET_IP_ };
	va_list args;
	int nr;

	va_start(args, fmt);
	nr = vbprintk_to_dest(&call, fmt, args);
	va_end(args);

	return nr;
}
EXPORT_SYMBOL_GPL(__trace_bprintk);

/**
 * __trace_array_puts - record a string in an instance
 * @tr: the instance
 * @ip: who says it
 * @str: the string; a line feed is added if it has none
 * @size: its length
 *
 * Context: any.
 * Return: @size, or 0 if it was not recorded.
 */
int __trace_array_puts(struct trace_array *tr, unsigned long ip, const char *str, int size)
{
	const struct printk_call call = {
		.tr = tr, .ip = ip, .ctx = trace_ctx(), .ret = _RET_IP_,
	};

	if (!trace_array_opt(tr, TRACE_OPT_PRINTK))
		return 0;

	guard(preempt_notrace)();

	return record_text(&call, str, size, true);
}
EXPORT_SYMBOL_GPL(__trace_array_puts);

/**
 * __trace_puts - trace_puts() of a variable string
 * @ip: who says it
 * @str: the string; a line feed is added if it has none
 * @size: its length
 *
 * Context: any.
 * Return: @size, or 0 if it was not recorded.
 */
int __trace_puts(unsigned long ip, const char *str, int size)
{
	struct printk_call call = {
		.ip = ip, .ctx = trace_ctx(), .ret = _RET_IP_,
	};

	guard(preempt_notrace)();
	call.tr = READ_ONCE(printk_dest);
	if (!trace_array_opt(call.tr, TRACE_OPT_PRINTK))
		return 0;

	return record_text(&call, str, size, true);
}
EXPORT_SYMBOL_GPL(__trace_puts);

/**
 * __trace_bputs - trace_puts() of a constant string
 * @ip: who says it
 * @str: the string, which stays where it is for good; NULL for a module whose
 *	strings could not be kept
 *
 * Context: any.
 * Return: 1, or 0 if it was not recorded.
 */
int __trace_bputs(unsigned long ip, const char *str)
{
	const unsigned int ctx = trace_ctx();
	struct bputs_entry *entry;
	struct trace_record rec;
	struct trace_array *tr;

	guard(preempt_notrace)();
	tr = READ_ONCE(printk_dest);
	if (!str || !trace_array_opt(tr, TRACE_OPT_PRINTK))
		return 0;

	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), TRACE_BPUTS, sizeof(*entry), ctx);
	if (!entry)
		return 0;
	entry->ip = ip;
	entry->str = str;
	trace_record_end(&rec);
	trace_option_stacks(tr, ctx, _RET_IP_);

	return 1;
}
EXPORT_SYMBOL_GPL(__trace_bputs);

/**
 * trace_array_printk - record text in an instance that a module has made
 * @tr: the instance, for which trace_array_init_printk() was called
 * @ip: who says it, usually _THIS_IP_
 * @fmt: the format, with its arguments behind it
 *
 * The top instance is not for this: its users cannot switch off what they did
 * not ask for.
 *
 * Context: any.
 * Return: the length of the text; 0 if it was not recorded; -ENOENT if @tr is
 * NULL.
 */
int trace_array_printk(struct trace_array *tr, unsigned long ip, const char *fmt, ...)
{
	const struct printk_call call = {
		.tr = tr, .ip = ip, .ctx = trace_ctx(), .ret = _RET_IP_,
	};
	va_list args;
	int len;

	if (!tr)
		return -ENOENT;
	if (trace_array_is_top(tr) || !trace_array_opt(tr, TRACE_OPT_PRINTK))
		return 0;

	guard(preempt_notrace)();
	va_start(args, fmt);
	len = print_text(&call, fmt, args);
	va_end(args);

	return len;
}
EXPORT_SYMBOL_GPL(trace_array_printk);

/*
 * Whoever sets printk_space first has done it; the loser gives his memory back.
 * From then on for good, the trace needs the names of the tasks it shows.
 * Returns 1 to the first, 0 when it was done before, or -ENOMEM.
 */
static int space_alloc(void)
{
	struct printk_space __percpu *space;

	if (READ_ONCE(printk_space))
		return 0;
	space = alloc_percpu(struct printk_space);
	if (!space)
		return -ENOMEM;
	if (cmpxchg(&printk_space, NULL, space)) {
		free_percpu(space);
		return 0;
	}
	if (trace_cmdlines_start())
		pr_warn("no memory: the tasks of trace_printk() will be without names\n");

	return 1;
}

/**
 * trace_array_init_printk - make trace_array_printk() work
 * @tr: the instance that it will be used on, not the top one
 *
 * Context: process; may sleep.
 * Return: 0; -ENOENT if @tr is NULL, -EINVAL for the top instance, -ENOMEM;
 * -ENODEV if there is no tracing until the next boot.
 */
int trace_array_init_printk(struct trace_array *tr)
{
	if (!tr)
		return -ENOENT;
	if (trace_array_is_top(tr))
		return -EINVAL;
	if (!tracing_initialized())
		return -ENODEV;

	return min(space_alloc(), 0);
}
EXPORT_SYMBOL_GPL(trace_array_init_printk);

/* The kernel that you are about to ship has somebody's debugging left in it. */
static void warn_of_debugging(void)
{
	pr_warn("trace_printk() is in use: memory is set aside for it, and the trace holds\n");
	pr_warn("text that nobody asked for. It is for debugging; do not ship this kernel\n");
	pr_warn("or module. If you are not debugging it, tell who gave it to you.\n");
}

/**
 * trace_printk_init_buffers - make trace_printk() work
 *
 * Called for the kernel at boot and for modules when they are loaded; a module
 * that hides its trace_printk()s from that calls it itself.
 *
 * Context: process; may sleep.
 */
void trace_printk_init_buffers(void)
{
	if (!tracing_initialized() || space_alloc() < 1)
		return;

	warn_of_debugging();
	guard(mutex)(&trace_lock);
	tracing_expand(&global_trace);
}
EXPORT_SYMBOL_GPL(trace_printk_init_buffers);

void __init trace_printk_boot(void)
{
	if (printk_formats_in_kernel())
		trace_printk_init_buffers();
}

struct trace_array *trace_printk_dest(void)
{
	return READ_ONCE(printk_dest);
}

static struct trace_array *dest_of(struct trace_array *tr, bool on)
{
	return on ? tr : &global_trace;
}

/*
 * Option trace_printk_dest: exactly one instance has it.  Setting it elsewhere takes it
 * away from the one that has it; clearing it gives it back to the top. A trace_printk()
 * under way with preemption off may still go to the former one: whoever removes that waits
 * with synchronize_rcu() first.
 */
static int choose_dest(struct trace_array *tr, bool on)
{
	struct trace_array *from = printk_dest, *to = dest_of(tr, on);

	lockdep_assert_held(&trace_lock);
	if (!on && trace_array_is_top(tr))
		return -EINVAL;
	WRITE_ONCE(from->flags, from->flags & ~TRACE_OPT_PRINTK_DEST);
	WRITE_ONCE(to->flags, to->flags | TRACE_OPT_PRINTK_DEST);
	WRITE_ONCE(printk_dest, to);
	return 0;
}

static void setup(void)
{
	trace_option_carry_out(TRACE_OPT_PRINTK_DEST_BIT, choose_dest);
}

struct instance_part trace_printk_part = {
	.setup	= setup,
};
