// SPDX-License-Identifier: GPL-2.0
/*
 * The stack tracer on and off: kernel.stack_tracer_enabled, and the parameters stacktrace
 * and stacktrace_filter= (SPEC T6).
 *
 * The callback is all of it that runs at a traced call; it must stay as short as it is.
 */
#define pr_fmt(fmt) "stack tracer: " fmt

#include <linux/container_of.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/sysctl.h>
#include <asm/setup.h>

#include "record.h"
#include "stack_tracer.h"

/* Whether the ops is registered; outside of ftrace_lock. */
static DEFINE_MUTEX(stack_tracer_lock);

/* Mirrors the sysctl; changes under stack_tracer_lock. */
int stack_tracer_enabled;

static void report_stack(const struct deepest_stack *stack)
{
	for (unsigned int i = 0; i < stack->nr; i++)
		pr_emerg("%3u) %8u   %5u   %pS\n", i, stack->depths[i],
			 deepest_stack_size(stack, i), (void *)stack->ips[i]);
}

/*
 * From an interrupt, for who finds it has no stack left, and may hold any lock. That is
 * all that is done: the task may go on for as long as it can.
 */
static void report_overrun(struct irq_work *work)
{
	const struct stack_record *r = container_of(work, struct stack_record, report);

	pr_emerg("the kernel stack of %s (pid %d) has been overrun; %lu bytes when it was noticed:\n",
		 r->comm, r->pid, r->max);
	report_stack(&r->deepest);
}

static struct stack_record record = STACK_RECORD_INIT(report_overrun);

static void stack_tracer_call(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	stack_record_look(&record, ip, fregs);
}

struct ftrace_ops stack_tracer_ops = {
	.func	= stack_tracer_call,
	.flags	= FTRACE_OPS_FL_ARGS_ONLY,
};

unsigned long stack_tracer_max(void)
{
	return READ_ONCE(record.max);
}

int stack_tracer_set_max(unsigned long max)
{
	return stack_record_set_max(&record, max);
}

void stack_tracer_copy(struct deepest_stack *to)
{
	stack_record_copy(&record, to);
}

/* On and off */

/* Unless there was no memory for it, it is off, also when the tracer has died. */
static int switch_off(void)
{
	return unregister_ftrace_function(&stack_tracer_ops) == -ENOMEM ? -ENOMEM : 0;
}

static int set_enabled(bool want)
{
	int ret;

	lockdep_assert_held(&stack_tracer_lock);
	if (want == !!stack_tracer_enabled)
		return 0;
	ret = want ? register_ftrace_function(&stack_tracer_ops) : switch_off();
	if (!ret)
		WRITE_ONCE(stack_tracer_enabled, want);
	return ret;
}

/**
 * stack_trace_sysctl - kernel.stack_tracer_enabled is read or written
 * @table: its row in kernel/sysctl.c
 * @write: whether it is written
 * @buffer: what is, or where to
 * @lenp: how much of that
 * @ppos: where in the file
 *
 * Context: may sleep.
 * Return: 0; -EINVAL for what is no number; or as register_ftrace_function().  With an
 * error nothing has changed.
 */
int stack_trace_sysctl(const struct ctl_table *table, int write, void *buffer,
		       size_t *lenp, loff_t *ppos)
{
	struct ctl_table copy = *table;
	int value, ret;

	guard(mutex)(&stack_tracer_lock);
	value = stack_tracer_enabled;
	/* What is refused was never there. */
	copy.data = &value;
	ret = proc_dointvec(&copy, write, buffer, lenp, ppos);
	return ret || !write ? ret : set_enabled(value);
}

/* Boot */

static bool boot_enabled __initdata;
static char boot_filter[COMMAND_LINE_SIZE] __initdata;

/* Names that begin like this one are of others. */
static int __init stacktrace_setup(char *str)
{
	if (*str && *str != '=')
		return 0;
	boot_enabled = true;
	return 1;
}
__setup("stacktrace", stacktrace_setup);

static int __init stacktrace_filter_setup(char *str)
{
	strscpy(boot_filter, str, sizeof(boot_filter));
	boot_enabled = true;
	return 1;
}
__setup("stacktrace_filter=", stacktrace_filter_setup);

static void __init set_boot_filter(char *list)
{
	char *word;

	while ((word = strsep(&list, ",")))
		if (*word && ftrace_set_filter(&stack_tracer_ops, word, strlen(word), 0))
			pr_warn("stacktrace_filter=: no function %s\n", word);
}

static int __init stack_tracer_boot(void)
{
	if (!boot_enabled)
		return 0;
	set_boot_filter(boot_filter);
	guard(mutex)(&stack_tracer_lock);
	if (set_enabled(true))
		pr_warn("could not be started\n");
	return 0;
}
device_initcall(stack_tracer_boot);
