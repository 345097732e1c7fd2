// SPDX-License-Identifier: GPL-2.0
/*
 * What user space writes into the trace.
 *
 * The text is fetched before anything is reserved: fetching may fault and
 * sleep, and an entry that waits for its writer would hold up the buffer.
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
#include "marker.h"
#include "record/export.h"
#include "record/record.h"
#include "types/types.h"

/* Room for a line end and the closing NUL. */
#define MARKER_TAIL	2

static size_t marker_fit(struct trace_buffer *buffer, size_t cnt)
{
	size_t most = ring_buffer_max_event_size(buffer) -
		      sizeof(struct print_entry) - MARKER_TAIL;

	return min3(cnt, most, (size_t)TRACE_MARKER_MAX);
}

/* Whoever has the names has some of them only, and has to let others have them. */
#define SAVE_TRIES	100

static bool save_name(void)
{
	guard(preempt_notrace)();
	return trace_save_cmdline(current);
}

/*
 * The task is known here and now: no need to wait for it to be switched out, when perhaps nobody
 * looks any more.
 */
static void save_writer(void)
{
	/* Without memory the entry is recorded all the same. */
	trace_cmdlines_prepare();
	for (unsigned int tries = SAVE_TRIES; tries && !save_name(); tries--)
		cpu_relax();
}

static int mark_text(struct trace_array *tr, unsigned long ip,
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

/* A copy: that in the buffer is a reader's by now. Without memory nobody is told. */
static void tell(struct trace_array *tr, unsigned long ip, const char *text, size_t len)
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
	trace_marker_ops->told(tr, entry);
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

	cnt = marker_fit(READ_ONCE(tr->buffer), cnt);
	text = memdup_user_nul(ubuf, cnt);
	if (IS_ERR(text))
		return PTR_ERR(no_free_ptr(text));

	save_writer();
	/* Programs write other data than text as well, and read it raw: NULs are kept. */
	ret = mark_text(tr, ip, text, cnt);
	if (!ret)
		tell(tr, ip, text, cnt);
	return ret ?: cnt;
}

static int mark_raw(struct trace_array *tr, const void *data, size_t len)
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

	save_writer();
	ret = mark_raw(tr, data, cnt);
	return ret ?: cnt;
}
