// SPDX-License-Identifier: GPL-2.0
/*
 * Control files of the buffer: its size and its statistics. The ways to read the buffer have
 * files of their own.
 */
#include <linux/cpumask.h>
#include <linux/kstrtox.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>

#include "clock/clock.h"
#include "instance/instance.h"
#include "tracefs/files.h"
#include "tracers/left_out.h"

/* Files buffer_size_kb, buffer_total_size_kb, buffer_subbuf_size_kb, buffer_percent */

/* The size that all CPUs with a buffer have in common; 0 if the sizes differ. */
static unsigned long buffer_common_size(struct trace_array *tr)
{
	struct trace_buffer *buffer = READ_ONCE(tr->buffer);
	unsigned long one, size = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		one = ring_buffer_size(buffer, cpu);
		if (!size)
			size = one;
		else if (one && one != size)
			return 0;
	}
	return size;
}

static void buffer_put_size(struct seq_file *m, const struct trace_array *tr,
			    unsigned long now, unsigned long expanded)
{
	if (tr->expanded)
		seq_printf(m, "%lu\n", now);
	else
		seq_printf(m, "%lu (expanded: %lu)\n", now, expanded);
}

static int buffer_size_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_array *tr = at->tr;
	unsigned long size;

	guard(mutex)(&trace_lock);
	if (at->cpu != RING_BUFFER_ALL_CPUS) {
		seq_printf(m, "%lu\n", ring_buffer_size(READ_ONCE(tr->buffer), at->cpu) >> 10);
		return 0;
	}
	size = buffer_common_size(tr);
	if (size)
		buffer_put_size(m, tr, size >> 10, tr->buf_size >> 10);
	else
		seq_puts(m, "X\n");
	return 0;
}

static int buffer_size_store(const struct trace_node *at, char *text)
{
	unsigned long kb;
	int err = kstrtoul(text, 10, &kb);

	if (err)
		return err;
	if (!kb || kb > ULONG_MAX >> 10)
		return -EINVAL;
	return tracing_resize(at->tr, kb << 10, at->cpu);
}

static int buffer_total_size_show(struct seq_file *m, const struct trace_node *at)
{
	unsigned long now = 0, expanded = 0;
	struct trace_array *tr = at->tr;
	int cpu;

	guard(mutex)(&trace_lock);
	for_each_possible_cpu(cpu) {
		now += ring_buffer_size(READ_ONCE(tr->buffer), cpu) >> 10;
		expanded += tr->buf_size >> 10;
	}
	buffer_put_size(m, tr, now, expanded);
	return 0;
}

/* Maximum that user space may request: 2^7 pages. */
#define SUBBUF_ORDER_MAX	7
#define SUBBUF_KB_MAX		((PAGE_SIZE << SUBBUF_ORDER_MAX) >> 10)

static int subbuf_size_show(struct seq_file *m, const struct trace_node *at)
{
	int order = ring_buffer_subbuf_order_get(READ_ONCE(at->tr->buffer));

	seq_printf(m, "%lu\n", (PAGE_SIZE << order) >> 10);
	return 0;
}

static int subbuf_size_store(const struct trace_node *at, char *text)
{
	unsigned long kb;

	if (kstrtoul(text, 10, &kb) || !kb || kb > SUBBUF_KB_MAX)
		return -EINVAL;
	return tracing_set_subbuf_order(at->tr, get_order(kb << 10));
}

static int buffer_percent_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%u\n", READ_ONCE(at->tr->buffer_percent));
	return 0;
}

static int buffer_percent_store(const struct trace_node *at, char *text)
{
	unsigned int percent;

	if (kstrtouint(text, 10, &percent) || percent > 100)
		return -EINVAL;
	WRITE_ONCE(at->tr->buffer_percent, percent);
	return 0;
}

/* File stats */

