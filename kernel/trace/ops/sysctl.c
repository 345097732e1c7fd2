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

/* The tracer may die at any time; tracing is disabled after that, whatever @want says. */
static void ftrace_write_enabled(int want)
{
	WRITE_ONCE(ftrace_enabled, !!want);
	/* Pairs with the release in ops_disable_at_death(): the later of the two writes 0. */
	smp_mb();
	if (ftrace_is_dead())
		WRITE_ONCE(ftrace_enabled, 0);
	ops_update_noting();
}

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
		ftrace_write_enabled(want);
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
