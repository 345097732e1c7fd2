// SPDX-License-Identifier: GPL-2.0
/*
 * Handles the NMIs of the machine, and calls a function in each while it is armed. The numbers are
 * exact: the write that disarms the module returns after the last handler has.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>
#include <asm/nmi.h>

static unsigned int nmis;
static unsigned int calls;
static bool armed;

static noinline __noclone void nmi_leaf(void)
{
	calls++;
}

static noinline __noclone int nmi_taken(unsigned int cmd, struct pt_regs *regs)
{
	nmis++;
	if (READ_ONCE(armed))
		nmi_leaf();
	return NMI_HANDLED;
}

static int set_armed(const char *text, const struct kernel_param *kp)
{
	int ret = param_set_bool(text, kp);

	/* Wait for handlers, which are RCU read-side sections. */
	synchronize_rcu();
	return ret;
}

static const struct kernel_param_ops armed_ops = {
	.set = set_armed,
	.get = param_get_bool,
};

module_param(nmis, uint, 0444);
MODULE_PARM_DESC(nmis, "number of NMIs");
module_param(calls, uint, 0444);
MODULE_PARM_DESC(calls, "number of calls of nmi_leaf(), all on the CPU that gets NMIs");
module_param_cb(armed, &armed_ops, &armed, 0644);
MODULE_PARM_DESC(armed, "call nmi_leaf() in each NMI");

static int __init nmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, nmi_taken, 0, "ftrace_nmi");
}

static void __exit nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "ftrace_nmi");
}

module_init(nmi_init);
module_exit(nmi_exit);
MODULE_DESCRIPTION("Handles NMIs, for the tracer's tests");
MODULE_LICENSE("GPL");
