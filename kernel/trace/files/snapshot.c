// SPDX-License-Identifier: GPL-2.0
/*
 * Files snapshot and per_cpu/cpuN/snapshot. A read shows the saved records, in the format of
 * trace. A number written to them takes a snapshot, clears it, or frees its memory.
 *
 * Writes fail with -EBUSY while the snapshot is reserved: for a tracer that keeps records in
 * it, or for the user that has set a snapshot condition.
 */
#include <linux/kstrtox.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>

#include "instance/instance.h"
#include "instance/snapshot.h"
#include "output/output.h"
#include "tracefs/files.h"
#include "view.h"

static const char snapshot_all_help[] =
"# What can be written here:\n"
"#   0  gives the memory of the snapshot back\n"
"#   1  takes a snapshot: what is in the trace and what is here change places;\n"
"#      memory is set aside when it is the first\n"
"#   2  or any other number: forgets what is here, the memory stays\n";

static const char snapshot_cpu_help[] =
"# What can be written here:\n"
"#   0  is refused: memory is given back for all CPUs at once\n"
#ifdef CONFIG_TRACER_SNAPSHOT_PER_CPU_SWAP
"#   1  takes a snapshot of this CPU: what is in its trace and what is here change\n"
"#      places; memory is set aside, for all CPUs, when it is the first\n"
#else
"#   1  is refused: this kernel takes snapshots of all CPUs at once\n"
#endif
"#   2  or any other number: forgets what is here, the memory stays\n";

void snapshot_header(struct seq_file *m, struct trace_output *o)
{
	if (!reader_empty(&o->r)) {
		output_header(m, o);
		return;
	}
	output_title(m, o);
	seq_printf(m, "#\n# * Snapshot is %s *\n#\n",
		   snapshot_is_ready(o->r.tr) ? "allocated" : "freed");
	seq_puts(m, o->r.cpu == RING_BUFFER_ALL_CPUS ? snapshot_all_help : snapshot_cpu_help);
}

/* Called with trace_lock held, like snapshot_file_clear() and snapshot_file_execute(). */
static int snapshot_file_take(struct trace_array *tr, int cpu)
{
	bool all = cpu == RING_BUFFER_ALL_CPUS;
	int err;

	if (!all && !IS_ENABLED(CONFIG_TRACER_SNAPSHOT_PER_CPU_SWAP))
		return -EINVAL;
	err = snapshot_use(tr);
	if (err)
		return err;
	err = snapshot_alloc(tr);
	if (!err && all)
		snapshot_take(tr);
	else if (!err)
		err = snapshot_take_cpu(tr, cpu);
	snapshot_unuse(tr);
	return err;
}

static int snapshot_file_clear(struct trace_array *tr, int cpu)
{
	if (snapshot_is_ready(tr))
		snapshot_clear(tr, cpu);
	return 0;
}

static int snapshot_file_execute(struct trace_array *tr, int cpu, unsigned long command)
{
	switch (command) {
	case 0:
		return cpu == RING_BUFFER_ALL_CPUS ? snapshot_free(tr) : -EINVAL;
	case 1:
		return snapshot_file_take(tr, cpu);
	default:
		return snapshot_file_clear(tr, cpu);
	}
}

static ssize_t snapshot_write(struct file *file, const char __user *ubuf, size_t count,
			      loff_t *pos)
{
	const struct trace_node *node = trace_node_of(file_inode(file));
	struct trace_array *tr = node->tr;
	unsigned long command;
	int err = kstrtoul_from_user(ubuf, count, 10, &command);

	if (err)
		return err;
	guard(mutex)(&trace_lock);
	if (snapshot_is_reserved(tr))
		return -EBUSY;
	return snapshot_file_execute(tr, node->cpu, command) ?: count;
}

static int snapshot_open(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_get(inode);
	int err = 0;

	if (IS_ERR(node))
		return PTR_ERR(node);
	if (file->f_mode & FMODE_READ)
		err = trace_view_open(file, node, true);
	if (err)
		trace_node_put(node);
	else
		trace_file_allow_pwrite(file);
	return err;
}

static const struct file_operations snapshot_fops = {
	.open		= snapshot_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.write		= snapshot_write,
	.llseek		= trace_file_llseek,
	.release	= trace_view_release,
};

static const struct trace_file snapshot_files[] = {
	{
		.name	= "snapshot",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE | IN_CPU,
		.fops	= &snapshot_fops,
	},
	{ }
};

TRACE_FILES(snapshot_files);
