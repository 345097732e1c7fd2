// SPDX-License-Identifier: GPL-2.0
/*
 * Arguments and members by name, with the types of the kernel (BTF).
 *
 * For an argument "struct file *file", file->f_path.dentry->d_name.name becomes: the value of the
 * argument; a load at offsetof(struct file, f_path.dentry); and a load at
 * offsetof(struct dentry, d_name.name).
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

	/* A clone by the compiler (NAME.SUFFIX) may take other arguments than its prototype. */
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

unsigned int probe_btf_nr_args(const struct probe_place *place)
{
	unsigned int nr = place->proto ? btf_type_vlen(place->proto) : 0;

	/* The last parameter of a variadic function has no type. */
	if (nr && !btf_params(place->proto)[nr - 1].type)
		nr--;
	return nr > place->first_arg ? nr - place->first_arg : 0;
}

static const struct btf_param *probe_btf_param(const struct probe_place *place, unsigned int n)
{
	return btf_params(place->proto) + place->first_arg + n;
}

const char *probe_btf_arg_name(const struct probe_place *place, unsigned int n)
{
	const char *name;

	if (n >= probe_btf_nr_args(place))
		return NULL;
	name = btf_name_by_offset(place->btf, probe_btf_param(place, n)->name_off);
	return name && *name ? name : NULL;
}

/* ------------------------------------------------------------------ */
/* Members								*/

/**
 * struct btf_walk - state of the parser on its way to a member
 * @text: the text, for errors
 * @place: place of the probe
 * @f: fetch program that is being built
 * @type: type of the value reached so far, or NULL if not known
 * @offset: offset of that value from the last address loaded, in bits
 * @bits: width of that value if it is a bit field, in bits; or 0
 */
struct btf_walk {
	const struct cmd_text	*text;
	struct probe_place	*place;
	struct fetch		*f;
	const struct btf_type	*type;
	u32			offset;
	u32			bits;
};

static const struct btf_type *btf_walk_type(const struct btf_walk *w, u32 id)
{
	return btf_type_skip_modifiers(w->place->btf, id, NULL);
}

/* Limit of the depth of nested anonymous structures, and of the recursion over them. */
#define NESTED_MAX	8

/* Find a member in @in, or in its anonymous structures. Return: true if found. */
static bool btf_walk_find_member(struct btf_walk *w, const struct btf_type *in, const char *name,
				 u32 offset, unsigned int depth)
{
	const struct btf_member *m = btf_members((struct btf_type *)in);
	const struct btf_type *type;
	const char *member;

	for (unsigned int i = 0; i < btf_type_vlen(in); i++, m++) {
		member = btf_name_by_offset(w->place->btf, m->name_off);
		type = btf_walk_type(w, m->type);
		if (member && !strcmp(member, name)) {
			w->type = type;
			w->offset = offset + __btf_member_bit_offset(in, m);
			w->bits = __btf_member_bitfield_size(in, m);
			return true;
		}
		if ((!member || !*member) && type && btf_type_is_struct(type) &&
		    depth < NESTED_MAX &&
		    btf_walk_find_member(w, type, name, offset + __btf_member_bit_offset(in, m),
					 depth + 1))
			return true;
	}
	return false;
}

static int btf_walk_add_load(struct btf_walk *w, const char *at, long offset)
{
	return fetch_load_add(w->text, at, (struct fetch_load){ .offset = offset }, w->f);
}

/* Go from a pointer to the structure it points to. */
static int btf_walk_enter_pointer(struct btf_walk *w, const char *at)
{
	if (!w->type || !btf_type_is_ptr(w->type))
		return cmd_refuse(w->text, at, PROBE_ERR_NOT_POINTER);
	w->type = btf_walk_type(w, w->type->type);
	if (!w->type || !btf_type_is_struct(w->type))
		return cmd_refuse(w->text, at, PROBE_ERR_NOT_POINTER);
	w->offset = 0;
	return 0;
}

static int btf_walk_take_member(struct btf_walk *w, const char *name)
{
	if (!w->type || !btf_type_is_struct(w->type))
		return cmd_refuse(w->text, name, PROBE_ERR_NOT_POINTER);
	return btf_walk_find_member(w, w->type, name, w->offset, 0) ? 0 :
	       cmd_refuse(w->text, name, PROBE_ERR_NO_MEMBER);
}

/**
 * probe_btf_cut_member - cut off the next name at the separator after it
 * @text: the text, for errors
 * @rest: text that begins with the name; set to the text after the separator, or NULL at the end
 * @arrow: set to true if the separator is an arrow, to false for a dot or the end
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged.
 */
static int probe_btf_cut_member(const struct cmd_text *text, char **rest, bool *arrow)
{
	char *end = strpbrk(*rest, ".-");

	*arrow = end && *end == '-';
	if (!end) {
		*rest = NULL;
		return 0;
	}
	if (*arrow && end[1] != '>')
		return cmd_refuse(text, end, PROBE_ERR_HYPHEN);
	*end = '\0';
	*rest = end + 1 + *arrow;
	return 0;
}

