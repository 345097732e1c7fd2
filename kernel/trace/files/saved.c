// SPDX-License-Identifier: GPL-2.0
/*
 * Control files that make records readable: the names and thread groups that
 * were remembered of tasks, and the strings that trace_printk() points to.
 */
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/seq_file.h>

#include "instance/instance.h"
#include "record/cmdlines.h"
#include "record/printk_formats.h"
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

/* printk_formats */

static int printk_formats_open(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_get(inode);
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	err = seq_open(file, &printk_formats_sops);
	if (err)
		trace_node_put(node);
	return err;
}

static int printk_formats_release(struct inode *inode, struct file *file)
{
	seq_release(inode, file);
	trace_node_put(trace_node_of(inode));
	return 0;
}

static const struct file_operations printk_formats_fops = {
	.open		= printk_formats_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.llseek		= seq_lseek,
	.release	= printk_formats_release,
};

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
	}, {
		.name	= "printk_formats",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.fops	= &printk_formats_fops,
	},
	{ }
};

TRACE_FILES(saved_files);
