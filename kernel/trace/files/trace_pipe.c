// SPDX-License-Identifier: GPL-2.0
/*
 * Files trace_pipe and per_cpu/cpuN/trace_pipe: records as text, each of them once.
 *
 * A read consumes records, and waits for records if there are none. It returns end of file
 * only if something was read before and tracing is off, so a reader may be started before
 * tracing is switched on.
 *
 * Two readers of the same records would each get only some of them. So a CPU can be open only
 * once, and not while the file for all CPUs is open.
 */
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "instance/instance.h"
#include "output/output.h"
#include "tracefs/files.h"
#include "types/types.h"

/**
 * struct trace_pipe - an open file
 * @node: entry in open_pipes
 * @lock: held by the thread that reads; protects the members below
 * @o: reader of the records; its text is what was not yet copied to user space
 * @consumed: something was read
 */
struct trace_pipe {
	struct list_head	node;
	struct mutex		lock;	/* serializes reads of this open file */
	struct trace_output	*o;
	bool			consumed;
};

/* All open trace_pipe files. Protected by trace_lock. */
static LIST_HEAD(open_pipes);

static bool pipe_is_open(const struct trace_node *node)
{
	struct trace_pipe *p;

	list_for_each_entry(p, &open_pipes, node) {
		if (p->o->r.tr != node->tr)
			continue;
		if (p->o->r.cpu == node->cpu || p->o->r.cpu == RING_BUFFER_ALL_CPUS ||
		    node->cpu == RING_BUFFER_ALL_CPUS)
			return true;
	}
	return false;
}

static struct trace_pipe *pipe_create(const struct trace_node *node)
{
	struct trace_pipe *p;

	guard(mutex)(&trace_lock);
	if (pipe_is_open(node))
		return ERR_PTR(-EBUSY);
	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return ERR_PTR(-ENOMEM);
	p->o = output_alloc(node->tr, node->cpu);
	if (IS_ERR(p->o)) {
		void *err = p->o;

		kfree(p);
		return err;
	}
	mutex_init(&p->lock);
	list_add(&p->node, &open_pipes);
	node->tr->trace_ref++;
	return p;
}

static int trace_pipe_open(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_get(inode);
	struct trace_pipe *p;

	if (IS_ERR(node))
		return PTR_ERR(node);
	p = pipe_create(node);
	if (IS_ERR(p)) {
		trace_node_put(node);
		return PTR_ERR(p);
	}
	file->private_data = p;
	return nonseekable_open(inode, file);
}

static int trace_pipe_release(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_of(inode);
	struct trace_pipe *p = file->private_data;

	scoped_guard(mutex, &trace_lock) {
		list_del(&p->node);
		node->tr->trace_ref--;
	}
	output_free(p->o);
	mutex_destroy(&p->lock);
	kfree(p);
	trace_node_put(node);
	return 0;
}

static bool pipe_ended(const struct trace_pipe *p)
{
	return READ_ONCE(p->consumed) && !tracer_tracing_is_on(p->o->r.tr);
}

/* Length of the text of consumed records that no read has copied yet. */
static size_t pipe_pending(const struct trace_pipe *p)
{
	return trace_seq_used(&p->o->seq) - p->o->seq.readpos;
}

/**
 * struct pipe_wait - a wait for records
 * @p: the open file
 * @buffer: the buffer that is waited on; a snapshot lets records go to the other one
 */
struct pipe_wait {
	struct trace_pipe	*p;
	struct trace_buffer	*buffer;
};

static bool pipe_wait_over(void *data)
{
	const struct pipe_wait *wait = data;
	struct trace_pipe *p = wait->p;

	/*
	 * Read without p->lock, so this may be wrong for a moment; the caller tests again with
	 * it.
	 */
	return data_race(pipe_pending(p)) || pipe_ended(p) ||
	       READ_ONCE(p->o->r.tr->buffer) != wait->buffer;
}

/*
 * Wait until there is text or a record, or the end of file. Releases p->lock meanwhile:
 * another thread may consume records then, and leave a part of their text.
 *
 * Return: 0; -EAGAIN if @nonblock is true; or the error of ring_buffer_wait().
 */
