// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of events of programs: ``TYPE NAME``, ``struct TYPE NAME SIZE``, with a semicolon
 * between them. They stand in the record as they are written, one right behind the other.
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

/* None whose size depends on the kernel: long is not among them. */
static const struct number_type {
	const char	*name;
	const char	*fmt;
	unsigned int	size;
} number_types[] = {
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

static const struct number_type *number_type(const char *type)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(number_types); i++)
		if (!strcmp(number_types[i].name, type))
			return &number_types[i];
	return NULL;
}

const char *user_type_fmt(const char *type)
{
	const struct number_type *number = number_type(type);

	if (number)
		return number->fmt;
	/* What else it is the program alone knows. */
	return strstr(type, "char[") ? "%s" : "%llu";
}

#define ARRAY_MAX	1024

/* ``N]``. Return: its size, or -EINVAL. */
static int array_size_of(const char *spec)
{
	char digits[7];
	size_t n = strcspn(spec, "]");
	unsigned int size;

	if (n >= sizeof(digits) || spec[n] != ']' || spec[n + 1])
		return -EINVAL;
	memcpy(digits, spec, n);
	digits[n] = '\0';
	if (kstrtouint(digits, 0, &size) || size > ARRAY_MAX)
		return -EINVAL;
	return size;
}

static bool is_loc(const char *type)
{
	return strstarts(type, "__data_loc ") || strstarts(type, "__rel_loc ");
}

/* Return: how many bytes the type has, or -EINVAL. */
static int size_of_type(const char *type)
{
	static const char * const arrays[] = { "char[", "unsigned char[" };
	const struct number_type *number = number_type(type);

	if (number)
		return number->size;
	if (is_loc(type))
		return sizeof(u32);
	for (unsigned int i = 0; i < ARRAY_SIZE(arrays); i++)
		if (strstarts(type, arrays[i]))
			return array_size_of(type + strlen(arrays[i]));
	return -EINVAL;
}

/* ------------------------------------------------------------------ */
/* A field								*/

/* Beginnings of types that go on behind a blank; the longer ones first. */
static const char * const beginnings[] = {
	"unsigned ", "struct ", "__data_loc unsigned ", "__data_loc ", "__rel_loc unsigned ",
	"__rel_loc ",
};

/* Cut the type off. Return: what is behind it, or NULL for nothing. */
static char *behind_type(char *field)
{
	size_t begins = 0;
	char *end;

	for (unsigned int i = 0; !begins && i < ARRAY_SIZE(beginnings); i++)
		begins = str_has_prefix(field, beginnings[i]);
	end = strchr(field + begins, ' ');
	if (end)
		*end++ = '\0';
	return end;
}

/* What a struct is, only its program knows, which says how big. */
static int size_of_field(const char *type, const char *size)
{
	u32 bytes;

	if (!strstarts(type, "struct "))
		return size ? -EINVAL : size_of_type(type);
	if (!size || kstrtou32(size, 10, &bytes) || bytes > USER_RECORD_MAX)
		return -EINVAL;
	return bytes;
}

static int parse_field(char *field, struct user_fields *fields)
{
	struct trace_event_fields *f = &fields->table[fields->nr];
	char *rest = behind_type(field);
	char *name = strsep(&rest, " ");
	char *size = strsep(&rest, " ");
	int bytes = size_of_field(field, size);

	if (!name || !*name || rest || bytes <= 0 || fields->len + bytes > USER_RECORD_MAX)
		return -EINVAL;
	f->type = field;
	f->name = name;
	f->offset = fields->len;
	f->size = bytes;
	f->is_signed = field[0] != 'u';
	fields->len += bytes;
	fields->located |= is_loc(field);
	fields->nr++;
	return 0;
}

/* ------------------------------------------------------------------ */
/* All of them								*/

static unsigned int count(const char *words, char what)
{
	unsigned int n = 0;

	for (; *words; words++)
		n += *words == what;
	return n;
}

/* None between two semicolons is none, as behind the last. */
static int parse_all(struct user_fields *fields)
{
	char *rest = fields->words;
	char *field;
	int err = 0;

	while (!err && (field = strsep(&rest, ";"))) {
		field = skip_spaces(field);
		if (*field)
			err = parse_field(field, fields);
	}
	return err;
}

/* They are shown as a part of lines. */
static bool is_of_a_line(const char *words)
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
	fields->table = kcalloc(count(words, ';') + 2, sizeof(*fields->table),
				GFP_KERNEL_ACCOUNT);
	if (!fields->words || !fields->table)
		return -ENOMEM;
	return is_of_a_line(words) ? parse_all(fields) : -EINVAL;
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

/* The lower half is where, the upper one how much. */
static int check_place(const struct trace_event_fields *f, const void *rec, unsigned int len)
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
		if (is_loc(f->type))
			err = check_place(f, rec, len);
	return err;
}
