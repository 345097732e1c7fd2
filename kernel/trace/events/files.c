// SPDX-License-Identifier: GPL-2.0
/*
 * The files below events/: what each shows, and does with what is written to it.
 *
 * An event's files know it by the record_type_key() of its type, and a system's files know it
 * by a number that no other has: each show and store looks these up under events_lock, as the
 * event may go with its module while the file is open.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/tracefs.h>

#include "dirs.h"
#include "events.h"
#include "filter.h"
#include "tracefs/files.h"

static unsigned int number_of(const struct trace_node *at)
{
	return (unsigned long)at->data;
}

/* ------------------------------------------------------------------ */
/* How pages and records are laid out					*/

typedef int (*describe_fn)(struct trace_buffer *buffer, struct trace_seq *s);

static int show_description(struct seq_file *m, struct trace_buffer *buffer,
			    describe_fn describe)
{
	struct trace_seq *s = kmalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;
	trace_seq_init(s);
	describe(buffer, s);
	seq_write(m, s->buffer, trace_seq_used(s));
	kfree(s);
	return 0;
}

static int header_page_show(struct seq_file *m, const struct trace_node *at)
{
	return show_description(m, READ_ONCE(at->tr->buffer), ring_buffer_print_page_header);
}

static int describe_event(struct trace_buffer *buffer, struct trace_seq *s)
{
	return ring_buffer_print_entry_header(s);
}

static int header_event_show(struct seq_file *m, const struct trace_node *at)
{
	return show_description(m, READ_ONCE(at->tr->buffer), describe_event);
}

/* ------------------------------------------------------------------ */
/* On and off								*/

/**
 * struct count - what some events are
 * @on: there is one that is on
 * @off: there is one that is off
 */
struct count {
	bool on, off;
};

static void count(struct count *c, const struct trace_event_file *file)
{
	if (file->on)
		c->on = true;
	else
		c->off = true;
}

static int put_count(struct seq_file *m, const struct count *c)
{
	seq_printf(m, "%c\n", !c->on && !c->off ? '?' : c->on && c->off ? 'X' : c->on ? '1' : '0');
	return 0;
}

static int parse_switch(const char *text, bool *on)
{
	unsigned int value;

	if (kstrtouint(text, 10, &value) || value > 1)
		return -EINVAL;
	*on = value;
	return 0;
}

static int all_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;
	struct count c = {};

	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(at->tr)->files, node)
		count(&c, file);
	return put_count(m, &c);
}

static int all_store(const struct trace_node *at, char *text)
{
	bool on;

	return parse_switch(text, &on) ?: events_switch(at->tr, NULL, NULL, on);
}

static struct event_system *system_at(const struct trace_node *at)
{
	struct event_system *system;

	list_for_each_entry(system, &events_of(at->tr)->systems, node)
		if (system->number == number_of(at))
			return system;
	return NULL;
}

static int system_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;
	struct event_system *system;
	struct count c = {};

	guard(mutex)(&events_lock);
	system = system_at(at);
	if (!system)
		return -ENODEV;
	list_for_each_entry(file, &events_of(at->tr)->files, node)
		if (file->system == system)
			count(&c, file);
	return put_count(m, &c);
}

static char *system_name(const struct trace_node *at)
{
	struct event_system *system;

	guard(mutex)(&events_lock);
	system = system_at(at);
	return system ? kstrdup(system->name, GFP_KERNEL) : NULL;
}

static int system_store(const struct trace_node *at, char *text)
{
	char *name;
	bool on;
	int err = parse_switch(text, &on);

	if (err)
		return err;
	name = system_name(at);
	if (!name)
		return -ENODEV;
	err = events_switch(at->tr, name, NULL, on);
	kfree(name);
	return err;
}

struct trace_event_file *event_file_at(const struct trace_node *at)
{
	return event_file_of(at->tr, number_of(at));
}

static int enable_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return -ENODEV;
	seq_printf(m, "%d%s\n", file->on && event_is_let(file), file->soft ? "*" : "");
	return 0;
}

static int enable_store(const struct trace_node *at, char *text)
{
	struct trace_event_file *file;
	bool on;
	int err = parse_switch(text, &on);

	if (!err && on)
		err = event_expand(at->tr);
	if (err)
		return err;
	guard(mutex)(&events_lock);
	file = event_file_at(at);
	return file ? event_switch(file, on) : -ENODEV;
}

/* ------------------------------------------------------------------ */
/* Filters								*/

static int show_of_event(struct seq_file *m, const struct trace_node *at,
			 void (*show)(struct seq_file *m, struct trace_event_file *file))
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return -ENODEV;
	show(m, file);
	return 0;
}

static int filter_show(struct seq_file *m, const struct trace_node *at)
{
	return show_of_event(m, at, event_filter_show);
}

static int filter_stats_show(struct seq_file *m, const struct trace_node *at)
{
	return show_of_event(m, at, event_filter_show_counts);
}

