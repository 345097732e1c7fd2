// SPDX-License-Identifier: GPL-2.0
/*
 * The file dynamic_events: a line for each event that users have made. ``-:NAME``, or a ! and
 * the line itself, takes one away.
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

/* Up to behind the last newline. */
static size_t whole_lines(const char *text, size_t len)
{
	while (len && text[len - 1] != '\n')
		len--;
	return len;
}

static int obey_lines(char *text, int (*obey)(char *line, const void *data),
		      const void *data)
{
	char *line;
	int err = 0;

	while (!err && (line = strsep(&text, "\n"))) {
		line[strcspn(line, "#")] = '\0';
		line = strim(line);
		if (*line)
			err = obey(line, data);
	}
	return err;
}

/* A page of whole lines at once. Return: how much that was, or an errno. */
static ssize_t obey_page(const char __user *ubuf, size_t count,
			 int (*obey)(char *line, const void *data), const void *data)
{
	size_t len = min(count, PAGE_SIZE - 1);
	char *text = memdup_user_nul(ubuf, len);
	int err = -EINVAL;

	if (IS_ERR(text))
		return PTR_ERR(text);
	if (len < count)
		len = whole_lines(text, len);
	text[len] = '\0';
	if (len || !count)
		err = obey_lines(text, obey, data);
	else
		pr_warn("a line is too long\n");
	kfree(text);
	return err ?: len;
}

ssize_t dyn_events_obey(const char __user *ubuf, size_t count,
			int (*obey)(char *line, const void *data), const void *data)
{
	size_t done = 0;
	ssize_t len;

	do {
		len = obey_page(ubuf + done, count - done, obey, data);
		if (len < 0)
			return len;
		done += len;
	} while (done < count);
	return done;
}

/* ------------------------------------------------------------------ */
/* Kinds								*/

/* All of them are there when the first line comes. */
static LIST_HEAD(kinds);

void dyn_event_kind_add(struct dyn_event_kind *kind)
{
	list_add_tail(&kind->node, &kinds);
}

static bool is_of(const struct dyn_event_kind *one, const struct dyn_event_kind *wanted)
{
	return !wanted || one == wanted;
}

static int create(const struct dyn_event_kind *wanted, const char *line)
{
	struct dyn_event_kind *kind;
	int err;

	list_for_each_entry(kind, &kinds, node) {
		err = is_of(kind, wanted) ? kind->create(line) : -ECANCELED;
		if (err != -ECANCELED)
			return err;
	}
	return -EINVAL;
}

static int remove(const struct dyn_event_kind *wanted, const struct dyn_event_name *name)
{
	struct dyn_event *ev, *next;
	int err = -ENOENT;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry_safe(ev, next, &all_dyn_events, node) {
		if (!is_of(ev->kind, wanted) || !ev->kind->is(ev, name))
			continue;
		err = ev->kind->remove(ev);
		if (err)
			break;
	}
	return err;
}

/* ``-:[SYSTEM/]EVENT ...``, or ``!X:[SYSTEM/]EVENT ...``, where X is whatever made it. */
static int remove_line(const struct dyn_event_kind *wanted, char *line)
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
	return *event || name.system ? remove(wanted, &name) : -EINVAL;
}

int dyn_event_obey(const struct dyn_event_kind *kind, char *line)
{
	return *line == '-' || *line == '!' ? remove_line(kind, line) : create(kind, line);
}

static int obey(char *line, const void *kind)
{
	return dyn_event_obey(kind, line);
}

/* ------------------------------------------------------------------ */
/* Files								*/

int dyn_event_file_show(struct seq_file *m, const struct trace_node *at)
{
	const struct dyn_event_kind *kind = at->row->data;
	struct dyn_event *ev;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry(ev, &all_dyn_events, node) {
		/* All of it is written anew, with more room. */
		if (seq_has_overflowed(m))
			break;
		if (is_of(ev->kind, kind))
			ev->kind->show(m, ev);
	}
	return 0;
}

ssize_t dyn_event_file_write(const struct trace_node *at, const char __user *ubuf,
			     size_t count)
{
	return dyn_events_obey(ubuf, count, obey, at->row->data);
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
