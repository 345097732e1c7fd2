// SPDX-License-Identifier: GPL-2.0
/*
 * Files per_cpu/cpuN/trace_pipe_raw and per_cpu/cpuN/snapshot_raw: the pages of the buffer and
 * of the snapshot in binary form.
 *
 * read() returns a page in pieces. splice() passes whole pages without copying them: such a
 * page belongs to the pipe, and returns to the buffer after its last user. The file
 * events/header_page describes the layout.
 *
 * splice() waits until buffer_percent of the buffer is full. Closing the file descriptor or an
 * ioctl 0 ends the wait of all other threads, as does switching tracing_on off. The close of
 * an inherited descriptor in another process, or of another descriptor of the same file, need
 * not end a wait.
 */
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/pipe_fs_i.h>
#include <linux/poll.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/splice.h>
#include <linux/trace.h>
#include <linux/trace_mmap.h>
#include <linux/uaccess.h>

#include "instance/instance.h"
#include "instance/snapshot.h"
#include "ring_buffer/consume.h"
#include "trace_pipe_raw.h"
#include "tracefs/files.h"

/*
 * Keep the tracer from being switched while the file is open, as a new one might use the
 * snapshot.
 */
static int raw_hold_tracer(struct raw_reader *raw)
{
	guard(mutex)(&trace_lock);
	if (raw->snapshot && snapshot_is_owned(raw->tr))
		return -EBUSY;
	raw->tr->trace_ref++;
	return 0;
}

static int raw_open(struct file *file, struct trace_node *node, bool snapshot)
{
	struct raw_reader *raw = kzalloc(sizeof(*raw), GFP_KERNEL);
	int err;

	if (!raw)
		return -ENOMEM;
	raw->tr = node->tr;
	raw->cpu = node->cpu;
	raw->snapshot = snapshot;
	raw->file = file;
	err = raw_hold_tracer(raw);
	if (err) {
		kfree(raw);
		return err;
	}
	mutex_init(&raw->lock);
	file->private_data = raw;
	return 0;
}

static int raw_open_node(struct inode *inode, struct file *file, bool snapshot)
{
	struct trace_node *node = trace_node_get(inode);
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	err = raw_open(file, node, snapshot);
	if (err) {
		trace_node_put(node);
		return err;
	}
	return nonseekable_open(inode, file);
}

static int trace_pipe_raw_open(struct inode *inode, struct file *file)
{
	return raw_open_node(inode, file, false);
}

static int snapshot_raw_open(struct inode *inode, struct file *file)
{
	return raw_open_node(inode, file, true);
}

static int trace_pipe_raw_release(struct inode *inode, struct file *file)
{
	struct raw_reader *raw = file->private_data;

	if (raw->page)
		ring_buffer_free_read_page(raw_buffer(raw), raw->cpu, raw->page);
	scoped_guard(mutex, &trace_lock)
		raw->tr->trace_ref--;
	mutex_destroy(&raw->lock);
	kfree(raw);
	trace_node_put(trace_node_of(inode));
	return 0;
}

/* Waiting */

struct raw_wait {
	struct raw_reader	*raw;
	struct trace_buffer	*buffer;
	int			wakes;
	bool			was_on;
};

static int raw_is_file(const void *file, struct file *other, unsigned int fd)
{
	return other == file;
}

/*
 * True if another thread has closed the file that current reads. The files are searched only
 * if some descriptor of this file was closed.
 */
static bool raw_is_closed(const struct raw_reader *raw)
{
	return READ_ONCE(raw->flushed) && !iterate_fd(current->files, 0, raw_is_file, raw->file);
}

static bool raw_woken(void *data)
{
	struct raw_wait *wait = data;

	/* Pairs with the release in raw_wake(). */
	if (atomic_read_acquire(&wait->raw->wakes) != wait->wakes ||
	    raw_is_closed(wait->raw) || raw_buffer(wait->raw) != wait->buffer)
		return true;
	/* Recording was switched off during the wait: no more records will come. */
	if (!tracer_tracing_is_on(wait->raw->tr))
		return wait->was_on;
	wait->was_on = true;
	return false;
}

static int raw_wait(struct raw_reader *raw, int percent)
{
	struct raw_wait wait = {
		.raw = raw, .buffer = raw_buffer(raw),
		.wakes = atomic_read_acquire(&raw->wakes),
		.was_on = tracer_tracing_is_on(raw->tr),
	};

	if (raw_is_closed(raw))
		return 0;
	return ring_buffer_wait(wait.buffer, raw->cpu, percent, raw_woken, &wait);
}