static int pipe_wait(struct trace_pipe *p, bool nonblock)
{
	struct pipe_wait wait = { .p = p };
	struct trace_reader *r = &p->o->r;
	int err;

	while (!pipe_pending(p) && reader_empty(r)) {
		if (nonblock)
			return -EAGAIN;
		if (pipe_ended(p))
			return 0;
		wait.buffer = READ_ONCE(r->tr->buffer);
		mutex_unlock(&p->lock);
		err = ring_buffer_wait(wait.buffer, r->cpu, 0, pipe_wait_over, &wait);
		mutex_lock(&p->lock);
		if (err)
			return err;
	}
	return 0;
}

/* Format one more record; false if the text is full. */
static bool pipe_line(struct trace_pipe *p)
{
	struct trace_seq *s = &p->o->seq;
	size_t before = s->seq.len;
	enum print_line_t ret = output_line(p->o);

	if (ret == TRACE_TYPE_PARTIAL_LINE && before) {
		s->full = 0;
		s->seq.len = before;
		return false;
	}
	if (ret == TRACE_TYPE_PARTIAL_LINE)
		output_mark_truncated(s);
	if (ret != TRACE_TYPE_NO_CONSUME)
		reader_consume(&p->o->r);
	return ret != TRACE_TYPE_PARTIAL_LINE;
}

/* Format records until there are @enough bytes of text, or no record is left. */
static void pipe_fill(struct trace_pipe *p, size_t enough)
{
	struct trace_reader *r = &p->o->r;
	struct trace_seq *s = &p->o->seq;

	trace_seq_init(s);
	reader_lock(r);
	record_types_lock();
	while (trace_seq_used(s) < enough && reader_next(r)) {
		WRITE_ONCE(p->consumed, true);
		if (!pipe_line(p))
			break;
	}
	record_types_unlock();
	reader_unlock(r);
}

static ssize_t pipe_copy(struct trace_pipe *p, struct iov_iter *to)
{
	struct trace_seq *s = &p->o->seq;
	size_t copied;

	copied = copy_to_iter(s->buffer + s->readpos, pipe_pending(p), to);
	s->readpos += copied;
	return copied ?: -EFAULT;
}

static ssize_t trace_pipe_read(struct kiocb *iocb, struct iov_iter *to)
{
	bool nonblock = (iocb->ki_filp->f_flags & O_NONBLOCK) ||
			(iocb->ki_flags & IOCB_NOWAIT);
	struct trace_pipe *p = iocb->ki_filp->private_data;
	int err;

	if (!iov_iter_count(to))
		return 0;
	guard(mutex)(&p->lock);
	while (!pipe_pending(p)) {
		err = pipe_wait(p, nonblock);
		if (err)
			return err;
		if (pipe_pending(p))
			break;
		if (reader_empty(&p->o->r))
			return 0;
		if (signal_pending(current))
			return -ERESTARTSYS;
		pipe_fill(p, iov_iter_count(to));
	}
	return pipe_copy(p, to);
}

static __poll_t trace_pipe_poll(struct file *file, poll_table *table)
{
	struct trace_pipe *p = file->private_data;
	struct trace_array *tr = p->o->r.tr;
	struct trace_buffer *buffer;
	__poll_t events;

	/* With the option "block", poll() always reports data, so that read() waits instead. */
	if (trace_array_opt(tr, TRACE_OPT_BLOCK))
		return EPOLLIN | EPOLLRDNORM;
	scoped_guard(mutex, &p->lock) {
		if (pipe_pending(p))
			return EPOLLIN | EPOLLRDNORM;
	}
	do {
		buffer = READ_ONCE(tr->buffer);
		events = ring_buffer_poll_wait(buffer, p->o->r.cpu, file, table,
					       READ_ONCE(tr->buffer_percent));
		/* A snapshot wakes only tasks that were on the wait queue before it: look again. */
	} while (buffer != READ_ONCE(tr->buffer));
	return events;
}

static const struct file_operations trace_pipe_fops = {
	.open		= trace_pipe_open,
	.read_iter	= trace_pipe_read,
	.splice_read	= copy_splice_read,
	.poll		= trace_pipe_poll,
	.release	= trace_pipe_release,
};

static const struct trace_file trace_pipe_files[] = {
	{
		.name	= "trace_pipe",
		.mode	= TRACE_FILE_RO,
		.place	= IN_INSTANCE | IN_CPU,
		.fops	= &trace_pipe_fops,
	},
	{ }
};

TRACE_FILES(trace_pipe_files);
