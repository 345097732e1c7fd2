// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of the kernel's own code as text: lines ``p...`` and ``r...``.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kprobe.h"

/* ------------------------------------------------------------------ */
/* How it begins							*/

/* ``p``, ``r`` or ``r<instances>``. Return: the name behind the colon, or NULL; or ERR_PTR(). */
static char *parse_letter(const struct probe_text *text, char *word, struct kernel_probe *k)
{
	char *name = strchr(word, ':');

	k->returns = *word == 'r';
	if (name)
		*name++ = '\0';
	if (!word[1])
		return name;
	if (!k->returns)
		return ERR_PTR(probe_refuse(text, word + 1, PROBE_ERR_MAXACTIVE_ENTRY));
	return probe_instances_parse(text, word + 1, &k->instances) ? ERR_PTR(-EINVAL) : name;
}

/* Is it for us? Of a program there is a path, and an offset. */
static bool is_ours(const char *line)
{
	const char *place, *end;

	if ((*line != 'p' && *line != 'r') || !strchr(" \t:0123456789", line[1]))
		return false;
	place = line + strcspn(line, " \t");
	place += strspn(place, " \t");
	end = place + strcspn(place, " \t");
	return *place && !(memchr(place, '/', end - place) && memchr(place, ':', end - place));
}

/* ------------------------------------------------------------------ */
/* Where								*/

/**
 * struct counting - functions of a name
 * @name: the name
 * @nr: how many
 * @at: where the last one in the kernel itself begins
 */
struct counting {
	const char	*name;
	unsigned int	nr;
	unsigned long	at;
};

static int count_one(void *data, unsigned long at)
{
	struct counting *c = data;

	c->nr++;
	c->at = at;
	return 0;
}

static int count_if_named(void *data, const char *name, unsigned long at)
{
	struct counting *c = data;

	c->nr += !strcmp(name, c->name);
	return 0;
}

static void count_symbols(struct counting *c)
{
	kallsyms_on_each_match_symbol(count_one, c->name, c);
	module_kallsyms_on_each_symbol(NULL, count_if_named, c);
}

/* ``MODULE:SYMBOL``, where the module may come later: then there may be one. */
static void count_in_module(struct counting *c, const char *symbol)
{
	char name[MODULE_NAME_LEN];

	if (!probe_symbol_module(symbol, name))
		return;
	if (probe_symbol_is_to_come(symbol))
		c->nr = 1;
	else
		module_kallsyms_on_each_symbol(name, count_if_named, c);
}

/* By its address the kernel need not look it up again; what is in a module comes and goes. */
int kprobe_set_symbol(struct kernel_probe *k, const char *symbol, size_t len)
{
	struct kprobe *kp = &k->rp.kp;
	struct counting c = {};

	k->symbol = kmemdup_nul(symbol, len, GFP_KERNEL);
	if (!k->symbol)
		return -ENOMEM;
	c.name = probe_symbol_name(k->symbol);
	if (c.name == k->symbol)
		count_symbols(&c);
	else
		count_in_module(&c, k->symbol);
	k->start = c.at;
	kp->addr = (kprobe_opcode_t *)c.at;
	kp->symbol_name = c.at ? NULL : k->symbol;
	return c.nr;
}

/* ``SYMBOL+OFFSET`` */
static int parse_symbol(const struct probe_text *text, char *word, struct kernel_probe *k)
{
	char *plus = strpbrk(word, "+-");
	long offset = 0;
	int nr;

	if (plus && (kstrtol(plus, 0, &offset) || offset < 0 || (u64)offset > UINT_MAX))
		return probe_refuse(text, word, PROBE_ERR_PLACE);
	k->rp.kp.offset = offset;
	nr = kprobe_set_symbol(k, word, plus ? plus - word : strlen(word));
	if (nr < 0 || nr == 1)
		return min(nr, 0);
	return probe_refuse(text, word, nr ? PROBE_ERR_NOT_UNIQUE : PROBE_ERR_PLACE);
}

