// SPDX-License-Identifier: GPL-2.0
/*
 * Table of the trace options, and functions that change an option.
 *
 * An option that only changes how lines are printed is a bit that the readers test. An option
 * that changes what is recorded has a function that applies it, registered at boot by the room
 * that implements it. To add an option, add its bit in options.h and its row here.
 */
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "instance.h"
#include "internal.h"
#include "options.h"

static int option_set_overwrite(struct trace_array *tr, bool on)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++)
		ring_buffer_change_overwrite(tr->buffers[i], on);
	return 0;
}

struct trace_option trace_options[NR_TRACE_OPTIONS] __ro_after_init = {
	[TRACE_OPT_PRINT_PARENT_BIT]	= { .name = "print-parent" },
	[TRACE_OPT_SYM_OFFSET_BIT]	= { .name = "sym-offset" },
	[TRACE_OPT_SYM_ADDR_BIT]	= { .name = "sym-addr" },
	[TRACE_OPT_VERBOSE_BIT]		= { .name = "verbose" },
	[TRACE_OPT_RAW_BIT]		= { .name = "raw" },
	[TRACE_OPT_HEX_BIT]		= { .name = "hex" },
	[TRACE_OPT_BIN_BIT]		= { .name = "bin" },
	[TRACE_OPT_BLOCK_BIT]		= { .name = "block" },
	[TRACE_OPT_FIELDS_BIT]		= { .name = "fields" },
	[TRACE_OPT_PRINTK_BIT]		= { .name = "trace_printk" },
	[TRACE_OPT_ANNOTATE_BIT]	= { .name = "annotate" },
	[TRACE_OPT_USERSTACKTRACE_BIT]	= { .name = "userstacktrace" },
	[TRACE_OPT_SYM_USEROBJ_BIT]	= { .name = "sym-userobj" },
	[TRACE_OPT_PRINTK_MSGONLY_BIT]	= { .name = "printk-msg-only" },
	[TRACE_OPT_CONTEXT_INFO_BIT]	= { .name = "context-info" },
	[TRACE_OPT_LATENCY_FMT_BIT]	= { .name = "latency-format" },
	[TRACE_OPT_RECORD_CMD_BIT]	= { .name = "record-cmd" },
	[TRACE_OPT_RECORD_TGID_BIT]	= { .name = "record-tgid" },
	[TRACE_OPT_OVERWRITE_BIT]	= { .name = "overwrite", .set = option_set_overwrite },
	[TRACE_OPT_STOP_ON_FREE_BIT]	= { .name = "disable_on_free" },
	[TRACE_OPT_IRQ_INFO_BIT]	= { .name = "irq-info" },
	[TRACE_OPT_MARKERS_BIT]		= { .name = "markers" },
	[TRACE_OPT_EVENT_FORK_BIT]	= { .name = "event-fork" },
	[TRACE_OPT_PRINTK_DEST_BIT]	= { .name = "trace_printk_dest" },
	[TRACE_OPT_PAUSE_ON_TRACE_BIT]	= { .name = "pause-on-trace" },
	[TRACE_OPT_HASH_PTR_BIT]	= { .name = "hash-ptr" },
#ifdef CONFIG_FUNCTION_TRACER
	[TRACE_OPT_FUNCTION_BIT]	= { .name = "function-trace" },
	[TRACE_OPT_FUNC_FORK_BIT]	= { .name = "function-fork" },
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	[TRACE_OPT_DISPLAY_GRAPH_BIT]	= { .name = "display-graph" },
#endif
#ifdef CONFIG_STACKTRACE
	[TRACE_OPT_STACKTRACE_BIT]	= { .name = "stacktrace" },
#endif
};

void trace_option_register_set(enum trace_option_bit bit,
			       int (*set)(struct trace_array *tr, bool on))
{
	trace_options[bit].set = set;
}

void trace_option_register_bound(enum trace_option_bit bit,
				 int (*set)(struct trace_array *tr, bool on))
{
	trace_options[bit].set = set;
	trace_options[bit].bound = true;
}

u32 trace_options_bound(void)
{
	u32 bound = 0;

	for (int bit = 0; bit < NR_TRACE_OPTIONS; bit++)
		bound |= trace_options[bit].bound ? BIT(bit) : 0;
	return bound;
}

