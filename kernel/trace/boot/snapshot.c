// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots that the command line asks for: alloc_snapshot has room for them from the
 * beginning, so that any context can take one; ftrace_boot_snapshot takes one when the boot
 * is over.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/trace.h>

#include "instance/instance.h"
#include "instance/snapshot.h"
#include "snapshot.h"

static bool alloc_wanted __initdata;
static bool snapshot_wanted __initdata;

/* "=name" would be one of those that the command line makes: there are none. */
static bool __init is_for_top(const char *param, const char *str)
{
	if (!*str)
		return true;
	pr_warn("%s%s: the command line makes no instances\n", param, str);
	return false;
}

static int __init alloc_snapshot_setup(char *str)
{
	alloc_wanted |= is_for_top("alloc_snapshot", str);
	return 1;
}
__setup("alloc_snapshot", alloc_snapshot_setup);

static int __init boot_snapshot_setup(char *str)
{
	snapshot_wanted |= is_for_top("ftrace_boot_snapshot", str);
	return 1;
}
__setup("ftrace_boot_snapshot", boot_snapshot_setup);

void __init snapshot_boot(void)
{
	int ret;

	if (!alloc_wanted && !snapshot_wanted)
		return;
	guard(mutex)(&trace_lock);
	ret = snapshot_alloc(&global_trace);
	if (ret)
		pr_warn("alloc_snapshot: no room for snapshots (%d)\n", ret);
}

void __init snapshot_boot_take(void)
{
	if (snapshot_wanted && snapshot_take(&global_trace))
		trace_array_puts(&global_trace, "** Boot snapshot taken **\n");
}
