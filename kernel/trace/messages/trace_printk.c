// SPDX-License-Identifier: GPL-2.0
/*
 * trace_printk(): records a line of text in the trace, from anywhere in the kernel.
 *
 * Developers use it where printk() would disturb too much. With a constant format only the
 * arguments are recorded, and the text is formatted when the trace is read; with a variable
 * format the text is formatted at once.
 *
 * The functions run in any context, NMI included: they take no lock and allocate nothing. They
 * format into buffers that each CPU has for each context that can interrupt another. These are
 * allocated only in a kernel that uses trace_printk().
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
#include "internal.h"
#include "printk_formats.h"
#include "record/record.h"
#include "record/stack.h"
#include "tasks/cmdlines.h"
#include "trace_printk.h"
#include "types/types.h"

/* Number of contexts that can interrupt each other: task, softirq, interrupt and NMI. */
#define PRINTK_CONTEXTS	4

/* Size of a buffer in 32-bit words. */
#define PRINTK_WORDS	256

/* Size of a buffer in bytes, and so the maximum size of a text with its NUL. */
#define PRINTK_BYTES	(PRINTK_WORDS * sizeof(u32))

/**
 * struct trace_printk_buffers - the buffers of one CPU, in which texts and arguments are formatted
 * @depth: number of buffers in use
 * @words: one buffer for each context; in 32-bit words, as vbin_printf() requires
 *
 * If a context with a buffer is interrupted, the interrupt gets the next buffer, and releases it
 * before the interrupted context continues. So @depth need not be atomic.
 */
struct trace_printk_buffers {
	int	depth;
	u32	words[PRINTK_CONTEXTS][PRINTK_WORDS];
};

/* NULL until trace_printk_alloc_buffers(); never freed. */
static struct trace_printk_buffers __percpu *trace_printk_buffers;

/* Destination of trace_printk(). Read with preemption off, see trace_printk_set_dest(). */
static struct trace_array *printk_dest = &global_trace;

/*
 * Get a buffer of this CPU, for use until trace_printk_put_buffer(). Returns NULL if there is
 * none. Context: preemption off until trace_printk_put_buffer().
 */
static u32 *trace_printk_get_buffer(void)
{
	struct trace_printk_buffers __percpu *all = READ_ONCE(trace_printk_buffers);
	struct trace_printk_buffers *buffers;

	if (!all)
		return NULL;

	buffers = this_cpu_ptr(all);
	if (buffers->depth >= PRINTK_CONTEXTS)
		return NULL;

	/* Reserve the buffer before it is written to: an interrupt then gets the next one. */
	buffers->depth++;
	barrier();

	return buffers->words[buffers->depth - 1];
}

static void trace_printk_put_buffer(void)
{
	barrier();
	this_cpu_ptr(trace_printk_buffers)->depth--;
}

/**
 * struct printk_call - a call of a function of this file that records a text
 * @tr: instance that the text is recorded to
 * @ip: code address to show in front of the text
 * @ctx: trace_ctx() of the caller, read before preemption was disabled here
 * @ret: return address of the exported function, at which recorded stacks begin
 */
struct printk_call {
	struct trace_array	*tr;
	unsigned long		ip;
	unsigned int		ctx;
	unsigned long		ret;
};

