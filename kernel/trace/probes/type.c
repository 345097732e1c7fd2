// SPDX-License-Identifier: GPL-2.0
/*
 * The types of arguments, and their parsing: ``u8`` to ``s64``, ``x8`` to ``x64``, ``char``,
 * ``symbol``, ``string``, ``ustring``, ``symstr``, ``%pd`` and ``%pD``, ``b<bits>@<first>/<of>``,
 * and arrays ``TYPE[N]``.
 */
#include <linux/array_size.h>
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "text.h"

/* ------------------------------------------------------------------ */
/* Types								*/

static void type_print_unsigned(struct trace_seq *s, u64 number)
{
	trace_seq_printf(s, "%llu", number);
}

static void type_print_signed(struct trace_seq *s, u64 number)
{
	trace_seq_printf(s, "%lld", number);
}

static void type_print_hex(struct trace_seq *s, u64 number)
{
	trace_seq_printf(s, "0x%llx", number);
}

static void type_print_char(struct trace_seq *s, u64 number)
{
	trace_seq_printf(s, "'%c'", (char)number);
}

static void type_print_symbol(struct trace_seq *s, u64 number)
{
	trace_seq_printf(s, "%pS", (void *)(unsigned long)number);
}

#define NUMBER_TYPE(_name, _field, _fmt, _signed, _print)				\
	{ .name = #_name, .field = #_field, .fmt = _fmt, .size = sizeof(_field),	\
	  .is_signed = _signed, .kind = FETCH_NUMBER, .print = _print }

/* Stock kernels show texts as signed in the format file, and tools expect that. */
#define TEXT_TYPE(_name, _kind)								\
	{ .name = #_name, .field = "__data_loc char[]", .fmt = "\\\"%s\\\"",		\
	  .size = sizeof(u32), .is_signed = true, .kind = _kind }

/* Tools know "%Lu" in the print format for a number of 64 bits. */
#define FMT_LL	"L"

#if BITS_PER_LONG == 64
#define LONG_NAME	"x64"
#define LONG_FIELD	u64
#else
#define LONG_NAME	"x32"
#define LONG_FIELD	u32
#endif
/* Expands @_field before NUMBER_TYPE() makes a string or size of it. */
#define LONG_TYPE(_name, _field, _fmt, _print)	NUMBER_TYPE(_name, _field, _fmt, false, _print)

static const struct fetch_type fetch_types[] = {
	NUMBER_TYPE(u8,		u8,	"%u",		false,	type_print_unsigned),
	NUMBER_TYPE(u16,	u16,	"%u",		false,	type_print_unsigned),
	NUMBER_TYPE(u32,	u32,	"%u",		false,	type_print_unsigned),
	NUMBER_TYPE(u64,	u64,	"%" FMT_LL "u",		false,	type_print_unsigned),
	NUMBER_TYPE(s8,		s8,	"%d",		true,	type_print_signed),
	NUMBER_TYPE(s16,	s16,	"%d",		true,	type_print_signed),
	NUMBER_TYPE(s32,	s32,	"%d",		true,	type_print_signed),
	NUMBER_TYPE(s64,	s64,	"%" FMT_LL "d",		true,	type_print_signed),
	NUMBER_TYPE(x8,		u8,	"0x%x",		false,	type_print_hex),
	NUMBER_TYPE(x16,	u16,	"0x%x",		false,	type_print_hex),
	NUMBER_TYPE(x32,	u32,	"0x%x",		false,	type_print_hex),
	NUMBER_TYPE(x64,	u64,	"0x%" FMT_LL "x",	false,	type_print_hex),
	NUMBER_TYPE(char,	u8,	"'%c'",		false,	type_print_char),
	LONG_TYPE(symbol,	LONG_FIELD, "%pS",	type_print_symbol),
	TEXT_TYPE(string,	FETCH_STRING),
	TEXT_TYPE(ustring,	FETCH_USTRING),
	TEXT_TYPE(symstr,	FETCH_SYMSTR),
};

