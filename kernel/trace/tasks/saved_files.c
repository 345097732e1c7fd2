// SPDX-License-Identifier: GPL-2.0
/*
 * Control files of the saved comms and thread groups of tasks.
 */
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/seq_file.h>

#include "comm_cache.h"
#include "instance/instance.h"
#include "internal.h"
#include "tracefs/files.h"

static int saved_cmdlines_show(struct seq_file *m, const struct trace_node *at)
{
	struct saved_comm *saved;
	unsigned int i, nr;

	saved = trace_saved_cmdlines(&nr);
	if (IS_ERR(saved))
		return PTR_ERR(saved);
	for (i = 0; i < nr; i++)
		seq_printf(m, "%d %.*s\n", saved[i].pid, TASK_COMM_LEN, saved[i].comm);
	kvfree(saved);
	return 0;
}

static int saved_cmdlines_size_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%u\n", trace_cmdlines_size());
	return 0;
}

static int saved_cmdlines_size_store(const struct trace_node *at, char *text)
{
	unsigned int nr;

	if (kstrtouint(text, 10, &nr))
		return -EINVAL;
	return trace_cmdlines_resize(nr);
}

static int saved_tgids_show(struct seq_file *m, const struct trace_node *at)
{
	int pid, tgid;

	for (pid = 0; trace_saved_tgid_next(&pid, &tgid); pid++)
		seq_printf(m, "%d %d\n", pid, tgid);
	return 0;
}

static const struct trace_file saved_files[] = {
	{
		.name	= "saved_cmdlines",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.show	= saved_cmdlines_show,
	}, {
		.name	= "saved_cmdlines_size",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.show	= saved_cmdlines_size_show,
		.store	= saved_cmdlines_size_store,
	}, {
		.name	= "saved_tgids",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.show	= saved_tgids_show,
	},
	{ }
};

TRACE_FILES(saved_files);
