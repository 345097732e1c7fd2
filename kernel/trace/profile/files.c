// SPDX-License-Identifier: GPL-2.0
/*
 * The files of the function profiler (SPEC T6): function_profile_enabled, and
 * trace_stat/functionN with the numbers of each CPU.
 *
 * What is read of a functionN is how things were when it was opened. Its columns are an
 * interface, each blank of them.
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
#include "output/output.h"
#include "profile.h"
#include "tracefs/files.h"

/* ------------------------------------------------------------------ */
/* The switch								*/

static int enabled_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%d\n", profile_is_on());
	return 0;
}

/* Any number but 0 is on. */
static int enabled_store(const struct trace_node *at, char *text)
{
	unsigned long on;

	return kstrtoul(text, 10, &on) ?: profile_switch(on);
}

/* ------------------------------------------------------------------ */
/* The numbers								*/

static void *stat_start(struct seq_file *m, loff_t *pos)
{
	struct profile_list *list = m->private;

	if (!*pos)
		return SEQ_START_TOKEN;
	return *pos <= list->nr ? &list->at[*pos - 1] : NULL;
}

static void *stat_next(struct seq_file *m, void *item, loff_t *pos)
{
	++*pos;
	return stat_start(m, pos);
}

static void stat_stop(struct seq_file *m, void *item)
{
}

static void put_titles(struct seq_file *m, const char * const *titles)
{
	seq_printf(m, "  %-30s  %10s    %-12s    %-12s    %s\n",
		   titles[0], titles[1], titles[2], titles[3], titles[4]);
}

static void put_header(struct seq_file *m)
{
	static const char * const titles[][5] = {
		{ "Function", "Hit", "Time", "Avg", "s^2" },
		{ "--------", "---", "----", "---", "---" },
	};

	put_titles(m, titles[0]);
	put_titles(m, titles[1]);
}

/* Of text that is gone without leaving its names there is only the address. */
static void put_name(struct seq_file *m, unsigned long ip)
{
	char name[KSYM_NAME_LEN];

	if (!kallsyms_lookup(ip, NULL, NULL, NULL, name))
		scnprintf(name, sizeof(name), "0x%lx", ip);
	seq_printf(m, "  %-30.30s", name);
}

static int stat_show(struct seq_file *m, void *item)
{
	char time[OUTPUT_USECS_MAX], avg[OUTPUT_USECS_MAX], variance[OUTPUT_USECS_MAX];
	const struct profile_numbers *n = item;

	if (item == SEQ_START_TOKEN) {
		put_header(m);
		return 0;
	}
	if (profile_average(n) < READ_ONCE(tracing_thresh))
		return 0;
	put_name(m, n->ip);
	/* A thousand square ns are to a square us what a ns is to a us. */
	seq_printf(m, "  %10llu    %s    %s    %s\n", n->hits, output_usecs(time, n->time),
		   output_usecs(avg, profile_average(n)),
		   output_usecs(variance, profile_variance(n)));
	return 0;
}

static const struct seq_operations stat_sops = {
	.start	= stat_start,
	.next	= stat_next,
	.stop	= stat_stop,
	.show	= stat_show,
};

static int stat_open_list(struct file *file, int cpu)
{
	struct profile_list *list = profile_read(cpu);
	struct seq_file *m;
	int err;

	if (IS_ERR(list))
		return PTR_ERR(list);
	err = seq_open(file, &stat_sops);
	if (err) {
		kvfree(list);
		return err;
	}
	m = file->private_data;
	m->private = list;
	return 0;
}

static int stat_open(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_get(inode);
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	err = stat_open_list(file, (unsigned long)node->data);
	if (err)
		trace_node_put(node);
	return err;
}

static int stat_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	kvfree(m->private);
	seq_release(inode, file);
	trace_node_put(trace_node_of(inode));
	return 0;
}

static const struct file_operations stat_fops = {
	.open		= stat_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.llseek		= seq_lseek,
	.release	= stat_release,
};

static const struct trace_file stat_row = {
	.mode	= TRACE_FILE_RW,
	.fops	= &stat_fops,
};

static int create_stats(struct trace_array *tr, struct dentry *dir)
{
	char name[24];
	int cpu, err;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "function%d", cpu);
		err = trace_file_create(tr, dir, name, &stat_row,
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
		.show		= enabled_show,
		.store		= enabled_store,
	}, {
		.name		= "trace_stat",
		.place		= IN_TOP,
		.populate	= create_stats,
	},
	{ }
};

TRACE_FILES(profile_files);