/* Record a constant format and its arguments: @nr words, as packed by vbin_printf(). */
static int trace_printk_record_packed(const struct printk_call *call, const char *fmt,
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

/* Record @len bytes of text. @feed: true to add a newline if the text does not end with one. */
static int trace_printk_record_text(const struct printk_call *call, const char *text,
				    int len, bool feed)
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
int trace_printk_text(const struct printk_call *call, const char *fmt, va_list args)
{
	char *text = (char *)trace_printk_get_buffer();
	struct trace_own own;
	int len;

	if (!text)
		return 0;
	trace_own_begin(&own);
	len = vscnprintf(text, PRINTK_BYTES, fmt, args);
	trace_own_end(&own);
	len = trace_printk_record_text(call, text, len, false);
	trace_printk_put_buffer();

	return len;
}

static __printf(2, 0)
int trace_printk_packed(const struct printk_call *call, const char *fmt, va_list args)
{
	u32 *words = trace_printk_get_buffer();
	struct trace_own own;
	int nr;

	if (!words)
		return 0;
	trace_own_begin(&own);
	nr = vbin_printf(words, PRINTK_WORDS, fmt, args);
	trace_own_end(&own);
	nr = nr >= 0 && nr <= PRINTK_WORDS ? trace_printk_record_packed(call, fmt, words, nr) : 0;
	trace_printk_put_buffer();

	return nr;
}

static __printf(2, 0)
int trace_printk_text_to_dest(struct printk_call *call, const char *fmt, va_list ap)
{
	call->ctx = trace_ctx();

	guard(preempt_notrace)();
	call->tr = READ_ONCE(printk_dest);
	if (!trace_array_opt(call->tr, TRACE_OPT_PRINTK))
		return 0;

	return trace_printk_text(call, fmt, ap);
}

static __printf(2, 0)
int trace_printk_packed_to_dest(struct printk_call *call, const char *fmt, va_list ap)
{
	call->ctx = trace_ctx();

	guard(preempt_notrace)();
	call->tr = READ_ONCE(printk_dest);
	if (!fmt || !trace_array_opt(call->tr, TRACE_OPT_PRINTK))
		return 0;

	return trace_printk_packed(call, fmt, ap);
}

/**
 * __ftrace_vprintk() - trace_printk() with a variable format and a va_list
 * @ip: code address to show in front of the text
 * @fmt: the format
 * @ap: arguments of the format
 *
 * Context: any.
 * Return: the length of the text, 0 if it was not recorded.
 */
int __ftrace_vprintk(unsigned long ip, const char *fmt, va_list ap)
{
	struct printk_call call = { .ip = ip, .ret = _RET_IP_ };

	return trace_printk_text_to_dest(&call, fmt, ap);
}
EXPORT_SYMBOL_GPL(__ftrace_vprintk);

/**
 * __ftrace_vbprintk() - trace_printk() with a constant format and a va_list
 * @ip: code address to show in front of the text
 * @fmt: the format, which must never be freed; NULL for a module whose formats could not be
 *	copied, in which case nothing is recorded
 * @ap: arguments of the format
 *
 * Context: any.
 * Return: number of 32-bit words of the arguments; 0 if they were not recorded.
 */
int __ftrace_vbprintk(unsigned long ip, const char *fmt, va_list ap)
{
	struct printk_call call = { .ip = ip, .ret = _RET_IP_ };

	return trace_printk_packed_to_dest(&call, fmt, ap);
}
EXPORT_SYMBOL_GPL(__ftrace_vbprintk);

/**
 * __trace_printk() - trace_printk() with a variable format
 * @ip: code address to show in front of the text
 * @fmt: the format, followed by its arguments
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
	len = trace_printk_text_to_dest(&call, fmt, args);
	va_end(args);

	return len;
}
EXPORT_SYMBOL_GPL(__trace_printk);

/**
 * __trace_bprintk() - trace_printk() with a constant format
 * @ip: code address to show in front of the text
 * @fmt: the format, see __ftrace_vbprintk(), followed by its arguments
 *
 * Context: any.
 * Return: number of 32-bit words of the arguments; 0 if they were not recorded.
 */
int __trace_bprintk(unsigned long ip, const char *fmt, ...)
{
	struct printk_call call = { .ip = ip, .ret = _RET_IP_ };
	va_list args;
	int nr;

	va_start(args, fmt);
	nr = trace_printk_packed_to_dest(&call, fmt, args);
	va_end(args);

	return nr;
}
EXPORT_SYMBOL_GPL(__trace_bprintk);

/**
 * __trace_array_puts() - record a string in an instance
 * @tr: the instance
 * @ip: code address to show in front of the text
 * @str: the string; a newline is added if it does not end with one
 * @size: length of the string
 *
 * Context: any.
 * Return: @size; 0 if the string was not recorded.
 */
int __trace_array_puts(struct trace_array *tr, unsigned long ip, const char *str, int size)
{
	const struct printk_call call = {
		.tr = tr, .ip = ip, .ctx = trace_ctx(), .ret = _RET_IP_,
	};

	if (!trace_array_opt(tr, TRACE_OPT_PRINTK))
		return 0;

	guard(preempt_notrace)();

	return trace_printk_record_text(&call, str, size, true);
}
EXPORT_SYMBOL_GPL(__trace_array_puts);

/**
 * __trace_puts() - trace_puts() of a variable string
 * @ip: code address to show in front of the text
 * @str: the string; a newline is added if it does not end with one
 * @size: length of the string
 *
 * Context: any.
 * Return: @size; 0 if the string was not recorded.
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

	return trace_printk_record_text(&call, str, size, true);
}
EXPORT_SYMBOL_GPL(__trace_puts);

/**
 * __trace_bputs() - trace_puts() of a constant string
 * @ip: code address to show in front of the text
 * @str: the string, which must never be freed; NULL for a module whose strings could not be
 *	copied, in which case nothing is recorded
 *
 * Context: any.
 * Return: 1; 0 if the string was not recorded.
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
 * trace_array_printk() - record text in an instance that a module has created
 * @tr: the instance, for which trace_array_init_printk() was called
 * @ip: code address to show in front of the text, usually _THIS_IP_
 * @fmt: the format, followed by its arguments
 *
 * Records nothing in the top instance, because its users could not switch off such texts.
 *
 * Context: any.
 * Return: the length of the text; 0 if it was not recorded; -ENOENT if @tr is NULL.
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
	len = trace_printk_text(&call, fmt, args);
	va_end(args);

	return len;
}
EXPORT_SYMBOL_GPL(trace_array_printk);

/*
 * Allocate trace_printk_buffers, and start saving the comms of tasks. Neither is ever undone. If
 * several callers do so at once, the first one sets the pointer, and the others free their memory.
 * Returns 1 if this call has set the pointer; 0 if another call has; or -ENOMEM.
 */
static int trace_printk_alloc_buffers(void)
{
	struct trace_printk_buffers __percpu *buffers;

	if (READ_ONCE(trace_printk_buffers))
		return 0;
	buffers = alloc_percpu(struct trace_printk_buffers);
	if (!buffers)
		return -ENOMEM;
	if (cmpxchg(&trace_printk_buffers, NULL, buffers)) {
		free_percpu(buffers);
		return 0;
	}
	if (trace_cmdlines_start())
		pr_warn("no memory: the tasks of trace_printk() will be without names\n");

	return 1;
}

/**
 * trace_array_init_printk() - prepare trace_array_printk()
 * @tr: the instance in which texts will be recorded, not the top one
 *
 * Context: process; may sleep.
 * Return: 0; -ENOENT if @tr is NULL; -EINVAL for the top instance; -ENODEV if tracing was not
 * initialized; -ENOMEM.
 */
int trace_array_init_printk(struct trace_array *tr)
{
	if (!tr)
		return -ENOENT;
	if (trace_array_is_top(tr))
		return -EINVAL;
	if (!tracing_initialized())
		return -ENODEV;

	return min(trace_printk_alloc_buffers(), 0);
}
EXPORT_SYMBOL_GPL(trace_array_init_printk);

/* Warn that the kernel or a module contains trace_printk(), which is for debugging only. */
static void trace_printk_warn_in_use(void)
{
	pr_warn("trace_printk() is in use: memory is set aside for it, and the trace holds\n");
	pr_warn("text that nobody asked for. It is for debugging; do not ship this kernel\n");
	pr_warn("or module. If you are not debugging it, tell who gave it to you.\n");
}

/**
 * trace_printk_init_buffers() - prepare trace_printk()
 *
 * Called at boot if the kernel image contains a trace_printk(), and when a module that contains
 * one is loaded. A module whose calls are not found this way must call the function itself.
 *
 * Context: process; may sleep.
 */
void trace_printk_init_buffers(void)
{
	if (!tracing_initialized() || trace_printk_alloc_buffers() < 1)
		return;

	trace_printk_warn_in_use();
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

/* Return: where trace_printk() is to record when option trace_printk_dest of @tr becomes @on. */
static struct trace_array *trace_printk_dest_after(struct trace_array *tr, bool on)
{
	return on ? tr : &global_trace;
}

/*
 * Change option trace_printk_dest, which is always on in exactly one instance. Setting it in
 * one instance clears it in the former one; clearing it sets it in the top instance. A
 * trace_printk() that is running, with preemption off, may still record in the former instance.
 * If that is removed, synchronize_rcu() waits for the trace_printk() before it is freed.
 */
static int trace_printk_set_dest(struct trace_array *tr, bool on)
{
	struct trace_array *from = printk_dest, *to = trace_printk_dest_after(tr, on);

	lockdep_assert_held(&trace_lock);
	if (!on && trace_array_is_top(tr))
		return -EINVAL;
	WRITE_ONCE(from->flags, from->flags & ~TRACE_OPT_PRINTK_DEST);
	WRITE_ONCE(to->flags, to->flags | TRACE_OPT_PRINTK_DEST);
	WRITE_ONCE(printk_dest, to);
	return 0;
}

static void trace_printk_dest_setup(void)
{
	trace_option_register_bound(TRACE_OPT_PRINTK_DEST_BIT, trace_printk_set_dest);
}

struct instance_part trace_printk_part = {
	.setup	= trace_printk_dest_setup,
};
