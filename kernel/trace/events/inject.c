// SPDX-License-Identifier: GPL-2.0
/*
 * Records with fields that a user has written to the file inject of an event.
 *
 *	prev_comm="sh" prev_pid=12 next_comm='cat'
 *
 * Fields that are not named are 0, or an empty string.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "dir_files.h"
#include "events.h"
#include "internal.h"
#include "record/record.h"
#include "switch.h"

/* The longest record that can be injected, in bytes. */
#define INJECT_MAX	SZ_2K

/**
 * struct injection - a record that is being built
 * @fields: the fields behind the common ones
 * @rec: the record
 * @len: bytes of the record so far
 */
struct injection {
	const struct trace_event_fields	*fields;
	void				*rec;
	unsigned int			len;
};

/* ------------------------------------------------------------------ */
/* Values								*/

/*
 * True if @value fits into @size bytes, unsigned or signed: the bits cut off are all 0, or copies
 * of the sign bit.
 */
static bool inject_number_fits(u64 value, unsigned int size)
{
	unsigned int unused = 64 - size * BITS_PER_BYTE;

	return !unused || !(value >> (64 - unused)) ||
	       (s64)value == (s64)(value << unused) >> unused;
}

static int inject_parse_number(const char *text, u64 *value)
{
	return *text == '-' ? kstrtoll(text, 0, (s64 *)value) : kstrtoull(text, 0, value);
}

/* Excludes pointers to text: their target would be read when the record is printed. */
static bool inject_field_is_number(const struct trace_event_fields *f)
{
	return !f->len && f->size <= sizeof(u64) && is_power_of_2(f->size) &&
	       !record_field_is_pointer_to_text(f) && !record_field_is_data_loc(f) &&
	       !record_field_is_rel_loc(f) &&
	       (!strstarts(f->type, "struct ") || strchr(f->type, '*'));
}

static int inject_put_number(struct injection *in, const struct trace_event_fields *f,
			     unsigned int at, const char *text)
{
	u64 value;
	int err = inject_field_is_number(f) ? inject_parse_number(text, &value) : -EINVAL;

	if (err)
		return err;
	if (!inject_number_fits(value, f->size))
		return -EINVAL;
	record_put_number(in->rec + at, f->size, value);
	return 0;
}

/* Store in the word at @at that @size bytes are at the end of the record. */
static void inject_put_location(struct injection *in, const struct trace_event_fields *f,
				unsigned int at, unsigned int size)
{
	unsigned int from = record_field_is_rel_loc(f) ? at + sizeof(u32) : 0;

	*(u32 *)(in->rec + at) = (in->len - from) | size << 16;
}

static int inject_put_string(struct injection *in, const struct trace_event_fields *f,
			     unsigned int at, const char *text)
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
	inject_put_location(in, f, at, size);
	memcpy(in->rec + in->len, text, size);
	in->len += size;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Words								*/

/* Return: the text between the quotes that @text begins with; NULL if there is no closing quote. */
static char *inject_take_quoted(char **text)
{
	char *from = *text + 1, *to = strchr(from, **text);

	if (!to || (to[1] && !isspace(to[1])))
		return NULL;
	*to = '\0';
	*text = to + 1;
	return from;
}

static char *inject_take_word(char **text)
{
	char *from = *text;

	while (**text && !isspace(**text))
		++*text;
	if (**text)
		*(*text)++ = '\0';
	return from;
}

static const struct trace_event_fields *inject_find_field(const struct injection *in,
							  const char *name, size_t len,
							  unsigned int *at)
{
	const struct trace_event_fields *f = record_field_find(in->fields, name, len, at) ?:
					     record_common_find(name, len, at);

	/* common_type cannot be written: the record would be read as one of another type. */
	return f && (f != record_common_fields) ? f : NULL;
}

/* Parse ``FIELD = VALUE`` and store the value. */
static int inject_take_field(struct injection *in, char **text)
{
	const struct trace_event_fields *f;
	size_t len = strcspn(*text, "= \t\n");
	unsigned int at;
	char *value;

	f = inject_find_field(in, *text, len, &at);
	*text = skip_spaces(*text + len);
	if (!len || (f && **text != '='))
		return -EINVAL;
	if (!f)
		return -ENOENT;
	*text = skip_spaces(*text + 1);
	if (**text != '"' && **text != '\'')
		return inject_put_number(in, f, at, inject_take_word(text));
	value = inject_take_quoted(text);
	return value ? inject_put_string(in, f, at, value) : -EINVAL;
}

/* ------------------------------------------------------------------ */
/* Records								*/

/*
 * By default arrays behind the record are empty, and strings, also those that it points to, end
 * at once.
 */
static void inject_put_empty(struct injection *in, const struct trace_event_fields *f,
			     unsigned int at)
{
	static const char *const empty = "";

	if (record_field_is_data_loc(f) || record_field_is_rel_loc(f))
		inject_put_location(in, f, at, record_field_is_text(f));
	else if (record_field_is_pointer_to_text(f))
		memcpy(in->rec + at, &empty, sizeof(empty));
}

static int inject_init_record(struct injection *in)
{
	const struct trace_event_fields *f;
	unsigned int at;

	if (in->len >= INJECT_MAX)
		return -E2BIG;
	for (f = record_fields_begin(in->fields, &at); f->type; f = record_field_next(f, &at))
		inject_put_empty(in, f, at);
	in->len++;
	return 0;
}

static int inject_build_record(struct trace_event_file *file, struct injection *in, char *text)
{
	int err = inject_init_record(in);

	scoped_guard(preempt_notrace)
		trace_entry_fill(in->rec, file->type, trace_ctx_full(trace_callers_word()),
				 current);
	for (text = skip_spaces(text); !err && *text; text = skip_spaces(text))
		err = inject_take_field(in, &text);
	if (!err)
		event_record_made(file, in->rec, in->len);
	return err;
}

static int event_inject(struct trace_event_file *file, char *text)
{
	struct injection in = {
		.fields	= file->event->type.fields,
		.rec	= kzalloc(INJECT_MAX, GFP_KERNEL),
		.len	= file->event->type.size,
	};
	int err;

	lockdep_assert_held(&events_lock);
	if (!in.rec)
		return -ENOMEM;
	err = inject_build_record(file, &in, text);
	kfree(in.rec);
	return err;
}

/* ------------------------------------------------------------------ */
/* The file inject							*/

static int inject_file_show(struct seq_file *m, const struct trace_node *at)
{
	return -EPERM;
}

static int inject_file_store(const struct trace_node *at, char *text)
{
	struct trace_event_file *file;
	int err = event_expand(at->tr);

	if (err)
		return err;
	guard(mutex)(&events_lock);
	file = event_file_at(at);
	return file ? event_inject(file, text) : -ENODEV;
}

static const struct trace_file inject_files[] = {
	{
		.name	= "inject",
		.mode	= TRACE_FILE_WO,
		.place	= IN_EVENT,
		.show	= inject_file_show,
		.store	= inject_file_store,
	},
	{ }
};

EVENT_DIR_FILES(inject_files);
