// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing of fields of histograms: ``FIELD[.MODIFIER]``.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "errors.h"
#include "events/events.h"
#include "expr.h"
#include "fields.h"
#include "internal.h"
#include "modifier.h"
#include "text.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* Sources of fields							*/

/**
 * struct named_source - a field that is not in the record
 * @name: name of the field
 * @source: enum hist_source
 */
struct named_source {
	const char	*name;
	u8		source;
};

/* Fields of every event that are not in the record. */
static const struct named_source special_fields[] = {
	{ "common_timestamp", HIST_TIME }, { "common_cpu", HIST_CPU },
	{ "common_stacktrace", HIST_STACK }, { "hitcount", HIST_HITS },
};

/* Names that stand for fields not in the record, if the event has no field of the same name. */
static const struct named_source fallback_fields[] = {
	{ "cpu", HIST_CPU }, { "CPU", HIST_CPU }, { "comm", HIST_COMM }, { "COMM", HIST_COMM },
	{ "stacktrace", HIST_STACK }, { "STACKTRACE", HIST_STACK },
};

static int find_named_source(const struct named_source *table, unsigned int nr,
			     const char *name, size_t len)
{
	for (unsigned int i = 0; i < nr; i++)
		if (strlen(table[i].name) == len && !memcmp(table[i].name, name, len))
			return table[i].source;
	return -ENOENT;
}

static int get_number_source(unsigned int at, unsigned int size)
{
	if (!is_power_of_2(size) || size > sizeof(u64))
		return -EINVAL;
	return at + size < sizeof(u64) ? HIST_EARLY : HIST_WORD;
}

/*
 * Sources of arrays of char. A pointer to a string is not one of them, and counts as a number: the
 * string may be gone by now.
 */
static int get_text_source(const struct trace_event_fields *f)
{
	if (record_field_is_data_loc(f))
		return HIST_DATA_LOC;
	if (record_field_is_rel_loc(f))
		return HIST_REL_LOC;
	return HIST_TEXT;
}

static int get_record_source(const struct trace_event_fields *f, unsigned int at)
{
	if (f->filter_type == FILTER_STACKTRACE)
		return HIST_STACK_FIELD;
	if (record_field_is_text(f))
		return get_text_source(f);
	if (record_field_is_located(f))
		return -EINVAL;
	/* Arrays of 1, 2, 4 or 8 bytes, such as IPv4 addresses, are numbers as well. */
	return get_number_source(at, f->size);
}

static unsigned int get_key_len(const struct hist_field *f)
{
	switch (f->source) {
	case HIST_TEXT:
		return round_up(f->rec.size, sizeof(u64));
	case HIST_DATA_LOC:
	case HIST_REL_LOC:
		return HIST_TEXT_SIZE;
	case HIST_COMM:
		return TASK_COMM_LEN;
	case HIST_STACK:
	case HIST_STACK_FIELD:
		return HIST_STACK_SIZE;
	default:
		return sizeof(u64);
	}
}

/* A stack in a key has no depth in front of it; any other stack does. */
static unsigned int get_field_len(const struct hist_field *f, unsigned int whom)
{
	bool stack = f->source == HIST_STACK || f->source == HIST_STACK_FIELD;

	return stack && whom != HIST_FOR_KEYS ? HIST_STACK_VALUE_SIZE : get_key_len(f);
}

/*
 * Find a field of the record.
 *
 * Return: enum hist_source; -ENOENT if there is no such field; -EINVAL if a histogram cannot use
 * its type; -ENOMEM.
 */
static int find_record_field(const struct trace_event_file *file, const char *name,
			     struct hist_field *to)
{
	const struct trace_event_fields *f;
	unsigned int at;

	f = record_field_find(file->event->type.fields, name, strlen(name), &at) ?:
	    record_common_find(name, strlen(name), &at);
	if (!f)
		return -ENOENT;
	to->rec.offset = at;
	/* A string without a size goes up to the end of the record, and is terminated by a NUL. */
	to->rec.size = f->size ?: HIST_TEXT_SIZE;
	to->rec.word = at + f->size - sizeof(u64);
	to->rec.shift = BITS_PER_BYTE * (sizeof(u64) - f->size);
	to->is_signed = f->is_signed;
	to->type = kstrdup(f->type, GFP_KERNEL);
	return to->type ? get_record_source(f, at) : -ENOMEM;
}

static int find_field_source(const struct trace_event_file *file, const char *name,
			     struct hist_field *to)
{
	int source = find_named_source(special_fields, ARRAY_SIZE(special_fields), name,
				       strlen(name));

