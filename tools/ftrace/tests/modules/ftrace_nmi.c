// SPDX-License-Identifier: GPL-2.0
/*
 * Takes the NMIs that the machine is given, and calls a function in each while it is
 * armed. How often it did is exact: what was in a handler when it was disarmed has left
 * it before the write returns.
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

	/* A handler is a section of RCU's to itself. */
	synchronize_rcu();
	return ret;
}

static const struct kernel_param_ops armed_ops = {
	.set = set_armed,
	.get = param_get_bool,
};

module_param(nmis, uint, 0444);
MODULE_PARM_DESC(nmis, "NMIs that came");
module_param(calls, uint, 0444);
MODULE_PARM_DESC(calls, "calls of nmi_leaf(), all on the CPU that takes NMIs");
module_param_cb(armed, &armed_ops, &armed, 0644);
MODULE_PARM_DESC(armed, "call nmi_leaf() in each");

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
MODULE_DESCRIPTION("Takes NMIs, for tests of the function tracer");
MODULE_LICENSE("GPL");
