// SPDX-License-Identifier: GPL-2.0
/*
 * The arguments of a probe: ``[NAME=]SOURCE[:TYPE] ...``
 */
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "btf.h"
#include "text.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* What is fetched							*/

/* Where the type is: behind the last colon that is not in a string. Return: it, or NULL. */
static char *split_type(char *word)
{
	char *colon;

	if (strstarts(word, "\\\""))
		word = strrchr(word + 2, '"') ?: word + strlen(word);
	colon = strchr(word, ':');
	if (colon)
		*colon++ = '\0';
	return colon;
}

int fetch_parse(const struct probe_text *text, char *word, struct probe_place *place,
		struct fetch *f)
{
	char *type;
	int err;

	if (!*word)
		return probe_refuse(text, word, PROBE_ERR_NO_ARG);
	if (strlen(word) >= PROBE_ARG_LEN_MAX)
		return probe_refuse_with(text, word, PROBE_ERR_ARG_LONG, -E2BIG);
	f->written = kstrdup(word, GFP_KERNEL);
	if (!f->written)
		return -ENOMEM;
	place->natural = (struct probe_natural){};
	type = split_type(word);
	err = fetch_source_parse(text, word, place, f);
	return err ?: fetch_type_parse(text, type, word, place, f);
}

void fetch_free(struct fetch *f)
{
	kfree(f->written);
	kfree(f->text);
}

static unsigned long symbol_address(const struct fetch *f)
{
	unsigned long at = kallsyms_lookup_name(f->text);

	return at ? at + f->text_offset : 0;
}

const struct fetch *fetch_resolve(struct probe_args *args)
{
	const struct fetch *missing = NULL;
	struct fetch *f;

	for (unsigned int i = 0; i < args->nr; i++) {
		f = &args->fetches[i];
		if (f->source != FETCH_SYMBOL)
			continue;
		f->value = symbol_address(f);
		if (!f->value && !missing)
			missing = f;
	}
	return missing;
}

int fetch_resolve_all(const struct probe_text *text, struct probe_args *args)
{
	const struct fetch *missing = fetch_resolve(args);

	if (!missing)
		return 0;
	return probe_refuse_with(text, args->fields[missing - args->fetches].written,
				 PROBE_ERR_ADDRESS, -ENOENT);
}

/* ------------------------------------------------------------------ */
/* Names								*/

/* What stands before the arguments in a record, and what may stand there one day. */
static const char * const reserved[] = {
	"__probe_ip", "__probe_func", "__probe_ret_ip", "common_tgid",
};

static bool is_used(const struct probe_args *args, const char *name)
{
	unsigned int at;

	if (record_common_find(name, strlen(name), &at))
		return true;
	for (unsigned int i = 0; i < ARRAY_SIZE(reserved); i++)
		if (!strcmp(reserved[i], name))
			return true;
	for (unsigned int i = 0; i < args->nr; i++)
		if (!strcmp(args->fields[i].name, name))
			return true;
	return false;
}

/* What is called by its name is called so; anything else is an argument of a number. */
static char *name_of(const char *word, unsigned int n)
{
	char *name = kmemdup_nul(word, strcspn(word, ":"), GFP_KERNEL);

	if (name && IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS) && probe_is_name(name))
		return name;
	kfree(name);
	return kasprintf(GFP_KERNEL, "arg%u", n);
}

/* ``NAME=``, or a name of ours. Return: what stands behind it, or ERR_PTR(). */
static char *parse_name(const struct probe_text *text, char *word, const struct probe_args *args,
			struct probe_field *field)
{
	char *equals = strchr(word, '=');

	if (!equals) {
		field->name = name_of(word, args->nr + 1);
		return field->name ? word : ERR_PTR(-ENOMEM);
	}
	if (equals == word)
		return ERR_PTR(probe_refuse(text, word, PROBE_ERR_NO_NAME));
	if (equals - word > PROBE_ARG_NAME_MAX)
		return ERR_PTR(probe_refuse(text, word, PROBE_ERR_NAME_LONG));
	*equals = '\0';
	if (!probe_is_name(word))
		return ERR_PTR(probe_refuse(text, word, PROBE_ERR_NAME));
	field->name = kstrdup(word, GFP_KERNEL);
	return field->name ? equals + 1 : ERR_PTR(-ENOMEM);
}

/* ------------------------------------------------------------------ */
/* All of them								*/

static int fill_field(const char *word, const struct fetch *f, struct probe_field *field)
{
	field->type = f->type;
	field->count = f->count;
	field->offset = f->offset;
	field->written = word;
	field->field = f->count ? kasprintf(GFP_KERNEL, "%s[%u]", f->type->field, f->count) :
				  kstrdup(f->type->field, GFP_KERNEL);
	return field->field ? 0 : -ENOMEM;
}

static int lay_out(const struct probe_text *text, const char *word, struct fetch *f,
		   struct probe_args *args)
{
	f->offset = args->len;
	f->size = f->type->size * (f->count ?: 1);
	args->len += f->size;
	return args->len - args->fetches->offset > PROBE_LEN_MAX ?
	       probe_refuse_with(text, word, PROBE_ERR_LONG, -E2BIG) : 0;
}