	if (source == -ENOENT)
		source = find_record_field(file, name, to);
	if (source == -ENOENT)
		source = find_named_source(fallback_fields, ARRAY_SIZE(fallback_fields), name,
					   strlen(name));
	return source;
}

bool hist_has_field(const struct trace_event_file *file, const char *word, bool fallback_too)
{
	size_t len = strcspn(word, ".");
	unsigned int at;

	return find_named_source(special_fields, ARRAY_SIZE(special_fields), word, len) >= 0 ||
	       record_field_find(file->event->type.fields, word, len, &at) ||
	       record_common_find(word, len, &at) ||
	       (fallback_too && find_named_source(fallback_fields, ARRAY_SIZE(fallback_fields),
						  word, len) >= 0);
}

size_t hist_other_name(const struct trace_event_file *file, const struct hist_field *f,
		       const char *word)
{
	size_t len = strcspn(word, ".");
	unsigned int at;

	if (record_field_find(file->event->type.fields, word, len, &at))
		return 0;
	return find_named_source(fallback_fields, ARRAY_SIZE(fallback_fields), word,
				 len) == f->source ? len : 0;
}

/* ------------------------------------------------------------------ */
/* The whole field							*/

/* Fields that have several names are shown by that of the stock kernel. */
static const char *get_shown_name(int source, const char *name)
{
	switch (source) {
	case HIST_CPU:
		return "common_cpu";
	case HIST_STACK:
		return "common_stacktrace";
	default:
		return name;
	}
}

static int parse_field_name(const struct hist_text *text, const char *name, unsigned int whom,
			    struct hist_field *f)
{
	int source = find_field_source(text->file, name, f);

	f->name = kstrdup(get_shown_name(source, name), GFP_KERNEL);
	if (!f->name)
		return -ENOMEM;
	if (source == -ENOENT)
		return cmd_refuse(&text->cmd, name, HIST_ERR_FIELD);
	if (source == -EINVAL)
		return cmd_refuse(&text->cmd, name, HIST_ERR_KIND);
	if (source < 0)
		return source;
	f->source = source;
	f->len = get_field_len(f, whom);
	return 0;
}

/*
 * True if a field can be used as @whom says. Values and operands have to be numbers. The hit count
 * cannot be a key. It can be a value only with a modifier, because the count itself is always
 * shown.
 */
static bool field_fits_use(const struct hist_field *f, unsigned int whom)
{
	switch (whom) {
	case HIST_FOR_KEYS:
		return f->source != HIST_HITS;
	case HIST_FOR_VALS:
		return hist_is_number(f) && (f->source != HIST_HITS || f->as);
	case HIST_FOR_OPERANDS:
		return hist_is_number(f);
	default:
		return true;
	}
}

int hist_field_parse(const struct hist_text *text, char *word, unsigned int whom,
		     struct hist_field *f)
{
	char *modifier = word, *name = strsep(&modifier, ".");
	int err;

	if (modifier && hist_modifier_parse(modifier, whom, f))
		return cmd_refuse(&text->cmd, modifier, HIST_ERR_MODIFIER);
	err = parse_field_name(text, name, whom, f);
	if (err)
		return err;
	if (!hist_modifier_fits(f))
		return cmd_refuse(&text->cmd, modifier, HIST_ERR_MODIFIER);
	/* A variable or parameter keeps the name of the task itself, instead of its PID. */
	if (hist_names_task(f) && whom & (HIST_FOR_VARS | HIST_FOR_PARAMS)) {
		f->source = HIST_COMM;
		f->len = TASK_COMM_LEN;
	}
	if (!field_fits_use(f, whom))
		return cmd_refuse(&text->cmd, name, whom == HIST_FOR_OPERANDS ?
				   HIST_ERR_TEXT_OPERAND : HIST_ERR_KIND);
	return 0;
}

void hist_prepare_field(struct hist *h, struct hist_field *f)
{
	f->way = hist_modifier_way(f);
	for (unsigned int i = 0; f->source == HIST_EXPR && i < f->expr->nr_fields; i++)
		hist_prepare_field(h, &f->expr->fields[i]);
	if (f->type && f->rec.offset < sizeof(struct trace_entry))
		h->t.reads |= EVENT_HOW_NO_HEADER;
	h->times |= f->source == HIST_TIME;
	h->wants_comm |= hist_names_task(f);
}

static void free_expr(struct hist_expr *expr)
{
	for (unsigned int i = 0; expr && i < expr->nr_fields; i++)
		hist_field_free(&expr->fields[i]);
	kfree(expr);
}

void hist_field_free(struct hist_field *f)
{
	if (f->source == HIST_EXPR)
		free_expr(f->expr);
	kfree(f->name);
	kfree(f->type);
}
