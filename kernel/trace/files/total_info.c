// SPDX-License-Identifier: GPL-2.0
/*
 * File dyn_ftrace_total_info: memory and time that function tracing uses, and what it has
 * missed (SPEC D6).
 */
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>

#include "dispatch/patch.h"
#include "graph/count.h"
#include "profile/profile.h"
#include "record/record.h"
#include "record/stack.h"
#include "sites/names.h"
#include "sites/noted.h"
#include "sites/sites.h"
#include "tracefs/files.h"

static void total_info_put_memory(struct seq_file *m)
{
	size_t sites = sites_bytes(), names = names_bytes();
	/* In tenths of a byte. */
	unsigned long each = (sites + names) * 10 / max(sites_total(), 1UL);

	seq_printf(m, "memory: %zu bytes of sites, %zu bytes of names, %lu.%lu a function\n",
		   sites, names, each / 10, each % 10);
	seq_printf(m, "names decoded: %lu times\n", names_decoded());
}

static int total_info_show(struct seq_file *m, const struct trace_node *at)
{
	const struct patch_stats *stats = patch_stats();
	/* profile_lost() takes a lock that is outside of ftrace_lock. */
	u64 not_profiled = profile_lost();

	guard(mutex)(&ftrace_lock);
	/* Tools parse the first line, which has always begun with these three numbers. */
	seq_printf(m, "%lu pages:%lu groups: %u\n", sites_total(),
		   DIV_ROUND_UP(sites_bytes(), PAGE_SIZE), sites_regions());
	total_info_put_memory(m);
	seq_printf(m, "stops: %lu, sites written: %lu\n", stats->stops, stats->patched);
	seq_puts(m, "longest stop: ");
	if (patch_stops_measured(stats))
		seq_printf(m, "%llu ns", stats->worst_ns);
	else
		seq_puts(m, "no clock");
	seq_printf(m, ", budget: %lu ns\n", (unsigned long)PATCH_BUDGET_NS);
	seq_printf(m, "calls not recorded: %lu from within the tracer\n",
		   trace_recursions());
	seq_printf(m, "stacks not recorded: %lu\n", trace_stack_lost());
	seq_printf(m, "sites found while they ran: %lu, calls skipped for want of a slot: %lu\n",
		   sites_found(), noted_skipped(&noted_sites));
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		seq_printf(m, "tasks with a stack for returns: %d, calls not recorded for want of one: %lu\n",
			   graph_count_stacks(), graph_count_missed_calls());
	if (IS_ENABLED(CONFIG_FUNCTION_PROFILER))
		seq_printf(m, "not profiled for want of room: %llu\n", not_profiled);
	return 0;
}

static const struct trace_file total_info_files[] = {
	{
		.name	= "dyn_ftrace_total_info",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.show	= total_info_show,
	},
	{ }
};

TRACE_FILES(total_info_files);
