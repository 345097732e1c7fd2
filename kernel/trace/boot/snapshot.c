// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots that the command line asks for: alloc_snapshot has room for them from the
 * beginning, so that any context can take one; ftrace_boot_snapshot takes one when the boot
 * is over. "=name" behind the one or the other is one of those that trace_instance= makes.
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
 * struct boot_snapshot - for whom a parameter is
 * @top: the top instance
 * @names: those of trace_instance=, with commas between them
 */
struct boot_snapshot {
	bool	top;
	char	names[COMMAND_LINE_SIZE];
};

static struct boot_snapshot alloc_wanted __initdata;
static struct boot_snapshot snapshot_wanted __initdata;

/* What is said by "=name", or by nothing. */
static int __init add_wish(struct boot_snapshot *wish, const char *str)
{
	if (*str == '=')
		words_add_boot(wish->names, sizeof(wish->names), str + 1);
	else if (!*str)
		wish->top = true;
	return !*str || *str == '=';
}

static int __init alloc_snapshot_setup(char *str)
{
	return add_wish(&alloc_wanted, str);
}
__setup("alloc_snapshot", alloc_snapshot_setup);

static int __init boot_snapshot_setup(char *str)
{
	return add_wish(&snapshot_wanted, str);
}
__setup("ftrace_boot_snapshot", boot_snapshot_setup);

static void __init alloc(struct trace_array *tr)
{
	int ret;

	guard(mutex)(&trace_lock);
	ret = snapshot_alloc(tr);
	if (ret)
		pr_warn("alloc_snapshot: no room for snapshots (%d)\n", ret);
}

static void __init take(struct trace_array *tr)
{
	if (snapshot_take(tr))
		trace_array_puts(tr, "** Boot snapshot taken **\n");
}

static void __init visit_name(const char *name, void (*visit)(struct trace_array *tr))
{
	struct trace_array *tr = trace_array_find_get(name);

	if (!tr) {
		pr_warn("%s is to have a snapshot, but no trace_instance= makes it\n", name);
		return;
	}
	visit(tr);
	trace_array_put(tr);
}

static void __init visit_named(const struct boot_snapshot *wish,
			       void (*visit)(struct trace_array *tr))
{
	static char copy[COMMAND_LINE_SIZE] __initdata;
	char *name, *names = copy;

	strscpy(copy, wish->names);
	while ((name = strsep(&names, ",")))
		if (*name)
			visit_name(name, visit);
}

void __init snapshot_boot(void)
{
	if (alloc_wanted.top || snapshot_wanted.top)
		alloc(&global_trace);
}

void __init snapshot_boot_named(void)
{
	visit_named(&alloc_wanted, alloc);
	visit_named(&snapshot_wanted, alloc);
}

void __init snapshot_boot_take(void)
{
	if (snapshot_wanted.top)
		take(&global_trace);
	visit_named(&snapshot_wanted, take);
}