static void stats_put_stamp(struct seq_file *m, const char *what, u64 ts, bool in_ns)
{
	u64 secs;
	u32 usecs;

	if (!in_ns) {
		seq_printf(m, "%s: %llu\n", what, ts);
		return;
	}
	secs = div_u64_rem(div_u64(ts + 500, NSEC_PER_USEC), USEC_PER_SEC, &usecs);
	seq_printf(m, "%s: %5llu.%06u\n", what, secs, usecs);
}

/* The line is printed only if calls were left out: tools know the other lines only. */
static void stats_put_left_out(struct seq_file *m, u64 calls)
{
	if (calls)
		seq_printf(m, "calls left out: %llu\n", calls);
}

static int stats_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_buffer *buffer = READ_ONCE(at->tr->buffer);
	bool in_ns = trace_clocks[READ_ONCE(at->tr->clock_id)].in_ns;
	int cpu = at->cpu;

	seq_printf(m, "entries: %lu\n", ring_buffer_entries_cpu(buffer, cpu));
	seq_printf(m, "overrun: %lu\n", ring_buffer_overrun_cpu(buffer, cpu));
	seq_printf(m, "commit overrun: %lu\n",
		   ring_buffer_commit_overrun_cpu(buffer, cpu));
	seq_printf(m, "bytes: %lu\n", ring_buffer_bytes_cpu(buffer, cpu));
	stats_put_stamp(m, "oldest event ts", ring_buffer_oldest_event_ts(buffer, cpu), in_ns);
	stats_put_stamp(m, "now ts", ring_buffer_time_stamp(buffer), in_ns);
	seq_printf(m, "dropped events: %lu\n",
		   ring_buffer_dropped_events_cpu(buffer, cpu));
	seq_printf(m, "read events: %lu\n", ring_buffer_read_events_cpu(buffer, cpu));
	stats_put_left_out(m, left_out_calls(at->tr, cpu));
	return 0;
}

/* Data written to free_buffer is ignored; the buffer is freed when the file is closed. */
static ssize_t free_buffer_write(struct file *file, const char __user *ubuf,
				 size_t count, loff_t *pos)
{
	return count;
}

static void free_buffer(struct trace_array *tr)
{
	if (trace_array_opt(tr, TRACE_OPT_STOP_ON_FREE))
		tracing_set_on(tr, false);
	tracing_resize(tr, 0, RING_BUFFER_ALL_CPUS);
}

/*
 * A program that keeps the file open for writing frees the buffer when it dies. A program that
 * opens all files for reading does not.
 */
static int free_buffer_release(struct inode *inode, struct file *file)
{
	const struct trace_node *node = file->private_data;

	if (file->f_mode & FMODE_WRITE)
		free_buffer(node->tr);
	return trace_stream_release(inode, file);
}

static const struct file_operations free_buffer_fops = {
	.open		= trace_stream_open,
	.write		= free_buffer_write,
	.release	= free_buffer_release,
};

static const struct trace_file buffer_files[] = {
	{
		.name	= "stats",
		.mode	= TRACE_FILE_RO,
		.place	= IN_CPU,
		.show	= stats_show,
	}, {
		.name	= "buffer_size_kb",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE | IN_CPU,
		.show	= buffer_size_show,
		.store	= buffer_size_store,
	}, {
		.name	= "buffer_total_size_kb",
		.mode	= TRACE_FILE_RO,
		.place	= IN_INSTANCE,
		.show	= buffer_total_size_show,
	}, {
		.name	= "buffer_subbuf_size_kb",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE,
		.show	= subbuf_size_show,
		.store	= subbuf_size_store,
	}, {
		.name	= "buffer_percent",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE,
		.show	= buffer_percent_show,
		.store	= buffer_percent_store,
	}, {
		.name	= "free_buffer",
		.mode	= TRACE_FILE_WO,
		.place	= IN_INSTANCE,
		.fops	= &free_buffer_fops,
	},
	{ }
};

TRACE_FILES(buffer_files);
