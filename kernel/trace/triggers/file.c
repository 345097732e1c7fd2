// SPDX-License-Identifier: GPL-2.0
/* The file trigger of an event: reads print its triggers, writes add and remove them. */
#include <linux/list.h>
#include <linux/seq_file.h>

#include "events/dir_files.h"
#include "internal.h"

static void triggers_show_available(struct seq_file *m)
{
	const struct trigger_kind *kind;

	seq_puts(m, "# Available triggers:\n#");
	action_names_of_events(m);
	list_for_each_entry(kind, &trigger_kinds, node)
		seq_printf(m, " %s", kind->name);
	seq_putc(m, '\n');
}

static void trigger_show_line(struct seq_file *m, const struct trigger *t)
{
	t->kind->show(m, t);
	seq_putc(m, '\n');
}

static void triggers_show(struct seq_file *m, struct trace_event_file *file)
{
	struct trigger *t = trigger_next(file, NULL);

	if (!t)
		triggers_show_available(m);
	/* After an overflow seq_file calls again with a larger buffer; stop early. */
	for (; t && !seq_has_overflowed(m); t = trigger_next(file, t))
		trigger_show_line(m, t);
}

static int trigger_file_show(struct seq_file *m, const struct trace_node *at)
{
	return event_show_with(m, at, triggers_show);
}

static int trigger_file_store(const struct trace_node *at, char *text)
{
	return triggers_write(at->tr, event_key_at(at), text);
}

static int trigger_file_truncate(const struct trace_node *at)
{
	return triggers_truncate(at->tr, event_key_at(at));
}

static const struct trace_file trigger_files[] = {
	{
		.name		= "trigger",
		.mode		= TRACE_FILE_RW,
		.place		= IN_EVENT | IN_PRINT_EVENT,
		.show		= trigger_file_show,
		.store		= trigger_file_store,
		.truncate	= trigger_file_truncate,
	},
	{ }
};

EVENT_DIR_FILES(trigger_files);
