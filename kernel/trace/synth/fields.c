// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing of the fields of synthetic events: ``TYPE NAME``, ``char NAME[N]``, ``char NAME[]``, and
 * ``unsigned long[] NAME`` for a stack.
 */
#include <linux/array_size.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/gfp_types.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

#include "internal.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* Types								*/

/* Types of numbers; is_signed is what the format file shows, and how a number is printed. */
static const struct number_type {
	const char	*name;
	const char	*fmt;
	u8		size;
	bool		is_signed;
} number_types[] = {
	{ "s64",	"%lld",	sizeof(s64),	true },
	{ "u64",	"%llu",	sizeof(u64),	false },
	{ "s32",	"%d",	sizeof(s32),	true },
	{ "u32",	"%u",	sizeof(u32),	false },
	{ "s16",	"%d",	sizeof(s16),	true },
	{ "u16",	"%u",	sizeof(u16),	false },
	{ "s8",		"%d",	sizeof(s8),	true },
	{ "u8",		"%u",	sizeof(u8),	false },
	{ "char",	"%d",	sizeof(char),	true },
	{ "unsigned char", "%u", sizeof(char),	false },
	{ "int",	"%d",	sizeof(int),	true },
	{ "unsigned int", "%u",	sizeof(int),	false },
	{ "long",	"%ld",	sizeof(long),	true },
	{ "unsigned long", "%lu", sizeof(long),	false },
	{ "bool",	"%d",	sizeof(bool),	true },
	{ "pid_t",	"%d",	sizeof(pid_t),	true },
	{ "gfp_t",	"%x",	sizeof(gfp_t),	false },
};

/* Set what the type of a field implies. Return: 0, or -EINVAL if it is no type of numbers. */
static int set_number_type(struct synth_field *f)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(number_types); i++) {
		if (strcmp(number_types[i].name, f->type))
			continue;
		f->kind = SYNTH_NUMBER;
		f->fmt = number_types[i].fmt;
		f->size = number_types[i].size;
		f->is_signed = number_types[i].is_signed;
		return 0;
	}
	return -EINVAL;
}

/* Parse ``[N]``, or ``[]`` as a length of 0. */
static int parse_array_len(const char *spec, unsigned int *len)
{
	char digits[4];
	size_t n = strcspn(spec + 1, "]");

	*len = 0;
	if (n >= sizeof(digits) || spec[1 + n] != ']' || spec[2 + n])
		return -EINVAL;
	memcpy(digits, spec + 1, n);
	digits[n] = '\0';
	return n ? kstrtouint(digits, 0, len) : 0;
}

/* Bytes of a field that has the offset and length of an array; tools read it as one number. */
#define LOC_SIZE	(IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? sizeof(u32) : sizeof(u64))

static int set_dynamic_type(struct synth_field *f, u8 kind)
{
	char *type = kasprintf(GFP_KERNEL, "__data_loc %s", f->type);

	if (!type)
		return -ENOMEM;
	kfree(f->type);
	f->type = type;
	f->kind = kind;
	f->size = LOC_SIZE;
	/* The stock tracer takes the type, with its prefix, for one of signed numbers. */
	f->is_signed = true;
	return 0;
}

static int set_text_type(struct synth_field *f, unsigned int len)
{
	if (len > SYNTH_TEXT_MAX)
		return -EINVAL;
	if (!len)
		return set_dynamic_type(f, SYNTH_DYN_TEXT);
	f->kind = SYNTH_TEXT;
	f->size = len;
	return 0;
}

static bool is_either_type(const char *base, size_t len, const char *a, const char *b)
{
	return (strlen(a) == len && !memcmp(a, base, len)) ||
	       (strlen(b) == len && !memcmp(b, base, len));
}

static int set_array_type(struct synth_field *f, const char *spec)
{
	size_t base = spec - f->type;
	unsigned int len;

	f->fmt = "%s";
	f->is_signed = *f->type != 'u';
	if (is_either_type(f->type, base, "char", "unsigned char"))
		return parse_array_len(spec, &len) ?: set_text_type(f, len);
	if (is_either_type(f->type, base, "long", "unsigned long") && !strcmp(spec, "[]"))
		return set_dynamic_type(f, SYNTH_STACK);
	return -EINVAL;
}

static int resolve_field_type(struct synth_field *f)
{
	const char *spec = strchr(f->type, '[');

	return spec ? set_array_type(f, spec) : set_number_type(f);
}

