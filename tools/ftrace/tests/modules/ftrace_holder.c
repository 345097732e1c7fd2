// SPDX-License-Identifier: GPL-2.0
/*
 * Holds the CPU whose number is written to the parameter "hold", until -1 is written, but at most
 * for ten seconds: no other task runs there, and tasks that are woken there wait.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sysfs.h>

static struct task_struct *holder;
static bool held;

static int hold(void *unused)
{
	preempt_disable();
	WRITE_ONCE(held, true);
	for (int ms = 0; ms < 10000 && !kthread_should_stop(); ms++)
		mdelay(1);
	WRITE_ONCE(held, false);
	preempt_enable();
	while (!kthread_should_stop())
		msleep(20);
	return 0;
}

static void let_go(void)
{
	if (holder)
		kthread_stop(holder);
	holder = NULL;
}

static int hold_set(const char *text, const struct kernel_param *kp)
{
	struct task_struct *task;
	int cpu, err = kstrtoint(text, 10, &cpu);

	if (err)
		return err;
	let_go();
	if (cpu < 0)
		return 0;
	task = kthread_run_on_cpu(hold, NULL, cpu, "ftrace_holder/%u");
	if (IS_ERR(task))
		return PTR_ERR(task);
	holder = task;
	return 0;
}

static int hold_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", READ_ONCE(held));
}

static const struct kernel_param_ops hold_ops = {
	.set = hold_set,
	.get = hold_get,
};

module_param_cb(hold, &hold_ops, NULL, 0600);
MODULE_PARM_DESC(hold, "write: CPU to hold, or -1; read: 1 while a CPU is held");

static void __exit holder_exit(void)
{
	let_go();
}

module_exit(holder_exit);
MODULE_DESCRIPTION("Holds a CPU, for the function tracer's tests");
MODULE_LICENSE("GPL");
