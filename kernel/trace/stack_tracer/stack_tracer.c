// SPDX-License-Identifier: GPL-2.0
/*
 * Enables and disables the stack tracer: the sysctl kernel.stack_tracer_enabled, and the boot
 * parameters stacktrace and stacktrace_filter= (SPEC T6).
 *
 * Only stack_tracer_call() runs at traced calls. It must be short, since it runs at each of them.
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

/* Protects stack_tracer_enabled and the registration of the ops. Taken before ftrace_lock. */
static DEFINE_MUTEX(stack_tracer_lock);

/* Value of the sysctl kernel.stack_tracer_enabled; changes under stack_tracer_lock. */
int stack_tracer_enabled;

static void stack_report(const struct deepest_stack *stack)
{
	for (unsigned int i = 0; i < stack->nr; i++)
		pr_emerg("%3u) %8u   %5u   %pS\n", i, stack->depths[i],
			 deepest_stack_size(stack, i), (void *)stack->ips[i]);
}

/*
 * Runs from an irq_work, because the task that has overrun its stack may hold any lock, and has
 * no stack left for printk(). The overrun is only reported; the task is not stopped.
 */
static void stack_report_overrun(struct irq_work *work)
{
	const struct stack_record *r = container_of(work, struct stack_record, report);

	pr_emerg("the kernel stack of %s (pid %d) has been overrun; %lu bytes when it was noticed:\n",
		 r->comm, r->pid, r->max);
	stack_report(&r->deepest);
}

static struct stack_record stack_tracer_record = STACK_RECORD_INIT(stack_report_overrun);

static void stack_tracer_call(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	stack_record_check(&stack_tracer_record, ip, fregs);
}

struct ftrace_ops stack_tracer_ops = {
	.func	= stack_tracer_call,
	.flags	= FTRACE_OPS_FL_ARGS_ONLY,
};

unsigned long stack_tracer_max(void)
{
	return READ_ONCE(stack_tracer_record.max);
}

int stack_tracer_set_max(unsigned long max)
{
	return stack_record_set_max(&stack_tracer_record, max);
}

void stack_tracer_copy(struct deepest_stack *to)
{
	stack_record_copy(&stack_tracer_record, to);
}

/* Enable and disable */

/*
 * Return: -ENOMEM if the ops stays registered, otherwise 0. Any other error means that ftrace was
 * shut down by a fault, and that the ops is not registered any more.
 */
static int stack_tracer_stop(void)
{
	return unregister_ftrace_function(&stack_tracer_ops) == -ENOMEM ? -ENOMEM : 0;
}

static int stack_tracer_set_enabled(bool want)
{
	int ret;

	lockdep_assert_held(&stack_tracer_lock);
	if (want == !!stack_tracer_enabled)
		return 0;
	ret = want ? register_ftrace_function(&stack_tracer_ops) : stack_tracer_stop();
	if (!ret)
		WRITE_ONCE(stack_tracer_enabled, want);
	return ret;
}

/**
 * stack_trace_sysctl() - read or write kernel.stack_tracer_enabled
 * @table: row of the sysctl in kernel/sysctl.c
 * @write: true for a write, false for a read
 * @buffer: text to write, or buffer to read into
 * @lenp: length of @buffer in bytes; updated to the length used
 * @ppos: position in the file; updated
 *
 * Context: may sleep; takes stack_tracer_lock.
 * Return: 0; -EINVAL if the text is no number; or an error of register_ftrace_function(). After
 * an error the state of the tracer is unchanged.
 */
int stack_trace_sysctl(const struct ctl_table *table, int write, void *buffer,
		       size_t *lenp, loff_t *ppos)
{
	struct ctl_table copy = *table;
	int value, ret;

	guard(mutex)(&stack_tracer_lock);
	value = stack_tracer_enabled;
	/* Parse into a copy: stack_tracer_enabled changes only if the tracer has been switched. */
	copy.data = &value;
	ret = proc_dointvec(&copy, write, buffer, lenp, ppos);
	return ret || !write ? ret : stack_tracer_set_enabled(value);
}

/* Boot */

static bool stack_boot_enabled __initdata;
static char stack_boot_filter[COMMAND_LINE_SIZE] __initdata;

/* Accepts "stacktrace" and "stacktrace=...", but not other parameters with the same beginning. */
static int __init stacktrace_setup(char *str)
{
	if (*str && *str != '=')
		return 0;
	stack_boot_enabled = true;
	return 1;
}
__setup("stacktrace", stacktrace_setup);

static int __init stacktrace_filter_setup(char *str)
{
	strscpy(stack_boot_filter, str, sizeof(stack_boot_filter));
	stack_boot_enabled = true;
	return 1;
}
__setup("stacktrace_filter=", stacktrace_filter_setup);

static void __init stack_set_boot_filter(char *list)
{
	char *word;

	while ((word = strsep(&list, ",")))
		if (*word && ftrace_set_filter(&stack_tracer_ops, word, strlen(word), 0))
			pr_warn("stacktrace_filter=: no function %s\n", word);
}

static int __init stack_tracer_boot(void)
{
	if (!stack_boot_enabled)
		return 0;
	stack_set_boot_filter(stack_boot_filter);
	guard(mutex)(&stack_tracer_lock);
	if (stack_tracer_set_enabled(true))
		pr_warn("could not be started\n");
	return 0;
}
device_initcall(stack_tracer_boot);
