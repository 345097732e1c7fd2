// SPDX-License-Identifier: GPL-2.0
/*
 * Printing the triggers of an event: the files trigger, hist and hist_debug.
 */
#include <linux/list.h>
#include <linux/seq_file.h>

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

void triggers_show(struct seq_file *m, struct trace_event_file *file)
{
	struct trigger *t = trigger_next(file, NULL);

	if (!t)
		triggers_show_available(m);
	/* After an overflow seq_file calls again with a larger buffer; stop early. */
	for (; t && !seq_has_overflowed(m); t = trigger_next(file, t))
		trigger_show_line(m, t);
}

int triggers_show_counts(struct seq_file *m, struct trace_event_file *file)
{
	struct trigger *t;
	unsigned int nr = 0;
	int err = 0;

	for (t = trigger_next(file, NULL); t && !err; t = trigger_next(file, t))
		if (t->kind->counts)
			err = t->kind->counts(m, t, nr++);
	return err;
}

void triggers_show_debug(struct seq_file *m, struct trace_event_file *file)
{
	struct trigger *t;
	unsigned int nr = 0;

	for (t = trigger_next(file, NULL); t; t = trigger_next(file, t))
		if (t->kind->debug)
			t->kind->debug(m, t, nr++);
}

u64 triggers_hits(struct trace_event_file *file)
{
	struct trigger *t;
	u64 hits = 0;

	for (t = trigger_next(file, NULL); t; t = trigger_next(file, t))
		if (t->kind->hits)
			hits += t->kind->hits(t);
	return hits;
}

void triggers_polled(struct trace_event_file *file)
{
	struct trigger *t;

	for (t = trigger_next(file, NULL); t; t = trigger_next(file, t))
		if (t->kind->polled)
			t->kind->polled(t);
}
