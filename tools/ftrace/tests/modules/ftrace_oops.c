// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers an oops or a warning on a CPU, in a thread of its own, so that no task dies that
 * holds a lock.
 */
#include <linux/bug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static int oops(void *unused)
{
	__builtin_trap();
}

static int warn(void *unused)
{
	WARN(1, "asked for by a test\n");
	return 0;
}

static int run_on(const char *cpu_text, int (*run)(void *))
{
	struct task_struct *task;
	unsigned int cpu;
	int ret;

	ret = kstrtouint(cpu_text, 0, &cpu);
	if (ret)
		return ret;
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -EINVAL;
	task = kthread_create(run, NULL, "ftrace_oops");
	if (IS_ERR(task))
		return PTR_ERR(task);
	kthread_bind(task, cpu);
	wake_up_process(task);
	return 0;
}

static int oops_set(const char *text, const struct kernel_param *kp)
{
	return run_on(text, oops);
}

static int warn_set(const char *text, const struct kernel_param *kp)
{
	return run_on(text, warn);
}

static const struct kernel_param_ops oops_ops = {
	.set = oops_set,
};

static const struct kernel_param_ops warn_ops = {
	.set = warn_set,
};

module_param_cb(oops, &oops_ops, NULL, 0200);
MODULE_PARM_DESC(oops, "CPU on which a thread triggers an oops");
module_param_cb(warn, &warn_ops, NULL, 0200);
MODULE_PARM_DESC(warn, "CPU on which a thread triggers a warning");

static int __init oops_init(void)
{
	return 0;
}
module_init(oops_init);
MODULE_DESCRIPTION("Triggers oopses and warnings, for tests of what is dumped then");
MODULE_LICENSE("GPL");
