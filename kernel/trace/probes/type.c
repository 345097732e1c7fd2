// SPDX-License-Identifier: GPL-2.0
/*
 * The types of what probes fetch: ``u8`` to ``s64``, ``x8`` to ``x64``, ``char``, ``symbol``,
 * ``string``, ``ustring``, ``symstr``, ``%pd`` and ``%pD``, ``b<bits>@<first>/<of>``, and arrays
 * ``TYPE[N]``.
 */
#include <linux/array_size.h>
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/string.h>

#include "text.h"

#define NUMBER_TYPE(_name, _field, _fmt, _signed, _kind)				\
	{ .name = #_name, .field = #_field, .fmt = _fmt, .size = sizeof(_field),	\
	  .is_signed = _signed, .kind = _kind }

/* As the kernel says it, they are signed. */
#define TEXT_TYPE(_name, _kind)								\
	{ .name = #_name, .field = "__data_loc char[]", .fmt = "\\\"%s\\\"",		\
	  .size = sizeof(u32), .is_signed = true, .kind = _kind }

/* As tools know it, an L stands for a long long. */
#define LONGER	"L"

#if BITS_PER_LONG == 64
#define LONG_NAME	"x64"
#define LONG_FIELD	u64
#else
#define LONG_NAME	"x32"
#define LONG_FIELD	u32
#endif
/* So that the macro above sees what it stands for. */
#define LONG_TYPE(_name, _field, _fmt, _kind)	NUMBER_TYPE(_name, _field, _fmt, false, _kind)

static const struct fetch_type types[] = {
	NUMBER_TYPE(u8,		u8,	"%u",		false,	FETCH_UNSIGNED),
	NUMBER_TYPE(u16,	u16,	"%u",		false,	FETCH_UNSIGNED),
	NUMBER_TYPE(u32,	u32,	"%u",		false,	FETCH_UNSIGNED),
	NUMBER_TYPE(u64,	u64,	"%" LONGER "u",		false,	FETCH_UNSIGNED),
	NUMBER_TYPE(s8,		s8,	"%d",		true,	FETCH_SIGNED),
	NUMBER_TYPE(s16,	s16,	"%d",		true,	FETCH_SIGNED),
	NUMBER_TYPE(s32,	s32,	"%d",		true,	FETCH_SIGNED),
	NUMBER_TYPE(s64,	s64,	"%" LONGER "d",		true,	FETCH_SIGNED),
	NUMBER_TYPE(x8,		u8,	"0x%x",		false,	FETCH_HEX),
	NUMBER_TYPE(x16,	u16,	"0x%x",		false,	FETCH_HEX),
	NUMBER_TYPE(x32,	u32,	"0x%x",		false,	FETCH_HEX),
	NUMBER_TYPE(x64,	u64,	"0x%" LONGER "x",	false,	FETCH_HEX),
	NUMBER_TYPE(char,	u8,	"'%c'",		false,	FETCH_CHAR),
	LONG_TYPE(symbol,	LONG_FIELD, "%pS",	FETCH_SYMBOLIC),
	TEXT_TYPE(string,	FETCH_STRING),
	TEXT_TYPE(ustring,	FETCH_USTRING),
	TEXT_TYPE(symstr,	FETCH_SYMSTR),
};