bool synth_is_type(const char *type)
{
	struct synth_field f = { .type = kstrdup(type, GFP_KERNEL) };
	int err = f.type ? resolve_field_type(&f) : -ENOMEM;

	kfree(f.type);
	return !err;
}

/* ------------------------------------------------------------------ */
/* A field								*/

bool synth_is_name(const char *name)
{
	if (!isalpha(*name) && *name != '_')
		return false;
	while (isalnum(*name) || *name == '_')
		name++;
	return !*name;
}

/**
 * struct field_words - words of a field
 * @unsigned_: the word "unsigned", or NULL
 * @type: the type, without "unsigned"
 * @name: the name, with @array behind it
 * @array: ``[...]`` behind the name, or ""
 */
struct field_words {
	char	*unsigned_;
	char	*type;
	char	*name;
	char	*array;
};

static char *next_field_word(char **words)
{
	char *word;

	do
		word = strsep(words, " \t\n");
	while (word && !*word);
	return word;
}

/* Split the words of the next field off. Return: 0; 1 if there is none; -EINVAL, logged. */
static int split_field_words(const struct cmd_text *text, char **words, struct field_words *w)
{
	w->unsigned_ = NULL;
	w->type = next_field_word(words);
	if (!w->type)
		return 1;
	if (!strcmp(w->type, "unsigned")) {
		w->unsigned_ = w->type;
		w->type = next_field_word(words);
	}
	w->name = next_field_word(words);
	if (w->unsigned_ && !w->name)
		return cmd_refuse(text, w->unsigned_, SYNTH_ERR_HALF_TYPE);
	return w->name ? 0 : cmd_refuse(text, w->type, SYNTH_ERR_FIELD);
}

/* True if an earlier field, or one that all events have, has the same name. */
static bool is_field_name_taken(const char *name, const struct synth_field *fields, unsigned int nr)
{
	unsigned int at;

	if (record_common_find(name, strlen(name), &at))
		return true;
	for (unsigned int i = 0; i < nr; i++)
		if (!strcmp(fields[i].name, name))
			return true;
	return false;
}

static int set_field_name(const struct cmd_text *text, struct field_words *w,
			  struct synth_field *fields, unsigned int nr)
{
	struct synth_field *f = &fields[nr];
	size_t len = strcspn(w->name, "[");

	w->array = w->name + len;
	f->name = kmemdup_nul(w->name, len, GFP_KERNEL);
	if (!f->name)
		return -ENOMEM;
	if (!synth_is_name(f->name))
		return cmd_refuse(text, w->name, SYNTH_ERR_NAME);
	return is_field_name_taken(f->name, fields, nr) ?
	       cmd_refuse(text, w->name, SYNTH_ERR_NAME_TAKEN) : 0;
}

static int set_field_type(const struct cmd_text *text, const struct field_words *w,
			  struct synth_field *f)
{
	int err;

	f->type = kasprintf(GFP_KERNEL, "%s%s%s", w->unsigned_ ? "unsigned " : "", w->type,
			    w->array);
	err = f->type ? resolve_field_type(f) : -ENOMEM;
	if (err != -EINVAL)
		return err;
	return *w->array ? cmd_refuse(text, w->name, SYNTH_ERR_ARRAY) :
			   cmd_refuse(text, w->type, SYNTH_ERR_TYPE);
}

/* Parse the fields up to a semicolon: there may be several without one between them. */
static int parse_field_group(const struct cmd_text *text, char *words, struct synth_field *fields,
			     unsigned int *nr)
{
	struct field_words w;
	int err = 0;

	while (!err) {
		err = split_field_words(text, &words, &w);
		if (err)
			break;
		if (*nr == SYNTH_FIELDS_MAX)
			return cmd_refuse(text, NULL, SYNTH_ERR_MANY_FIELDS);
		fields[*nr] = (struct synth_field){};
		err = set_field_name(text, &w, fields, *nr) ?:
		      set_field_type(text, &w, &fields[*nr]);
		++*nr;
	}
	return min(err, 0);
}

int synth_fields_parse(const struct cmd_text *text, char *words, struct synth_field *fields,
		       unsigned int *nr)
{
	char *some;
	int err = 0;

	*nr = 0;
	while (!err && (some = strsep(&words, ";")))
		err = parse_field_group(text, some, fields, nr);
	if (!err && !*nr)
		err = cmd_refuse(text, NULL, SYNTH_ERR_COMMAND);
	return err;
}

void synth_fields_free(struct synth_field *fields, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		kfree(fields[i].name);
		kfree(fields[i].type);
	}
}