static const struct fetch_type *fetch_type_find(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(fetch_types); i++)
		if (!strcmp(fetch_types[i].name, name))
			return &fetch_types[i];
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Types that fit the source						*/

static bool type_source_holds_text(const struct fetch *f)
{
	return f->source == FETCH_COMM || f->source == FETCH_TEXT ||
	       (f->source == FETCH_FIELD && f->field_kind != FETCH_FIELD_NUMBER);
}

static bool type_source_is_text(const struct fetch *f)
{
	return f->source == FETCH_COMM || f->source == FETCH_TEXT;
}

/* True if the source is a text, or can be its address: a constant or a field may be one. */
static bool type_can_be_string(const struct fetch *f)
{
	return f->nr_loads || type_source_holds_text(f) || f->source == FETCH_CONSTANT ||
	       f->source == FETCH_FIELD;
}

/* True if the source yields an address to name; texts and plain constants do not. */
static bool type_can_be_symstr(const struct fetch *f)
{
	return f->nr_loads || (!type_source_holds_text(f) && f->source != FETCH_CONSTANT);
}

static int type_check_text(const struct cmd_text *text, const char *at, const struct fetch *f)
{
	if (f->type->kind == FETCH_SYMSTR && !type_can_be_symstr(f))
		return cmd_refuse(text, at, PROBE_ERR_SYMSTR);
	if (f->type->kind != FETCH_SYMSTR && !type_can_be_string(f))
		return cmd_refuse(text, at, PROBE_ERR_STRING);
	return 0;
}

static int type_check(const struct cmd_text *text, const char *at, const struct fetch *f)
{
	if (type_source_is_text(f) && f->type->kind != FETCH_STRING)
		return cmd_refuse(text, at, PROBE_ERR_STRING_ONLY);
	if (f->count && !f->nr_loads)
		return cmd_refuse(text, at, PROBE_ERR_STRING);
	return fetch_type_is_text(f->type) ? type_check_text(text, at, f) : 0;
}

/* ------------------------------------------------------------------ */
/* Types as users write them						*/

/* ``[N]`` after a type. */
static int type_parse_array_size(const struct cmd_text *text, char *bracket, struct fetch *f)
{
	char *end = strchr(bracket, ']');
	unsigned int count;

	if (!end)
		return cmd_refuse(text, bracket + strlen(bracket), PROBE_ERR_ARRAY_OPEN);
	if (end[1])
		return cmd_refuse(text, end + 1, PROBE_ERR_ARRAY_SUFFIX);
	*bracket++ = '\0';
	*end = '\0';
	if (kstrtouint(bracket, 0, &count) || !count)
		return cmd_refuse(text, bracket, PROBE_ERR_ARRAY);
	if (count > FETCH_ARRAY_MAX)
		return cmd_refuse(text, bracket, PROBE_ERR_ARRAY_BIG);
	f->count = count;
	return 0;
}

/* Parse a number that ends with @separator. Return: the text after that, or NULL. */
static char *type_parse_bits(char *word, char separator, unsigned int *bits)
{
	char *end = strchrnul(word, separator);

	if (*end != separator)
		return NULL;
	*end = '\0';
	return kstrtouint(word, 0, bits) ? NULL : end + 1;
}

/* Find the type of the number that contains the bit field: its size @of follows the slash. */
static const struct fetch_type *type_find_bit_container(const char *word, unsigned int *of)
{
	const char *at = strchr(word, '/');
	char name[4];

	if (!at || kstrtouint(at + 1, 0, of) || *of > 64)
		return NULL;
	snprintf(name, sizeof(name), "u%u", *of);
	return fetch_type_find(name);
}

