// SPDX-License-Identifier: GPL-2.0
/*
 * Records that a person makes up: what is written to the file inject of an event.
 *
 *	prev_comm="sh" prev_pid=12 next_comm='cat'
 *
 * Fields that are not named are 0, or an empty string.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events.h"
#include "record/record.h"

/* The longest record that can be made up. */
#define INJECT_MAX	SZ_2K

/**
 * struct injection - a record that is being made up
 * @fields: those behind the common ones
 * @rec: the record
 * @len: its length so far
 */
struct injection {
	const struct trace_event_fields	*fields;
	void				*rec;
	unsigned int			len;
};

/* ------------------------------------------------------------------ */
/* Values								*/

/* As a number without a sign or with one: what is cut off is all 0, or copies of the sign. */
static bool fits(u64 value, unsigned int size)
{
	unsigned int unused = 64 - size * BITS_PER_BYTE;

	return !unused || !(value >> (64 - unused)) ||
	       (s64)value == (s64)(value << unused) >> unused;
}

static int parse_number(const char *text, u64 *value)
{
	return *text == '-' ? kstrtoll(text, 0, (s64 *)value) : kstrtoull(text, 0, value);
}

/* What a record points to would be read when it is printed. */
static bool is_number(const struct trace_event_fields *f)
{
	return !f->len && f->size <= sizeof(u64) && is_power_of_2(f->size) &&
	       !record_field_is_pointer_to_text(f) && !record_field_is_data_loc(f) &&
	       !record_field_is_rel_loc(f) &&
	       (!strstarts(f->type, "struct ") || strchr(f->type, '*'));
}

static int put_number(struct injection *in, const struct trace_event_fields *f, unsigned int at,
		      const char *text)
{
	u64 value;
	int err = is_number(f) ? parse_number(text, &value) : -EINVAL;

	if (err)
		return err;
	if (!fits(value, f->size))
		return -EINVAL;
	record_put_number(in->rec + at, f->size, value);
	return 0;
}

/* The word at @at says that @size bytes are at the end of the record. */
static void put_place(struct injection *in, const struct trace_event_fields *f, unsigned int at,
		      unsigned int size)
{
	unsigned int from = record_field_is_rel_loc(f) ? at + sizeof(u32) : 0;

	*(u32 *)(in->rec + at) = (in->len - from) | size << 16;
}

static int put_text(struct injection *in, const struct trace_event_fields *f, unsigned int at,
		    const char *text)
{
	unsigned int size = strlen(text) + 1;

	if (!record_field_is_text(f))
		return -EINVAL;
	if (!record_field_is_data_loc(f) && !record_field_is_rel_loc(f)) {
		strscpy_pad(in->rec + at, text, f->size);
		return 0;
	}
	if (in->len + size > INJECT_MAX)
		return -E2BIG;
	put_place(in, f, at, size);
	memcpy(in->rec + in->len, text, size);
	in->len += size;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Words								*/

/* Return: the text between the quotes that @text begins with; NULL without a second one. */
static char *take_quoted(char **text)
{
	char *from = *text + 1, *to = strchr(from, **text);

	if (!to || (to[1] && !isspace(to[1])))
		return NULL;
	*to = '\0';
	*text = to + 1;
	return from;
}

static char *take_word(char **text)
{
	char *from = *text;

	while (**text && !isspace(**text))
		++*text;
	if (**text)
		*(*text)++ = '\0';
	return from;
}

static const struct trace_event_fields *find_field(const struct injection *in, const char *name,
						   size_t len, unsigned int *at)
{
	const struct trace_event_fields *f = record_field_find(in->fields, name, len, at) ?:
					     record_common_find(name, len, at);

	/* It would be read as one of another type. */
	return f && (f != record_common_fields) ? f : NULL;
}

/* NAME = VALUE */
static int take_field(struct injection *in, char **text)
{
	const struct trace_event_fields *f;
	size_t len = strcspn(*text, "= \t\n");
	unsigned int at;
	char *value;

	f = find_field(in, *text, len, &at);
	*text = skip_spaces(*text + len);
	if (!len || (f && **text != '='))
		return -EINVAL;
	if (!f)
		return -ENOENT;
	*text = skip_spaces(*text + 1);
	if (**text != '"' && **text != '\'')
		return put_number(in, f, at, take_word(text));
	value = take_quoted(text);
	return value ? put_text(in, f, at, value) : -EINVAL;
}

/* ------------------------------------------------------------------ */
/* Records								*/

/* Arrays behind the record are empty, and strings end at once, also those it points to. */
static void put_nothing(struct injection *in, const struct trace_event_fields *f,
			unsigned int at)
{
	static const char *const empty = "";

	if (record_field_is_data_loc(f) || record_field_is_rel_loc(f))
		put_place(in, f, at, record_field_is_text(f));
	else if (record_field_is_pointer_to_text(f))
		memcpy(in->rec + at, &empty, sizeof(empty));
}

static int make_empty(struct injection *in)
{
	const struct trace_event_fields *f;
	unsigned int at;

	in->len = sizeof(struct trace_entry);
	for (f = record_fields_begin(in->fields, &at); f->type; f = record_field_next(f, &at))
		in->len = at + f->size;
	if (in->len >= INJECT_MAX)
		return -E2BIG;
	for (f = record_fields_begin(in->fields, &at); f->type; f = record_field_next(f, &at))
		put_nothing(in, f, at);
	in->len++;
	return 0;
}

static int inject(struct trace_event_file *file, struct injection *in, char *text)
{
	int err = make_empty(in);

	scoped_guard(preempt_notrace)
		trace_entry_fill(in->rec, file->type, trace_ctx_full(trace_callers_word()),
				 current);
	for (text = skip_spaces(text); !err && *text; text = skip_spaces(text))
		err = take_field(in, &text);
	if (!err)
		event_record_made(file, in->rec, in->len);
	return err;
}

int event_inject(struct trace_event_file *file, char *text)
{
	struct injection in = {
		.fields	= file->event->type.fields,
		.rec	= kzalloc(INJECT_MAX, GFP_KERNEL),
	};
	int err;

	lockdep_assert_held(&events_lock);
	if (!in.rec)
		return -ENOMEM;
	err = inject(file, &in, text);
	kfree(in.rec);
	return err;
}
