// SPDX-License-Identifier: GPL-2.0
/*
 * The kind of probes of kernel code, and their lines: ``p...`` and ``r...`` of kprobe_events and
 * dynamic_events.
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
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "info.h"
#include "kprobe.h"

/* ------------------------------------------------------------------ */
/* The first word							*/

/* ``p``, ``r`` or ``r<instances>``. Return: the name after the colon, or NULL; or ERR_PTR(). */
static char *kprobe_parse_letter(const struct cmd_text *text, char *word, struct kernel_probe *k)
{
	char *name = strchr(word, ':');

	k->returns = *word == 'r';
	if (name)
		*name++ = '\0';
	if (!word[1])
		return name;
	if (!k->returns)
		return ERR_PTR(cmd_refuse(text, word + 1, PROBE_ERR_MAXACTIVE_ENTRY));
	return probe_instances_parse(text, word + 1, &k->instances) ? ERR_PTR(-EINVAL) : name;
}

/* True for a line ``p...`` or ``r...``, unless its place is ``PATH:OFFSET``, in a program. */
static bool kprobe_is_line(const char *line)
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
/* The place								*/

/**
 * struct symbol_count - number of symbols of a name
 * @name: the name
 * @nr: number of symbols
 * @at: address of the last one found in the kernel itself, or 0
 */
struct symbol_count {
	const char	*name;
	unsigned int	nr;
	unsigned long	at;
};

static int kprobe_count_symbol(void *data, unsigned long at)
{
	struct symbol_count *c = data;

	c->nr++;
	c->at = at;
	return 0;
}

static int kprobe_count_if_named(void *data, const char *name, unsigned long at)
{
	struct symbol_count *c = data;

	c->nr += !strcmp(name, c->name);
	return 0;
}

static void kprobe_count_symbols(struct symbol_count *c)
{
	kallsyms_on_each_match_symbol(kprobe_count_symbol, c->name, c);
	module_kallsyms_on_each_symbol(NULL, kprobe_count_if_named, c);
}

/* ``MODULE:SYMBOL``. If the module is not loaded, it is assumed to have one such symbol. */
static void kprobe_count_in_module(struct symbol_count *c, const char *symbol)
{
	char name[MODULE_NAME_LEN];

	if (!probe_symbol_module(symbol, name))
		return;
	if (probe_symbol_is_unloaded(symbol))
		c->nr = 1;
	else
		module_kallsyms_on_each_symbol(name, kprobe_count_if_named, c);
}

/*
 * A symbol of the kernel itself is registered by address, so that it is not looked up again; one in
 * a module by name, as its address changes when the module is loaded again.
 */
int kprobe_set_symbol(struct kernel_probe *k, const char *symbol, size_t len)
{
	struct kprobe *kp = &k->rp.kp;
	struct symbol_count c = {};

	k->symbol = kmemdup_nul(symbol, len, GFP_KERNEL);
	if (!k->symbol)
		return -ENOMEM;
	c.name = probe_symbol_name(k->symbol);
	if (c.name == k->symbol)
		kprobe_count_symbols(&c);
	else
		kprobe_count_in_module(&c, k->symbol);
	k->start = c.at;
	kp->addr = (kprobe_opcode_t *)c.at;
	kp->symbol_name = c.at ? NULL : k->symbol;
	return c.nr;
}

/* ``SYMBOL+OFFSET`` */
static int kprobe_parse_symbol(const struct cmd_text *text, char *word, struct kernel_probe *k)
{
	char *plus = strpbrk(word, "+-");
	long offset = 0;
	int nr;

	if (plus && (kstrtol(plus, 0, &offset) || offset < 0 || (u64)offset > UINT_MAX))
		return cmd_refuse(text, word, PROBE_ERR_PLACE);
	k->rp.kp.offset = offset;
	nr = kprobe_set_symbol(k, word, plus ? plus - word : strlen(word));
	if (nr < 0 || nr == 1)
		return min(nr, 0);
	return cmd_refuse(text, word, nr ? PROBE_ERR_NOT_UNIQUE : PROBE_ERR_PLACE);
}

/* Set what can be fetched: that depends on whether the place is the entry of a function. */
static int kprobe_set_context(const struct cmd_text *text, const char *word,
			      const struct kernel_probe *k, struct probe_place *place)
{
	const struct kprobe *kp = &k->rp.kp;
	int err = kprobe_on_func_entry(kp->addr, kp->symbol_name, kp->offset);

	/* The module is not loaded: without an offset, the symbol is taken for a function. */
	if (err == -ENOENT && !kp->offset)
		err = 0;
	if (k->returns) {
		place->at = PROBE_AT_RETURN;
		return err ? cmd_refuse(text, word, PROBE_ERR_RETURN) : 0;
	}
	place->at = err ? 0 : PROBE_AT_ENTRY;
	return 0;
}

static int kprobe_parse_place(const struct cmd_text *text, char *word, struct kernel_probe *k,
			      struct probe_place *place)
{
	unsigned long address;
	int err = probe_return_parse(text, word, &k->returns);

