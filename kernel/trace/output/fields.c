// SPDX-License-Identifier: GPL-2.0
/*
 * Option fields: prints a record as the names and values of its fields, as its format file
 * describes them, instead of the text that its record type prints.
 */
#include <linux/ctype.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "output.h"
#include "types/types.h"

/* Maximum number of bytes to print of a string to which a record has a pointer. */
#define FIELDS_STRING_MAX	128

static void fields_put_number(struct trace_seq *s, const void *at, unsigned int size)
{
	u64 value = record_number(at, size);

	switch (size) {
	case 1:
		if (isprint(value))
			trace_seq_printf(s, "'%c'", (int)value);
		trace_seq_printf(s, "(%d)", (int)value);
		break;
	case 2:
	case 4:
		trace_seq_printf(s, "0x%x (%d)", (u32)value, (u32)value);
		break;
	case 8:
		trace_seq_printf(s, "0x%llx (%lld)", value, value);
		break;
	default:
		trace_seq_puts(s, "<INVALID-SIZE>");
	}
}

/* Print an array of char as text, which may end with a NUL, or as bytes with escape sequences. */
static void fields_put_chars(struct trace_output *o, const struct trace_event_fields *f,
			     const char *at, unsigned int size)
{
	if (f->is_bytes)
		trace_seq_printf(&o->seq, "%*pE", (int)size, at);
	else
		output_chars(&o->seq, at, size);
}

static void fields_put_numbers(struct trace_seq *s, const void *at, unsigned int size,
			       unsigned int each)
{
	unsigned int i;

	for (i = 0; i + each <= size; i += each)
		trace_seq_printf(s, "%s0x%llx", i ? "," : "", record_number(at + i, each));
}

static unsigned int fields_element_size(const struct trace_event_fields *f)
{
	unsigned int each = f->len ? f->size / f->len : sizeof(long);

	return each == 1 || each == 2 || each == 4 ? each : sizeof(u64);
}

/* Print a pointer to a string, and the string if its memory can be read. */
static void fields_put_string_pointer(struct trace_seq *s, const char *at)
{
	char text[FIELDS_STRING_MAX];

	if (strncpy_from_kernel_nofault(text, at, sizeof(text)) < 0)
		trace_seq_printf(s, "(0x%lx)", (unsigned long)at);
	else
		trace_seq_printf(s, "(0x%lx:%s)", (unsigned long)at, text);
}

static void fields_put_bytes(struct trace_seq *s, const u8 *at, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		trace_seq_printf(s, "%s%02x", i ? "," : "", at[i]);
}

/* Print a static array, at offset @at in the record; the end of the record may cut it off. */
static void fields_put_array(struct trace_output *o, const struct trace_event_fields *f,
			     unsigned int at)
{
	unsigned int size = o->r.ent_size - at;

	if (f->size)
		size = min(size, f->size);
	if (record_field_is_text(f))
		fields_put_chars(o, f, (void *)o->r.ent + at, size);
	else if (size == f->size && size <= sizeof(u64) && is_power_of_2(size))
		fields_put_number(&o->seq, (void *)o->r.ent + at, size);
	else
		fields_put_numbers(&o->seq, (void *)o->r.ent + at, size, fields_element_size(f));
}

/* Print a dynamic array; the field at offset @at has its location. */
static void fields_put_dynamic(struct trace_output *o, const struct trace_event_fields *f,
			       unsigned int at)
{
	unsigned int place, size;

	if (!output_locate(o, f, at, &place, &size))
		trace_seq_puts(&o->seq, "<OVERFLOW>");
	else if (record_field_is_text(f))
		fields_put_chars(o, f, (void *)o->r.ent + place, size);
	else
		fields_put_bytes(&o->seq, (void *)o->r.ent + place, size);
}

/*
 * True if the record is long enough to have field @f at offset @at. If @f is an array of numbers,
 * at least one element must fit: a shorter rest of the record is padding.
 */
static bool fields_is_present(const struct trace_output *o, const struct trace_event_fields *f,
			      unsigned int at)
{
	bool numbers = !f->size && !record_field_is_text(f);

	return at + (numbers ? sizeof(long) : 1) <= o->r.ent_size;
}

static void fields_put_field(struct trace_output *o, const struct trace_event_fields *f,
			     unsigned int place)
{
	const void *at = (const void *)o->r.ent + place;

	if (!fields_is_present(o, f, place))
		return;
	trace_seq_printf(&o->seq, " %s=", f->name);
	if (record_field_is_located(f))
		fields_put_dynamic(o, f, place);
	else if (strchr(f->type, '['))
		fields_put_array(o, f, place);
	else if (place + f->size > o->r.ent_size)
		trace_seq_puts(&o->seq, "<OVERFLOW>");
	else if (record_field_is_pointer_to_text(f))
		fields_put_string_pointer(&o->seq, *(const char **)at);
	else if (f->filter_type == FILTER_TRACE_FN)
		trace_seq_printf(&o->seq, "%pS", *(void **)at);
	else
		fields_put_number(&o->seq, at, f->size);
}

enum print_line_t output_fields(struct trace_output *o)
{
	const struct record_type *type = record_type_of(o->r.ent->type);
	const struct trace_event_fields *f;
	unsigned int at;

	if (!type) {
		trace_seq_printf(&o->seq, "UNKNOWN TYPE %d\n", o->r.ent->type);
		return output_done(&o->seq);
	}
	trace_seq_printf(&o->seq, "%s:", type->name);
	for (f = record_fields_begin(type->fields, &at); f->type; f = record_field_next(f, &at))
		fields_put_field(o, f, at);
	trace_seq_puts(&o->seq, type->fields->type ? "\n" : "No fields found\n");
	return output_done(&o->seq);
}
