// SPDX-License-Identifier: GPL-2.0
/*
 * The files below events/: what reads show and what writes do.
 *
 * A file of an event has the record_type_key() of its type as its data, a file of a system
 * &event_system.number. Each show and store looks that up under events_lock, because the event
 * may be removed with its module while the file is open.
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
#include "internal.h"
#include "switch.h"
#include "tracefs/files.h"

static unsigned int event_node_number(const struct trace_node *at)
{
	return (unsigned long)at->data;
}

/* ------------------------------------------------------------------ */
/* Layout of pages and records						*/

typedef int (*describe_fn)(struct trace_buffer *buffer, struct trace_seq *s);

static int event_show_layout(struct seq_file *m, struct trace_buffer *buffer,
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
	return event_show_layout(m, READ_ONCE(at->tr->buffer), ring_buffer_print_page_header);
}

static int event_describe_header(struct trace_buffer *buffer, struct trace_seq *s)
{
	return ring_buffer_print_entry_header(s);
}

static int header_event_show(struct seq_file *m, const struct trace_node *at)
{
	return event_show_layout(m, READ_ONCE(at->tr->buffer), event_describe_header);
}

/* ------------------------------------------------------------------ */
/* On and off								*/

/**
 * struct event_switch_state - combined state of some events
 * @on: at least one is on
 * @off: at least one is off
 */
struct event_switch_state {
	bool on, off;
};

static void event_count_state(struct event_switch_state *c, const struct trace_event_file *file)
{
	if (file->on)
		c->on = true;
	else
		c->off = true;
}

static int event_print_state(struct seq_file *m, const struct event_switch_state *c)
{
	seq_printf(m, "%c\n", !c->on && !c->off ? '?' : c->on && c->off ? 'X' : c->on ? '1' : '0');
	return 0;
}

static int event_parse_switch(const char *text, bool *on)
{
	unsigned int value;

	if (kstrtouint(text, 10, &value) || value > 1)
		return -EINVAL;
	*on = value;
	return 0;
}

static int events_enable_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;
	struct event_switch_state c = {};

	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(at->tr)->files, node)
		event_count_state(&c, file);
	return event_print_state(m, &c);
}

static int events_enable_store(const struct trace_node *at, char *text)
{
	bool on;

	return event_parse_switch(text, &on) ?: events_switch(at->tr, NULL, NULL, on);
}

static struct event_system *event_system_at(const struct trace_node *at)
{
	struct event_system *system;

	list_for_each_entry(system, &events_of(at->tr)->systems, node)
		if (system->number == event_node_number(at))
			return system;
	return NULL;
}

static int system_enable_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;
	struct event_system *system;
	struct event_switch_state c = {};

	guard(mutex)(&events_lock);
	system = event_system_at(at);
	if (!system)
		return -ENODEV;
	list_for_each_entry(file, &events_of(at->tr)->files, node)
		if (file->system == system)
			event_count_state(&c, file);
	return event_print_state(m, &c);
}

static char *event_system_name_at(const struct trace_node *at)
{
	struct event_system *system;

	guard(mutex)(&events_lock);
	system = event_system_at(at);
	return system ? kstrdup(system->name, GFP_KERNEL) : NULL;
}

static int system_enable_store(const struct trace_node *at, char *text)
{
	char *name;
	bool on;
	int err = event_parse_switch(text, &on);

	if (err)
		return err;
	name = event_system_name_at(at);
	if (!name)
		return -ENODEV;
	err = events_switch(at->tr, name, NULL, on);
	kfree(name);
	return err;
}

struct trace_event_file *event_file_at(const struct trace_node *at)
{
	return event_file_of(at->tr, event_node_number(at));
}

static int event_enable_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return -ENODEV;
	seq_printf(m, "%d%s\n", file->on && event_is_soft_enabled(file), file->soft ? "*" : "");
	return 0;
}

