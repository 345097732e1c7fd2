/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace options: the bits of an instance that say what is recorded and how it
 * is shown.  Each is one row of one table; those of a single tracer are in
 * that tracer's own table (tracer.h).
 */
#ifndef _KERNEL_TRACE_OPTIONS_H
#define _KERNEL_TRACE_OPTIONS_H

#include <linux/bits.h>
#include <linux/init.h>
#include <linux/types.h>

struct trace_array;
struct tracer;
struct tracer_option;

/*
 * Bits of trace_array::flags; the order is that of trace_options and of the
 * table.  Options of what this kernel is not configured for have no bit.
 */
enum trace_option_bit {
	TRACE_OPT_PRINT_PARENT_BIT,
	TRACE_OPT_SYM_OFFSET_BIT,
	TRACE_OPT_SYM_ADDR_BIT,
	TRACE_OPT_VERBOSE_BIT,
	TRACE_OPT_RAW_BIT,
	TRACE_OPT_HEX_BIT,
	TRACE_OPT_BIN_BIT,
	TRACE_OPT_BLOCK_BIT,
	TRACE_OPT_FIELDS_BIT,
	TRACE_OPT_PRINTK_BIT,
	TRACE_OPT_ANNOTATE_BIT,
	TRACE_OPT_USERSTACKTRACE_BIT,
	TRACE_OPT_SYM_USEROBJ_BIT,
	TRACE_OPT_PRINTK_MSGONLY_BIT,
	TRACE_OPT_CONTEXT_INFO_BIT,
	TRACE_OPT_LATENCY_FMT_BIT,
	TRACE_OPT_RECORD_CMD_BIT,
	TRACE_OPT_RECORD_TGID_BIT,
	TRACE_OPT_OVERWRITE_BIT,
	TRACE_OPT_STOP_ON_FREE_BIT,
	TRACE_OPT_IRQ_INFO_BIT,
	TRACE_OPT_MARKERS_BIT,
	TRACE_OPT_EVENT_FORK_BIT,
	TRACE_OPT_PRINTK_DEST_BIT,
	TRACE_OPT_PAUSE_ON_TRACE_BIT,
	TRACE_OPT_HASH_PTR_BIT,
#ifdef CONFIG_FUNCTION_TRACER
	TRACE_OPT_FUNCTION_BIT,
	TRACE_OPT_FUNC_FORK_BIT,
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	TRACE_OPT_DISPLAY_GRAPH_BIT,
#endif
#ifdef CONFIG_STACKTRACE
	TRACE_OPT_STACKTRACE_BIT,
#endif
	NR_TRACE_OPTIONS
};

/* The same as masks.  An option without a bit is never set: mask 0. */
#define TRACE_OPT_PRINT_PARENT		BIT(TRACE_OPT_PRINT_PARENT_BIT)
#define TRACE_OPT_SYM_OFFSET		BIT(TRACE_OPT_SYM_OFFSET_BIT)
#define TRACE_OPT_SYM_ADDR		BIT(TRACE_OPT_SYM_ADDR_BIT)
#define TRACE_OPT_VERBOSE		BIT(TRACE_OPT_VERBOSE_BIT)
#define TRACE_OPT_RAW			BIT(TRACE_OPT_RAW_BIT)
#define TRACE_OPT_HEX			BIT(TRACE_OPT_HEX_BIT)
#define TRACE_OPT_BIN			BIT(TRACE_OPT_BIN_BIT)
#define TRACE_OPT_BLOCK			BIT(TRACE_OPT_BLOCK_BIT)
#define TRACE_OPT_FIELDS		BIT(TRACE_OPT_FIELDS_BIT)
#define TRACE_OPT_PRINTK		BIT(TRACE_OPT_PRINTK_BIT)
#define TRACE_OPT_ANNOTATE		BIT(TRACE_OPT_ANNOTATE_BIT)
#define TRACE_OPT_USERSTACKTRACE	BIT(TRACE_OPT_USERSTACKTRACE_BIT)
#define TRACE_OPT_SYM_USEROBJ		BIT(TRACE_OPT_SYM_USEROBJ_BIT)
#define TRACE_OPT_PRINTK_MSGONLY	BIT(TRACE_OPT_PRINTK_MSGONLY_BIT)
#define TRACE_OPT_CONTEXT_INFO		BIT(TRACE_OPT_CONTEXT_INFO_BIT)
#define TRACE_OPT_LATENCY_FMT		BIT(TRACE_OPT_LATENCY_FMT_BIT)
#define TRACE_OPT_RECORD_CMD		BIT(TRACE_OPT_RECORD_CMD_BIT)
#define TRACE_OPT_RECORD_TGID		BIT(TRACE_OPT_RECORD_TGID_BIT)
#define TRACE_OPT_OVERWRITE		BIT(TRACE_OPT_OVERWRITE_BIT)
#define TRACE_OPT_STOP_ON_FREE		BIT(TRACE_OPT_STOP_ON_FREE_BIT)
#define TRACE_OPT_IRQ_INFO		BIT(TRACE_OPT_IRQ_INFO_BIT)
#define TRACE_OPT_MARKERS		BIT(TRACE_OPT_MARKERS_BIT)
#define TRACE_OPT_EVENT_FORK		BIT(TRACE_OPT_EVENT_FORK_BIT)
#define TRACE_OPT_PRINTK_DEST		BIT(TRACE_OPT_PRINTK_DEST_BIT)
#define TRACE_OPT_PAUSE_ON_TRACE	BIT(TRACE_OPT_PAUSE_ON_TRACE_BIT)
#define TRACE_OPT_HASH_PTR		BIT(TRACE_OPT_HASH_PTR_BIT)
#ifdef CONFIG_FUNCTION_TRACER
#define TRACE_OPT_FUNCTION		BIT(TRACE_OPT_FUNCTION_BIT)
#define TRACE_OPT_FUNC_FORK		BIT(TRACE_OPT_FUNC_FORK_BIT)
#else
#define TRACE_OPT_FUNCTION		0
#define TRACE_OPT_FUNC_FORK		0
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
#define TRACE_OPT_DISPLAY_GRAPH		BIT(TRACE_OPT_DISPLAY_GRAPH_BIT)
#else
#define TRACE_OPT_DISPLAY_GRAPH		0
#endif
#ifdef CONFIG_STACKTRACE
#define TRACE_OPT_STACKTRACE		BIT(TRACE_OPT_STACKTRACE_BIT)
#else
#define TRACE_OPT_STACKTRACE		0
#endif

