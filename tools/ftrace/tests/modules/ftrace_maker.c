// SPDX-License-Identifier: GPL-2.0
/*
 * An event that is created while the kernel runs, in the system that the parameter "system"
 * names. Writing 1 to "there" creates the event, 0 removes it. Each write of a number to "happen"
 * triggers it. A write of "INSTANCE SYSTEM EVENT" to "ask" looks up an event by
 * trace_get_event_file().
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace_events.h>

struct made_entry {
	struct trace_entry	ent;
	int			value;
	unsigned short		half;
};

static const struct trace_event_fields made_fields[] = {
	{ "int", "value", .size = 4, .align = 4, .is_signed = 1 },
	{ "unsigned short", "half", .size = 2, .align = 2 },
	{ }
};

static void made_print(struct trace_event_line *line)
{
	const struct made_entry *entry = line->ent;

	trace_event_printf(line, "value=%d half=%u\n", entry->value, entry->half);
}

/* One for each instance in which the event is enabled, and one for perf. */
static struct trace_event_file *files[4];

static int put(struct trace_event_file *from, struct trace_event_file *to)
{
	for (int i = 0; i < ARRAY_SIZE(files); i++) {
		if (files[i] == from) {
			WRITE_ONCE(files[i], to);
			return 0;
		}
	}
	return -ENOSPC;
}

static int made_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	switch (what) {
	case TRACE_REG_REGISTER:
	case TRACE_REG_PERF_REGISTER:
		return put(NULL, data);
	case TRACE_REG_UNREGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		return put(data, NULL);
	default:
		return 0;
	}
}

static char system[32] = "ftrace_made";
module_param_string(system, system, sizeof(system), 0400);
MODULE_PARM_DESC(system, "system of the event");

static struct trace_event_class made_class = {
	.system		= system,
	.reg		= made_reg,
	.fields_array	= made_fields,
	.print		= made_print,
	.print_fmt	= "\"value=%d half=%u\", REC->value, REC->half",
};

static struct trace_event_call made = {
	.class	= &made_class,
	.name	= "made",
	.flags	= TRACE_EVENT_FL_DYNAMIC,
	.module	= THIS_MODULE,
};

/* A second event with the same name. */
static struct trace_event_call again = {
	.class	= &made_class,
	.name	= "made",
	.flags	= TRACE_EVENT_FL_DYNAMIC,
	.module	= THIS_MODULE,
};

static bool there;

static int there_set(const char *text, const struct kernel_param *kp)
{
	bool wanted;
	int err = kstrtobool(text, &wanted);

	if (!err)
		err = wanted ? trace_add_event_call(there ? &again : &made) :
			       trace_remove_event_call(&made);
	if (!err)
		there = wanted;
	return err;
}

static const struct kernel_param_ops there_ops = {
	.set = there_set,
	.get = param_get_bool,
};

module_param_cb(there, &there_ops, &there, 0600);
MODULE_PARM_DESC(there, "true while the event exists");

static void record(struct trace_event_file *file, int value)
{
	struct trace_event_buffer b;
	struct made_entry *entry;

	if (trace_event_is_stopped(file))
		return;
	entry = trace_event_buffer_reserve(&b, file, sizeof(*entry));
	if (!entry)
		return;
	entry->value = value;
	entry->half = value / 2;
	trace_event_buffer_commit(&b);
}

static int happen_set(const char *text, const struct kernel_param *kp)
{
	struct trace_event_file *file;
	int value, err = kstrtoint(text, 0, &value);

	for (int i = 0; !err && i < ARRAY_SIZE(files); i++) {
		preempt_disable_notrace();
		file = READ_ONCE(files[i]);
		if (file)
			record(file, value);
		preempt_enable_notrace();
	}
	return err;
}

static const struct kernel_param_ops happen_ops = {
	.set = happen_set,
};

module_param_cb(happen, &happen_ops, NULL, 0200);
MODULE_PARM_DESC(happen, "triggers the event with this number");

static int ask_set(const char *text, const struct kernel_param *kp)
{
	char instance[32], system[32], event[32];
	struct trace_event_file *file;

	if (sscanf(text, "%31s %31s %31s", instance, system, event) != 3)
		return -EINVAL;
	if (!strcmp(instance, "-"))
		return trace_array_set_clr_event(NULL, system, event, true);
	file = trace_get_event_file(instance, system, event);
	if (IS_ERR(file))
		return PTR_ERR(file);
	trace_put_event_file(file);
	return 0;
}

static const struct kernel_param_ops ask_ops = {
	.set = ask_set,
};

module_param_cb(ask, &ask_ops, NULL, 0200);
MODULE_PARM_DESC(ask, "event to look up; with instance - it is enabled instead");

static int __init maker_init(void)
{
	return 0;
}

static void __exit maker_exit(void)
{
	if (there)
		WARN_ON(trace_remove_event_call(&made));
}

module_init(maker_init);
module_exit(maker_exit);
MODULE_DESCRIPTION("An event that is created while the kernel runs, for the tracer's tests");
MODULE_LICENSE("GPL");