static int event_enable_store(const struct trace_node *at, char *text)
{
	struct trace_event_file *file;
	bool on;
	int err = event_parse_switch(text, &on);

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

static int event_show_with(struct seq_file *m, const struct trace_node *at,
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

static int event_filter_file_show(struct seq_file *m, const struct trace_node *at)
{
	return event_show_with(m, at, event_filter_show);
}

static int event_filter_stats_show(struct seq_file *m, const struct trace_node *at)
{
	return event_show_with(m, at, event_filter_show_counts);
}

static int event_filter_store(const struct trace_node *at, char *text)
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
	system = event_system_at(at);
	if (!system)
		return -ENODEV;
	event_system_filter_show(m, system);
	return 0;
}

static int system_filter_store(const struct trace_node *at, char *text)
{
	struct event_system *system;

	guard(mutex)(&events_lock);
	system = event_system_at(at);
	return system ? event_system_filter_set(system, text) : -ENODEV;
}

/* ------------------------------------------------------------------ */
/* Triggers								*/

static int event_trigger_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return -ENODEV;
	event_trigger_ops->show(m, file);
	return 0;
}

static int event_trigger_store(const struct trace_node *at, char *text)
{
	return event_trigger_ops->write(at->tr, event_node_number(at), text);
}

static int event_trigger_truncate(const struct trace_node *at)
{
	return event_trigger_ops->clear(at->tr, event_node_number(at));
}

#ifdef CONFIG_HIST_TRIGGERS_DEBUG

static int event_hist_debug_show(struct seq_file *m, const struct trace_node *at)
{
	return event_show_with(m, at, event_trigger_ops->show_debug);
}

static const struct trace_file hist_debug_row = { .show = event_hist_debug_show };
TRACE_TEXT_FOPS(hist_debug_fops, hist_debug_row);

#endif

#ifdef CONFIG_TRACE_EVENT_INJECT

static int event_inject_store(const struct trace_node *at, char *text)
{
	struct trace_event_file *file;
	int err = event_expand(at->tr);

	if (err)
		return err;
	guard(mutex)(&events_lock);
	file = event_file_at(at);
	return file ? event_inject(file, text) : -ENODEV;
}

static int event_inject_show(struct seq_file *m, const struct trace_node *at)
{
	return -EPERM;
}

static const struct trace_file inject_row = {
	.show = event_inject_show, .store = event_inject_store,
};

TRACE_TEXT_FOPS(inject_fops, inject_row);

#endif

/* ------------------------------------------------------------------ */
/* Description of an event						*/

static void event_show_print_fmt(struct seq_file *m, const struct record_type *type)
{
	event_print_fmt(m, container_of(type, struct event, type));
}

static void event_show_own_print_fmt(struct seq_file *m, const struct record_type *type)
{
	seq_puts(m, type->print_fmt);
}

static unsigned int event_node_type_id(const struct trace_node *at)
{
	return event_node_number(at) & TRACE_EVENT_TYPE_MAX;
}

static int event_format_show(struct seq_file *m, const struct trace_node *at)
{
	const struct record_type *type;

	guard(mutex)(&events_lock);
	type = record_type_of(event_node_type_id(at));
	if (!type || record_type_key(type) != event_node_number(at))
		return -ENODEV;
	record_format_show(m, type, type->id < TRACE_FIRST_EVENT ?
			   event_show_own_print_fmt : event_show_print_fmt);
	return 0;
}

static int event_id_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%u\n", event_node_type_id(at));
	return 0;
}

/* ------------------------------------------------------------------ */
/* Files of the directories						*/

static const struct trace_file events_enable_row = {
	.show = events_enable_show, .store = events_enable_store,
};

static const struct trace_file header_page_row = { .show = header_page_show };
static const struct trace_file header_event_row = { .show = header_event_show };
static const struct trace_file system_enable_row = {
	.show = system_enable_show, .store = system_enable_store,
};

static const struct trace_file enable_row = {
	.show = event_enable_show, .store = event_enable_store,
};

static const struct trace_file filter_row = {
	.show = event_filter_file_show, .store = event_filter_store,
};

static const struct trace_file filter_stats_row = { .show = event_filter_stats_show };
static const struct trace_file trigger_row = {
	.show = event_trigger_show, .store = event_trigger_store,
	.truncate = event_trigger_truncate,
};

static const struct trace_file format_row = { .show = event_format_show };
static const struct trace_file id_row = { .show = event_id_show };
static const struct trace_file system_filter_row = {
	.show = system_filter_show, .store = system_filter_store,
};

