// SPDX-License-Identifier: GPL-2.0
/*
 * The files below events/ that describe, switch and filter events: what reads show and what
 * writes do. Other rooms bring the other files.
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

#include "dir_files.h"
#include "events.h"
#include "internal.h"
#include "switch.h"
#include "tracefs/files.h"
#include "types/types.h"

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
		if (system->number == (unsigned long)at->data)
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
	return event_key_at(at) & TRACE_EVENT_TYPE_MAX;
}

static int event_format_show(struct seq_file *m, const struct trace_node *at)
{
	const struct record_type *type;

	guard(mutex)(&events_lock);
	type = record_type_of(event_node_type_id(at));
	if (!type || record_type_key(type) != event_key_at(at))
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
/* Rows									*/

static const struct trace_file event_files[] = {
	{
		.name		= "enable",
		.mode		= TRACE_FILE_RW,
		.place		= IN_EVENTS,
		.show		= events_enable_show,
		.store		= events_enable_store,
	}, {
		.name		= "header_page",
		.mode		= TRACE_FILE_RO,
		.place		= IN_EVENTS,
		.show		= header_page_show,
	}, {
		.name		= "header_event",
		.mode		= TRACE_FILE_RO,
		.place		= IN_EVENTS,
		.show		= header_event_show,
	}, {
		.name		= "enable",
		.mode		= TRACE_FILE_RW,
		.place		= IN_SYSTEM,
		.show		= system_enable_show,
		.store		= system_enable_store,
	}, {
		.name		= "filter",
		.mode		= TRACE_FILE_RW,
		.place		= IN_SYSTEM,
		.show		= system_filter_show,
		.store		= system_filter_store,
	}, {
		.name		= "format",
		.mode		= TRACE_FILE_RO,
		.place		= IN_EVENT | IN_PRINT_EVENT | IN_OWN_EVENT |
				  IN_OWN_EVENT_WITHOUT_ID,
		.show		= event_format_show,
	}, {
		.name		= "id",
		.mode		= TRACE_FILE_RO,
		.place		= IN_EVENT | IN_PRINT_EVENT | IN_OWN_EVENT,
		.show		= event_id_show,
	}, {
		.name		= "enable",
		.mode		= TRACE_FILE_RW,
		.place		= IN_EVENT,
		.show		= event_enable_show,
		.store		= event_enable_store,
	}, {
		.name		= "filter",
		.mode		= TRACE_FILE_RW,
		.place		= IN_EVENT,
		.show		= event_filter_file_show,
		.store		= event_filter_store,
	}, {
		.name		= "filter_stats",
		.mode		= TRACE_FILE_RO,
		.place		= IN_EVENT,
		.show		= event_filter_stats_show,
	},
	{ }
};

EVENT_DIR_FILES(event_files);