static int filter_store(const struct trace_node *at, char *text)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	return file ? event_filter_set(file, text) : -ENODEV;
}

static int system_filter_show(struct seq_file *m, const struct trace_node *at)
{
	struct event_system *system;

	guard(mutex)(&events_lock);
	system = system_at(at);
	if (!system)
		return -ENODEV;
	event_system_filter_show(m, system);
	return 0;
}

static int system_filter_store(const struct trace_node *at, char *text)
{
	struct event_system *system;

	guard(mutex)(&events_lock);
	system = system_at(at);
	return system ? event_system_filter_set(system, text) : -ENODEV;
}

/* ------------------------------------------------------------------ */
/* Triggers								*/

static int trigger_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return -ENODEV;
	event_trigger_ops->show(m, file);
	return 0;
}

static int trigger_store(const struct trace_node *at, char *text)
{
	return event_trigger_ops->write(at->tr, number_of(at), text);
}

static int trigger_truncate(const struct trace_node *at)
{
	return event_trigger_ops->clear(at->tr, number_of(at));
}

#ifdef CONFIG_HIST_TRIGGERS_DEBUG

static int hist_debug_show(struct seq_file *m, const struct trace_node *at)
{
	return show_of_event(m, at, event_trigger_ops->show_debug);
}

static const struct trace_file hist_debug_row = { .show = hist_debug_show };
TRACE_TEXT_FOPS(hist_debug_fops, hist_debug_row);

#endif

#ifdef CONFIG_TRACE_EVENT_INJECT

static int inject_store(const struct trace_node *at, char *text)
{
	struct trace_event_file *file;
	int err = event_expand(at->tr);

	if (err)
		return err;
	guard(mutex)(&events_lock);
	file = event_file_at(at);
	return file ? event_inject(file, text) : -ENODEV;
}

static int inject_show(struct seq_file *m, const struct trace_node *at)
{
	return -EPERM;
}

static const struct trace_file inject_row = { .show = inject_show, .store = inject_store };
TRACE_TEXT_FOPS(inject_fops, inject_row);

#endif

/* ------------------------------------------------------------------ */
/* What an event is							*/

static void print_fmt_of_event(struct seq_file *m, const struct record_type *type)
{
	event_print_fmt(m, container_of(type, struct event, type));
}

static void print_fmt_as_is(struct seq_file *m, const struct record_type *type)
{
	seq_puts(m, type->print_fmt);
}

static unsigned int id_of(const struct trace_node *at)
{
	return number_of(at) & TRACE_EVENT_TYPE_MAX;
}

static int format_show(struct seq_file *m, const struct trace_node *at)
{
	const struct record_type *type;

	guard(mutex)(&events_lock);
	type = record_type_of(id_of(at));
	if (!type || record_type_key(type) != number_of(at))
		return -ENODEV;
	record_format_show(m, type, type->id < TRACE_FIRST_EVENT ?
			   print_fmt_as_is : print_fmt_of_event);
	return 0;
}

static int id_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%u\n", id_of(at));
	return 0;
}

/* ------------------------------------------------------------------ */
/* What is in which directory						*/

static const struct trace_file all_row = { .show = all_show, .store = all_store };
static const struct trace_file header_page_row = { .show = header_page_show };
static const struct trace_file header_event_row = { .show = header_event_show };
static const struct trace_file system_row = { .show = system_show, .store = system_store };
static const struct trace_file enable_row = { .show = enable_show, .store = enable_store };
static const struct trace_file filter_row = { .show = filter_show, .store = filter_store };
static const struct trace_file filter_stats_row = { .show = filter_stats_show };
static const struct trace_file trigger_row = { .show = trigger_show, .store = trigger_store,
					       .truncate = trigger_truncate };
static const struct trace_file format_row = { .show = format_show };
static const struct trace_file id_row = { .show = id_show };
static const struct trace_file system_filter_row = {
	.show = system_filter_show, .store = system_filter_store,
};

TRACE_TEXT_FOPS(all_fops, all_row);
TRACE_TEXT_FOPS(header_page_fops, header_page_row);
TRACE_TEXT_FOPS(header_event_fops, header_event_row);
TRACE_TEXT_FOPS(system_fops, system_row);
TRACE_TEXT_FOPS(enable_fops, enable_row);
TRACE_TEXT_FOPS(filter_fops, filter_row);
TRACE_TEXT_FOPS(filter_stats_fops, filter_stats_row);
TRACE_TEXT_FOPS(trigger_fops, trigger_row);
TRACE_TEXT_FOPS(system_filter_fops, system_filter_row);
TRACE_TEXT_FOPS(format_fops, format_row);
TRACE_TEXT_FOPS(id_fops, id_row);

/**
 * struct event_file - a file of a directory of events
 * @name: its name
 * @mode: its permissions
 * @fops: its operations
 */
