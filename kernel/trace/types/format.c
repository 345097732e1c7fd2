// SPDX-License-Identifier: GPL-2.0
/* The format file of a type of record. */
#include <linux/seq_file.h>
#include <linux/string.h>

#include "types.h"

/*
 * An array has its brackets behind the name, except a __data_loc field, which only says where in
 * the record the array is. The text between the brackets may be a name that only the compiler
 * knows.
 */
static void format_put_name(struct seq_file *m, const struct trace_event_fields *f)
{
	const char *bracket = record_field_is_data_loc(f) ? NULL : strchr(f->type, '[');

	if (!bracket)
		seq_printf(m, "%s %s", f->type, f->name);
	else if (f->len)
		seq_printf(m, "%.*s %s[%u]", (int)(bracket - f->type), f->type, f->name, f->len);
	else
		seq_printf(m, "%.*s %s%s", (int)(bracket - f->type), f->type, f->name, bracket);
}

static void format_put_field(struct seq_file *m, const struct trace_event_fields *f,
			     unsigned int at)
{
	seq_puts(m, "\tfield:");
	format_put_name(m, f);
	seq_printf(m, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", at, f->size, f->is_signed);
}

static void format_put_common_fields(struct seq_file *m)
{
	for (const struct trace_event_fields *f = record_common_fields; f->type; f++)
		format_put_field(m, f, f->offset);
}

static void format_put_fields(struct seq_file *m, const struct record_type *type)
{
	const struct trace_event_fields *f;
	unsigned int at;

	for (f = record_fields_begin(type->fields, &at); f->type; f = record_field_next(f, &at))
		format_put_field(m, f, at);
}

void record_format_show(struct seq_file *m, const struct record_type *type,
			void (*print_fmt)(struct seq_file *m, const struct record_type *type))
{
	seq_printf(m, "name: %s\nID: %d\nformat:\n", type->name, type->id);
	format_put_common_fields(m);
	seq_putc(m, '\n');
	format_put_fields(m, type);
	seq_puts(m, "\nprint fmt: ");
	print_fmt(m, type);
	seq_putc(m, '\n');
}
