// SPDX-License-Identifier: GPL-2.0
/*
 * Names of arguments and members, by the kernel's own types (BTF).
 *
 *	file->f_path.dentry->d_name.name	of an argument "struct file *file": the address
 *			in it, then a load at the offset of f_path and that of dentry in it, then
 *			one at that of d_name and that of name in it
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/log2.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "btf.h"

/* ------------------------------------------------------------------ */
/* The function								*/

void probe_btf_find(struct probe_place *place)
{
	char name[KSYM_NAME_LEN];
	const struct btf_type *func;
	struct btf *btf;
	s32 id;

	/* What the compiler has made a copy of may take others than its source says. */
	if (!place->function || strchr(place->function, '.'))
		return;
	snprintf(name, sizeof(name), "%s%s", place->first_arg ? "__probestub_" : "",
		 place->function);
	id = bpf_find_btf_id(name, BTF_KIND_FUNC, &btf);
	if (id < 0)
		return;
	func = btf_type_by_id(btf, id);
	place->btf = btf;
	place->proto = func ? btf_type_by_id(btf, func->type) : NULL;
}

void probe_btf_put(struct probe_place *place)
{
	if (place->btf)
		btf_put(place->btf);
	place->btf = NULL;
	place->proto = NULL;
}

/* Those that come before what the user takes for the first one are none of his. */
unsigned int probe_btf_nr_args(const struct probe_place *place)
{
	unsigned int nr = place->proto ? btf_type_vlen(place->proto) : 0;

	/* The last one of a function that takes any number has no type. */
	if (nr && !btf_params(place->proto)[nr - 1].type)
		nr--;
	return nr > place->first_arg ? nr - place->first_arg : 0;
}

static const struct btf_param *param(const struct probe_place *place, unsigned int n)
{
	return btf_params(place->proto) + place->first_arg + n;
}

const char *probe_btf_arg_name(const struct probe_place *place, unsigned int n)
{
	const char *name;

	if (n >= probe_btf_nr_args(place))
		return NULL;
	name = btf_name_by_offset(place->btf, param(place, n)->name_off);
	return name && *name ? name : NULL;
}

/* ------------------------------------------------------------------ */
/* Members								*/

/**
 * struct walk - on the way to a member
 * @text: the text, and
 * @place: where the probe is hit
 * @f: what is fetched
 * @type: of what has been found so far
 * @offset: of that, in bits, from the last address on
 * @bits: of a bit field, or 0
 */
struct walk {
	const struct probe_text	*text;
	struct probe_place	*place;
	struct fetch		*f;
	const struct btf_type	*type;
	u32			offset;
	u32			bits;
};

static const struct btf_type *type_of(const struct walk *w, u32 id)
{
	return btf_type_skip_modifiers(w->place->btf, id, NULL);
}

/* As deep as structures without a name are in others. */
#define NESTED_MAX	8

/* In @in, or in what has no name in it. Return: false if it is not there. */
static bool find_member(struct walk *w, const struct btf_type *in, const char *name, u32 offset,
			unsigned int depth)
{
	const struct btf_member *m = btf_members((struct btf_type *)in);
	const struct btf_type *type;
	const char *is;

	for (unsigned int i = 0; i < btf_type_vlen(in); i++, m++) {
		is = btf_name_by_offset(w->place->btf, m->name_off);
		type = type_of(w, m->type);
		if (is && !strcmp(is, name)) {
			w->type = type;
			w->offset = offset + __btf_member_bit_offset(in, m);
			w->bits = __btf_member_bitfield_size(in, m);
			return true;
		}
		if ((!is || !*is) && type && btf_type_is_struct(type) && depth < NESTED_MAX &&
		    find_member(w, type, name, offset + __btf_member_bit_offset(in, m),
				depth + 1))
			return true;
	}
	return false;
}

static int add_load(struct walk *w, const char *at, long offset)
{
	return fetch_load_add(w->text, at, (struct fetch_load){ .offset = offset }, w->f);
}

/* Behind an address: the structure that is there. */
static int enter(struct walk *w, const char *at)
{
	if (!w->type || !btf_type_is_ptr(w->type))
		return probe_refuse(w->text, at, PROBE_ERR_NOT_POINTER);
	w->type = type_of(w, w->type->type);
	if (!w->type || !btf_type_is_struct(w->type))
		return probe_refuse(w->text, at, PROBE_ERR_NOT_POINTER);
	w->offset = 0;
	return 0;
}

static int take_member(struct walk *w, const char *name)
{
	if (!w->type || !btf_type_is_struct(w->type))
		return probe_refuse(w->text, name, PROBE_ERR_NOT_POINTER);
	return find_member(w, w->type, name, w->offset, 0) ? 0 :
	       probe_refuse(w->text, name, PROBE_ERR_NO_MEMBER);
}

/**
 * cut_member - cut the next name off
 * @text: the text
 * @rest: what is left of it, which is at the name; then at what is behind the next separator
 * @arrow: set to whether that is an arrow, and not a dot
 *
 * Return: 0; -EINVAL, logged.
 */
