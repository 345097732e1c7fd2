// SPDX-License-Identifier: GPL-2.0
/*
 * A user of the function tracer's API: one ops, whose functions and flags are parameters of the
 * module. It counts its calls. The functions can be changed later.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

static atomic_t calls = ATOMIC_INIT(0);

static void count_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	atomic_inc(&calls);
}

static struct ftrace_ops ops = {
	.func = count_call,
};

static char *functions = "vfs_open";
module_param(functions, charp, 0444);
MODULE_PARM_DESC(functions, "functions to trace, as in set_ftrace_filter");

static bool permanent;
module_param(permanent, bool, 0444);
MODULE_PARM_DESC(permanent, "prevent that kernel.ftrace_enabled is cleared");

static bool ipmodify;
module_param(ipmodify, bool, 0444);
MODULE_PARM_DESC(ipmodify, "claim the instruction pointer: one ops per function");

static int calls_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(&calls));
}

static const struct kernel_param_ops calls_ops = {
	.get = calls_get,
};

module_param_cb(calls, &calls_ops, NULL, 0444);
MODULE_PARM_DESC(calls, "number of calls");

static int only_set(const char *val, const struct kernel_param *kp)
{
	size_t len = strcspn(val, "\n");

	return ftrace_set_filter(&ops, len ? (unsigned char *)val : NULL, len, 1);
}

static const struct kernel_param_ops only_ops = {
	.set = only_set,
};

module_param_cb(only, &only_ops, NULL, 0200);
MODULE_PARM_DESC(only, "replaces the functions; all functions if empty");

static int __init user_init(void)
{
	int ret;

	if (permanent)
		ops.flags |= FTRACE_OPS_FL_PERMANENT;
	if (ipmodify)
		ops.flags |= FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS;
	ret = ftrace_set_filter(&ops, functions, strlen(functions), 1);
	if (!ret)
		ret = register_ftrace_function(&ops);
	if (ret)
		ftrace_free_filter(&ops);
	return ret;
}

static void __exit user_exit(void)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
}

module_init(user_init);
module_exit(user_exit);
MODULE_DESCRIPTION("Counts calls, for the tracer's tests");
MODULE_LICENSE("GPL");