static void raw_wake(struct raw_reader *raw)
{
	/* Pairs with the acquire in raw_woken(). */
	atomic_fetch_inc_release(&raw->wakes);
	ring_buffer_wake_waiters(raw_buffer(raw), raw->cpu);
}

static int trace_pipe_raw_flush(struct file *file, fl_owner_t id)
{
	struct raw_reader *raw = file->private_data;

	WRITE_ONCE(raw->flushed, true);
	ring_buffer_wake_waiters(raw_buffer(raw), raw->cpu);
	return 0;
}

/* File operation read */

static int raw_take(struct raw_reader *raw, struct buffer_data_read_page *page,
		    size_t len, bool full)
{
	int ret;

	consume_lock(raw->cpu);
	ret = ring_buffer_read_page(raw_buffer(raw), page, len, raw->cpu, full);
	consume_unlock(raw->cpu);
	return ret;
}

static bool raw_pending(const struct raw_reader *raw)
{
	return raw->page && raw->pos < ring_buffer_read_page_size(raw->page);
}

/* Allocate a new page for each attempt: the size of pages may have changed. */
static int raw_new_page(struct raw_reader *raw)
{
	struct trace_buffer *buffer = raw_buffer(raw);

	if (raw->page)
		ring_buffer_free_read_page(buffer, raw->cpu, raw->page);
	raw->page = NULL;
	return ring_buffer_alloc_read_page(buffer, raw->cpu, &raw->page);
}

/*
 * Fill raw->page with the next records.
 *
 * Return: 1; 0 if the file was closed, or if the next record is longer than @count; -EAGAIN if
 * @nonblock is true; or another error. Only the second failure of a read that finds the buffer
 * not empty means that a record is too long: after the first one, the record may have just
 * arrived.
 */
static int raw_fill(struct raw_reader *raw, size_t count, bool nonblock)
{
	bool there = false;
	int err;

	for (;;) {
		err = raw_new_page(raw);
		if (err)
			return err;
		if (raw_take(raw, raw->page, count, false) >= 0)
			break;
		raw->pos = ring_buffer_read_page_size(raw->page);
		if (raw_is_closed(raw))
			return 0;
		if (!ring_buffer_empty_cpu(raw_buffer(raw), raw->cpu)) {
			if (there)
				return 0;
			there = true;
			continue;
		}
		there = false;
		if (nonblock)
			return -EAGAIN;
		err = raw_wait(raw, 0);
		if (err)
			return err;
	}
	raw->pos = 0;
	return 1;
}

static ssize_t raw_copy(struct raw_reader *raw, char __user *ubuf, size_t count)
{
	size_t len, left;

	len = min_t(size_t, count, ring_buffer_read_page_size(raw->page) - raw->pos);
	left = copy_to_user(ubuf, ring_buffer_read_page_data(raw->page) + raw->pos,
			    len);
	if (left == len)
		return -EFAULT;
	raw->pos += len - left;
	return len - left;
}

static ssize_t trace_pipe_raw_read(struct file *file, char __user *ubuf,
				   size_t count, loff_t *pos)
{
	struct raw_reader *raw = file->private_data;
	ssize_t ret;

	if (!count)
		return 0;
	/* The thread that holds the lock may be waiting for records. */
	if (mutex_lock_interruptible(&raw->lock))
		return -ERESTARTSYS;
	ret = raw_pending(raw) ? 1 :
	      raw_fill(raw, count, file->f_flags & O_NONBLOCK);
	if (ret > 0)
		ret = raw_copy(raw, ubuf, count);
	mutex_unlock(&raw->lock);
	return ret;
}

/* File operation splice_read */

/**
 * struct page_ref - a page of the buffer that is referenced by pipes
 * @tr: the instance, with a reference unless it is the top one
 * @page: the page
 * @cpu: the CPU that the page comes from
 * @users: number of pipe buffers that contain the page
 */
struct page_ref {
	struct trace_array		*tr;
	struct buffer_data_read_page	*page;
	int				cpu;
	refcount_t			users;
};

static void page_ref_free(struct page_ref *ref)
{
	ring_buffer_free_read_page(READ_ONCE(ref->tr->buffer), ref->cpu, ref->page);
	if (!trace_array_is_top(ref->tr))
		trace_array_put(ref->tr);
	kfree(ref);
}

