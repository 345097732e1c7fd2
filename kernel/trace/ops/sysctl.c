// SPDX-License-Identifier: GPL-2.0
/*
 * The sysctl kernel.ftrace_enabled switches all function tracing off and on (SPEC D7).
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/sysctl.h>

#include "dispatch/death.h"
#include "internal.h"
#include "ops.h"
#include "sites/lock.h"

static int ftrace_set_enabled(int want)
{
	int ret;

	guard(mutex)(&ftrace_lock);
	if (ftrace_is_dead())
		return -ENODEV;
	if (!want == !ftrace_enabled)
		return 0;
	ret = want ? ops_resume_all() : ops_suspend_all();
	if (!ret)
		ops_set_enabled(want);
	else if (want && !ftrace_is_dead())
		ops_nop_all();
	return ret;
}

/* proc_dointvec() writes to a copy, so that a refused value never appears in ftrace_enabled. */
static int ftrace_enabled_sysctl(const struct ctl_table *table, int write,
				 void *buffer, size_t *lenp, loff_t *ppos)
{
	int value = ftrace_enabled;
	struct ctl_table copy = *table;
	int ret;

	copy.data = &value;
	ret = proc_dointvec(&copy, write, buffer, lenp, ppos);
	if (ret || !write)
		return ret;
	return ftrace_set_enabled(value);
}

static struct ctl_table ftrace_sysctls[] = {
	{
		.procname	= "ftrace_enabled",
		.data		= &ftrace_enabled,
		.maxlen		= sizeof(int),
		.mode		= 0644,
		.proc_handler	= ftrace_enabled_sysctl,
	},
};

static int __init ftrace_sysctl_init(void)
{
	register_sysctl_init("kernel", ftrace_sysctls);
	return 0;
}
late_initcall(ftrace_sysctl_init);
