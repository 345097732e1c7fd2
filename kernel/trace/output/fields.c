// SPDX-License-Identifier: GPL-2.0
/*
 * Option fields: a record as the names and values of its fields, taken from the
 * description that its format file shows. For those who want to see what was
 * recorded rather than what it means.
 */
#include <linux/ctype.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "output.h"
#include "types/types.h"

static bool is_code_address(const struct trace_event_fields *f)
{
	return !strcmp(f->type, "unsigned long") &&
	       (!strcmp(f->name, "ip") || !strcmp(f->name, "parent_ip"));
}

static void put_number(struct trace_seq *s, const void *at, unsigned int size)
{
	switch (size) {
	case 1:
		if (isprint(*(u8 *)at))
			trace_seq_printf(s, "'%c'", *(u8 *)at);
		trace_seq_printf(s, "(%d)", *(u8 *)at);
		break;
	case 2:
		trace_seq_printf(s, "0x%x (%d)", *(u16 *)at, *(u16 *)at);
		break;
	case 4:
		trace_seq_printf(s, "0x%x (%d)", *(u32 *)at, *(u32 *)at);
		break;
	case 8:
		trace_seq_printf(s, "0x%llx (%lld)", *(u64 *)at, *(u64 *)at);
		break;
	}
}

/* Text ends with a NUL, bytes do not. */
static void put_chars(struct trace_output *o, const struct trace_event_fields *f,
		      const char *at, unsigned int size)
{
	if (!f->is_bytes)
		size = strnlen(at, size);
	trace_seq_printf(&o->seq, "%*pE", (int)size, at);
}

/* Behind a field of half a long they are not aligned. */
static void put_longs(struct trace_seq *s, const unsigned long *at, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size / sizeof(*at); i++)
		trace_seq_printf(s, "%s0x%lx", i ? "," : "",
				 get_unaligned(&at[i]));
}

/* A record may be shorter than the array that it is said to end with. */
static void put_array(struct trace_output *o, const struct trace_event_fields *f,
		      unsigned int at)
{
	unsigned int size = o->r.ent_size - at;

	if (f->size)
		size = min(size, f->size);
	if (record_field_is_text(f))
		put_chars(o, f, (void *)o->r.ent + at, size);
	else
		put_longs(&o->seq, (void *)o->r.ent + at, size);
}

/* What is behind the record: a word says where, and how much. */
static void put_dynamic(struct trace_output *o, const struct trace_event_fields *f,
			unsigned int at)
{
	u32 word = *(u32 *)((void *)o->r.ent + at);
	unsigned int place = word & 0xffff, size = word >> 16;

	if (record_field_is_rel_loc(f))
		place += at + sizeof(word);
	if (place > o->r.ent_size || size > o->r.ent_size - place)
		trace_seq_puts(&o->seq, "<OVERFLOW>");
	else if (record_field_is_text(f))
		put_chars(o, f, (void *)o->r.ent + place, size);
	else
		trace_seq_printf(&o->seq, "%*phN", (int)min(size, 64U), (void *)o->r.ent + place);
}

/* What is less than a number in an array only rounds the size of the record up. */
static bool is_there(const struct trace_output *o, const struct trace_event_fields *f,
		     unsigned int at)
{
	bool numbers = !f->size && !record_field_is_text(f);

	return at + (numbers ? sizeof(long) : 1) <= o->r.ent_size;
}

static void put_field(struct trace_output *o, const struct trace_event_fields *f,
		      unsigned int place)
{
	const void *at = (const void *)o->r.ent + place;

	if (!is_there(o, f, place))
		return;
	trace_seq_printf(&o->seq, " %s=", f->name);
	if (record_field_is_data_loc(f) || record_field_is_rel_loc(f))
		put_dynamic(o, f, place);
	else if (strchr(f->type, '['))
		put_array(o, f, place);
	else if (is_code_address(f))
		trace_seq_printf(&o->seq, "%pS", *(void **)at);
	else
		put_number(&o->seq, at, f->size);
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
		put_field(o, f, at);
	trace_seq_putc(&o->seq, '\n');
	return output_done(&o->seq);
}
