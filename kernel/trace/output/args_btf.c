// SPDX-License-Identifier: GPL-2.0
/*
 * Prototypes of functions, from the types that the kernel has of itself (BTF).
 *
 * There a function is found by its name alone, by comparing it with every other. So what
 * a reader has found it keeps, also that there is nothing: one place for each of several
 * functions, for whichever of them came last.
 */
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "args.h"
#include "reader.h"

#define PLACES_BITS	8

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

struct call_protos {
	struct found_proto	found[BIT(PLACES_BITS)];
};

static void forget(struct found_proto *f)
{
	if (f->btf)
		btf_put(f->btf);
	*f = (struct found_proto){};
}

void call_protos_free(struct call_protos *protos)
{
	if (!protos)
		return;
	for (unsigned int i = 0; i < ARRAY_SIZE(protos->found); i++)
		forget(&protos->found[i]);
	kvfree(protos);
}

/* What the compiler has made a copy of may take others than its source says. */
static bool name_of(unsigned long func, char *name)
{
	return !lookup_symbol_name(func, name) && !strchr(name, '.');
}

static void find(struct found_proto *f, unsigned long func)
{
	char name[KSYM_NAME_LEN];
	s32 id;

	forget(f);
	f->func = func;
	if (!name_of(func, name))
		return;
	id = bpf_find_btf_id(name, BTF_KIND_FUNC, &f->btf);
	if (id < 0) {
		f->btf = NULL;
		return;
	}
	/* A function of that name in the kernel is not the one in a module. */
	if (btf_is_module(f->btf) == is_kernel(func)) {
		forget(f);
		f->func = func;
		return;
	}
	f->type = btf_type_by_id(f->btf, btf_type_by_id(f->btf, id)->type);
}

static const struct found_proto *find_kept(struct trace_reader *r, unsigned long func)
{
	struct found_proto *f;

	if (!r->protos && !r->atomic)
		r->protos = kvzalloc(sizeof(*r->protos), GFP_KERNEL | __GFP_NOWARN);
	if (!r->protos)
		return NULL;
	f = &r->protos->found[hash_long(func, PLACES_BITS)];
	if (f->func != func && !r->atomic)
		find(f, func);
	return f->func == func && f->btf ? f : NULL;
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

bool call_proto_find(struct trace_reader *r, unsigned long func, struct call_proto *proto)
{
	const struct found_proto *f = find_kept(r, func);
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
