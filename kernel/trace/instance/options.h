/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace options: the bits of an instance that select what is recorded and how it is printed.
 * Each option is a row of one table. The options of a single tracer are in the table of that
 * tracer (tracer.h).
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
 * Bits of trace_array::flags, in the order of the file trace_options and of the table. Options
 * of features that this kernel is not configured for have no bit.
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

/* Masks of the options. The mask of an option without a bit is 0: the option is never set. */
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

/**
 * struct trace_option - a row of the table of options
 * @name: name in the file trace_options (with "no" in front if the option is clear) and in
 *	options/
 * @set: applies a change, before the bit is changed. Returns 0, or a negative errno that
 *	leaves the option unchanged. Called under trace_lock, may sleep. NULL if only the bit
 *	changes
 * @bound: the option stands for something outside of the instance: a new instance starts with
 *	it clear, and it is cleared before the instance is removed
 */
struct trace_option {
	const char	*name;
	int		(*set)(struct trace_array *tr, bool on);
	bool		bound;
};

/* Row i is the option of bit i. */
extern struct trace_option trace_options[NR_TRACE_OPTIONS];

/**
 * trace_option_register_bound() - set the function that applies changes of a bound option
 * @bit: the option
 * @set: the function, see struct trace_option
 *
 * Marks the option as bound, see struct trace_option.
 *
 * Context: boot, before the first instance is created.
 */
void trace_option_register_bound(enum trace_option_bit bit,
				 int (*set)(struct trace_array *tr, bool on));

/**
 * trace_option_register_set() - set the function that applies changes of an option
 * @bit: the option
 * @set: the function, see struct trace_option; not called for the initial value of an instance
 *
 * Context: boot, before the first instance is created.
 */
void trace_option_register_set(enum trace_option_bit bit,
			       int (*set)(struct trace_array *tr, bool on));

/**
 * trace_option_set() - change an option of an instance
 * @tr: the instance
 * @bit: the option
 * @on: its new value
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, also if it has that value already; a negative errno if the option cannot be changed,
 * or if the current tracer refuses the change.
 */
int trace_option_set(struct trace_array *tr, enum trace_option_bit bit, bool on);

/**
 * trace_option_force() - change an option without consent of the current tracer
 * @tr: the instance
 * @bit: the option
 * @on: its new value
 *
 * For a tracer that sets options when it starts and restores them when it stops.
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, also if it has that value already; a negative errno if the option cannot be changed.
 */
int trace_option_force(struct trace_array *tr, enum trace_option_bit bit, bool on);

/**
 * tracer_option_set() - change an option of one tracer in an instance
 * @tr: the instance
 * @t: the tracer, current or not
 * @opt: a row of @t->options
 * @on: its new value
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, also if it has that value already; else the error of the tracer.
 */
int tracer_option_set(struct trace_array *tr, struct tracer *t,
		      const struct tracer_option *opt, bool on);

/**
 * tracer_option_is_set() - get the value of an option of one tracer
 * @tr: the instance
 * @t: the tracer
 * @opt: a row of @t->options
 *
 * Context: caller holds trace_lock.
 * Return: true if the option is set.
 */
bool tracer_option_is_set(struct trace_array *tr, const struct tracer *t,
			  const struct tracer_option *opt);

/**
 * trace_option_write() - change an option by name
 * @tr: the instance
 * @word: name of the option, with "no" in front to clear it; white space around it is ignored
 *
 * Searches the general options, then those of the current tracer (SPEC B1, trace_options).
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -EINVAL if the instance has no option of that name; else the error with which the
 * change was refused.
 */
int trace_option_write(struct trace_array *tr, const char *word);

/**
 * trace_options_boot() - apply the boot parameter trace_options=
 * @tr: the top instance
 * @list: option words separated by commas; unknown options are reported
 *
 * The options of all tracers are searched, since the tracer of ftrace= has not been started
 * yet.
 *
 * Context: boot, may sleep; takes trace_lock.
 */
void __init trace_options_boot(struct trace_array *tr, char *list);

#endif /* _KERNEL_TRACE_OPTIONS_H */