int trace_option_set(struct trace_array *tr, enum trace_option_bit bit, bool on)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tr->current_tracer->flag_changing && !!(tr->flags & BIT(bit)) != on) {
		ret = tr->current_tracer->flag_changing(tr, BIT(bit), on);
		if (ret)
			return ret;
	}
	return trace_option_force(tr, bit, on);
}

int trace_option_force(struct trace_array *tr, enum trace_option_bit bit, bool on)
{
	const struct trace_option *opt = &trace_options[bit];
	u32 mask = BIT(bit);
	int ret;

	lockdep_assert_held(&trace_lock);

	if (!!(tr->flags & mask) == on)
		return 0;
	if (opt->set) {
		ret = opt->set(tr, on);
		if (ret)
			return ret;
	}
	WRITE_ONCE(tr->flags, on ? tr->flags | mask : tr->flags & ~mask);
	return 0;
}

bool tracer_option_is_set(struct trace_array *tr, const struct tracer *t,
			  const struct tracer_option *opt)
{
	return tr->tracer_opts[t->index] & opt->mask;
}

int tracer_option_set(struct trace_array *tr, struct tracer *t,
		      const struct tracer_option *opt, bool on)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tracer_option_is_set(tr, t, opt) == on)
		return 0;

	if (t->set_option) {
		ret = t->set_option(tr, opt->mask, on);
		if (ret)
			return ret;
	}
	tr->tracer_opts[t->index] ^= opt->mask;
	return 0;
}

void trace_options_release(struct trace_array *tr)
{
	const struct tracer_option *opt;
	struct tracer *t;

	for (int bit = 0; bit < NR_TRACE_OPTIONS; bit++) {
		if (trace_options[bit].bound)
			trace_option_force(tr, bit, false);
	}
	for_each_tracer(t)
		for (opt = t->options; opt && opt->name; opt++)
			tracer_option_set(tr, t, opt, t->default_options & opt->mask);
}

static int option_find(const char *name)
{
	for (unsigned int i = 0; i < NR_TRACE_OPTIONS; i++) {
		if (!strcmp(trace_options[i].name, name))
			return i;
	}
	return -EINVAL;
}

static const struct tracer_option *tracer_option_find(const struct tracer *t,
						      const char *name)
{
	const struct tracer_option *opt = t->options;

	for (; opt && opt->name; opt++) {
		if (!strcmp(opt->name, name))
			return opt;
	}
	return NULL;
}

/* Set the option @name of tracer @only, or of the first tracer that has it if @only is NULL. */
static int tracer_option_set_by_name(struct trace_array *tr, const struct tracer *only,
				     const char *name, bool on)
{
	const struct tracer_option *opt;
	struct tracer *t;

	for_each_tracer(t) {
		if (only && t != only)
			continue;
		opt = tracer_option_find(t, name);
		if (opt)
			return tracer_option_set(tr, t, opt, on);
	}
	return -EINVAL;
}

static int option_set_by_name(struct trace_array *tr, const char *name, bool on,
			      bool any_tracer)
{
	int bit = option_find(name);

	if (bit >= 0)
		return trace_option_set(tr, bit, on);
	return tracer_option_set_by_name(tr, any_tracer ? NULL : tr->current_tracer,
					 name, on);
}

static int option_set_word(struct trace_array *tr, const char *word, bool any_tracer)
{
	char *copy __free(kfree) = kstrdup(word, GFP_KERNEL);
	char *name;
	bool on;

	if (!copy)
		return -ENOMEM;

	name = strim(copy);
	on = !str_has_prefix(name, "no");
	if (!on)
		name += strlen("no");

	guard(mutex)(&trace_lock);
	return option_set_by_name(tr, name, on, any_tracer);
}

int trace_option_write(struct trace_array *tr, const char *word)
{
	return option_set_word(tr, word, false);
}

void __init trace_options_boot(struct trace_array *tr, char *list)
{
	char *word;

	while ((word = strsep(&list, ","))) {
		if (*word && option_set_word(tr, word, true))
			pr_warn("trace_options: \"%s\" cannot be set\n", word);
	}
}
