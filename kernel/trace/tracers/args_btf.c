// SPDX-License-Identifier: GPL-2.0
/*
 * Looks up prototypes of functions in the kernel's own type information (BTF).
 *
 * BTF finds a function by its name only, with a linear search. So each reader caches the
 * results, negative ones included, in a table indexed by a hash of the address; a new entry
 * replaces the old one. Modules may be loaded and unloaded while a file stays open, and
 * another function may then be at the same address: any such change empties the cache.
 *
 * Functions in different files or modules may share a name. A function that shares its symbol
 * gets no prototype; its arguments are shown as plain register values.
 */
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "args.h"
#include "output/output.h"
#include "output/sym_cache.h"

#define PLACES_BITS	12

/**
 * struct found_proto - cached result of a search
 * @func: address of the function; 0 if the entry is unused
 * @btf: BTF object of @type, with a reference held; NULL if the function has no prototype
 * @type: prototype of the function; valid if @btf is not NULL
 */
struct found_proto {
	unsigned long		func;
	struct btf		*btf;
	const struct btf_type	*type;
};

/**
 * struct call_protos - prototypes that a reader has looked up
 * @part: links the cache to the output of the reader
 * @generation: sym_cache_generation() at which the entries were valid
 * @found: entries, indexed by a hash of the function's address
 */
struct call_protos {
	struct output_part	part;
	unsigned int		generation;
	struct found_proto	found[BIT(PLACES_BITS)];
};

/**
 * struct func_name - name of a function
 * @name: name without the module; points into @text
 * @module: name of the module, which points into @text; NULL for a function of vmlinux
 * @text: buffer for both names
 */
struct func_name {
	char	*name;
	char	*module;
	char	text[KSYM_SYMBOL_LEN];
};

static void call_proto_forget(struct found_proto *f)
{
	if (f->btf)
		btf_put(f->btf);
	*f = (struct found_proto){};
}

static void call_protos_forget_all(struct call_protos *protos)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(protos->found); i++)
		call_proto_forget(&protos->found[i]);
}

static struct call_protos *call_protos_of(struct output_part *part)
{
	return container_of(part, struct call_protos, part);
}

static void call_protos_free(struct output_part *part)
{
	call_protos_forget_all(call_protos_of(part));
	kvfree(call_protos_of(part));
}

static const struct output_part_ops call_protos_ops = {
	.free	= call_protos_free,
};

/* ------------------------------------------------------------------ */
/* Names								*/

/* The names are copied into @n, so they stay valid when the module is unloaded. */
static void func_name_look_up(struct func_name *n, unsigned long func)
{
	char *rest = n->text;

	sprint_symbol_no_offset(n->text, func);
	n->name = strsep(&rest, " ");
	n->module = rest ? rest + 1 : NULL;
	if (n->module)
		n->module[strcspn(n->module, "]")] = '\0';
}

/* A clone made by the compiler may take other parameters than the function in the source. */
static bool func_name_is_clone(const struct func_name *n)
{
	return strchr(n->name, '.');
}

/**
 * struct namesakes - a search for symbols of one name
 * @name: the name
 * @nr: number of symbols found so far
 */
struct namesakes {
	const char	*name;
	unsigned int	nr;
};

static int namesakes_count(void *data, unsigned long addr)
{
	struct namesakes *same = data;

	return ++same->nr > 1;
}

static int namesakes_count_if_same(void *data, const char *name, unsigned long addr)
{
	struct namesakes *same = data;

	return strcmp(name, same->name) ? 0 : namesakes_count(data, addr);
}

/*
 * True if the prototype found by name may be that of another function.
 *
 * Up to version 1.24, pahole stores only the first one of several functions that have the same
 * name and different prototypes. From 1.25 on, pahole stores none of them. A function that is
 * inlined everywhere has no symbol and is not counted here, so its prototype may still be
 * taken for that of another function of the same name.
 */
static bool func_name_is_ambiguous(const struct func_name *n)
{
	struct namesakes same = { .name = n->name };

	if (CONFIG_PAHOLE_VERSION >= 125)
		return false;
	if (n->module)
		module_kallsyms_on_each_symbol(n->module, namesakes_count_if_same, &same);
	else
		kallsyms_on_each_match_symbol(namesakes_count, n->name, &same);
	return same.nr > 1;
}