static void page_ref_put(struct page_ref *ref)
{
	if (refcount_dec_and_test(&ref->users))
		page_ref_free(ref);
}

static void page_ref_release(struct pipe_inode_info *pipe, struct pipe_buffer *buf)
{
	page_ref_put((struct page_ref *)buf->private);
	buf->private = 0;
}

static bool page_ref_get(struct pipe_inode_info *pipe, struct pipe_buffer *buf)
{
	struct page_ref *ref = (struct page_ref *)buf->private;

	/* Keep tee() in a loop from overflowing the count. */
	if (refcount_read(&ref->users) > INT_MAX / 2)
		return false;
	refcount_inc(&ref->users);
	return true;
}

static const struct pipe_buf_operations page_ref_ops = {
	.get		= page_ref_get,
	.release	= page_ref_release,
};

static void raw_spd_release(struct splice_pipe_desc *spd, unsigned int i)
{
	page_ref_put((struct page_ref *)spd->partial[i].private);
}

static struct page_ref *page_ref_alloc(struct raw_reader *raw)
{
	struct page_ref *ref = kmalloc(sizeof(*ref), GFP_KERNEL);
	int err;

	if (!ref)
		return ERR_PTR(-ENOMEM);
	ref->tr = raw->tr;
	ref->cpu = raw->cpu;
	refcount_set(&ref->users, 1);
	err = ring_buffer_alloc_read_page(raw_buffer(raw), raw->cpu, &ref->page);
	if (err) {
		kfree(ref);
		return ERR_PTR(err);
	}
	/* The open file holds the instance now; the page needs a reference of its own later. */
	if (!trace_array_is_top(ref->tr))
		trace_array_get(ref->tr);
	return ref;
}

/* Get the next full page; NULL if there is none. */
static struct page_ref *raw_next_page(struct raw_reader *raw, size_t len)
{
	struct page_ref *ref = page_ref_alloc(raw);

	if (IS_ERR(ref))
		return ref;
	if (len < ring_buffer_read_page_size(ref->page)) {
		page_ref_free(ref);
		return ERR_PTR(-EINVAL);
	}
	if (raw_take(raw, ref->page, len, !raw->snapshot) < 0) {
		page_ref_free(ref);
		return NULL;
	}
	return ref;
}

static void raw_add_page(struct splice_pipe_desc *spd, struct page_ref *ref)
{
	unsigned int i = spd->nr_pages++;

	spd->pages[i] = virt_to_page(ring_buffer_read_page_data(ref->page));
	spd->partial[i].offset = 0;
	spd->partial[i].len = ring_buffer_read_page_size(ref->page);
	spd->partial[i].private = (unsigned long)ref;
}

/* Collect full pages. An error is returned only if no page was collected. */
static int raw_collect_pages(struct raw_reader *raw, struct splice_pipe_desc *spd,
			     size_t len)
{
	while (spd->nr_pages < spd->nr_pages_max && len) {
		struct page_ref *ref;

		if (ring_buffer_empty_cpu(raw_buffer(raw), raw->cpu))
			break;
		ref = raw_next_page(raw, len);
		if (IS_ERR(ref))
			return spd->nr_pages ? 0 : PTR_ERR(ref);
		if (!ref)
			break;
		raw_add_page(spd, ref);
		len -= spd->partial[spd->nr_pages - 1].len;
	}
	return 0;
}

/* How full the buffer must be, in percent; 0 for the snapshot, which does not fill up. */
static int raw_percent(const struct raw_reader *raw)
{
	return raw->snapshot ? 0 : READ_ONCE(raw->tr->buffer_percent);
}

/*
 * Raise the percentage to more than one page: the page that is being written is not spliced,
 * and in a small buffer it is such a large share that the wait would never end.
 */
static int raw_pages_percent(const struct raw_reader *raw)
{
	struct trace_buffer *buffer = raw_buffer(raw);
	unsigned int nr = DIV_ROUND_UP(ring_buffer_size(buffer, raw->cpu),
				       ring_buffer_subbuf_size_get(buffer));
	int percent = raw_percent(raw);

	return percent ? max(percent, 100 / (int)max(nr, 1U) + 1) : 0;
}

