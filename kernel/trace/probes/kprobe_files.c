// SPDX-License-Identifier: GPL-2.0
/*
 * Control files of probes of kernel code, kprobe_events and kprobe_profile; and the boot parameter
 * kprobe_event=.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <asm/setup.h>

#include "events/events.h"
#include "instance/instance.h"
#include "kprobe.h"
#include "tracefs/files.h"

/* ------------------------------------------------------------------ */
/* Files								*/

static int kprobe_profile_show(struct seq_file *m, const struct trace_node *at)
{
	const struct probe *p;
	struct dyn_event *ev;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry(ev, &all_dyn_events, node) {
		if (ev->kind != &kprobe_kind.dyn)
			continue;
		p = to_probe(ev);
		seq_printf(m, "  %-44s %15lu %15lu\n", p->event->call.name, probe_hits(p),
			   kernel_probe_missed(to_kernel_probe(p)));
	}
	return 0;
}

static const struct trace_file kprobe_files[] = {
	{
		.name		= "kprobe_events",
		.mode		= TRACE_FILE_RW,
		.place		= IN_TOP,
		.room		= SZ_64K,
		.show		= dyn_event_file_show,
		.write		= dyn_event_file_write,
		.truncate	= dyn_event_file_truncate,
		.data		= &kprobe_kind.dyn,
	}, {
		.name		= "kprobe_profile",
		.mode		= TRACE_FILE_RO,
		.place		= IN_TOP,
		.show		= kprobe_profile_show,
	},
	{ }
};

TRACE_FILES(kprobe_files);

/* ------------------------------------------------------------------ */
/* The command line							*/

static char kprobe_boot_lines[COMMAND_LINE_SIZE] __initdata;

static int __init kprobe_boot_setup(char *text)
{
	tracing_note_boot_parameter("kprobe_event=");
	strscpy(kprobe_boot_lines, text);
	return 1;
}
__setup("kprobe_event=", kprobe_boot_setup);

static void __init kprobe_boot_enable(const char *system, const char *event)
{
	if (trace_set_clr_event(system, event, 1))
		pr_warn("kprobe_event=: %s:%s cannot be switched on\n", system, event);
}

/* Enable the events of all probes that the command line has created. */
static void __init kprobe_boot_enable_all(void)
{
	const struct probe *p;
	struct dyn_event *ev;

	list_for_each_entry(ev, &all_dyn_events, node) {
		if (ev->kind != &kprobe_kind.dyn)
			continue;
		p = to_probe(ev);
		kprobe_boot_enable(p->event->class.system, p->event->call.name);
	}
}

/* In kprobe_event=, a comma stands for a blank, and a semicolon for the end of a line. */
static int __init kprobe_boot_create(void)
{
	char *rest = kprobe_boot_lines, *line;
	int err;

	while (*kprobe_boot_lines && (line = strsep(&rest, ";"))) {
		strreplace(line, ',', ' ');
		line = strim(line);
		err = *line ? dyn_event_apply_line(&kprobe_kind.dyn, line) : 0;
		if (err)
			pr_warn("kprobe_event=%s: cannot be made (%d)\n", line, err);
	}
	if (*kprobe_boot_lines)
		kprobe_boot_enable_all();
	return 0;
}
fs_initcall_sync(kprobe_boot_create);
