// SPDX-License-Identifier: GPL-2.0
/*
 * events/: what user space must know to read raw pages. header_page and
 * header_event describe how records lie in a page, events/ftrace/NAME/format
 * the tracer's own types of records.
 */
#include <linux/kstrtox.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/tracefs.h>

#include "instance/instance.h"
#include "tracefs/files.h"
#include "types.h"

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
	return show_description(m, at->tr->buffer, ring_buffer_print_page_header);
}

static int describe_event(struct trace_buffer *buffer, struct trace_seq *s)
{
	return ring_buffer_print_entry_header(s);
}

static int header_event_show(struct seq_file *m, const struct trace_node *at)
{
	return show_description(m, at->tr->buffer, describe_event);
}

static void put_fields(struct seq_file *m, const struct record_field *f)
{
	for (; f->decl; f++)
		seq_printf(m, "\tfield:%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
			   f->decl, f->offset, f->size, f->is_signed);
}

static int format_show(struct seq_file *m, const struct trace_node *at)
{
	const struct record_type *type = at->data;

	seq_printf(m, "name: %s\nID: %d\nformat:\n", type->name, type->id);
	put_fields(m, record_common_fields);
	seq_putc(m, '\n');
	put_fields(m, type->fields);
	seq_printf(m, "\nprint fmt: %s\n", type->print_fmt);
	return 0;
}

static int id_show(struct seq_file *m, const struct trace_node *at)
{
	const struct record_type *type = at->data;

	seq_printf(m, "%d\n", type->id);
	return 0;
}

/* Switches all events at once; the tracer's own records are not switched. */
static int enable_show(struct seq_file *m, const struct trace_node *at)
{
	seq_puts(m, "0\n");
	return 0;
}

static int enable_store(const struct trace_node *at, char *text)
{
	unsigned int on;

	return kstrtouint(text, 10, &on) || on > 1 ? -EINVAL : 0;
}

static const struct trace_file enable_row = {
	.mode = TRACE_FILE_RW, .show = enable_show, .store = enable_store,
};

static const struct trace_file header_page_row = {
	.mode = TRACE_FILE_RO, .show = header_page_show,
};

static const struct trace_file header_event_row = {
	.mode = TRACE_FILE_RO, .show = header_event_show,
};

static const struct trace_file format_row = {
	.mode = TRACE_FILE_RO, .show = format_show,
};

static const struct trace_file id_row = {
	.mode = TRACE_FILE_RO, .show = id_show,
};

static int create_format(struct trace_array *tr, struct dentry *parent,
			 const struct record_type *type)
{
	struct dentry *dir = tracefs_create_dir(type->name, parent);
	int err;

	if (!dir)
		return -EEXIST;
	err = trace_file_create(tr, dir, "format", &format_row, type);
	if (!err && type->has_id)
		err = trace_file_create(tr, dir, "id", &id_row, type);
	return err;
}

/* Those of the tracer itself. */
static int create_formats(struct trace_array *tr, struct dentry *parent)
{
	const struct record_type *type;
	int err = 0;

	for (unsigned int id = 0; id < TRACE_FIRST_EVENT && !err; id++) {
		type = record_type_of(id);
		if (type)
			err = create_format(tr, parent, type);
	}
	return err;
}

static int create_events(struct trace_array *tr, struct dentry *dir)
{
	struct dentry *ftrace = tracefs_create_dir("ftrace", dir);

	if (!ftrace)
		return -EEXIST;
	return trace_file_create(tr, dir, "enable", &enable_row, NULL) ?:
	       trace_file_create(tr, dir, "header_page", &header_page_row, NULL) ?:
	       trace_file_create(tr, dir, "header_event", &header_event_row, NULL) ?:
	       create_formats(tr, ftrace);
}

static const struct trace_file event_files[] = {
	{
		.name		= "events",
		.place		= IN_INSTANCE,
		.populate	= create_events,
	},
	{ }
};

TRACE_FILES(event_files);