/* ``b<bits>@<first>/<of>`` */
static int type_parse_bit_field(const struct cmd_text *text, char *word, struct fetch *f)
{
	unsigned int bits, first, of;
	char *at;

	f->type = type_find_bit_container(word, &of);
	if (!f->type)
		return cmd_refuse(text, word, PROBE_ERR_TYPE);
	at = type_parse_bits(word + 1, '@', &bits);
	at = at ? type_parse_bits(at, '/', &first) : NULL;
	if (!at || !bits || bits > of || first > of - bits)
		return cmd_refuse(text, word, PROBE_ERR_BITS);
	f->left = of - bits - first;
	f->right = of - bits;
	return 0;
}

static int type_add_load(const struct cmd_text *text, const char *at, long offset, struct fetch *f)
{
	return fetch_load_add(text, at, (struct fetch_load){ .offset = offset }, f);
}

/* ``%pd``: the name of the dentry at an address; ``%pD``: the name of the file at an address. */
static int type_parse_path(const struct cmd_text *text, const char *word, struct fetch *f)
{
	int err = 0;

	if (f->count || (strcmp(word, "%pd") && strcmp(word, "%pD")))
		return cmd_refuse(text, word, PROBE_ERR_TYPE);
	if (type_source_is_text(f))
		return cmd_refuse(text, word, PROBE_ERR_LOAD_COMM);
	if (word[2] == 'D')
		err = type_add_load(text, word, offsetof(struct file, f_path.dentry), f);
	err = err ?: type_add_load(text, word, offsetof(struct dentry, d_name.name), f);
	f->type = fetch_type_find("string");
	/* The loads so far yield the address of the name; one more reads the string there. */
	return err ?: type_add_load(text, word, 0, f);
}

static bool type_is_kernel_only(const char *name)
{
	return !strcmp(name, "symbol") || !strcmp(name, "symstr") || *name == '%';
}

/* With a known BTF type, a string must be an array of char, or a pointer to char: add its load. */
static int type_fit_text(const struct cmd_text *text, const char *at,
			 const struct probe_btf_type *n, struct fetch *f)
{
	if (!n->is_known || !fetch_type_is_text(f->type))
		return 0;
	if (f->type->kind == FETCH_SYMSTR || f->count)
		return 0;
	if (n->is_text)
		return 0;
	if (!n->is_text_address)
		return cmd_refuse(text, at, PROBE_ERR_TYPE_OF_STRING);
	return type_add_load(text, at, 0, f);
}

static int type_parse_name(const struct cmd_text *text, char *word, const char *at,
			   const struct probe_place *place, struct fetch *f)
{
	if ((place->at & PROBE_IN_USER) && type_is_kernel_only(word))
		return cmd_refuse(text, word, PROBE_ERR_TYPE);
	if (*word == '%')
		return type_parse_path(text, word, f);
	f->type = fetch_type_find(word);
	if (f->type)
		return type_fit_text(text, at, &place->arg_type, f);
	return *word == 'b' ? type_parse_bit_field(text, word, f) :
			      cmd_refuse(text, word, PROBE_ERR_TYPE);
}

static int type_use_btf_type(const struct cmd_text *text, const char *at,
			     const struct probe_btf_type *n, struct fetch *f)
{
	f->type = fetch_type_find(n->type ?: LONG_NAME);
	f->left = n->left;
	f->right = n->right;
	return type_check(text, at, f);
}

int fetch_type_parse(const struct cmd_text *text, char *word, const char *at,
		     const struct probe_place *place, struct fetch *f)
{
	char *bracket;
	int err = 0;

	if (!word && place->arg_type.is_known)
		return type_use_btf_type(text, at, &place->arg_type, f);
	if (!word) {
		f->type = fetch_type_find(type_source_holds_text(f) && !f->nr_loads ? "string" :
										      LONG_NAME);
		return type_check(text, at, f);
	}
	bracket = strchr(word, '[');
	if (bracket)
		err = type_parse_array_size(text, bracket, f);
	err = err ?: type_parse_name(text, word, at, place, f);
	return err ?: type_check(text, word, f);
}