static int parse_arg(const struct probe_text *text, char *word, struct probe_place *place,
		     struct probe_args *args)
{
	struct probe_field *field = &args->fields[args->nr];
	struct fetch *f = &args->fetches[args->nr];
	char *body = parse_name(text, word, args, field);
	int err;

	if (IS_ERR(body))
		return PTR_ERR(body);
	if (is_used(args, field->name)) {
		kfree(field->name);
		field->name = NULL;
		return probe_refuse(text, word, PROBE_ERR_NAME_USED);
	}
	/* What is there is freed from now on. */
	args->nr++;
	err = fetch_parse(text, body, place, f);
	return err ?: lay_out(text, word, f, args) ?: fill_field(word, f, field);
}

/* ------------------------------------------------------------------ */
/* What stands for names of arguments					*/

static int parse_named(const struct probe_text *text, const char *name, const char *rest,
		       struct probe_place *place, struct probe_args *args)
{
	char *word __free(kfree) = kasprintf(GFP_KERNEL, "%s%s", name, rest);

	return word ? parse_arg(text, word, place, args) : -ENOMEM;
}

/* ``$arg*``: all of them. */
static int parse_all(const struct probe_text *text, char *word, struct probe_place *place,
		     struct probe_args *args)
{
	const char *name;
	int err = 0;

	if (args->all)
		return probe_refuse(text, word, PROBE_ERR_ARGS_TWICE);
	if (!(place->at & (PROBE_AT_ENTRY | PROBE_AT_RETURN)) || (place->at & PROBE_IN_USER))
		return probe_refuse(text, word, PROBE_ERR_NOT_ENTRY);
	if (!place->proto)
		return probe_refuse(text, word, PROBE_ERR_NO_BTF_ENTRY);
	args->all = true;
	for (unsigned int i = 0; !err && i < probe_btf_nr_args(place); i++) {
		name = probe_btf_arg_name(place, i);
		err = name ? parse_named(text, name, "", place, args) : 0;
	}
	return err;
}

/* The name of ``$argN``, if it has one. Return: the name and what is behind, or NULL. */
static const char *named(const char *word, const struct probe_place *place, const char **rest)
{
	size_t digits = strspn(word + strlen("$arg"), "0123456789");
	char number[4];
	unsigned int n;

	*rest = word + strlen("$arg") + digits;
	if (!digits || digits >= sizeof(number) || (**rest && **rest != ':'))
		return NULL;
	memcpy(number, word + strlen("$arg"), digits);
	number[digits] = '\0';
	return kstrtouint(number, 10, &n) || !n ? NULL : probe_btf_arg_name(place, n - 1);
}

static int parse_word(const struct probe_text *text, char *word, struct probe_place *place,
		      struct probe_args *args)
{
	const char *name, *rest;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS) || !strstarts(word, "$arg"))
		return parse_arg(text, word, place, args);
	if (!strcmp(word, "$arg*"))
		return parse_all(text, word, place, args);
	name = named(word, place, &rest);
	return name ? parse_named(text, name, rest, place, args) :
		      parse_arg(text, word, place, args);
}

/* ------------------------------------------------------------------ */
/* The words								*/

static unsigned int count_words(const char *rest)
{
	unsigned int nr = 0;

	while (*(rest += strspn(rest, " \t"))) {
		rest += strcspn(rest, " \t");
		nr++;
	}
	return nr;
}

/* One word may stand for all arguments of the function. */
static int args_alloc(const char *rest, const struct probe_place *place, struct probe_args *args)
{
	unsigned int nr = rest ? count_words(rest) : 0;

	if (nr && strstr(rest, "$arg*"))
		nr += probe_btf_nr_args(place);
	if (nr > PROBE_ARGS_MAX)
		return -E2BIG;
	args->fields = kcalloc(nr, sizeof(*args->fields), GFP_KERNEL);
	args->fetches = kvcalloc(nr, sizeof(*args->fetches), GFP_KERNEL);
	return args->fields && args->fetches ? 0 : -ENOMEM;
}

/* Most return probes fetch just that. */
static bool is_whole_retval(const struct fetch *f)
{
	return f->source == FETCH_RETVAL && !f->nr_loads && !f->right && !f->count &&
	       !fetch_type_is_text(f->type) && f->size == sizeof(long);
}

int probe_args_parse(const struct probe_text *text, char *rest, struct probe_place *place,
		     unsigned int len, struct probe_args *args)
{
	char *word;
	int err;

	*args = (struct probe_args){ .len = len };
	probe_btf_find(place);
	err = args_alloc(rest, place, args);
	while (!err && (word = probe_next_word(&rest)))
		err = parse_word(text, word, place, args);
	probe_btf_put(place);
	if (!err && args->nr == 1 && is_whole_retval(args->fetches))
		args->retval_at = args->fetches->offset;
	return err;
}

void probe_fields_free(struct probe_field *fields, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		kfree(fields[i].name);
		kfree(fields[i].field);
	}
	kfree(fields);
}

void probe_args_free(struct probe_args *args)
{
	if (args->fields)
		probe_fields_free(args->fields, args->nr);
	for (unsigned int i = 0; args->fetches && i < args->nr; i++)
		fetch_free(&args->fetches[i]);
	kvfree(args->fetches);
}
