// SPDX-License-Identifier: GPL-2.0
/*
 * Files trace and per_cpu/cpuN/trace: the records in the buffer, as text.
 *
 * Position 0 is the header, position n the n-th record. A read does not consume records and,
 * without the option pause-on-trace, does not keep anybody from writing to the buffer. Opening
 * a file with O_TRUNC empties the buffer; data written to it is accepted and ignored.
 * files/snapshot.c shows the snapshot with the functions of this file.
 */
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "instance/instance.h"
#include "instance/snapshot.h"
#include "output/output.h"
#include "tracefs/files.h"
#include "types/types.h"
#include "view.h"

/* Bytes of text that are formatted before they are copied to user space. */
#define VIEW_ROOM	SZ_64K

/**
 * struct trace_view - an open file
 * @o: reader of the records, and their text
 * @pos: current position of the reader
 * @made: @o contains the text of @pos
 * @paused: recording is suspended until the file is closed
 * @of_snapshot: the file shows the snapshot
 */
struct trace_view {
	struct trace_output	*o;
	loff_t			pos;
	bool			made;
	bool			paused;
	bool			of_snapshot;
};

static void view_seek(struct trace_view *v, loff_t pos)
{
	output_rewind(v->o);
	v->pos = 0;
	v->made = false;
	while (v->pos < pos) {
		v->pos++;
		if (!reader_next(&v->o->r))
			break;
	}
}

static void *view_start(struct seq_file *m, loff_t *pos)
{
	struct trace_view *v = m->private;

	record_types_lock();
	if (v->of_snapshot && snapshot_is_owned(v->o->r.tr))
		return ERR_PTR(-EBUSY);
	if (!*pos || *pos != v->pos)
		view_seek(v, *pos);
	if (!*pos)
		return SEQ_START_TOKEN;
	return v->o->r.ent ? v : NULL;
}

static void *view_next(struct seq_file *m, void *item, loff_t *pos)
{
	struct trace_view *v = m->private;

	v->pos = ++*pos;
	v->made = false;
	return reader_next(&v->o->r) ? v : NULL;
}

static void view_stop(struct seq_file *m, void *item)
{
	record_types_unlock();
}

/*
 * Format the current record only once: the text may depend on the records before it, and
 * formatting may consume the next record.
 */
static void view_make_text(struct trace_view *v)
{
	struct trace_output *o = v->o;

	if (v->made)
		return;
	trace_seq_init(&o->seq);
	if (output_line(o) == TRACE_TYPE_PARTIAL_LINE)
		output_mark_truncated(&o->seq);
	v->made = true;
}

/* If the text does not fit, seq_file calls this again for the same record. */
static int view_show(struct seq_file *m, void *item)
{
	struct trace_view *v = m->private;
	struct trace_output *o = v->o;

	if (item == SEQ_START_TOKEN) {
		/*
		 * The header is that of the current tracer, not of the tracer when the file
		 * was opened.
		 */
		o->tracer = READ_ONCE(o->r.tr->current_tracer);
		if (v->of_snapshot)
			snapshot_header(m, o);
		else
			output_header(m, o);
		return 0;
	}
	view_make_text(v);
	seq_write(m, o->seq.buffer, trace_seq_used(&o->seq));
	return 0;
}

static const struct seq_operations view_sops = {
	.start	= view_start,
	.next	= view_next,
	.stop	= view_stop,
	.show	= view_show,
};

/* Get the buffer to read, and the latency that its records belong to, both of one moment. */
static struct trace_buffer *view_buffer(const struct trace_view *v, struct trace_array *tr,
					struct trace_latency *kept)
{
	if (snapshot_is_owned(tr))
		return latency_get(tr, kept);
	return v->of_snapshot ? trace_array_snapshot(tr) : READ_ONCE(tr->buffer);
}

static int view_set_up(struct trace_view *v, const struct trace_node *node,
		       bool of_snapshot)
{
	struct trace_array *tr = node->tr;
	struct trace_latency kept = {};

	guard(mutex)(&trace_lock);
	v->of_snapshot = of_snapshot;
	v->paused = !of_snapshot && trace_array_opt(tr, TRACE_OPT_PAUSE_ON_TRACE);
	/* Suspend recording first: a tracer may keep another latency while memory is allocated. */
	if (v->paused)
		trace_array_stop(tr);
	v->o = output_alloc_iterating(tr, view_buffer(v, tr, &kept), node->cpu);
	if (IS_ERR(v->o)) {
		if (v->paused)
			trace_array_start(tr);
		return PTR_ERR(v->o);
	}
	v->o->r.kept = kept;
	if (of_snapshot)
		v->o->latency = false;
	return 0;
}

int trace_view_open(struct file *file, const struct trace_node *node, bool of_snapshot)
{
	struct trace_view *v;
	struct seq_file *m;
	int err;

	v = __seq_open_private(file, &view_sops, sizeof(*v));
	if (!v)
		return -ENOMEM;
	err = view_set_up(v, node, of_snapshot);
	if (err) {
		seq_release_private(file_inode(file), file);
		return err;
	}
	/* A large buffer only saves copies: without the memory, seq_file allocates a small one. */
	m = file->private_data;
	m->buf = kvmalloc(VIEW_ROOM, GFP_KERNEL | __GFP_NOWARN);
	m->size = m->buf ? VIEW_ROOM : 0;
	return 0;
}

static int trace_open(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_get(inode);
	int err = 0;

	if (IS_ERR(node))
		return PTR_ERR(node);
	if (file->f_mode & FMODE_READ)
		err = trace_view_open(file, node, false);
	if (err)
		trace_node_put(node);
	else if (trace_file_truncates(file))
		tracing_reset(node->tr, node->cpu);
	return err;
}

static void view_close(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct trace_view *v = m->private;

	scoped_guard(mutex, &trace_lock) {
		if (v->paused)
			trace_array_start(v->o->r.tr);
	}
	output_free(v->o);
	seq_release_private(inode, file);
}

int trace_view_release(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_of(inode);

	if (file->f_mode & FMODE_READ)
		view_close(inode, file);
	trace_node_put(node);
	return 0;
}

static ssize_t trace_write(struct file *file, const char __user *ubuf,
			   size_t count, loff_t *pos)
{
	return count;
}

static const struct file_operations trace_fops = {
	.open		= trace_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.write		= trace_write,
	.llseek		= trace_file_llseek,
	.release	= trace_view_release,
};

static const struct trace_file trace_files[] = {
	{
		.name	= "trace",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE | IN_CPU,
		.fops	= &trace_fops,
	},
	{ }
};

TRACE_FILES(trace_files);
