// SPDX-License-Identifier: GPL-2.0
/*
 * The file hist of an event: shows what its histograms have counted, and lets poll() wait for
 * more.
 *
 * Once an open file has been polled, the histograms of the event wake the tasks that wait, until
 * the file is closed. Histograms that are attached later do so as well.
 */
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "events/dir_files.h"
#include "events/events.h"
#include "internal.h"

static u64 hist_file_hits(struct trace_event_file *file)
{
	const struct hist *h;
	u64 hits = 0;

	for (h = hist_next(file, NULL); h; h = hist_next(file, h))
		hits += hist_hits(h);
	return hits;
}

static int hist_file_show_counts(struct seq_file *m, struct trace_event_file *file)
{
	unsigned int nr = 0;
	struct hist *h;
	int err = 0;

	for (h = hist_next(file, NULL); h && !err; h = hist_next(file, h))
		err = hist_show_counts(m, h, nr++);
	return err;
}

static int hist_file_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;
	struct hist_reader *reader;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return -ENODEV;
	reader = hist_reader_at(at);
	/* Read before the counts are shown: hits during the output count as new. */
	reader->read = hist_file_hits(file);
	reader->polled = reader->read;
	return hist_file_show_counts(m, file);
}

static const struct trace_file hist_file_row = { .show = hist_file_show };

/* Hits before the file is opened are not new to its user, although they have not been read. */
static void hist_file_begin(struct hist_reader *reader)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	hist_reader_add(reader);
	file = event_file_at(reader->at);
	if (file)
		reader->polled = hist_file_hits(file);
}

static int hist_file_open(struct inode *inode, struct file *opened)
{
	struct hist_reader *reader = kzalloc(sizeof(*reader), GFP_KERNEL);
	int err = reader ? trace_text_open(inode, opened, &hist_file_row) : -ENOMEM;

	if (err) {
		kfree(reader);
		return err;
	}
	reader->at = trace_text_node(opened);
	hist_file_begin(reader);
	return 0;
}

/* Called when a reader of the file has begun or stopped to wait. */
static void hist_file_update_waiting(struct trace_event_file *file)
{
	struct hist *h;

	for (h = hist_next(file, NULL); h; h = hist_next(file, h))
		hist_poll_update(h);
}

static void hist_file_start_waiting(struct trace_event_file *file, struct hist_reader *reader)
{
	if (reader->waits)
		return;
	reader->waits = true;
	hist_file_update_waiting(file);
}

/*
 * Return: EPOLLIN if there are hits that this file has not shown; EPOLLPRI if there are hits
 * since the last poll().
 */
static __poll_t hist_file_poll(struct file *opened, struct poll_table_struct *wait)
{
	const struct trace_node *at = trace_text_node(opened);
	struct trace_event_file *file;
	struct hist_reader *reader;
	__poll_t what = 0;
	u64 hits;

	poll_wait(opened, &hist_waiters, wait);
	poll_wait(opened, &event_removal_waiters, wait);
	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return EPOLLERR;
	reader = hist_reader_at(at);
	hist_file_start_waiting(file, reader);
	/*
	 * The caller is in the queue before the counts are read. Pairs with the barrier in
	 * hist_wake().
	 */
	smp_mb();
	hits = hist_file_hits(file);
	if (hits != reader->read)
		what |= EPOLLIN | EPOLLRDNORM;
	if (hits != reader->polled)
		what |= EPOLLPRI;
	reader->polled = hits;
	return what;
}

static void hist_file_end(const struct trace_node *at)
{
	struct trace_event_file *file;
	struct hist_reader *reader;

	guard(mutex)(&events_lock);
	reader = hist_reader_at(at);
	hist_reader_remove(reader);
	file = event_file_at(at);
	if (file && reader->waits)
		hist_file_update_waiting(file);
	kfree(reader);
}

static int hist_file_release(struct inode *inode, struct file *opened)
{
	hist_file_end(trace_text_node(opened));
	return trace_text_release(inode, opened);
}

static const struct file_operations hist_file_fops = {
	.open		= hist_file_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.write		= trace_text_write,
	.poll		= hist_file_poll,
	.llseek		= trace_file_llseek,
	.release	= hist_file_release,
};

static const struct trace_file hist_files[] = {
	{
		.name	= "hist",
		.mode	= TRACE_FILE_RO,
		.place	= IN_EVENT | IN_PRINT_EVENT,
		.fops	= &hist_file_fops,
	},
	{ }
};

EVENT_DIR_FILES(hist_files);
