// SPDX-License-Identifier: GPL-2.0
/*
 * The file printk_formats: the strings that records of trace_printk() point to, for tools
 * that read raw records.
 */
#include <linux/fs.h>
#include <linux/seq_file.h>

#include "printk_formats.h"
#include "tracefs/files.h"

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

static const struct trace_file printk_formats_files[] = {
	{
		.name	= "printk_formats",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.fops	= &printk_formats_fops,
	},
	{ }
};

TRACE_FILES(printk_formats_files);