/* Add a load for each arrow, of an address; and the last load, whose size depends on the type. */
static int btf_walk_take_members(struct btf_walk *w, char *rest)
{
	bool arrow = true;
	char *name;
	int err = 0;

	while (!err && rest) {
		name = rest;
		if (arrow)
			err = btf_walk_enter_pointer(w, name);
		err = err ?: probe_btf_cut_member(w->text, &rest, &arrow) ?:
		      btf_walk_take_member(w, name);
		if (!err && (arrow || !rest))
			err = btf_walk_add_load(w, name, w->offset / BITS_PER_BYTE);
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* The type of the value						*/

static const char *probe_btf_number_type(u32 size, bool is_signed)
{
	static const char * const names[][4] = {
		{ "u8", "u16", "u32", "u64" }, { "s8", "s16", "s32", "s64" },
	};

	return is_power_of_2(size) && size <= sizeof(u64) ? names[is_signed][ilog2(size)] : NULL;
}

/* An enum of 32 bits or more counts as signed; a smaller, packed one only if BTF says so. */
static const char *probe_btf_enum_type(const struct btf_type *t)
{
	return probe_btf_number_type(t->size, t->size >= sizeof(s32) || btf_type_kflag(t));
}

static const char *probe_btf_type_name(const struct btf_type *t)
{
	if (btf_is_any_enum(t))
		return probe_btf_enum_type(t);
	return btf_type_is_int(t) ? probe_btf_number_type(t->size,
							  btf_int_encoding(t) & BTF_INT_SIGNED) :
				    NULL;
}

static bool btf_walk_is_char(const struct btf_walk *w, u32 id)
{
	const struct btf_type *t = btf_walk_type(w, id);

	return t && btf_type_is_int(t) && t->size == sizeof(char);
}

static int btf_walk_place_bits(struct btf_walk *w, const char *at)
{
	int offset = probe_btf_set_bitfield(&w->place->arg_type, w->type->size * BITS_PER_BYTE,
					    w->offset, w->bits);
	struct fetch *f = w->f;

	if (offset < 0)
		return cmd_refuse(w->text, at, PROBE_ERR_BITS);
	f->loads[f->nr_loads - 1].offset = offset / BITS_PER_BYTE;
	return 0;
}

static int btf_walk_note_type(struct btf_walk *w, const char *at)
{
	struct probe_btf_type *n = &w->place->arg_type;
	const struct btf_type *t = w->type;

	n->is_known = true;
	if (!t)
		return 0;
	n->type = probe_btf_type_name(t);
	if (btf_type_is_ptr(t))
		n->is_text_address = btf_walk_is_char(w, t->type);
	else if (btf_type_is_array(t))
		n->is_text = btf_walk_is_char(w, btf_array(t)->type) && w->f->nr_loads;
	return w->bits && n->type ? btf_walk_place_bits(w, at) : 0;
}

/* ------------------------------------------------------------------ */
/* Arguments and $retval						*/

static int probe_btf_find_arg(const struct probe_place *place, const char *name)
{
	const char *arg;

	for (unsigned int i = 0; i < probe_btf_nr_args(place); i++) {
		arg = probe_btf_arg_name(place, i);
		if (arg && !strcmp(arg, name))
			return i;
	}
	return -ENOENT;
}

static int btf_walk_take_arg(struct btf_walk *w, const char *name)
{
	int n = probe_btf_find_arg(w->place, name);
	int err;

	if (!w->place->proto)
		return cmd_refuse_with(w->text, name, PROBE_ERR_NO_BTF_ENTRY, -ENOENT);
	if (n < 0)
		return cmd_refuse_with(w->text, name, PROBE_ERR_NO_BTF_ARG, -ENOENT);
	err = fetch_arg_set(w->text, name, n, w->place, w->f);
	w->type = btf_walk_type(w, probe_btf_param(w->place, n)->type);
	return err;
}

static int btf_walk_take_retval(struct btf_walk *w, const char *name)
{
	w->f->source = FETCH_RETVAL;
	if (!w->place->proto)
		return 0;
	if (!w->place->proto->type)
		return cmd_refuse_with(w->text, name, PROBE_ERR_NO_RETVAL, -ENOENT);
	w->type = btf_walk_type(w, w->place->proto->type);
	return 0;
}

int fetch_btf_parse(const struct cmd_text *text, char *word, struct probe_place *place,
		    struct fetch *f)
{
	struct btf_walk w = { .text = text, .place = place, .f = f };
	char *rest = word;
	bool arrow;
	int err = probe_btf_cut_member(text, &rest, &arrow);

	if (err)
		return err;
	if (rest && !arrow)
		return cmd_refuse_with(text, rest, PROBE_ERR_NO_DOT, -EOPNOTSUPP);
	err = *word == '$' ? btf_walk_take_retval(&w, word) : btf_walk_take_arg(&w, word);
	if (!err && rest && !place->proto)
		err = cmd_refuse_with(text, rest, PROBE_ERR_NO_BTF_ENTRY, -ENOENT);
	if (!err && rest)
		err = btf_walk_take_members(&w, rest);
	return err ?: btf_walk_note_type(&w, word);
}