/* Collect full pages, after one wait if there are none yet. */
static int raw_wait_for_pages(struct raw_reader *raw, struct splice_pipe_desc *spd,
			      size_t len, bool nonblock)
{
	int err = raw_collect_pages(raw, spd, len);

	if (err || spd->nr_pages)
		return err;
	if (nonblock)
		return -EAGAIN;
	err = raw_wait(raw, raw_pages_percent(raw));
	if (err || !tracer_tracing_is_on(raw->tr))
		return err;
	return raw_collect_pages(raw, spd, len);
}

static ssize_t trace_pipe_raw_splice(struct file *file, loff_t *pos,
				     struct pipe_inode_info *pipe, size_t len,
				     unsigned int flags)
{
	bool nonblock = (file->f_flags & O_NONBLOCK) || (flags & SPLICE_F_NONBLOCK);
	struct partial_page partial[PIPE_DEF_BUFFERS];
	struct page *pages[PIPE_DEF_BUFFERS];
	struct splice_pipe_desc spd = {
		.pages		= pages,
		.partial	= partial,
		.nr_pages_max	= PIPE_DEF_BUFFERS,
		.ops		= &page_ref_ops,
		.spd_release	= raw_spd_release,
	};
	ssize_t ret;

	if (splice_grow_spd(pipe, &spd))
		return -ENOMEM;
	ret = raw_wait_for_pages(file->private_data, &spd, len, nonblock);
	if (!ret && spd.nr_pages)
		ret = splice_to_pipe(pipe, &spd);
	splice_shrink_spd(&spd);
	return ret;
}

/* Let a user of the mapping have the next page. */
static int raw_get_reader(struct raw_reader *raw, bool nonblock)
{
	int ret = nonblock ? 0 : raw_wait(raw, raw_percent(raw));

	if (ret)
		return ret;
	consume_lock(raw->cpu);
	ret = ring_buffer_map_get_reader(raw_buffer(raw), raw->cpu);
	consume_unlock(raw->cpu);
	return ret;
}

static __poll_t trace_pipe_raw_poll(struct file *file, poll_table *table)
{
	struct raw_reader *raw = file->private_data;
	struct trace_buffer *buffer;
	__poll_t events;

	if (trace_array_opt(raw->tr, TRACE_OPT_BLOCK))
		return EPOLLIN | EPOLLRDNORM;
	do {
		buffer = raw_buffer(raw);
		events = ring_buffer_poll_wait(buffer, raw->cpu, file, table,
					       raw_pages_percent(raw));
		/* A snapshot wakes only tasks that were on the wait queue before it: look again. */
	} while (buffer != raw_buffer(raw));
	return events;
}

static long trace_pipe_raw_ioctl(struct file *file, unsigned int cmd,
				 unsigned long arg)
{
	struct raw_reader *raw = file->private_data;

	if (cmd == TRACE_MMAP_IOCTL_GET_READER && !raw->snapshot)
		return raw_get_reader(raw, file->f_flags & O_NONBLOCK);
	if (cmd)
		return -ENOTTY;
	raw_wake(raw);
	return 0;
}

static const struct file_operations trace_pipe_raw_fops = {
	.open		= trace_pipe_raw_open,
	.read		= trace_pipe_raw_read,
	.splice_read	= trace_pipe_raw_splice,
	.poll		= trace_pipe_raw_poll,
	.unlocked_ioctl	= trace_pipe_raw_ioctl,
	.mmap		= trace_pipe_raw_mmap,
	.flush		= trace_pipe_raw_flush,
	.release	= trace_pipe_raw_release,
};

static const struct file_operations snapshot_raw_fops = {
	.open		= snapshot_raw_open,
	.read		= trace_pipe_raw_read,
	.splice_read	= trace_pipe_raw_splice,
	.poll		= trace_pipe_raw_poll,
	.unlocked_ioctl	= trace_pipe_raw_ioctl,
	.flush		= trace_pipe_raw_flush,
	.release	= trace_pipe_raw_release,
};

static const struct trace_file trace_pipe_raw_files[] = {
	{
		.name	= "trace_pipe_raw",
		.mode	= TRACE_FILE_RO,
		.place	= IN_CPU,
		.fops	= &trace_pipe_raw_fops,
	}, {
		.name	= "snapshot_raw",
		.mode	= TRACE_FILE_RO,
		.place	= IS_ENABLED(CONFIG_TRACER_SNAPSHOT) ? IN_CPU : 0,
		.fops	= &snapshot_raw_fops,
	},
	{ }
};

TRACE_FILES(trace_pipe_raw_files);
