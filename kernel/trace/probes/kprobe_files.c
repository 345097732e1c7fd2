// SPDX-License-Identifier: GPL-2.0
/*
 * Where users write probes of the kernel's own code: the files kprobe_events and
 * kprobe_profile, and kprobe_event= of the command line.
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

static char boot_probes[COMMAND_LINE_SIZE] __initdata;

static int __init boot_probes_setup(char *text)
{
	tracing_note_boot_parameter("kprobe_event=");
	strscpy(boot_probes, text);
	return 1;
}
__setup("kprobe_event=", boot_probes_setup);

static void __init switch_on(const char *system, const char *event)
{
	if (trace_set_clr_event(system, event, 1))
		pr_warn("kprobe_event=: %s:%s cannot be switched on\n", system, event);
}

/* What the command line has made is on from the beginning. */
static void __init switch_all_on(void)
{
	const struct probe *p;
	struct dyn_event *ev;

	list_for_each_entry(ev, &all_dyn_events, node) {
		if (ev->kind != &kprobe_kind.dyn)
			continue;
		p = to_probe(ev);
		switch_on(p->event->class.system, p->event->call.name);
	}
}

/* Commas stand for blanks, and a semicolon for the end of a line. */
static int __init boot_probes_make(void)
{
	char *rest = boot_probes, *line;
	int err;

	while (*boot_probes && (line = strsep(&rest, ";"))) {
		strreplace(line, ',', ' ');
		line = strim(line);
		err = *line ? dyn_event_obey(&kprobe_kind.dyn, line) : 0;
		if (err)
			pr_warn("kprobe_event=%s: cannot be made (%d)\n", line, err);
	}
	if (*boot_probes)
		switch_all_on();
	return 0;
}
fs_initcall_sync(boot_probes_make);
