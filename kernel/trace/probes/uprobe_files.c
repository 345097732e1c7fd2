// SPDX-License-Identifier: GPL-2.0
/*
 * Control files of probes of programs: uprobe_events and uprobe_profile.
 */
#include <linux/cleanup.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>

#include "tracefs/files.h"
#include "uprobe.h"

static int uprobe_profile_show(struct seq_file *m, const struct trace_node *at)
{
	const struct probe *p;
	struct dyn_event *ev;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry(ev, &all_dyn_events, node) {
		if (ev->kind != &uprobe_kind.dyn)
			continue;
		p = to_probe(ev);
		seq_printf(m, "  %s %-44s %15lu\n", to_user_probe(p)->name, p->event->call.name,
			   probe_hits(p));
	}
	return 0;
}

static const struct trace_file uprobe_files[] = {
	{
		.name		= "uprobe_events",
		.mode		= TRACE_FILE_RW,
		.place		= IN_TOP,
		.room		= SZ_64K,
		.show		= dyn_event_file_show,
		.write		= dyn_event_file_write,
		.truncate	= dyn_event_file_truncate,
		.data		= &uprobe_kind.dyn,
	}, {
		.name		= "uprobe_profile",
		.mode		= TRACE_FILE_RO,
		.place		= IN_TOP,
		.show		= uprobe_profile_show,
	},
	{ }
};

TRACE_FILES(uprobe_files);
