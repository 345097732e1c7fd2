// SPDX-License-Identifier: GPL-2.0
/*
 * Instances that the command line asks for: trace_instance=NAME[^FLAG...][,EVENT...]. They
 * are there as soon as events are, and get their files with all others.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <asm/setup.h>

#include "events/events.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "instances.h"
#include "snapshot.h"

/* A line for each: together they are shorter than the command line. */
static char boot_instances[COMMAND_LINE_SIZE] __initdata;

static int __init trace_instance_setup(char *str)
{
	strlcat(boot_instances, str, sizeof(boot_instances));
	strlcat(boot_instances, "\n", sizeof(boot_instances));
	return 1;
}
__setup("trace_instance=", trace_instance_setup);

/**
 * struct boot_instance - what one trace_instance= says
 * @name: of the instance
 * @flags: words with ^ between them, or NULL
 * @range: the memory it wants to be in, or NULL
 * @events: words with commas between them, or NULL
 */
struct boot_instance {
	char	*name;
	char	*flags;
	char	*range;
	char	*events;
};

/* The next one of @text, which is cut into pieces. */
static bool __init next_instance(char **text, struct boot_instance *inst)
{
	inst->events = strsep(text, "\n");
	if (!inst->events || !*text)
		return false;
	inst->range = strsep(&inst->events, ",");
	inst->flags = strsep(&inst->range, "@");
	inst->name = strsep(&inst->flags, "^");
	return true;
}

static void __init visit_instances(void (*visit)(const struct boot_instance *inst))
{
	static char copy[COMMAND_LINE_SIZE] __initdata;
	struct boot_instance inst;
	char *text = copy;

	strscpy(copy, boot_instances);
	while (next_instance(&text, &inst))
		visit(&inst);
}

/* It will be a directory. */
static bool __init is_name(const char *name)
{
	size_t len = strlen(name);

	return len && len <= NAME_MAX && !strchr(name, '/') && !is_dot_dotdot(name, len);
}

static void __init make(const struct boot_instance *inst)
{
	struct trace_array *tr;

	if (!is_name(inst->name)) {
		pr_warn("trace_instance=%s: no name for an instance\n", inst->name);
		return;
	}
	tr = trace_array_get_by_name(inst->name, NULL);
	if (!tr) {
		pr_warn("trace_instance=%s: no memory for it\n", inst->name);
		return;
	}
	if (inst->range)
		pr_warn("trace_instance=%s: it has memory like any other, not @%s\n",
			inst->name, inst->range);
	trace_array_put(tr);
}

static void __init set_flag(struct trace_array *tr, const char *flag)
{
	if (!strcmp(flag, "traceoff"))
		tracer_tracing_off(tr);
	else if (!strcmp(flag, "traceprintk") || !strcmp(flag, "trace_printk") ||
		 !strcmp(flag, "printk"))
		trace_option_write(tr, "trace_printk_dest");
	else
		pr_warn("trace_instance=%s: no such flag: %s\n", tr->name, flag);
}

static void __init start(const struct boot_instance *inst)
{
	struct trace_array *tr = trace_array_find_get(inst->name);
	char *flag, *flags = inst->flags;

	if (!tr)
		return;
	while ((flag = strsep(&flags, "^")))
		set_flag(tr, flag);
	if (inst->events)
		event_words_switch(tr, inst->events, true);
	trace_array_put(tr);
}

void __init instances_boot(void)
{
	if (!tracing_initialized())
		return;
	visit_instances(make);
	snapshot_boot_named();
	visit_instances(start);
}

static void __init tell_tasks(const struct boot_instance *inst)
{
	struct trace_array *tr = trace_array_find_get(inst->name);

	if (!tr)
		return;
	if (inst->events)
		event_words_again(tr, inst->events);
	trace_array_put(tr);
}

/* Those that there were not yet: see event_words_again(). */
static int __init instances_tell_tasks(void)
{
	if (tracing_initialized())
		visit_instances(tell_tasks);
	return 0;
}
early_initcall(instances_tell_tasks);
