// SPDX-License-Identifier: GPL-2.0
/*
 * The files trace and per_cpu/cpuN/trace: what is in the buffer, as text.
 *
 * Position 0 is the header, position n the n-th record. Reading takes nothing
 * out of the buffer and, without the option pause-on-trace, stops nobody from
 * writing into it. Opening with O_TRUNC empties the buffer; what is written is
 * accepted and ignored. The snapshot is shown in the same way: files/snapshot.c.
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

/* How much text is made before it is copied to the user. */
#define VIEW_ROOM	SZ_64K

/**
 * struct trace_view - one open file
 * @o: the reader and its text
 * @pos: the position it is at
 * @made: it has the text of that position
 * @paused: recording waits for the file to be closed
 * @of_snapshot: it is that of the snapshot
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
	if (v->of_snapshot && snapshot_is_kept(v->o->r.tr))
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

/* A line may depend on those before it, and take a record with it: it is made once. */
static void make_text(struct trace_view *v)
{
	struct trace_output *o = v->o;

	if (v->made)
		return;
	trace_seq_init(&o->seq);
	if (output_line(o) == TRACE_TYPE_PARTIAL_LINE)
		output_too_long(&o->seq);
	v->made = true;
}

/* Without enough room for it, seq_file asks for the same text again. */
static int view_show(struct seq_file *m, void *item)
{
	struct trace_view *v = m->private;
	struct trace_output *o = v->o;

	if (item == SEQ_START_TOKEN) {
		/* Of the tracer of now, not that of the opening. */
		o->tracer = READ_ONCE(o->r.tr->current_tracer);
		if (v->of_snapshot)
			snapshot_header(m, o);
		else
			output_header(m, o);
		return 0;
	}
	make_text(v);
	seq_write(m, o->seq.buffer, trace_seq_used(&o->seq));
	return 0;
}

static const struct seq_operations view_sops = {
	.start	= view_start,
	.next	= view_next,
	.stop	= view_stop,
	.show	= view_show,
};

/* The buffer to read, and what its records are about, of one moment. */
static struct trace_buffer *view_buffer(const struct trace_view *v, struct trace_array *tr,
					struct trace_latency *kept)
{
	if (snapshot_is_kept(tr))
		return latency_kept(tr, kept);
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
	/* First: a tracer may keep something else while memory is allocated. */
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
	/* Only saves copies: seq_file does with less if there is none. */
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