/* ------------------------------------------------------------------ */
/* Prototypes								*/

static bool call_proto_btf_is_of(const struct btf *btf, const char *module)
{
	if (!module)
		return btf_is_vmlinux(btf);
	return btf_is_module(btf) && !strcmp(btf_get_name(btf), module);
}

static void call_proto_look_up(struct found_proto *f, unsigned long func)
{
	struct func_name n;
	struct btf *btf;
	s32 id;

	call_proto_forget(f);
	f->func = func;
	func_name_look_up(&n, func);
	if (func_name_is_clone(&n) || func_name_is_ambiguous(&n))
		return;
	id = bpf_find_btf_id(n.name, BTF_KIND_FUNC, &btf);
	if (id < 0)
		return;
	if (!call_proto_btf_is_of(btf, n.module)) {
		btf_put(btf);
		return;
	}
	f->btf = btf;
	f->type = btf_type_by_id(btf, btf_type_by_id(btf, id)->type);
}

static struct output_part *call_protos_add(struct trace_output *o)
{
	struct call_protos *protos = kvzalloc(sizeof(*protos), GFP_KERNEL | __GFP_NOWARN);

	if (!protos)
		return NULL;
	protos->part.ops = &call_protos_ops;
	output_part_add(o, &protos->part);
	return &protos->part;
}

static struct call_protos *call_protos_get(struct trace_output *o)
{
	/* Read the generation before any search: a later change is noticed by the next call. */
	unsigned int now = sym_cache_generation();
	struct output_part *part = output_part(o, &call_protos_ops) ?: call_protos_add(o);
	struct call_protos *protos;

	if (!part)
		return NULL;
	protos = call_protos_of(part);
	if (protos->generation != now) {
		call_protos_forget_all(protos);
		protos->generation = now;
	}
	return protos;
}

static const struct found_proto *call_proto_find_cached(struct trace_output *o, unsigned long func)
{
	struct call_protos *protos;
	struct found_proto *f;

	/* The search takes mutexes, which an atomic reader must not do. */
	if (o->r.atomic)
		return NULL;
	protos = call_protos_get(o);
	if (!protos)
		return NULL;
	f = &protos->found[hash_long(func, PLACES_BITS)];
	if (f->func != func)
		call_proto_look_up(f, func);
	return f->btf ? f : NULL;
}

static enum param_kind call_proto_param_kind(const struct btf_type *t)
{
	if (btf_type_is_ptr(t))
		return PARAM_BITS;
	if (btf_is_any_enum(t))
		return btf_type_kflag(t) ? PARAM_SIGNED : PARAM_BITS;
	if (!btf_type_is_int(t))
		return PARAM_WHOLE;
	if (btf_int_encoding(t) & BTF_INT_BOOL)
		return PARAM_BOOL;
	return btf_int_encoding(t) & BTF_INT_SIGNED ? PARAM_SIGNED : PARAM_BITS;
}

static void call_proto_describe_param(struct call_param *to, const struct btf *btf,
				      const struct btf_param *param)
{
	const struct btf_type *t = btf_type_skip_modifiers(btf, param->type, NULL);

	to->name = btf_name_by_offset(btf, param->name_off);
	to->kind = call_proto_param_kind(t);
	to->size = btf_type_is_ptr(t) ? sizeof(void *) : t->size;
}

bool call_proto_find(struct trace_output *o, unsigned long func, struct call_proto *proto)
{
	const struct found_proto *f = call_proto_find_cached(o, func);
	const struct btf_param *params;
	unsigned int nr;

	if (!f)
		return false;
	params = btf_params(f->type);
	nr = btf_type_vlen(f->type);
	/* The last parameter has no type if the function takes a variable number of them. */
	proto->more = nr && !params[nr - 1].type;
	nr -= proto->more;
	if (nr > CALL_PARAMS_MAX) {
		nr = CALL_PARAMS_MAX;
		proto->more = true;
	}
	proto->nr = nr;
	for (unsigned int i = 0; i < nr; i++)
		call_proto_describe_param(&proto->params[i], f->btf, &params[i]);
	return true;
}
