// SPDX-License-Identifier: GPL-2.0
/*
 * Control files of the options: trace_options with one word per option, and a file per option
 * in options/. The options of all tracers have files, only those of the current tracer appear
 * in trace_options.
 */
#include <linux/kstrtox.h>
#include <linux/seq_file.h>
#include <linux/tracefs.h>

#include "instance/instance.h"
#include "instance/options.h"
#include "instance/tracer.h"
#include "tracefs/files.h"

static void option_put_line(struct seq_file *m, const char *name, bool on)
{
	seq_printf(m, "%s%s\n", on ? "" : "no", name);
}

static int trace_options_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_array *tr = at->tr;
	const struct tracer_option *opt;
	int i;

	guard(mutex)(&trace_lock);
	for (i = 0; i < NR_TRACE_OPTIONS; i++)
		option_put_line(m, trace_options[i].name, tr->flags & BIT(i));
	for (opt = tr->current_tracer->options; opt && opt->name; opt++)
		option_put_line(m, opt->name,
				tracer_option_is_set(tr, tr->current_tracer, opt));
	return 0;
}

static int trace_options_store(const struct trace_node *at, char *text)
{
	return trace_option_write(at->tr, text);
}

/* Files in options/, whose content is one digit */

static int option_parse_digit(const char *text, bool *on)
{
	unsigned long value;
	int err = kstrtoul(text, 10, &value);

	if (err)
		return err;
	*on = value;
	return value > 1 ? -EINVAL : 0;
}

static enum trace_option_bit option_bit(const struct trace_node *at)
{
	const struct trace_option *opt = at->data;

	return opt - trace_options;
}

static int option_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%d\n", trace_array_opt(at->tr, BIT(option_bit(at))) ? 1 : 0);
	return 0;
}

static int option_store(const struct trace_node *at, char *text)
{
	bool on;
	int err = option_parse_digit(text, &on);

	if (err)
		return err;
	guard(mutex)(&trace_lock);
	return trace_option_set(at->tr, option_bit(at), on);
}

/* The tracer that has the option. */
static struct tracer *option_find_tracer(const struct tracer_option *wanted)
{
	const struct tracer_option *opt;
	struct tracer *t;

	for_each_tracer(t) {
		for (opt = t->options; opt && opt->name; opt++) {
			if (opt == wanted)
				return t;
		}
	}
	return NULL;
}

static int tracer_option_show(struct seq_file *m, const struct trace_node *at)
{
	guard(mutex)(&trace_lock);
	seq_printf(m, "%d\n",
		   tracer_option_is_set(at->tr, option_find_tracer(at->data), at->data));
	return 0;
}

static int tracer_option_store(const struct trace_node *at, char *text)
{
	bool on;
	int err = option_parse_digit(text, &on);

	if (err)
		return err;
	guard(mutex)(&trace_lock);
	return tracer_option_set(at->tr, option_find_tracer(at->data), at->data, on);
}

static const struct trace_file option_row = {
	.mode	= TRACE_FILE_RW,
	.show	= option_show,
	.store	= option_store,
};

static const struct trace_file tracer_option_row = {
	.mode	= TRACE_FILE_RW,
	.show	= tracer_option_show,
	.store	= tracer_option_store,
};

static int create_tracer_options(struct trace_array *tr, struct dentry *dir)
{
	const struct tracer_option *opt;
	struct tracer *t;
	int err;

	guard(mutex)(&trace_lock);
	for_each_tracer(t) {
		if (!t->allow_instances && !trace_array_is_top(tr))
			continue;
		for (opt = t->options; opt && opt->name; opt++) {
			err = trace_file_create(tr, dir, opt->name,
						&tracer_option_row, opt);
			if (err)
				return err;
		}
	}
	return 0;
}

static int create_options(struct trace_array *tr, struct dentry *dir)
{
	int i, err;

	for (i = 0; i < NR_TRACE_OPTIONS; i++) {
		err = trace_file_create(tr, dir, trace_options[i].name,
					&option_row, &trace_options[i]);
		if (err)
			return err;
	}
	return create_tracer_options(tr, dir);
}

static const struct trace_file option_files[] = {
	{
		.name		= "trace_options",
		.mode		= TRACE_FILE_RW,
		.place		= IN_INSTANCE,
		.show		= trace_options_show,
		.store		= trace_options_store,
		.store_max	= 64,
	}, {
		.name		= "options",
		.place		= IN_INSTANCE,
		.populate	= create_options,
	},
	{ }
};

TRACE_FILES(option_files);
