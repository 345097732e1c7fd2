// SPDX-License-Identifier: GPL-2.0
/* Control files of recording: the tracer, the clock, the CPUs, and the switch tracing_on. */
#include <linux/cpumask.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>

#include "clock/clock.h"
#include "instance/instance.h"
#include "instance/tracer.h"
#include "tracefs/files.h"

static int available_tracers_show(struct seq_file *m, const struct trace_node *at)
{
	const char *blank = "";
	struct tracer *t;

	guard(mutex)(&trace_lock);
	/* The list starts with the tracer that was registered last, and ends with nop. */
	list_for_each_entry_reverse(t, &tracers, list) {
		if (!t->allow_instances && !trace_array_is_top(at->tr))
			continue;
		seq_printf(m, "%s%s", blank, t->name);
		blank = " ";
	}
	seq_putc(m, '\n');
	return 0;
}

static int current_tracer_show(struct seq_file *m, const struct trace_node *at)
{
	guard(mutex)(&trace_lock);
	seq_printf(m, "%s\n", at->tr->current_tracer->name);
	return 0;
}

static int current_tracer_store(const struct trace_node *at, char *text)
{
	return tracing_set_tracer(at->tr, text);
}

static int tracing_on_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%d\n", tracer_tracing_is_on(at->tr));
	return 0;
}

static int tracing_on_store(const struct trace_node *at, char *text)
{
	unsigned long on;
	int err = kstrtoul(text, 10, &on);

	if (!err)
		tracing_set_on(at->tr, on);
	return err;
}

static int cpumask_show(struct seq_file *m, const struct trace_node *at)
{
	guard(mutex)(&trace_lock);
	seq_printf(m, "%*pb\n", cpumask_pr_args(at->tr->tracing_cpumask));
	return 0;
}

static int cpumask_store(const struct trace_node *at, char *text)
{
	cpumask_var_t mask;
	int err;

	if (!*text)
		return -EINVAL;
	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	err = cpumask_parse(text, mask);
	if (!err)
		tracing_set_cpumask(at->tr, mask);
	free_cpumask_var(mask);
	return err;
}

static int trace_clock_show(struct seq_file *m, const struct trace_node *at)
{
	int i, current_clock = READ_ONCE(at->tr->clock_id);

	for (i = 0; i < nr_trace_clocks; i++)
		seq_printf(m, i == current_clock ? "%s[%s]" : "%s%s", i ? " " : "",
			   trace_clocks[i].name);
	seq_putc(m, '\n');
	return 0;
}

static int trace_clock_store(const struct trace_node *at, char *text)
{
	return tracing_set_clock(at->tr, text);
}

/* A record holds either the time since the previous one, or an absolute time stamp. */
static int timestamp_mode_show(struct seq_file *m, const struct trace_node *at)
{
	bool abs = ring_buffer_time_stamp_abs(READ_ONCE(at->tr->buffer));

	seq_puts(m, abs ? "delta [absolute]\n" : "[delta] absolute\n");
	return 0;
}

static const struct trace_file recording_files[] = {
	{
		.name	= "available_tracers",
		.mode	= TRACE_FILE_RO,
		.place	= IN_INSTANCE,
		.show	= available_tracers_show,
	}, {
		.name	= "current_tracer",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE,
		.show	= current_tracer_show,
		.store	= current_tracer_store,
	}, {
		.name	= "tracing_on",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE,
		.show	= tracing_on_show,
		.store	= tracing_on_store,
	}, {
		.name	= "tracing_cpumask",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE,
		.show	= cpumask_show,
		.store	= cpumask_store,
	}, {
		.name	= "trace_clock",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE,
		.show	= trace_clock_show,
		.store	= trace_clock_store,
	}, {
		.name	= "timestamp_mode",
		.mode	= TRACE_FILE_RO,
		.place	= IN_INSTANCE,
		.show	= timestamp_mode_show,
	},
	{ }
};

TRACE_FILES(recording_files);