TRACE_TEXT_FOPS(events_enable_fops, events_enable_row);
TRACE_TEXT_FOPS(header_page_fops, header_page_row);
TRACE_TEXT_FOPS(header_event_fops, header_event_row);
TRACE_TEXT_FOPS(system_enable_fops, system_enable_row);
TRACE_TEXT_FOPS(enable_fops, enable_row);
TRACE_TEXT_FOPS(filter_fops, filter_row);
TRACE_TEXT_FOPS(filter_stats_fops, filter_stats_row);
TRACE_TEXT_FOPS(trigger_fops, trigger_row);
TRACE_TEXT_FOPS(system_filter_fops, system_filter_row);
TRACE_TEXT_FOPS(format_fops, format_row);
TRACE_TEXT_FOPS(id_fops, id_row);

/**
 * struct event_file - a file in a directory of events
 * @name: its name
 * @mode: its permissions
 * @fops: its operations
 */
struct event_file {
	const char			*name;
	umode_t				mode;
	const struct file_operations	*fops;
};

static int event_make_file(const struct event_file *files, const char *name, umode_t *mode,
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

static int events_make_file(const char *name, umode_t *mode, void **data,
			    const struct file_operations **fops)
{
	static const struct event_file files[] = {
		{ "enable", TRACE_FILE_RW, &events_enable_fops },
		{ "header_page", TRACE_FILE_RO, &header_page_fops },
		{ "header_event", TRACE_FILE_RO, &header_event_fops },
		{ }
	};

	return event_make_file(files, name, mode, fops);
}

static int system_make_file(const char *name, umode_t *mode, void **data,
			    const struct file_operations **fops)
{
	static const struct event_file files[] = {
		{ "enable", TRACE_FILE_RW, &system_enable_fops },
		{ "filter", TRACE_FILE_RW, &system_filter_fops },
		{ }
	};

	return event_make_file(files, name, mode, fops);
}

static int event_dir_make_file(const char *name, umode_t *mode, void **data,
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

	return event_make_file(files, name, mode, fops);
}

static const struct eventfs_entry top_entries[] = {
	{ .name = "enable",		.callback = events_make_file },
	{ .name = "header_page",	.callback = events_make_file },
	{ .name = "header_event",	.callback = events_make_file },
};

static const struct eventfs_entry system_entries[] = {
	{ .name = "enable",		.callback = system_make_file },
	{ .name = "filter",		.callback = system_make_file },
};

static const struct eventfs_entry event_entries[] = {
	{ .name = "format",		.callback = event_dir_make_file },
	{ .name = "id",			.callback = event_dir_make_file },
	{ .name = "enable",		.callback = event_dir_make_file },
	{ .name = "filter",		.callback = event_dir_make_file },
	{ .name = "filter_stats",	.callback = event_dir_make_file },
	{ .name = "trigger",		.callback = event_dir_make_file },
#ifdef CONFIG_HIST_TRIGGERS
	{ .name = "hist",		.callback = event_dir_make_file },
#endif
#ifdef CONFIG_HIST_TRIGGERS_DEBUG
	{ .name = "hist_debug",		.callback = event_dir_make_file },
#endif
#ifdef CONFIG_TRACE_EVENT_INJECT
	{ .name = "inject",		.callback = event_dir_make_file },
#endif
};

/* ftrace:print cannot be switched, but it has triggers. */
static const struct eventfs_entry print_entries[] = {
	{ .name = "format",		.callback = event_dir_make_file },
	{ .name = "id",			.callback = event_dir_make_file },
	{ .name = "trigger",		.callback = event_dir_make_file },
#ifdef CONFIG_HIST_TRIGGERS
	{ .name = "hist",		.callback = event_dir_make_file },
#endif
#ifdef CONFIG_HIST_TRIGGERS_DEBUG
	{ .name = "hist_debug",		.callback = event_dir_make_file },
#endif
};

/* The tracer's other events cannot be switched, and some have no file id. */
static const struct eventfs_entry own_entries[] = {
	{ .name = "format",		.callback = event_dir_make_file },
	{ .name = "id",			.callback = event_dir_make_file },
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
