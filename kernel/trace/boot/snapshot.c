// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshot boot parameters: alloc_snapshot allocates the snapshot buffer at boot, so that any
 * context can take a snapshot; ftrace_boot_snapshot takes a snapshot at the end of the boot.
 * Either may be followed by "=NAME" of an instance that trace_instance= creates; without a name it
 * is for the top instance.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <asm/setup.h>

#include "command/words.h"
#include "instance/instance.h"
#include "instance/snapshot.h"
#include "snapshot.h"

/**
 * struct boot_snapshot - the instances that a boot parameter is for
 * @top: true if it is for the top instance
 * @names: names of other instances, separated by commas
 */
struct boot_snapshot {
	bool	top;
	char	names[COMMAND_LINE_SIZE];
};

static struct boot_snapshot boot_alloc_param __initdata;
static struct boot_snapshot boot_take_param __initdata;

/* Parse "=NAME" or an empty string. Return: 1 if the parameter is ours, 0 if not. */
static int __init boot_snapshot_parse(struct boot_snapshot *param, const char *str)
{
	if (*str == '=')
		words_add_boot(param->names, sizeof(param->names), str + 1);
	else if (!*str)
		param->top = true;
	return !*str || *str == '=';
}

static int __init alloc_snapshot_setup(char *str)
{
	return boot_snapshot_parse(&boot_alloc_param, str);
}
__setup("alloc_snapshot", alloc_snapshot_setup);

static int __init boot_snapshot_setup(char *str)
{
	return boot_snapshot_parse(&boot_take_param, str);
}
__setup("ftrace_boot_snapshot", boot_snapshot_setup);

static void __init boot_snapshot_alloc(struct trace_array *tr)
{
	int ret;

	guard(mutex)(&trace_lock);
	ret = snapshot_alloc(tr);
	if (ret)
		pr_warn("alloc_snapshot: no room for snapshots (%d)\n", ret);
}

static void __init boot_snapshot_take(struct trace_array *tr)
{
	if (snapshot_take(tr))
		trace_array_puts(tr, "** Boot snapshot taken **\n");
}

static void __init boot_snapshot_visit_name(const char *name, void (*visit)(struct trace_array *tr))
{
	struct trace_array *tr = trace_array_find_get(name);

	if (!tr) {
		pr_warn("%s is to have a snapshot, but no trace_instance= makes it\n", name);
		return;
	}
	visit(tr);
	trace_array_put(tr);
}

static void __init boot_snapshot_visit_named(const struct boot_snapshot *param,
					     void (*visit)(struct trace_array *tr))
{
	static char copy[COMMAND_LINE_SIZE] __initdata;
	char *name, *names = copy;

	strscpy(copy, param->names);
	while ((name = strsep(&names, ",")))
		if (*name)
			boot_snapshot_visit_name(name, visit);
}

void __init snapshot_boot(void)
{
	if (boot_alloc_param.top || boot_take_param.top)
		boot_snapshot_alloc(&global_trace);
}

void __init snapshot_boot_named(void)
{
	boot_snapshot_visit_named(&boot_alloc_param, boot_snapshot_alloc);
	boot_snapshot_visit_named(&boot_take_param, boot_snapshot_alloc);
}

void __init snapshot_boot_take(void)
{
	if (boot_take_param.top)
		boot_snapshot_take(&global_trace);
	boot_snapshot_visit_named(&boot_take_param, boot_snapshot_take);
}
