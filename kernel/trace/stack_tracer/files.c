// SPDX-License-Identifier: GPL-2.0
/*
 * The files stack_max_size and stack_trace (SPEC T6).
 *
 * A read of stack_trace copies the recorded stack before it looks up names: the lock of the record
 * is held only for the copy, so the tracer does not have to wait for it for long.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "stack_tracer.h"
#include "tracefs/files.h"

static int stack_max_size_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%lu\n", stack_tracer_max());
	return 0;
}

static int stack_max_size_store(const struct trace_node *at, char *text)
{
	unsigned long max;
	int ret = kstrtoul(text, 10, &max);

	return ret ?: stack_tracer_set_max(max);
}

/* Text while nothing was recorded. Each line has a '#', as tools that parse the file skip those. */
static const char stack_disabled_text[] =
"#\n"
"#  Stack tracer disabled\n"
"#\n"
"# It has not run yet. What starts it is\n"
"#     echo 1 > /proc/sys/kernel/stack_tracer_enabled\n"
"# or the boot parameter stacktrace.\n"
"#\n";

static void stack_trace_put(struct seq_file *m, const struct deepest_stack *stack)
{
	unsigned int i;

	seq_printf(m, "        Depth    Size   Location    (%u entries)\n", stack->nr);
	seq_puts(m, "        -----    ----   --------\n");
	if (!READ_ONCE(stack_tracer_enabled) && !stack_tracer_max())
		seq_puts(m, stack_disabled_text);
	for (i = 0; i < stack->nr; i++)
		seq_printf(m, "%3u) %8u   %5u   %pS\n", i, stack->depths[i],
			   deepest_stack_size(stack, i), (void *)stack->ips[i]);
}

static int stack_trace_show(struct seq_file *m, const struct trace_node *at)
{
	struct deepest_stack *stack __free(kfree) = kmalloc(sizeof(*stack), GFP_KERNEL);

	if (!stack)
		return -ENOMEM;
	stack_tracer_copy(stack);
	stack_trace_put(m, stack);
	return 0;
}

static const struct trace_file stack_files[] = {
	{
		.name	= "stack_max_size",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.show	= stack_max_size_show,
		.store	= stack_max_size_store,
	}, {
		.name	= "stack_trace",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.show	= stack_trace_show,
	},
	{ }
};

TRACE_FILES(stack_files);