	if (err)
		return err;
	if (!kstrtoul(word, 0, &address))
		k->rp.kp.addr = (kprobe_opcode_t *)address;
	else
		err = kprobe_parse_symbol(text, word, k);
	/* The function whose arguments can be fetched by name. */
	place->function = k->symbol ? probe_symbol_name(k->symbol) : NULL;
	return err ?: kprobe_set_context(text, word, k, place);
}

/* ------------------------------------------------------------------ */
/* Lines								*/

/* The default name is ``p_SYMBOL_OFFSET``, or ``p_0xADDRESS``; with ``r`` for a return probe. */
static char *kprobe_name(const struct probe *p)
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

static int kprobe_refuse_place(const struct cmd_text *text, const char *place, int err)
{
	if (err == -EILSEQ)
		cmd_refuse(text, place, PROBE_ERR_BOUNDARY);
	else if (err == -ENOENT)
		cmd_refuse(text, place, PROBE_ERR_PLACE);
	else if (err != -ENOMEM)
		cmd_refuse(text, place, PROBE_ERR_REFUSED);
	return err;
}

/* Register the probe before it is added, so that a refused place is logged and adds nothing. */
static int kprobe_register_new(const struct probe_line *line, struct kernel_probe *k)
{
	bool to_come = k->symbol && probe_symbol_is_unloaded(k->symbol);
	int err = to_come ? 0 : fetch_resolve_all(&line->text, &k->probe.args);

	if (err)
		return err;
	err = kernel_probe_register(k, false);
	if (err == -ENOENT && to_come)
		return 0;
	return err ? kprobe_refuse_place(&line->text, line->place, err) : 0;
}

static int kprobe_add(struct probe_line *line)
{
	struct kernel_probe *k = to_kernel_probe(line->probe);
	int err = kprobe_register_new(line, k);

	if (err)
		return err;
	guard(mutex)(&dyn_events_lock);
	err = probe_add(line);
	if (!err)
		kernel_probe_follow(k);
	return err;
}

static void kprobe_copy_kept_args(struct kernel_probe *k, const struct probe_place *place)
{
	k->nr_kept = place->nr_kept;
	memcpy(k->kept, place->kept, sizeof(k->kept));
}

static int kprobe_parse(struct probe_line *line)
{
	struct kernel_probe *k = to_kernel_probe(line->probe);
	const struct cmd_text *text = &line->text;
	char *rest = text->text, *name = kprobe_parse_letter(text, probe_next_word(&rest), k);
	struct probe_place at = {};
	int err;

	if (IS_ERR(name))
		return PTR_ERR(name);
	line->place = probe_next_word(&rest);
	err = probe_line_parse_name(line, name) ?: kprobe_parse_place(text, line->place, k, &at) ?:
	      probe_args_parse(text, rest, &at, probe_len_before(k->returns), &k->probe.args);
	kprobe_copy_kept_args(k, &at);
	line->spec.returns = k->returns;
	line->spec.nr_head = probe_nr_head(k->returns);
	return err;
}

static int kprobe_create(const char *whole)
{
	struct probe_line line;
	int err;

	if (!kprobe_is_line(whole))
		return -ECANCELED;
	err = probe_begin(&line, whole, &kprobe_kind) ?: kprobe_parse(&line) ?: kprobe_add(&line);
	return probe_end(&line, err);
}

static void kprobe_place(struct seq_buf *s, const struct probe *p)
{
	const struct kernel_probe *k = to_kernel_probe(p);

	/* %p hashes the address: users who may see addresses find them in other files. */
	if (!k->symbol)
		seq_buf_printf(s, "0x%p", k->rp.kp.addr);
	else if (k->rp.kp.offset)
		seq_buf_printf(s, "%s+%u", k->symbol, k->rp.kp.offset);
	else
		seq_buf_puts(s, k->symbol);
}

/*
 * For a return probe that is registered: the number in use, which register_kretprobe() chooses if
 * the user wrote none. Otherwise the number that the user wrote, or 0.
 */
static unsigned int kprobe_instances(const struct probe *p)
{
	const struct kernel_probe *k = to_kernel_probe(p);

	return k->registered && k->returns ? k->rp.maxactive : k->instances;
}

static bool kprobe_same_place(const struct probe *a, const struct probe *b)
{
	const struct kernel_probe *one = to_kernel_probe(a), *other = to_kernel_probe(b);

	if (!one->symbol || !other->symbol)
		return one->symbol == other->symbol && one->rp.kp.addr == other->rp.kp.addr;
	return !strcmp(one->symbol, other->symbol) && one->rp.kp.offset == other->rp.kp.offset;
}

struct probe_kind kprobe_kind = {
	.dyn = {
		.create		= kprobe_create,
		.show		= probe_show,
		.matches	= probe_matches,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.parser		= "trace_kprobe",
	.letter		= 'p',
	.system		= "kprobes",
	.flags		= TRACE_EVENT_FL_KPROBE,
	.size		= sizeof(struct kernel_probe),
	.name		= kprobe_name,
	.join		= probe_join_programs,
	.start		= kprobe_start,
	.stop		= kprobe_stop,
	.set_handlers	= kprobe_set_handlers,
	.finish		= kprobe_finish,
	.place		= kprobe_place,
	.same_place	= kprobe_same_place,
	.instances	= kprobe_instances,
	.free		= kprobe_free,
};

DYN_EVENT_KIND(kprobe, kprobe_kind.dyn);
