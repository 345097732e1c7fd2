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
#include <linux/wait.h>

#include "dirs.h"
#include "events.h"
#include "tracefs/files.h"

DECLARE_WAIT_QUEUE_HEAD(event_hist_waiters);

static int hist_file_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return -ENODEV;
	/* Read before the counts are shown: hits during the output count as new. */
	at->seen->read = event_trigger_ops->hits(file);
	at->seen->polled = at->seen->read;
	return event_trigger_ops->show_counts(m, file);
}

static const struct trace_file hist_file_row = { .show = hist_file_show };

/* Hits before the file is opened are not new to its user, although they have not been read. */
static int hist_file_open(struct inode *inode, struct file *opened)
{
	int err = trace_text_open(inode, opened, &hist_file_row);
	struct trace_event_file *file;
	const struct trace_node *at;

	if (err)
		return err;
	at = trace_text_node(opened);
	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (file)
		at->seen->polled = event_trigger_ops->hits(file);
	return 0;
}

static void hist_file_start_polling(struct trace_event_file *file, struct trace_seen *seen)
{
	if (seen->waits)
		return;
	seen->waits = true;
	if (!file->polled++)
		event_trigger_ops->polled(file);
}

/*
 * Return: EPOLLIN if there are hits that this file has not shown; EPOLLPRI if there are hits
 * since the last poll().
 */
static __poll_t hist_file_poll(struct file *opened, struct poll_table_struct *wait)
{
	const struct trace_node *at = trace_text_node(opened);
	struct trace_event_file *file;
	__poll_t what = 0;
	u64 hits;

	poll_wait(opened, &event_hist_waiters, wait);
	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return EPOLLERR;
	hist_file_start_polling(file, at->seen);
	/*
	 * The caller is in the queue before the counts are read. Pairs with the barrier in
	 * hist_wake().
	 */
	smp_mb();
	hits = event_trigger_ops->hits(file);
	if (hits != at->seen->read)
		what |= EPOLLIN | EPOLLRDNORM;
	if (hits != at->seen->polled)
		what |= EPOLLPRI;
	at->seen->polled = hits;
	return what;
}

static void hist_file_stop_polling(const struct trace_node *at)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (file && at->seen->waits && !--file->polled)
		event_trigger_ops->polled(file);
}

static int hist_file_release(struct inode *inode, struct file *opened)
{
	hist_file_stop_polling(trace_text_node(opened));
	return trace_text_release(inode, opened);
}

const struct file_operations event_hist_fops = {
	.open		= hist_file_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.write		= trace_text_write,
	.poll		= hist_file_poll,
	.llseek		= trace_file_llseek,
	.release	= hist_file_release,
};
