// SPDX-License-Identifier: GPL-2.0
/*
 * Option fields: a record as the names and values of its fields, taken from the
 * description that its format file shows. For those who want to see what was
 * recorded rather than what it means.
 */
#include <linux/ctype.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "output.h"
#include "types/types.h"

/* "unsigned long ip" is called ip, "char buf[]" is called buf. */
static void put_field_name(struct trace_seq *s, const char *decl)
{
	const char *name = strrchr(decl, ' ') + 1;

	trace_seq_putc(s, ' ');
	trace_seq_putmem(s, name, strcspn(name, "["));
	trace_seq_putc(s, '=');
}

static bool is_code_address(const struct record_field *f)
{
	return !strcmp(f->decl, "unsigned long ip") ||
	       !strcmp(f->decl, "unsigned long parent_ip");
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
static void put_chars(struct trace_output *o, const struct record_field *f,
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
static void put_array(struct trace_output *o, const struct record_field *f)
{
	unsigned int size = o->r.ent_size - f->offset;

	if (f->size)
		size = min(size, f->size);
	if (strstarts(f->decl, "char "))
		put_chars(o, f, (void *)o->r.ent + f->offset, size);
	else
		put_longs(&o->seq, (void *)o->r.ent + f->offset, size);
}

/* What is less than a number in an array only rounds the size of the record up. */
static bool is_there(const struct trace_output *o, const struct record_field *f)
{
	bool numbers = !f->size && !strstarts(f->decl, "char ");

	return f->offset + (numbers ? sizeof(long) : 1) <= o->r.ent_size;
}

static void put_field(struct trace_output *o, const struct record_field *f)
{
	const void *at = (const void *)o->r.ent + f->offset;

	if (!is_there(o, f))
		return;
	put_field_name(&o->seq, f->decl);
	if (strchr(f->decl, '['))
		put_array(o, f);
	else if (is_code_address(f))
		trace_seq_printf(&o->seq, "%pS", *(void **)at);
	else
		put_number(&o->seq, at, f->size);
}

enum print_line_t output_fields(struct trace_output *o)
{
	const struct record_type *type = record_type_of(o->r.ent->type);
	const struct record_field *f;

	if (!type) {
		trace_seq_printf(&o->seq, "UNKNOWN TYPE %d\n", o->r.ent->type);
		return output_done(&o->seq);
	}
	trace_seq_printf(&o->seq, "%s:", type->name);
	for (f = type->fields; f->decl; f++)
		put_field(o, f);
	trace_seq_putc(&o->seq, '\n');
	return output_done(&o->seq);
}