/* What there is to be fetched depends on whether a function begins there. */
static int find_out(const struct probe_text *text, const char *word,
		    const struct kernel_probe *k, struct probe_place *place)
{
	const struct kprobe *kp = &k->rp.kp;
	int err = kprobe_on_func_entry(kp->addr, kp->symbol_name, kp->offset);

	/* A module that is to come. */
	if (err == -ENOENT && !kp->offset)
		err = 0;
	if (k->returns) {
		place->at = PROBE_AT_RETURN;
		return err ? probe_refuse(text, word, PROBE_ERR_RETURN) : 0;
	}
	place->at = err ? 0 : PROBE_AT_ENTRY;
	return 0;
}

static int parse_place(const struct probe_text *text, char *word, struct kernel_probe *k,
		       struct probe_place *place)
{
	unsigned long address;
	int err = probe_return_parse(text, word, &k->returns);

	if (err)
		return err;
	if (!kstrtoul(word, 0, &address))
		k->rp.kp.addr = (kprobe_opcode_t *)address;
	else
		err = parse_symbol(text, word, k);
	/* Whose arguments these are. */
	place->function = k->symbol ? probe_symbol_name(k->symbol) : NULL;
	return err ?: find_out(text, word, k, place);
}

/* ------------------------------------------------------------------ */
/* All of it								*/

/* ``p_SYMBOL_OFFSET``, if it has no name. */
char *kprobe_name(const struct probe *p)
{
	const struct kernel_probe *k = to_kernel_probe(p);
	char letter = k->returns ? 'r' : 'p', *name;

	name = k->symbol ? kasprintf(GFP_KERNEL, "%c_%s_%u", letter, k->symbol,
				     k->rp.kp.offset) :
			   kasprintf(GFP_KERNEL, "%c_0x%p", letter, k->rp.kp.addr);
	if (name)
		probe_name_clean(name);
	return name;
}

static int refuse_place(const struct probe_text *text, const char *place, int err)
{
	if (err == -EILSEQ)
		probe_refuse(text, place, PROBE_ERR_BOUNDARY);
	else if (err == -ENOENT)
		probe_refuse(text, place, PROBE_ERR_PLACE);
	else if (err != -ENOMEM)
		probe_refuse(text, place, PROBE_ERR_REFUSED);
	return err;
}

/* It is registered first, so that it can be told why it is refused. */
static int make(const struct probe_text *text, const char *place, struct kernel_probe *k,
		const struct probe_made *made)
{
	bool to_come = k->symbol && probe_symbol_is_to_come(k->symbol);
	int err = to_come ? 0 : fetch_resolve_all(text, &k->probe.args);

	if (err)
		return err;
	err = kernel_probe_register(k, false);
	if (err == -ENOENT && to_come)
		err = 0;
	if (err)
		return refuse_place(text, place, err);
	guard(mutex)(&dyn_events_lock);
	err = probe_add(text, &k->probe, made);
	if (!err)
		kernel_probe_follow(k);
	return err;
}

static void take_kept(struct kernel_probe *k, const struct probe_place *place)
{
	k->nr_kept = place->nr_kept;
	memcpy(k->kept, place->kept, sizeof(k->kept));
}

int kprobe_parse(const struct probe_text *text, struct probe *p)
{
	struct kernel_probe *k = to_kernel_probe(p);
	struct probe_place at = {};
	struct probe_made made = { .kind = &kprobe_kind };
	char *rest = text->text, *name = parse_letter(text, probe_next_word(&rest), k), *place;
	int err = 0;

	if (IS_ERR(name))
		return PTR_ERR(name);
	if (name)
		err = probe_name_parse(text, name, &made.name);
	place = probe_next_word(&rest);
	err = err ?: parse_place(text, place, k, &at);
	err = err ?: probe_args_parse(text, rest, &at, probe_len_before(k->returns), &p->args);
	if (err)
		return err;
	take_kept(k, &at);
	made.name_at = name;
	made.returns = k->returns;
	made.nr_head = probe_nr_head(k->returns);
	return make(text, place, k, &made);
}

int kprobe_create(const char *line)
{
	return is_ours(line) ? probe_create(line, &kprobe_kind) : -ECANCELED;
}
