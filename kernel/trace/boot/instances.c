// SPDX-License-Identifier: GPL-2.0
/*
 * Instances of the boot parameter trace_instance=NAME[^FLAG...][,EVENT...]. They are created as
 * soon as events are initialized, and get their files together with all other instances.
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

/* One line per parameter; all lines together are shorter than the command line. */
static char boot_instances[COMMAND_LINE_SIZE] __initdata;

static int __init trace_instance_setup(char *str)
{
	strlcat(boot_instances, str, sizeof(boot_instances));
	strlcat(boot_instances, "\n", sizeof(boot_instances));
	return 1;
}
__setup("trace_instance=", trace_instance_setup);

/**
 * struct boot_instance - a parsed trace_instance= parameter
 * @name: name of the instance
 * @flags: flags, separated by ^, or NULL
 * @range: requested memory range, which is not supported, or NULL
 * @events: events to enable, separated by commas, or NULL
 */
struct boot_instance {
	char	*name;
	char	*flags;
	char	*range;
	char	*events;
};

/* Parse the next line of @text into @inst. The strings of @inst point into @text, which changes. */
static bool __init boot_next_instance(char **text, struct boot_instance *inst)
{
	inst->events = strsep(text, "\n");
	if (!inst->events || !*text)
		return false;
	inst->range = strsep(&inst->events, ",");
	inst->flags = strsep(&inst->range, "@");
	inst->name = strsep(&inst->flags, "^");
	return true;
}

static void __init boot_visit_instances(void (*visit)(const struct boot_instance *inst))
{
	static char copy[COMMAND_LINE_SIZE] __initdata;
	struct boot_instance inst;
	char *text = copy;

	strscpy(copy, boot_instances);
	while (boot_next_instance(&text, &inst))
		visit(&inst);
}

/* The instance gets a directory of this name in tracefs. */
static bool __init boot_instance_name_is_valid(const char *name)
{
	size_t len = strlen(name);

	return len && len <= NAME_MAX && !strchr(name, '/') && !is_dot_dotdot(name, len);
}

static void __init boot_create_instance(const struct boot_instance *inst)
{
	struct trace_array *tr;

	if (!boot_instance_name_is_valid(inst->name)) {
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

static void __init boot_set_instance_flag(struct trace_array *tr, const char *flag)
{
	if (!strcmp(flag, "traceoff"))
		tracer_tracing_off(tr);
	else if (!strcmp(flag, "traceprintk") || !strcmp(flag, "trace_printk") ||
		 !strcmp(flag, "printk"))
		trace_option_write(tr, "trace_printk_dest");
	else
		pr_warn("trace_instance=%s: no such flag: %s\n", tr->name, flag);
}

static void __init boot_start_instance(const struct boot_instance *inst)
{
	struct trace_array *tr = trace_array_find_get(inst->name);
	char *flag, *flags = inst->flags;

	if (!tr)
		return;
	while ((flag = strsep(&flags, "^")))
		boot_set_instance_flag(tr, flag);
	if (inst->events)
		event_words_switch(tr, inst->events, true);
	trace_array_put(tr);
}

void __init instances_boot(void)
{
	if (!tracing_initialized())
		return;
	boot_visit_instances(boot_create_instance);
	snapshot_boot_named();
	boot_visit_instances(boot_start_instance);
}

static void __init boot_reapply_events(const struct boot_instance *inst)
{
	struct trace_array *tr = trace_array_find_get(inst->name);

	if (!tr)
		return;
	if (inst->events)
		event_words_reapply(tr, inst->events);
	trace_array_put(tr);
}

/* There were no tasks when the events were enabled first: see event_words_reapply(). */
static int __init boot_reapply_all_events(void)
{
	if (tracing_initialized())
		boot_visit_instances(boot_reapply_events);
	return 0;
}
early_initcall(boot_reapply_all_events);
