// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of user events: ``TYPE NAME`` or ``struct TYPE NAME SIZE``, separated by semicolons.
 * A record has the fields in the order of the text, without padding.
 */
#include <linux/array_size.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "internal.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* Types								*/

/* Number types. Types whose size depends on the kernel, as long, are left out. */
static const struct user_number_type {
	const char	*name;
	const char	*fmt;
	unsigned int	size;
} user_number_types[] = {
	{ "s64",		"%lld",	8 },
	{ "u64",		"%llu",	8 },
	{ "s32",		"%d",	4 },
	{ "u32",		"%u",	4 },
	{ "int",		"%d",	4 },
	{ "unsigned int",	"%u",	4 },
	{ "s16",		"%d",	2 },
	{ "u16",		"%u",	2 },
	{ "short",		"%d",	2 },
	{ "unsigned short",	"%u",	2 },
	{ "s8",			"%d",	1 },
	{ "u8",			"%u",	1 },
	{ "char",		"%d",	1 },
	{ "unsigned char",	"%u",	1 },
};

static const struct user_number_type *user_find_number_type(const char *type)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(user_number_types); i++)
		if (!strcmp(user_number_types[i].name, type))
			return &user_number_types[i];
	return NULL;
}

const char *user_type_fmt(const char *type)
{
	const struct user_number_type *number = user_find_number_type(type);

	if (number)
		return number->fmt;
	/* Only the program knows the meaning of other types. */
	return strstr(type, "char[") ? "%s" : "%llu";
}

#define USER_ARRAY_MAX	1024

/* Parse ``N]``. Return: N, the number of elements, or -EINVAL. */
static int user_array_size(const char *spec)
{
	char digits[7];
	size_t n = strcspn(spec, "]");
	unsigned int size;

	if (n >= sizeof(digits) || spec[n] != ']' || spec[n + 1])
		return -EINVAL;
	memcpy(digits, spec, n);
	digits[n] = '\0';
	if (kstrtouint(digits, 0, &size) || size > USER_ARRAY_MAX)
		return -EINVAL;
	return size;
}

static bool user_type_is_loc(const char *type)
{
	return strstarts(type, "__data_loc ") || strstarts(type, "__rel_loc ");
}

/* Return: size of @type in bytes, or -EINVAL. */
static int user_type_size(const char *type)
{
	static const char * const arrays[] = { "char[", "unsigned char[" };
	const struct user_number_type *number = user_find_number_type(type);

	if (number)
		return number->size;
	if (user_type_is_loc(type))
		return sizeof(u32);
	for (unsigned int i = 0; i < ARRAY_SIZE(arrays); i++)
		if (strstarts(type, arrays[i]))
			return user_array_size(type + strlen(arrays[i]));
	return -EINVAL;
}

/* ------------------------------------------------------------------ */
/* A field								*/

/* Prefixes of types of more than one word; a longer prefix comes before its own prefix. */
static const char * const user_type_prefixes[] = {
	"unsigned ", "struct ", "__data_loc unsigned ", "__data_loc ", "__rel_loc unsigned ",
	"__rel_loc ",
};

/* End the type in @field by a NUL. Return: the text behind the type, or NULL if there is none. */
static char *user_field_cut_type(char *field)
{
	size_t begins = 0;
	char *end;

	for (unsigned int i = 0; !begins && i < ARRAY_SIZE(user_type_prefixes); i++)
		begins = str_has_prefix(field, user_type_prefixes[i]);
	end = strchr(field + begins, ' ');
	if (end)
		*end++ = '\0';
	return end;
}

/* Return: bytes of a field, or -EINVAL. The program must give the @size of a struct only. */
static int user_field_size(const char *type, const char *size)
{
	u32 bytes;

	if (!strstarts(type, "struct "))
		return size ? -EINVAL : user_type_size(type);
	if (!size || kstrtou32(size, 10, &bytes) || bytes > USER_RECORD_MAX)
		return -EINVAL;
	return bytes;
}

static int user_field_parse(char *field, struct user_fields *fields)
{
	struct trace_event_fields *f = &fields->table[fields->nr];
	char *rest = user_field_cut_type(field);
	char *name = strsep(&rest, " ");
	char *size = strsep(&rest, " ");
	int bytes = user_field_size(field, size);

	if (!name || !*name || rest || bytes <= 0 || fields->len + bytes > USER_RECORD_MAX)
		return -EINVAL;
	f->type = field;
	f->name = name;
	f->offset = fields->len;
	f->size = bytes;
	f->is_signed = field[0] != 'u';
	fields->len += bytes;
	fields->located |= user_type_is_loc(field);
	fields->nr++;
	return 0;
}

/* ------------------------------------------------------------------ */
/* All fields								*/

static unsigned int user_count_chars(const char *words, char what)
{
	unsigned int n = 0;

	for (; *words; words++)
		n += *words == what;
	return n;
}

/* Parse all fields. Empty text before, between or behind semicolons is ignored. */
static int user_fields_parse_all(struct user_fields *fields)
{
	char *rest = fields->words;
	char *field;
	int err = 0;

	while (!err && (field = strsep(&rest, ";"))) {
		field = skip_spaces(field);
		if (*field)
			err = user_field_parse(field, fields);
	}
	return err;
}

/* True if @words can be shown in a line of dynamic_events, where '#' begins a comment. */
static bool user_words_are_showable(const char *words)
{
	while (isprint(*words) && *words != '#')
		words++;
	return !*words;
}

int user_fields_parse(struct user_fields *fields, const char *words)
{
	words = words ?: "";
	*fields = (struct user_fields){ .len = sizeof(struct trace_entry) };
	fields->words = kstrdup(words, GFP_KERNEL_ACCOUNT);
	fields->table = kcalloc(user_count_chars(words, ';') + 2, sizeof(*fields->table),
				GFP_KERNEL_ACCOUNT);
	if (!fields->words || !fields->table)
		return -ENOMEM;
	return user_words_are_showable(words) ? user_fields_parse_all(fields) : -EINVAL;
}

void user_fields_free(struct user_fields *fields)
{
	kfree(fields->table);
	kfree(fields->words);
}

bool user_fields_are_same(const struct user_fields *a, const struct user_fields *b)
{
	const struct trace_event_fields *f = a->table, *g = b->table;

	if (a->nr != b->nr)
		return false;
	for (; f->type; f++, g++)
		if (strcmp(f->type, g->type) || strcmp(f->name, g->name) || f->size != g->size)
			return false;
	return true;
}

/* ------------------------------------------------------------------ */
/* A record								*/

/*
 * Check the location of dynamic data in @rec: its lower 16 bits are the offset, the upper ones the
 * length. Return: 0 or -EFAULT.
 */
static int user_field_check_loc(const struct trace_event_fields *f, const void *rec,
				unsigned int len)
{
	u32 loc = get_unaligned((const u32 *)(rec + f->offset));
	unsigned int end = (loc & U16_MAX) + (loc >> 16);

	if (record_field_is_rel_loc(f))
		end += f->offset + f->size;
	if (end > len)
		return -EFAULT;
	if (strstr(f->type, "char") && (!end || ((const char *)rec)[end - 1]))
		return -EFAULT;
	return 0;
}

int user_fields_check(const struct user_fields *fields, const void *rec, unsigned int len)
{
	const struct trace_event_fields *f;
	int err = 0;

	for (f = fields->table; !err && f->type; f++)
		if (user_type_is_loc(f->type))
			err = user_field_check_loc(f, rec, len);
	return err;
}
