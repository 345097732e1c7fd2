// SPDX-License-Identifier: GPL-2.0
/*
 * A return probe on one function. It replaces the return address of each call while other tracers
 * trace the same function.
 */
#include <linux/atomic.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static atomic_t returns = ATOMIC_INIT(0);

static int count_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	atomic_inc(&returns);
	return 0;
}

static struct kretprobe probe = {
	.handler	= count_return,
	.maxactive	= 64,
};

static char *function = "vfs_open";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "function to probe");

static int returns_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(&returns));
}

static const struct kernel_param_ops returns_ops = {
	.get = returns_get,
};

module_param_cb(returns, &returns_ops, NULL, 0444);
MODULE_PARM_DESC(returns, "number of returns");

static int __init returns_init(void)
{
	probe.kp.symbol_name = function;
	return register_kretprobe(&probe);
}

static void __exit returns_exit(void)
{
	unregister_kretprobe(&probe);
}

module_init(returns_init);
module_exit(returns_exit);
MODULE_DESCRIPTION("Counts returns, for the tracer's tests");
MODULE_LICENSE("GPL");
