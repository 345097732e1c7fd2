// SPDX-License-Identifier: GPL-2.0
/*
 * A module that keeps interrupts or preemption off for a known time, so that one can see
 * whether irqsoff and preemptoff find it:
 *
 *	modprobe preemptirq_delay_test test_mode=irq delay=500000
 *
 * The module does so once when it is loaded, before modprobe returns, and again whenever text
 * is written to /sys/kernel/preemptirq_delay_test/trigger.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kobject.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/time64.h>
#include <linux/trace_clock.h>

static unsigned long delay = 100;
module_param(delay, ulong, 0444);
MODULE_PARM_DESC(delay, "Microseconds that each section takes (default 100)");

static char test_mode[12] = "irq";
module_param_string(test_mode, test_mode, sizeof(test_mode), 0444);
MODULE_PARM_DESC(test_mode, "What is off: irq, preempt, or each in turn: alternate (default irq)");

static unsigned int burst_size = 1;
module_param(burst_size, uint, 0444);
MODULE_PARM_DESC(burst_size, "How many sections, one after the other (default 1)");

static int cpu_affinity = -1;
module_param(cpu_affinity, int, 0444);
MODULE_PARM_DESC(cpu_affinity, "The CPU that they are on (default -1: any)");

/* A clock that is found the same so often stands still while interrupts are off. */
#define STANDS_STILL	10000000

/* Nothing is called that could be traced: that would take longer. */
static void delay_busy_wait(void)
{
	u64 begin = trace_clock_local(), now = begin, last;
	unsigned int same = 0;

	do {
		last = now;
		now = trace_clock_local();
		same = now == last ? same + 1 : 0;
	} while (now - begin < (u64)delay * NSEC_PER_USEC && same < STANDS_STILL);
}

static noinline void delay_with_irqs_off(void)
{
	unsigned long flags;

	local_irq_save(flags);
	delay_busy_wait();
	local_irq_restore(flags);
}

static noinline void delay_with_preemption_off(void)
{
	preempt_disable();
	delay_busy_wait();
	preempt_enable();
}

static bool section_disables_irqs(unsigned int nth)
{
	return strcmp(test_mode, "alternate") ? !strcmp(test_mode, "irq") : !(nth & 1);
}

static int run_sections(void *data)
{
	for (unsigned int i = 0; i < burst_size; i++) {
		if (section_disables_irqs(i))
			delay_with_irqs_off();
		else
			delay_with_preemption_off();
	}
	complete(data);
	return 0;
}

static int run_burst(void)
{
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task = kthread_create(run_sections, &done, "preemptirq_test");

	if (IS_ERR(task))
		return PTR_ERR(task);
	if (cpu_affinity >= 0)
		kthread_bind(task, cpu_affinity);
	get_task_struct(task);
	wake_up_process(task);
	wait_for_completion(&done);
	/* When this returns, the thread runs no code of the module any more. */
	kthread_stop(task);
	put_task_struct(task);
	return 0;
}

static ssize_t trigger_store(struct kobject *kobj, struct kobj_attribute *attr,
			     const char *buf, size_t count)
{
	return run_burst() ?: count;
}

static struct kobj_attribute trigger = __ATTR_WO(trigger);
static struct kobject *directory;

static bool parameters_are_good(void)
{
	if (strcmp(test_mode, "irq") && strcmp(test_mode, "preempt") &&
	    strcmp(test_mode, "alternate"))
		return false;
	return cpu_affinity < 0 ||
	       ((unsigned int)cpu_affinity < nr_cpu_ids && cpu_online(cpu_affinity));
}

static int __init delay_test_init(void)
{
	int ret;

	if (!parameters_are_good())
		return -EINVAL;
	ret = run_burst();
	if (ret)
		return ret;
	directory = kobject_create_and_add(KBUILD_MODNAME, kernel_kobj);
	if (!directory)
		return -ENOMEM;
	ret = sysfs_create_file(directory, &trigger.attr);
	if (ret)
		kobject_put(directory);
	return ret;
}
module_init(delay_test_init);

static void __exit delay_test_exit(void)
{
	kobject_put(directory);
}
module_exit(delay_test_exit);

MODULE_DESCRIPTION("Interrupts or preemption off for a known time");
MODULE_LICENSE("GPL");