static int cut_member(const struct probe_text *text, char **rest, bool *arrow)
{
	char *end = strpbrk(*rest, ".-");

	*arrow = end && *end == '-';
	if (!end) {
		*rest = NULL;
		return 0;
	}
	if (*arrow && end[1] != '>')
		return probe_refuse(text, end, PROBE_ERR_HYPHEN);
	*end = '\0';
	*rest = end + 1 + *arrow;
	return 0;
}

/* Each load but the last, whose size depends on the type, is that of an address. */
static int take_members(struct walk *w, char *rest)
{
	bool arrow = true;
	char *name;
	int err = 0;

	while (!err && rest) {
		name = rest;
		if (arrow)
			err = enter(w, name);
		err = err ?: cut_member(w->text, &rest, &arrow) ?: take_member(w, name);
		if (!err && (arrow || !rest))
			err = add_load(w, name, w->offset / BITS_PER_BYTE);
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* What it is by itself							*/

static const char *number_type(u32 size, bool is_signed)
{
	static const char * const names[][4] = {
		{ "u8", "u16", "u32", "u64" }, { "s8", "s16", "s32", "s64" },
	};

	return is_power_of_2(size) && size <= sizeof(u64) ? names[is_signed][ilog2(size)] : NULL;
}

/* A packed one is as small as its values allow. */
static const char *enum_type(const struct btf_type *t)
{
	return number_type(t->size, t->size >= sizeof(s32) || btf_type_kflag(t));
}

static const char *natural_type(const struct btf_type *t)
{
	if (btf_is_any_enum(t))
		return enum_type(t);
	return btf_type_is_int(t) ? number_type(t->size, btf_int_encoding(t) & BTF_INT_SIGNED) :
				    NULL;
}

static bool is_char(const struct walk *w, u32 id)
{
	const struct btf_type *t = type_of(w, id);

	return t && btf_type_is_int(t) && t->size == sizeof(char);
}

static int place_bits(struct walk *w, const char *at)
{
	int offset = probe_natural_place_bits(&w->place->natural, w->type->size * BITS_PER_BYTE,
					      w->offset, w->bits);
	struct fetch *f = w->f;

	if (offset < 0)
		return probe_refuse(w->text, at, PROBE_ERR_BITS);
	f->loads[f->nr_loads - 1].offset = offset / BITS_PER_BYTE;
	return 0;
}

static int note_natural(struct walk *w, const char *at)
{
	struct probe_natural *n = &w->place->natural;
	const struct btf_type *t = w->type;

	n->is_known = true;
	if (!t)
		return 0;
	n->type = natural_type(t);
	if (btf_type_is_ptr(t))
		n->is_text_address = is_char(w, t->type);
	else if (btf_type_is_array(t))
		n->is_text = is_char(w, btf_array(t)->type) && w->f->nr_loads;
	return w->bits && n->type ? place_bits(w, at) : 0;
}

/* ------------------------------------------------------------------ */
/* All of it								*/

static int find_arg(const struct probe_place *place, const char *name)
{
	const char *is;

	for (unsigned int i = 0; i < probe_btf_nr_args(place); i++) {
		is = probe_btf_arg_name(place, i);
		if (is && !strcmp(is, name))
			return i;
	}
	return -ENOENT;
}

static int take_arg(struct walk *w, const char *name)
{
	int n = find_arg(w->place, name);
	int err;

	if (!w->place->proto)
		return probe_refuse_with(w->text, name, PROBE_ERR_NO_BTF_ENTRY, -ENOENT);
	if (n < 0)
		return probe_refuse_with(w->text, name, PROBE_ERR_NO_BTF_ARG, -ENOENT);
	err = fetch_arg_set(w->text, name, n, w->place, w->f);
	w->type = type_of(w, param(w->place, n)->type);
	return err;
}

static int take_retval(struct walk *w, const char *name)
{
	w->f->source = FETCH_RETVAL;
	if (!w->place->proto)
		return 0;
	if (!w->place->proto->type)
		return probe_refuse_with(w->text, name, PROBE_ERR_NO_RETVAL, -ENOENT);
	w->type = type_of(w, w->place->proto->type);
	return 0;
}

int fetch_btf_parse(const struct probe_text *text, char *word, struct probe_place *place,
		    struct fetch *f)
{
	struct walk w = { .text = text, .place = place, .f = f };
	char *rest = word;
	bool arrow;
	int err = cut_member(text, &rest, &arrow);

	if (err)
		return err;
	if (rest && !arrow)
		return probe_refuse_with(text, rest, PROBE_ERR_NO_DOT, -EOPNOTSUPP);
	err = *word == '$' ? take_retval(&w, word) : take_arg(&w, word);
	if (!err && rest && !place->proto)
		err = probe_refuse_with(text, rest, PROBE_ERR_NO_BTF_ENTRY, -ENOENT);
	if (!err && rest)
		err = take_members(&w, rest);
	return err ?: note_natural(&w, word);
}
