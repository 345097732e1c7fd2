// SPDX-License-Identifier: GPL-2.0
/*
 * An exporter of markers and, with events=1, of events. The parameter "copied" has the types of
 * the exported records.
 */
#include <linux/cleanup.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

/* Protects copied. Events may occur in interrupts. */
static DEFINE_RAW_SPINLOCK(copied_lock);
static char copied[64];

static void copy(struct trace_export *export, const void *record, unsigned int len)
{
	const struct trace_entry *ent = record;
	char type[8];

	snprintf(type, sizeof(type), " %u", ent->type);
	guard(raw_spinlock_irqsave)(&copied_lock);
	strlcat(copied, type, sizeof(copied));
}

static struct trace_export exporter = {
	.write	= copy,
	.flags	= TRACE_EXPORT_MARKER,
};

static int copied_get(char *buffer, const struct kernel_param *kp)
{
	guard(raw_spinlock_irqsave)(&copied_lock);
	return sysfs_emit(buffer, "%s\n", copied);
}

static const struct kernel_param_ops copied_ops = {
	.get = copied_get,
};

module_param_cb(copied, &copied_ops, NULL, 0444);
MODULE_PARM_DESC(copied, "types of the exported records");

static bool events;
module_param(events, bool, 0444);
MODULE_PARM_DESC(events, "also export events");

static int __init exporter_init(void)
{
	if (events)
		exporter.flags |= TRACE_EXPORT_EVENT;
	return register_ftrace_export(&exporter);
}

static void __exit exporter_exit(void)
{
	unregister_ftrace_export(&exporter);
}

module_init(exporter_init);
module_exit(exporter_exit);
MODULE_DESCRIPTION("Exports markers and events, for the tracer's tests");
MODULE_LICENSE("GPL");
