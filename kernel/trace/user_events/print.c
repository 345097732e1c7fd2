// SPDX-License-Identifier: GPL-2.0
/*
 * Printing user events: their records, their format, and their definition in dynamic_events.
 */
#include <linux/seq_file.h>
#include <linux/string.h>

#include "internal.h"
#include "output/output.h"
#include "types/types.h"

/* Only the program knows the meaning of its fields, so records print as raw fields. */
static const struct record_class user_record_class = { .text = output_fields };

static const struct trace_event_fields *user_event_get_fields(const struct trace_event_call *call)
{
	return user_event_of(call)->fields.table;
}

static const char *user_field_fmt_arg(const struct trace_event_fields *f)
{
	if (!strstr(f->type, "char"))
		return ", REC->%s";
	if (record_field_is_data_loc(f))
		return ", __get_str(%s)";
	return record_field_is_rel_loc(f) ? ", __get_rel_str(%s)" : ", REC->%s";
}

static void user_event_show_fmt(struct seq_file *m, const struct trace_event_call *call)
{
	const struct trace_event_fields *table = user_event_get_fields(call), *f;

	seq_putc(m, '"');
	for (f = table; f->type; f++)
		seq_printf(m, "%s%s=%s", f > table ? " " : "", f->name, user_type_fmt(f->type));
	seq_putc(m, '"');
	for (f = table; f->type; f++)
		seq_printf(m, user_field_fmt_arg(f), f->name);
}

const struct trace_event_class_ops user_event_ops = {
	.get_fields	= user_event_get_fields,
	.show_fmt	= user_event_show_fmt,
	.lines		= &user_record_class,
};

void user_event_show(struct seq_file *m, const struct dyn_event *ev)
{
	const struct user_event *event = to_user_event(ev);
	const struct trace_event_fields *table = event->fields.table, *f;

	seq_printf(m, USER_EVENTS_PREFIX "%s", event->name);
	for (f = table; f->type; f++) {
		seq_printf(m, "%s%s %s", f > table ? "; " : " ", f->type, f->name);
		if (strstarts(f->type, "struct "))
			seq_printf(m, " %u", f->size);
	}
	seq_putc(m, '\n');
}
