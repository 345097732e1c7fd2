// SPDX-License-Identifier: GPL-2.0
/*
 * The file dynamic_events: a line for each dynamic event. Writing ``-:NAME``, or the line itself
 * with a ``!`` in front, removes an event.
 */
#define pr_fmt(fmt) "trace dynamic events: " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "dynevent.h"
#include "tracefs/files.h"

/* ------------------------------------------------------------------ */
/* Lines								*/

/* Length of the text up to and including its last newline. */
static size_t dyn_whole_lines_len(const char *text, size_t len)
{
	while (len && text[len - 1] != '\n')
		len--;
	return len;
}

static int dyn_apply_lines(char *text, int (*apply)(char *line, const void *data),
			   const void *data)
{
	char *line;
	int err = 0;

	while (!err && (line = strsep(&text, "\n"))) {
		line[strcspn(line, "#")] = '\0';
		line = strim(line);
		if (*line)
			err = apply(line, data);
	}
	return err;
}

/* Apply up to a page of whole lines. Return: number of bytes applied, or an errno. */
static ssize_t dyn_apply_page(const char __user *ubuf, size_t count,
			      int (*apply)(char *line, const void *data), const void *data)
{
	size_t len = min(count, PAGE_SIZE - 1);
	char *text = memdup_user_nul(ubuf, len);
	int err = -EINVAL;

	if (IS_ERR(text))
		return PTR_ERR(text);
	if (len < count)
		len = dyn_whole_lines_len(text, len);
	text[len] = '\0';
	if (len || !count)
		err = dyn_apply_lines(text, apply, data);
	else
		pr_warn("a line is too long\n");
	kfree(text);
	return err ?: len;
}

ssize_t dyn_events_apply_text(const char __user *ubuf, size_t count,
			      int (*apply)(char *line, const void *data), const void *data)
{
	size_t done = 0;
	ssize_t len;

	do {
		len = dyn_apply_page(ubuf + done, count - done, apply, data);
		if (len < 0)
			return len;
		done += len;
	} while (done < count);
	return done;
}

/* ------------------------------------------------------------------ */
/* Kinds								*/

/* All kinds. Needs no lock: complete before the first line is written. */
static LIST_HEAD(dyn_event_kinds);

void __init dyn_event_kind_add(struct dyn_event_kind *kind)
{
	list_add_tail(&kind->node, &dyn_event_kinds);
}

static bool dyn_kind_is_wanted(const struct dyn_event_kind *kind,
			       const struct dyn_event_kind *wanted)
{
	return !wanted || kind == wanted;
}

static int dyn_event_create(const struct dyn_event_kind *wanted, const char *line)
{
	struct dyn_event_kind *kind;
	int err;

	list_for_each_entry(kind, &dyn_event_kinds, node) {
		err = dyn_kind_is_wanted(kind, wanted) ? kind->create(line) : -ECANCELED;
		if (err != -ECANCELED)
			return err;
	}
	return -EINVAL;
}

static int dyn_event_remove(const struct dyn_event_kind *wanted, const struct dyn_event_name *name)
{
	struct dyn_event *ev, *next;
	int err = -ENOENT;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry_safe(ev, next, &all_dyn_events, node) {
		if (!dyn_kind_is_wanted(ev->kind, wanted) || !ev->kind->matches(ev, name))
			continue;
		err = ev->kind->remove(ev);
		if (err)
			break;
	}
	return err;
}

/* ``-:[SYSTEM/]EVENT ...``, or ``!X:[SYSTEM/]EVENT ...``, where X: began the creating line. */
static int dyn_event_remove_line(const struct dyn_event_kind *wanted, char *line)
{
	struct dyn_event_name name = {};
	char *word = strsep(&line, " \t"), *event = strchr(word, ':');

	if (!event || (*word == '-' && event != word + 1))
		return -EINVAL;
	event++;
	if (strchr(event, '/'))
		name.system = strsep(&event, "/");
	name.event = event;
	name.rest = line ? skip_spaces(line) : NULL;
	return *event || name.system ? dyn_event_remove(wanted, &name) : -EINVAL;
}

int dyn_event_apply_line(const struct dyn_event_kind *kind, char *line)
{
	return *line == '-' || *line == '!' ? dyn_event_remove_line(kind, line) :
					      dyn_event_create(kind, line);
}

static int dyn_event_file_apply_line(char *line, const void *kind)
{
	return dyn_event_apply_line(kind, line);
}

/* ------------------------------------------------------------------ */
/* Files								*/

int dyn_event_file_show(struct seq_file *m, const struct trace_node *at)
{
	const struct dyn_event_kind *kind = at->row->data;
	struct dyn_event *ev;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry(ev, &all_dyn_events, node) {
		/* The reader starts again with a larger buffer. */
		if (seq_has_overflowed(m))
			break;
		if (dyn_kind_is_wanted(ev->kind, kind))
			ev->kind->show(m, ev);
	}
	return 0;
}

ssize_t dyn_event_file_write(const struct trace_node *at, const char __user *ubuf,
			     size_t count)
{
	return dyn_events_apply_text(ubuf, count, dyn_event_file_apply_line, at->row->data);
}

int dyn_event_file_truncate(const struct trace_node *at)
{
	return dyn_events_clear(at->row->data);
}

static const struct trace_file dynamic_events_files[] = {
	{
		.name		= "dynamic_events",
		.mode		= TRACE_FILE_RW,
		.place		= IN_TOP,
		.room		= SZ_64K,
		.show		= dyn_event_file_show,
		.write		= dyn_event_file_write,
		.truncate	= dyn_event_file_truncate,
	},
	{ }
};

TRACE_FILES(dynamic_events_files);