static const struct fetch_type *find_type(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

/* ------------------------------------------------------------------ */
/* What goes with what							*/

static bool has_text_of_its_own(const struct fetch *f)
{
	return f->source == FETCH_COMM || f->source == FETCH_TEXT ||
	       (f->source == FETCH_FIELD && f->field_kind != FETCH_FIELD_NUMBER);
}

static bool is_always_text(const struct fetch *f)
{
	return f->source == FETCH_COMM || f->source == FETCH_TEXT;
}

/* The address of a text may also be a constant, or in a field. */
static bool can_be_text(const struct fetch *f)
{
	return f->nr_loads || has_text_of_its_own(f) || f->source == FETCH_CONSTANT ||
	       f->source == FETCH_FIELD;
}

/* A name is that of an address, which a text is not. */
static bool can_be_symstr(const struct fetch *f)
{
	return f->nr_loads || (!has_text_of_its_own(f) && f->source != FETCH_CONSTANT);
}

static int check_text(const struct probe_text *text, const char *at, const struct fetch *f)
{
	if (f->type->kind == FETCH_SYMSTR && !can_be_symstr(f))
		return probe_refuse(text, at, PROBE_ERR_SYMSTR);
	if (f->type->kind != FETCH_SYMSTR && !can_be_text(f))
		return probe_refuse(text, at, PROBE_ERR_STRING);
	return 0;
}

static int check(const struct probe_text *text, const char *at, const struct fetch *f)
{
	if (is_always_text(f) && f->type->kind != FETCH_STRING)
		return probe_refuse(text, at, PROBE_ERR_STRING_ONLY);
	if (f->count && !f->nr_loads)
		return probe_refuse(text, at, PROBE_ERR_STRING);
	return fetch_type_is_text(f->type) ? check_text(text, at, f) : 0;
}

/* ------------------------------------------------------------------ */
/* What is written							*/

/* ``[N]`` behind a type. */
static int parse_count(const struct probe_text *text, char *bracket, struct fetch *f)
{
	char *end = strchr(bracket, ']');
	unsigned int count;

	if (!end)
		return probe_refuse(text, bracket + strlen(bracket), PROBE_ERR_ARRAY_OPEN);
	if (end[1])
		return probe_refuse(text, end + 1, PROBE_ERR_ARRAY_SUFFIX);
	*bracket++ = '\0';
	*end = '\0';
	if (kstrtouint(bracket, 0, &count) || !count)
		return probe_refuse(text, bracket, PROBE_ERR_ARRAY);
	if (count > FETCH_ARRAY_MAX)
		return probe_refuse(text, bracket, PROBE_ERR_ARRAY_BIG);
	f->count = count;
	return 0;
}

/* A number that ends with @behind. Return: behind that, or NULL. */
static char *parse_bits(char *word, char behind, unsigned int *bits)
{
	char *end = strchrnul(word, behind);

	if (*end != behind)
		return NULL;
	*end = '\0';
	return kstrtouint(word, 0, bits) ? NULL : end + 1;
}

/* What the bits are of is behind them. */
static const struct fetch_type *type_of_bits(const char *word, unsigned int *of)
{
	const char *at = strchr(word, '/');
	char name[4];

	if (!at || kstrtouint(at + 1, 0, of) || *of > 64)
		return NULL;
	snprintf(name, sizeof(name), "u%u", *of);
	return find_type(name);
}

/* ``b<bits>@<first>/<of>`` */
static int parse_bit_field(const struct probe_text *text, char *word, struct fetch *f)
{
	unsigned int bits, first, of;
	char *at;

	f->type = type_of_bits(word, &of);
	if (!f->type)
		return probe_refuse(text, word, PROBE_ERR_TYPE);
	at = parse_bits(word + 1, '@', &bits);
	at = at ? parse_bits(at, '/', &first) : NULL;
	if (!at || !bits || bits > of || first > of - bits)
		return probe_refuse(text, word, PROBE_ERR_BITS);
	f->left = of - bits - first;
	f->right = of - bits;
	return 0;
}

static int add_load(const struct probe_text *text, const char *at, long offset, struct fetch *f)
{
	return fetch_load_add(text, at, (struct fetch_load){ .offset = offset }, f);
}

/* ``%pd``: of the dentry at an address, its name; ``%pD``: of the file at an address. */
static int parse_path(const struct probe_text *text, const char *word, struct fetch *f)
{
	int err = 0;

	if (f->count || (strcmp(word, "%pd") && strcmp(word, "%pD")))
		return probe_refuse(text, word, PROBE_ERR_TYPE);
	if (is_always_text(f))
		return probe_refuse(text, word, PROBE_ERR_LOAD_COMM);
	if (word[2] == 'D')
		err = add_load(text, word, offsetof(struct file, f_path.dentry), f);
	err = err ?: add_load(text, word, offsetof(struct dentry, d_name.name), f);
	f->type = find_type("string");
	/* What was loaded is the address of the name. */
	return err ?: add_load(text, word, 0, f);
}

static bool is_of_kernel(const char *name)
{
	return !strcmp(name, "symbol") || !strcmp(name, "symstr") || *name == '%';
}

static int parse_name(const struct probe_text *text, char *word,
		      const struct probe_place *place, struct fetch *f)
{
	if ((place->at & PROBE_IN_USER) && is_of_kernel(word))
		return probe_refuse(text, word, PROBE_ERR_TYPE);
	if (*word == '%')
		return parse_path(text, word, f);
	if (*word == 'b')
		return parse_bit_field(text, word, f);
	f->type = find_type(word);
	return f->type ? 0 : probe_refuse(text, word, PROBE_ERR_TYPE);
}

/*
 * What is known by its type: a text is one of characters, in memory or at an address, and no
 * other type has bits of a field.
 */
static int fit_text(const struct probe_text *text, const char *at, const struct probe_natural *n,
		    struct fetch *f)
{
	if (f->type->kind == FETCH_SYMSTR || f->count)
		return 0;
	if (n->is_text)
		return 0;
	if (!n->is_text_address)
		return probe_refuse(text, at, PROBE_ERR_TYPE_OF_STRING);
	return add_load(text, at, 0, f);
}

static int take_natural(const struct probe_text *text, const char *at,
			const struct probe_natural *n, struct fetch *f)
{
	f->type = find_type(n->type ?: LONG_NAME);
	f->left = n->left;
	f->right = n->right;
	return check(text, at, f);
}

int fetch_type_parse(const struct probe_text *text, char *word, const char *at,
		     const struct probe_place *place, struct fetch *f)
{
	char *bracket;
	int err = 0;

	if (!word && place->natural.is_known)
		return take_natural(text, at, &place->natural, f);
	if (!word) {
		f->type = find_type(has_text_of_its_own(f) && !f->nr_loads ? "string" :
									     LONG_NAME);
		return check(text, at, f);
	}
	bracket = strchr(word, '[');
	if (bracket)
		err = parse_count(text, bracket, f);
	err = err ?: parse_name(text, word, place, f);
	if (!err && place->natural.is_known && fetch_type_is_text(f->type))
		err = fit_text(text, at, &place->natural, f);
	return err ?: check(text, word, f);
}
