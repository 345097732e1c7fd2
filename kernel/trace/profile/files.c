// SPDX-License-Identifier: GPL-2.0
/*
 * Files of the function profiler (SPEC T6): function_profile_enabled, and trace_stat/functionN
 * with the numbers of CPU N.
 *
 * Reading functionN shows the numbers as they were when the file was opened. The columns are an
 * interface, which tools parse: every blank counts.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/tracefs.h>

#include "instance/latency.h"
#include "internal.h"
#include "numbers.h"
#include "output/output.h"
#include "tracefs/files.h"

/* ------------------------------------------------------------------ */
/* function_profile_enabled						*/

static int profile_enabled_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%d\n", profile_is_on());
	return 0;
}

/* Any number but 0 starts the profiler. */
static int profile_enabled_store(const struct trace_node *at, char *text)
{
	unsigned long on;

	return kstrtoul(text, 10, &on) ?: profile_switch(on);
}

/* ------------------------------------------------------------------ */
/* trace_stat/functionN							*/

static void *profile_stat_start(struct seq_file *m, loff_t *pos)
{
	struct profile_list *list = m->private;

	if (!*pos)
		return SEQ_START_TOKEN;
	return *pos <= list->nr ? &list->at[*pos - 1] : NULL;
}

static void *profile_stat_next(struct seq_file *m, void *item, loff_t *pos)
{
	++*pos;
	return profile_stat_start(m, pos);
}

static void profile_stat_stop(struct seq_file *m, void *item)
{
}

static void profile_put_titles(struct seq_file *m, const char * const *titles)
{
	seq_printf(m, "  %-30s  %10s    %-12s    %-12s    %s\n",
		   titles[0], titles[1], titles[2], titles[3], titles[4]);
}

static void profile_put_header(struct seq_file *m)
{
	static const char * const titles[][5] = {
		{ "Function", "Hit", "Time", "Avg", "s^2" },
		{ "--------", "---", "----", "---", "---" },
	};

	profile_put_titles(m, titles[0]);
	profile_put_titles(m, titles[1]);
}

/* Print the name of a function or, if its text was freed and its name not kept, its address. */
static void profile_put_name(struct seq_file *m, unsigned long ip)
{
	char name[KSYM_NAME_LEN];

	if (!kallsyms_lookup(ip, NULL, NULL, NULL, name))
		scnprintf(name, sizeof(name), "0x%lx", ip);
	seq_printf(m, "  %-30.30s", name);
}

static int profile_stat_show(struct seq_file *m, void *item)
{
	char time[OUTPUT_USECS_MAX], avg[OUTPUT_USECS_MAX], variance[OUTPUT_USECS_MAX];
	const struct profile_numbers *n = item;

	if (item == SEQ_START_TOKEN) {
		profile_put_header(m);
		return 0;
	}
	if (profile_average(n) < READ_ONCE(tracing_thresh))
		return 0;
	profile_put_name(m, n->ip);
	/* output_usecs() divides by 1000, also the variance: from 1000 square ns to square us. */
	seq_printf(m, "  %10llu    %s    %s    %s\n", n->hits, output_usecs(time, n->time),
		   output_usecs(avg, profile_average(n)),
		   output_usecs(variance, profile_variance(n)));
	return 0;
}

static const struct seq_operations profile_stat_sops = {
	.start	= profile_stat_start,
	.next	= profile_stat_next,
	.stop	= profile_stat_stop,
	.show	= profile_stat_show,
};

static int profile_stat_open_list(struct file *file, int cpu)
{
	struct profile_list *list = profile_read(cpu);
	struct seq_file *m;
	int err;

	if (IS_ERR(list))
		return PTR_ERR(list);
	err = seq_open(file, &profile_stat_sops);
	if (err) {
		kvfree(list);
		return err;
	}
	m = file->private_data;
	m->private = list;
	return 0;
}

static int profile_stat_open(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_get(inode);
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	err = profile_stat_open_list(file, (unsigned long)node->data);
	if (err)
		trace_node_put(node);
	return err;
}

static int profile_stat_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	kvfree(m->private);
	seq_release(inode, file);
	trace_node_put(trace_node_of(inode));
	return 0;
}

static const struct file_operations profile_stat_fops = {
	.open		= profile_stat_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.llseek		= seq_lseek,
	.release	= profile_stat_release,
};

static const struct trace_file profile_stat_row = {
	.mode	= TRACE_FILE_RW,
	.fops	= &profile_stat_fops,
};

static int profile_create_stats(struct trace_array *tr, struct dentry *dir)
{
	char name[24];
	int cpu, err;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "function%d", cpu);
		err = trace_file_create(tr, dir, name, &profile_stat_row,
					(const void *)(unsigned long)cpu);
		if (err)
			return err;
	}
	return 0;
}

static const struct trace_file profile_files[] = {
	{
		.name		= "function_profile_enabled",
		.mode		= TRACE_FILE_RW,
		.place		= IN_TOP,
		.show		= profile_enabled_show,
		.store		= profile_enabled_store,
	}, {
		.name		= "trace_stat",
		.place		= IN_TOP,
		.populate	= profile_create_stats,
	},
	{ }
};

TRACE_FILES(profile_files);
