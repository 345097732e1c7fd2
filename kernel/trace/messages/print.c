// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the records of messages. The formats are an interface, which tools parse.
 */
#include <linux/kernel.h>
#include <linux/processor.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/sections.h>

#include "entries.h"
#include "internal.h"
#include "output/output.h"
#include "print.h"
#include "printk_formats.h"
#include "types/types.h"

#define LONG	sizeof(long)

/* True for a marker whose text has a NUL: what is printed of it lacks the newline at its end. */
static bool print_lacks_newline(const struct print_entry *entry)
{
	size_t len = strlen(entry->buf);

	return entry->ip == (unsigned long)tracing_mark_write &&
	       (!len || entry->buf[len - 1] != '\n');
}

static void print_put_buf(struct trace_seq *s, const struct print_entry *entry)
{
	trace_seq_puts(s, entry->buf);
	if (print_lacks_newline(entry))
		trace_seq_putc(s, '\n');
}

static void print_entry_message(struct trace_output *o)
{
	print_put_buf(&o->seq, (void *)o->r.ent);
}

static enum print_line_t print_entry_text(struct trace_output *o)
{
	const struct print_entry *entry = (void *)o->r.ent;

	output_address(o, entry->ip);
	trace_seq_puts(&o->seq, ": ");
	print_entry_message(o);
	return output_done(&o->seq);
}

static enum print_line_t print_entry_raw(struct trace_output *o)
{
	const struct print_entry *entry = (void *)o->r.ent;

	trace_seq_printf(&o->seq, "# %lx ", entry->ip);
	print_put_buf(&o->seq, entry);
	return output_done(&o->seq);
}

bool message_string_is_permanent(const char *str)
{
	return is_kernel_rodata((unsigned long)str) || printk_formats_has(str);
}

static void bprint_entry_message(struct trace_output *o)
{
	const struct bprint_entry *entry = (void *)o->r.ent;

	if (message_string_is_permanent(entry->fmt))
		trace_seq_bprintf(&o->seq, entry->fmt, entry->buf);
	else
		trace_seq_printf(&o->seq, "(format at 0x%lx)\n",
				 (unsigned long)entry->fmt);
}

static void bputs_entry_message(struct trace_output *o)
{
	const struct bputs_entry *entry = (void *)o->r.ent;

	if (message_string_is_permanent(entry->str))
		trace_seq_puts(&o->seq, entry->str);
	else
		trace_seq_printf(&o->seq, "(string at 0x%lx)\n",
				 (unsigned long)entry->str);
}

static enum print_line_t bprint_entry_text(struct trace_output *o)
{
	const struct bprint_entry *entry = (void *)o->r.ent;

	output_address(o, entry->ip);
	trace_seq_puts(&o->seq, ": ");
	bprint_entry_message(o);
	return output_done(&o->seq);
}

static enum print_line_t bprint_entry_raw(struct trace_output *o)
{
	const struct bprint_entry *entry = (void *)o->r.ent;

	trace_seq_printf(&o->seq, ": %lx : ", entry->ip);
	bprint_entry_message(o);
	return output_done(&o->seq);
}

static enum print_line_t bputs_entry_text(struct trace_output *o)
{
	const struct bputs_entry *entry = (void *)o->r.ent;

	output_address(o, entry->ip);
	trace_seq_puts(&o->seq, ": ");
	bputs_entry_message(o);
	return output_done(&o->seq);
}

static enum print_line_t bputs_entry_raw(struct trace_output *o)
{
	const struct bputs_entry *entry = (void *)o->r.ent;

	trace_seq_printf(&o->seq, ": %lx : ", entry->ip);
	bputs_entry_message(o);
	return output_done(&o->seq);
}

static enum print_line_t raw_data_text(struct trace_output *o)
{
	const struct raw_data_entry *entry = (void *)o->r.ent;
	int i, len = o->r.ent_size - offsetof(struct raw_data_entry, buf);

	trace_seq_printf(&o->seq, "# %x buf:", entry->id);
	for (i = 0; i < len; i++)
		trace_seq_printf(&o->seq, " %02x", (u8)entry->buf[i]);
	trace_seq_putc(&o->seq, '\n');
	return output_done(&o->seq);
}

static const struct trace_event_fields print_fields[] = {
	{ "unsigned long", "ip", offsetof(struct print_entry, ip), LONG },
	{ "char[]", "buf", offsetof(struct print_entry, buf), 0 },
	{ }
};

static const struct trace_event_fields bprint_fields[] = {
	{ "unsigned long", "ip", offsetof(struct bprint_entry, ip), LONG },
	{ "const char *", "fmt", offsetof(struct bprint_entry, fmt), LONG },
	{ "u32[]", "buf", offsetof(struct bprint_entry, buf), 0 },
	{ }
};

static const struct trace_event_fields bputs_fields[] = {
	{ "unsigned long", "ip", offsetof(struct bputs_entry, ip), LONG },
	{ "const char *", "str", offsetof(struct bputs_entry, str), LONG },
	{ }
};

static const struct trace_event_fields raw_data_fields[] = {
	{ "unsigned int", "id", offsetof(struct raw_data_entry, id), 4 },
	{ "char[]", "buf", offsetof(struct raw_data_entry, buf), 0, .is_bytes = true },
	{ }
};

const struct record_type print_type = {
	.name		= "print",
	.id		= TRACE_PRINT,
	.has_id		= true,
	.fields		= print_fields,
	.print_fmt	= "\"%ps: %s\", (void *)REC->ip, REC->buf",
	.class		= &(const struct record_class) {
		.text		= print_entry_text,
		.raw		= print_entry_raw,
		.message	= print_entry_message,
	},
};

const struct record_type bprint_type = {
	.name		= "bprint",
	.id		= TRACE_BPRINT,
	.fields		= bprint_fields,
	.print_fmt	= "\"%ps: %s\", (void *)REC->ip, REC->fmt",
	.class		= &(const struct record_class) {
		.text		= bprint_entry_text,
		.raw		= bprint_entry_raw,
		.message	= bprint_entry_message,
	},
};

const struct record_type bputs_type = {
	.name		= "bputs",
	.id		= TRACE_BPUTS,
	.fields		= bputs_fields,
	.print_fmt	= "\"%ps: %s\", (void *)REC->ip, REC->str",
	.class		= &(const struct record_class) {
		.text		= bputs_entry_text,
		.raw		= bputs_entry_raw,
		.message	= bputs_entry_message,
	},
};

const struct record_type raw_data_type = {
	.name		= "raw_data",
	.id		= TRACE_RAW_DATA,
	.fields		= raw_data_fields,
	.print_fmt	= "\"id:%04x %08x\", REC->id, (int)REC->buf[0]",
	.class		= &(const struct record_class) {
		.text		= raw_data_text,
		.raw		= raw_data_text,
	},
};
