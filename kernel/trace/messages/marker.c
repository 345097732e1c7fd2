// SPDX-License-Identifier: GPL-2.0
/*
 * Records what user space writes to the files trace_marker and trace_marker_raw.
 *
 * The text is copied from user space before a record is reserved: copying may fault and sleep,
 * and until a reserved record is committed, readers see neither it nor later records.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/processor.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "entries.h"
#include "instance/instance.h"
#include "internal.h"
#include "marker.h"
#include "record/export.h"
#include "record/record.h"
#include "types/types.h"

/* Number of bytes that are added to a text: a newline and a NUL. */
#define MARKER_END_BYTES	2

/* Return: @cnt, limited to the number of bytes of text that fit into one record of @buffer. */
static size_t marker_limit_len(struct trace_buffer *buffer, size_t cnt)
{
	size_t most = ring_buffer_max_event_size(buffer) -
		      sizeof(struct print_entry) - MARKER_END_BYTES;

	return min3(cnt, most, (size_t)TRACE_MARKER_MAX);
}

/* How often saving a comm is tried, as others may hold the lock of the saved comms. */
#define MARKER_SAVE_TRIES	100

static bool marker_save_comm(void)
{
	guard(preempt_notrace)();
	return trace_save_cmdline(current);
}

/*
 * Save the comm of current, which writes to trace_marker, now. Usually comms are saved when a task
 * is switched out, but only after trace_cmdlines_start(), which nobody may have called.
 */
static void marker_save_writer_comm(void)
{
	/* Without memory for comms the text is still recorded. */
	trace_cmdlines_prepare();
	for (unsigned int tries = MARKER_SAVE_TRIES; tries && !marker_save_comm(); tries--)
		cpu_relax();
}

static int marker_record_text(struct trace_array *tr, unsigned long ip,
			      const char *text, size_t len)
{
	struct print_entry *entry;
	bool add_end = !len || text[len - 1] != '\n';
	size_t size = sizeof(*entry) + len + add_end + 1;
	struct trace_record rec;

	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), TRACE_PRINT, size, trace_ctx());
	if (!entry)
		return -EBADF;

	entry->ip = ip;
	memcpy(entry->buf, text, len);
	if (add_end)
		entry->buf[len++] = '\n';
	entry->buf[len] = '\0';
	trace_export_marker(entry, size);
	trace_record_end(&rec);
	return 0;
}

const struct trace_marker_ops *trace_marker_ops __ro_after_init;

/*
 * Notify trace_marker_ops of the text. It gets a copy of the record, because the record in the
 * buffer may have been consumed or overwritten by now. Without memory for a copy, it is not
 * notified.
 */
static void marker_notify(struct trace_array *tr, unsigned long ip, const char *text, size_t len)
{
	struct print_entry *entry;

	if (!trace_marker_ops || !trace_marker_ops->is_wanted(tr))
		return;
	entry = kzalloc(struct_size(entry, buf, len + 1), GFP_KERNEL);
	if (!entry)
		return;
	trace_entry_fill(&entry->ent, TRACE_PRINT, trace_ctx(), current);
	entry->ip = ip;
	memcpy(entry->buf, text, len);
	trace_marker_ops->notify(tr, entry);
	kfree(entry);
}

ssize_t tracing_mark_write(struct trace_array *tr, const char __user *ubuf,
			   size_t cnt)
{
	char *text __free(kfree) = NULL;
	unsigned long ip = (unsigned long)tracing_mark_write;
	int ret;

	if (!trace_array_opt(tr, TRACE_OPT_MARKERS) || (ssize_t)cnt < 0)
		return -EINVAL;

	cnt = marker_limit_len(READ_ONCE(tr->buffer), cnt);
	text = memdup_user_nul(ubuf, cnt);
	if (IS_ERR(text))
		return PTR_ERR(no_free_ptr(text));

	marker_save_writer_comm();
	/* Do not end the text at a NUL: some programs write binary data, and read raw records. */
	ret = marker_record_text(tr, ip, text, cnt);
	if (!ret)
		marker_notify(tr, ip, text, cnt);
	return ret ?: cnt;
}

static int marker_record_raw(struct trace_array *tr, const void *data, size_t len)
{
	struct raw_data_entry *entry;
	size_t size = offsetof(struct raw_data_entry, id) + len;
	struct trace_record rec;

	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), TRACE_RAW_DATA, size, trace_ctx());
	if (!entry)
		return -EBADF;

	memcpy((void *)entry + offsetof(struct raw_data_entry, id), data, len);
	trace_export_marker(entry, size);
	trace_record_end(&rec);
	return 0;
}

ssize_t tracing_mark_raw_write(struct trace_array *tr, const char __user *ubuf,
			       size_t cnt)
{
	void *data __free(kfree) = NULL;
	int ret;

	if (!trace_array_opt(tr, TRACE_OPT_MARKERS) ||
	    cnt < sizeof(unsigned int) ||
	    cnt > ring_buffer_max_event_size(READ_ONCE(tr->buffer)) -
		  offsetof(struct raw_data_entry, id))
		return -EINVAL;

	data = memdup_user(ubuf, cnt);
	if (IS_ERR(data))
		return PTR_ERR(no_free_ptr(data));

	marker_save_writer_comm();
	ret = marker_record_raw(tr, data, cnt);
	return ret ?: cnt;
}
