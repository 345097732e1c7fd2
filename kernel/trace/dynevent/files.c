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

static int obey_lines(char *text, int (*obey)(char *line))
{
	char *line;
	int err = 0;

	while (!err && (line = strsep(&text, "\n"))) {
		line[strcspn(line, "#")] = '\0';
		line = strim(line);
		if (*line)
			err = obey(line);
	}
	return err;
}

/* A page of whole lines at once; who writes comes again with the rest. */
ssize_t dyn_events_obey(const char __user *ubuf, size_t count, int (*obey)(char *line))
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
		err = obey_lines(text, obey);
	else
		pr_warn("a line is too long\n");
	kfree(text);
	return err ?: len;
}

/* ------------------------------------------------------------------ */
/* Kinds								*/

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
	guard(mutex)(&dyn_events_lock);
	return *line == '-' || *line == '!' ? remove_line(kind, line) : create(kind, line);
}

static int obey(char *line)
{
	return dyn_event_obey(NULL, line);
}

/* ------------------------------------------------------------------ */
/* The file								*/

void dyn_events_show(struct seq_file *m, const struct dyn_event_kind *kind)
{
	struct dyn_event *ev;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry(ev, &all_dyn_events, node)
		if (is_of(ev->kind, kind))
			ev->kind->show(m, ev);
}

static int dynamic_events_show(struct seq_file *m, const struct trace_node *at)
{
	dyn_events_show(m, NULL);
	return 0;
}

static ssize_t dynamic_events_write(const struct trace_node *at, const char __user *ubuf,
				    size_t count)
{
	return dyn_events_obey(ubuf, count, obey);
}

static int dynamic_events_truncate(const struct trace_node *at)
{
	return dyn_events_clear(NULL);
}

static const struct trace_file dynamic_events_files[] = {
	{
		.name		= "dynamic_events",
		.mode		= TRACE_FILE_RW,
		.place		= IN_TOP,
		.show		= dynamic_events_show,
		.write		= dynamic_events_write,
		.truncate	= dynamic_events_truncate,
	},
	{ }
};

TRACE_FILES(dynamic_events_files);