/* What a new instance starts with. */
#define TRACE_OPT_DEFAULTS						\
	(TRACE_OPT_PRINT_PARENT | TRACE_OPT_PRINTK | TRACE_OPT_ANNOTATE | \
	 TRACE_OPT_CONTEXT_INFO | TRACE_OPT_RECORD_CMD |		\
	 TRACE_OPT_OVERWRITE | TRACE_OPT_IRQ_INFO | TRACE_OPT_MARKERS |	\
	 TRACE_OPT_HASH_PTR | TRACE_OPT_PRINTK_DEST | TRACE_OPT_FUNCTION)

/* What tracers bring along that keep the longest time: see tracers/latency.c. */
#define TRACE_OPT_KEEPERS						\
	(TRACE_OPT_OVERWRITE | TRACE_OPT_LATENCY_FMT | TRACE_OPT_PAUSE_ON_TRACE)

/**
 * struct trace_option - a row of the table of options
 * @name: as in trace_options (there with "no" before it when clear) and options/
 * @set: carries out the change before the bit is changed; 0 or a negative
 *	errno, then the option stays as it was.  NULL: only the bit changes.
 *	Runs under trace_lock, may sleep.
 * @bound: stands for something outside of the instance: a new one begins without the
 *	option, and loses it before it is removed
 */
struct trace_option {
	const char	*name;
	int		(*set)(struct trace_array *tr, bool on);
	bool		bound;
};

/* Row i is the option of bit i. */
extern struct trace_option trace_options[NR_TRACE_OPTIONS];

/**
 * trace_option_carry_out - say what carries out a change of an option
 * @bit: which
 * @set: see struct trace_option
 *
 * From then on the option is bound, see there.
 *
 * Context: boot, before the first instance is made.
 */
void trace_option_carry_out(enum trace_option_bit bit,
			    int (*set)(struct trace_array *tr, bool on));

/**
 * trace_option_follow - the same for an option that is not bound
 * @bit: which
 * @set: see struct trace_option
 *
 * What a new instance begins with is not told.
 *
 * Context: boot, before the first instance is made.
 */
void trace_option_follow(enum trace_option_bit bit, int (*set)(struct trace_array *tr, bool on));

/**
 * trace_option_set - change an option of an instance
 * @tr: the instance
 * @bit: which
 * @on: its new value
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, also when it has the value already; a negative errno when it
 * cannot be changed, or the current tracer does not agree.
 */
int trace_option_set(struct trace_array *tr, enum trace_option_bit bit, bool on);

/**
 * trace_option_impose - change an option without asking the current tracer
 * @tr: the instance
 * @bit: which
 * @on: its new value
 *
 * For a tracer that begins or ends, and brings options along.
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: as trace_option_set().
 */
int trace_option_impose(struct trace_array *tr, enum trace_option_bit bit, bool on);

/**
 * tracer_option_set - change an option of one tracer in an instance
 * @tr: the instance
 * @t: the tracer, current or not
 * @opt: a row of @t->options
 * @on: its new value
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, also when it has the value already; else what the tracer refused
 * it with.
 */
int tracer_option_set(struct trace_array *tr, struct tracer *t,
		      const struct tracer_option *opt, bool on);

/**
 * trace_options_bound - the options that stand for something outside of an instance
 *
 * Context: any.
 * Return: TRACE_OPT_* of them.
 */
u32 trace_options_bound(void);

/**
 * trace_options_let_go - clear what is bound, and set tracers' options to their defaults
 * @tr: an instance whose tracer is nop
 *
 * It is about to go, and some tracers count who has an option.
 *
 * Context: may sleep; caller holds trace_lock.
 */
void trace_options_let_go(struct trace_array *tr);

/**
 * tracer_option_is_set - the value of an option of one tracer
 * @tr: the instance
 * @t: the tracer
 * @opt: a row of @t->options
 */
bool tracer_option_is_set(struct trace_array *tr, const struct tracer *t,
			  const struct tracer_option *opt);

/**
 * trace_option_write - change the option that a word names
 * @tr: the instance
 * @word: name, or "no" and the name; white space around it is ignored
 *
 * Looks among the general options, then those of the current tracer
 * (SPEC B1, trace_options).
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0, -EINVAL when the instance has no option of that name, else what the
 * change was refused with.
 */
int trace_option_write(struct trace_array *tr, const char *word);

/**
 * trace_options_boot - apply the parameter trace_options=
 * @tr: the top instance
 * @list: option words separated by commas; those unknown are reported
 *
 * The tracer of ftrace= has not been started yet, so the options of all tracers
 * are known here.
 *
 * Context: boot, may sleep; takes trace_lock.
 */
void __init trace_options_boot(struct trace_array *tr, char *list);

#endif /* _KERNEL_TRACE_OPTIONS_H */