struct event_file {
	const char			*name;
	umode_t				mode;
	const struct file_operations	*fops;
};

static int make_file(const struct event_file *files, const char *name, umode_t *mode,
		     const struct file_operations **fops)
{
	for (; files->name; files++) {
		if (strcmp(files->name, name))
			continue;
		*mode = files->mode;
		*fops = files->fops;
		return 1;
	}
	return 0;
}

static int make_of_all(const char *name, umode_t *mode, void **data,
		       const struct file_operations **fops)
{
	static const struct event_file files[] = {
		{ "enable", TRACE_FILE_RW, &all_fops },
		{ "header_page", TRACE_FILE_RO, &header_page_fops },
		{ "header_event", TRACE_FILE_RO, &header_event_fops },
		{ }
	};

	return make_file(files, name, mode, fops);
}

static int make_of_system(const char *name, umode_t *mode, void **data,
			  const struct file_operations **fops)
{
	static const struct event_file files[] = {
		{ "enable", TRACE_FILE_RW, &system_fops },
		{ "filter", TRACE_FILE_RW, &system_filter_fops },
		{ }
	};

	return make_file(files, name, mode, fops);
}

static int make_of_event(const char *name, umode_t *mode, void **data,
			 const struct file_operations **fops)
{
	static const struct event_file files[] = {
		{ "format", TRACE_FILE_RO, &format_fops },
		{ "id", TRACE_FILE_RO, &id_fops },
		{ "enable", TRACE_FILE_RW, &enable_fops },
		{ "filter", TRACE_FILE_RW, &filter_fops },
		{ "filter_stats", TRACE_FILE_RO, &filter_stats_fops },
		{ "trigger", TRACE_FILE_RW, &trigger_fops },
#ifdef CONFIG_HIST_TRIGGERS
		{ "hist", TRACE_FILE_RO, &event_hist_fops },
#endif
#ifdef CONFIG_HIST_TRIGGERS_DEBUG
		{ "hist_debug", TRACE_FILE_RO, &hist_debug_fops },
#endif
#ifdef CONFIG_TRACE_EVENT_INJECT
		{ "inject", TRACE_FILE_WO, &inject_fops },
#endif
		{ }
	};

	return make_file(files, name, mode, fops);
}

static const struct eventfs_entry top_entries[] = {
	{ .name = "enable",		.callback = make_of_all },
	{ .name = "header_page",	.callback = make_of_all },
	{ .name = "header_event",	.callback = make_of_all },
};

static const struct eventfs_entry system_entries[] = {
	{ .name = "enable",		.callback = make_of_system },
	{ .name = "filter",		.callback = make_of_system },
};

static const struct eventfs_entry event_entries[] = {
	{ .name = "format",		.callback = make_of_event },
	{ .name = "id",			.callback = make_of_event },
	{ .name = "enable",		.callback = make_of_event },
	{ .name = "filter",		.callback = make_of_event },
	{ .name = "filter_stats",	.callback = make_of_event },
	{ .name = "trigger",		.callback = make_of_event },
#ifdef CONFIG_HIST_TRIGGERS
	{ .name = "hist",		.callback = make_of_event },
#endif
#ifdef CONFIG_HIST_TRIGGERS_DEBUG
	{ .name = "hist_debug",		.callback = make_of_event },
#endif
#ifdef CONFIG_TRACE_EVENT_INJECT
	{ .name = "inject",		.callback = make_of_event },
#endif
};

/* What is written to trace_marker makes things happen. */
static const struct eventfs_entry print_entries[] = {
	{ .name = "format",		.callback = make_of_event },
	{ .name = "id",			.callback = make_of_event },
	{ .name = "trigger",		.callback = make_of_event },
#ifdef CONFIG_HIST_TRIGGERS
	{ .name = "hist",		.callback = make_of_event },
#endif
#ifdef CONFIG_HIST_TRIGGERS_DEBUG
	{ .name = "hist_debug",		.callback = make_of_event },
#endif
};

/* The tracer's other events are not switched, and some tell no number. */
static const struct eventfs_entry own_entries[] = {
	{ .name = "format",		.callback = make_of_event },
	{ .name = "id",			.callback = make_of_event },
};

const struct event_dir_files event_files_of_all = {
	top_entries, ARRAY_SIZE(top_entries),
};

const struct event_dir_files event_files_of_system = {
	system_entries, ARRAY_SIZE(system_entries),
};

const struct event_dir_files event_files_of_event = {
	event_entries, ARRAY_SIZE(event_entries),
};

const struct event_dir_files event_files_of_print = {
	print_entries, ARRAY_SIZE(print_entries),
};

const struct event_dir_files event_files_of_own = {
	own_entries, ARRAY_SIZE(own_entries),
};

const struct event_dir_files event_files_of_own_without_id = {
	own_entries, 1,
};
