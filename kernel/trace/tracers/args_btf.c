// SPDX-License-Identifier: GPL-2.0
/*
 * Prototypes of functions, from the types that the kernel has of itself (BTF).
 *
 * There a function is found by its name alone, by comparing it with every other. So what
 * a reader has found it keeps, also that there is nothing: one place for each of several
 * functions, for whichever of them came last. Modules come and go while a file stays
 * open, and another function may be where one was: any change of theirs makes it start
 * anew.
 *
 * Several functions may have one name, in files or modules that do not know each other.
 * One that shares its symbol has no prototype: what it is given is shown as registers then.
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
 * struct found_proto - what was found for a function
 * @func: the function, 0 for none yet
 * @btf: the types, with a reference of ours; NULL if there is no prototype
 * @type: the prototype
 */
struct found_proto {
	unsigned long		func;
	struct btf		*btf;
	const struct btf_type	*type;
};

/* Kept with an output. */
struct call_protos {
	struct output_part	part;
	unsigned int		generation;
	struct found_proto	found[BIT(PLACES_BITS)];
};

/**
 * struct func_name - what a function is called
 * @name: without its module
 * @module: the name of that, NULL for a function of the kernel proper
 * @text: where both are
 */
struct func_name {
	char	*name;
	char	*module;
	char	text[KSYM_SYMBOL_LEN];
};

static void forget(struct found_proto *f)
{
	if (f->btf)
		btf_put(f->btf);
	*f = (struct found_proto){};
}

static void forget_all(struct call_protos *protos)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(protos->found); i++)
		forget(&protos->found[i]);
}

static struct call_protos *protos_of(struct output_part *part)
{
	return container_of(part, struct call_protos, part);
}

static void free_protos(struct output_part *part)
{
	forget_all(protos_of(part));
	kvfree(protos_of(part));
}

static const struct output_part_ops protos_ops = {
	.free	= free_protos,
};

/* ------------------------------------------------------------------ */
/* Names								*/

/* As "name [module]" it is a copy, whatever becomes of the module. */
static void look_up_name(struct func_name *n, unsigned long func)
{
	char *rest = n->text;

	sprint_symbol_no_offset(n->text, func);
	n->name = strsep(&rest, " ");
	n->module = rest ? rest + 1 : NULL;
	if (n->module)
		n->module[strcspn(n->module, "]")] = '\0';
}

/* What the compiler has made a copy of may take others than its source says. */
static bool is_copy(const struct func_name *n)
{
	return strchr(n->name, '.');
}

/**
 * struct namesakes - a search for symbols of one name
 * @name: the name
 * @nr: how many there are
 */
struct namesakes {
	const char	*name;
	unsigned int	nr;
};

static int count_symbol(void *data, unsigned long addr)
{
	struct namesakes *same = data;

	return ++same->nr > 1;
}

static int count_if_same(void *data, const char *name, unsigned long addr)
{
	struct namesakes *same = data;

	return strcmp(name, same->name) ? 0 : count_symbol(data, addr);
}

/*
 * Of functions of one name that take different things pahole writes down whichever comes
 * first, until version 1.25. From then on there are none of them. Those that have no symbol,
 * as they are in others everywhere, are not found here: one of these may be taken for it.
 */
static bool may_be_namesake(const struct func_name *n)
{
	struct namesakes same = { .name = n->name };

	if (CONFIG_PAHOLE_VERSION >= 125)
		return false;
	if (n->module)
		module_kallsyms_on_each_symbol(n->module, count_if_same, &same);
	else
		kallsyms_on_each_match_symbol(count_symbol, n->name, &same);
	return same.nr > 1;
}

/* ------------------------------------------------------------------ */
/* Prototypes								*/

static bool is_of_module(const struct btf *btf, const char *module)
{
	if (!module)
		return btf_is_vmlinux(btf);
	return btf_is_module(btf) && !strcmp(btf_get_name(btf), module);
}

static void find(struct found_proto *f, unsigned long func)
{
	struct func_name n;
	struct btf *btf;
	s32 id;

	forget(f);
	f->func = func;
	look_up_name(&n, func);
	if (is_copy(&n) || may_be_namesake(&n))
		return;
	id = bpf_find_btf_id(n.name, BTF_KIND_FUNC, &btf);
	if (id < 0)
		return;
	if (!is_of_module(btf, n.module)) {
		btf_put(btf);
		return;
	}
	f->btf = btf;
	f->type = btf_type_by_id(btf, btf_type_by_id(btf, id)->type);
}

static struct output_part *add_protos(struct trace_output *o)
{
	struct call_protos *protos = kvzalloc(sizeof(*protos), GFP_KERNEL | __GFP_NOWARN);

	if (!protos)
		return NULL;
	protos->part.ops = &protos_ops;
	output_part_add(o, &protos->part);
	return &protos->part;
}

static struct call_protos *current_protos(struct trace_output *o)
{
	/* Before anything is looked up: what changes meanwhile is seen the next time. */
	unsigned int now = sym_cache_generation();
	struct output_part *part = output_part(o, &protos_ops) ?: add_protos(o);
	struct call_protos *protos;

	if (!part)
		return NULL;
	protos = protos_of(part);
	if (protos->generation != now) {
		forget_all(protos);
		protos->generation = now;
	}
	return protos;
}

static const struct found_proto *find_kept(struct trace_output *o, unsigned long func)
{
	struct call_protos *protos;
	struct found_proto *f;

	/* The search takes mutexes. */
	if (o->r.atomic)
		return NULL;
	protos = current_protos(o);
	if (!protos)
		return NULL;
	f = &protos->found[hash_long(func, PLACES_BITS)];
	if (f->func != func)
		find(f, func);
	return f->btf ? f : NULL;
}

static enum param_kind kind_of(const struct btf_type *t)
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

static void describe(struct call_param *to, const struct btf *btf,
		     const struct btf_param *param)
{
	const struct btf_type *t = btf_type_skip_modifiers(btf, param->type, NULL);

	to->name = btf_name_by_offset(btf, param->name_off);
	to->kind = kind_of(t);
	to->size = btf_type_is_ptr(t) ? sizeof(void *) : t->size;
}

bool call_proto_find(struct trace_output *o, unsigned long func, struct call_proto *proto)
{
	const struct found_proto *f = find_kept(o, func);
	const struct btf_param *params;
	unsigned int nr;

	if (!f)
		return false;
	params = btf_params(f->type);
	nr = btf_type_vlen(f->type);
	/* The last one has no type where others may follow. */
	proto->more = nr && !params[nr - 1].type;
	nr -= proto->more;
	if (nr > CALL_PARAMS_MAX) {
		nr = CALL_PARAMS_MAX;
		proto->more = true;
	}
	proto->nr = nr;
	for (unsigned int i = 0; i < nr; i++)
		describe(&proto->params[i], f->btf, &params[i]);
	return true;
}
