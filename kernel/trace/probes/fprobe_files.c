// SPDX-License-Identifier: GPL-2.0
/*
 * The control file fprobe_profile: numbers of hits of the probes of functions and of tracepoints.
 */
#include <linux/cleanup.h>
#include <linux/seq_file.h>

#include "fprobe.h"
#include "tracefs/files.h"

static bool is_function_probe(const struct dyn_event *ev)
{
	return ev->kind == &fprobe_kind.dyn || ev->kind == &tprobe_kind.dyn;
}

static int fprobe_profile_show(struct seq_file *m, const struct trace_node *at)
{
	const struct probe *p;
	struct dyn_event *ev;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry(ev, &all_dyn_events, node) {
		if (!is_function_probe(ev))
			continue;
		p = to_probe(ev);
		seq_printf(m, "  %-44s %15lu %15lu\n", p->event->call.name, probe_hits(p),
			   function_probe_missed(to_function_probe(p)));
	}
	return 0;
}

static const struct trace_file fprobe_files[] = {
	{
		.name		= "fprobe_profile",
		.mode		= TRACE_FILE_RO,
		.place		= IN_TOP,
		.show		= fprobe_profile_show,
	},
	{ }
};

TRACE_FILES(fprobe_files);
