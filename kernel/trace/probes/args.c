// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing of the arguments of a probe: ``[NAME=]SOURCE[:TYPE] ...``
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
/* Fetch programs							*/

/* Cut off the type, after the first colon that is not in a string. Return: the type, or NULL. */
static char *arg_split_type(char *word)
{
	char *colon;

	if (strstarts(word, "\\\""))
		word = strrchr(word + 2, '"') ?: word + strlen(word);
	colon = strchr(word, ':');
	if (colon)
		*colon++ = '\0';
	return colon;
}

int fetch_parse(const struct cmd_text *text, char *word, struct probe_place *place, struct fetch *f)
{
	char *type;
	int err;

	if (!*word)
		return cmd_refuse(text, word, PROBE_ERR_NO_ARG);
	if (strlen(word) >= PROBE_ARG_LEN_MAX)
		return cmd_refuse_with(text, word, PROBE_ERR_ARG_LONG, -E2BIG);
	f->written = kstrdup(word, GFP_KERNEL);
	if (!f->written)
		return -ENOMEM;
	place->arg_type = (struct probe_btf_type){};
	type = arg_split_type(word);
	err = fetch_source_parse(text, word, place, f);
	return err ?: fetch_type_parse(text, type, word, place, f);
}

void fetch_free(struct fetch *f)
{
	kfree(f->written);
	kfree(f->text);
}

static unsigned long arg_symbol_address(const struct fetch *f)
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
		f->value = arg_symbol_address(f);
		if (!f->value && !missing)
			missing = f;
	}
	return missing;
}

int fetch_resolve_all(const struct cmd_text *text, struct probe_args *args)
{
	const struct fetch *missing = fetch_resolve(args);

	if (!missing)
		return 0;
	return cmd_refuse_with(text, args->fields[missing - args->fetches].written,
			       PROBE_ERR_ADDRESS, -ENOENT);
}

/* ------------------------------------------------------------------ */
/* Names								*/

/* Names of fields in front of the arguments of a record, or reserved for that. */
static const char * const reserved_arg_names[] = {
	"__probe_ip", "__probe_func", "__probe_ret_ip", "common_tgid",
};

static bool arg_name_is_used(const struct probe_args *args, const char *name)
{
	unsigned int at;

	if (record_common_find(name, strlen(name), &at))
		return true;
	for (unsigned int i = 0; i < ARRAY_SIZE(reserved_arg_names); i++)
		if (!strcmp(reserved_arg_names[i], name))
			return true;
	for (unsigned int i = 0; i < args->nr; i++)
		if (!strcmp(args->fields[i].name, name))
			return true;
	return false;
}

/* An argument written as a plain name, which BTF has, is called so; any other one ``argN``. */
static char *arg_default_name(const char *word, unsigned int n)
{
	char *name = kmemdup_nul(word, strcspn(word, ":"), GFP_KERNEL);

	if (name && IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS) && probe_is_name(name))
		return name;
	kfree(name);
	return kasprintf(GFP_KERNEL, "arg%u", n);
}

/* ``NAME=``, or a default name. Return: the text after the name, or ERR_PTR(). */
static char *arg_parse_name(const struct cmd_text *text, char *word,
			    const struct probe_args *args, struct probe_field *field)
{
	char *equals = strchr(word, '=');

	if (!equals) {
		field->name = arg_default_name(word, args->nr + 1);
		return field->name ? word : ERR_PTR(-ENOMEM);
	}
	if (equals == word)
		return ERR_PTR(cmd_refuse(text, word, PROBE_ERR_NO_NAME));
	if (equals - word > PROBE_ARG_NAME_MAX)
		return ERR_PTR(cmd_refuse(text, word, PROBE_ERR_NAME_LONG));
	*equals = '\0';
	if (!probe_is_name(word))
		return ERR_PTR(cmd_refuse(text, word, PROBE_ERR_NAME));
	field->name = kstrdup(word, GFP_KERNEL);
	return field->name ? equals + 1 : ERR_PTR(-ENOMEM);
}

/* ------------------------------------------------------------------ */
/* Arguments								*/

static int arg_fill_field(const char *word, const struct fetch *f, struct probe_field *field)
{
	field->type = f->type;
	field->count = f->count;
	field->offset = f->offset;
	field->written = word;
	field->field = f->count ? kasprintf(GFP_KERNEL, "%s[%u]", f->type->field, f->count) :
				  kstrdup(f->type->field, GFP_KERNEL);
	return field->field ? 0 : -ENOMEM;
}

static int arg_set_offset(const struct cmd_text *text, const char *word, struct fetch *f,
			  struct probe_args *args)
{
	f->offset = args->len;
	f->size = f->type->size * (f->count ?: 1);
	args->len += f->size;
	return args->len - args->fetches->offset > PROBE_LEN_MAX ?
	       cmd_refuse_with(text, word, PROBE_ERR_LONG, -E2BIG) : 0;
}

static int arg_parse(const struct cmd_text *text, char *word, struct probe_place *place,
		     struct probe_args *args)
{
	struct probe_field *field = &args->fields[args->nr];
	struct fetch *f = &args->fetches[args->nr];
	char *body = arg_parse_name(text, word, args, field);
	int err;

	if (IS_ERR(body))
		return PTR_ERR(body);
	if (arg_name_is_used(args, field->name)) {
		kfree(field->name);
		field->name = NULL;
		return cmd_refuse(text, word, PROBE_ERR_NAME_USED);
	}
	/* From here on, probe_args_free() frees the argument. */
	args->nr++;
	err = fetch_parse(text, body, place, f);
	return err ?: arg_set_offset(text, word, f, args) ?: arg_fill_field(word, f, field);
}

/* ------------------------------------------------------------------ */
/* $arg* and $argN							*/

static int args_parse_named(const struct cmd_text *text, const char *name, const char *rest,
			    struct probe_place *place, struct probe_args *args)
{
	char *word __free(kfree) = kasprintf(GFP_KERNEL, "%s%s", name, rest);

	return word ? arg_parse(text, word, place, args) : -ENOMEM;
}

/* ``$arg*``: add all arguments of the function that have a name. */
static int args_parse_all(const struct cmd_text *text, char *word, struct probe_place *place,
			  struct probe_args *args)
{
	const char *name;
	int err = 0;

	if (args->all)
		return cmd_refuse(text, word, PROBE_ERR_ARGS_TWICE);
	if (!(place->at & (PROBE_AT_ENTRY | PROBE_AT_RETURN)) || (place->at & PROBE_IN_USER))
		return cmd_refuse(text, word, PROBE_ERR_NOT_ENTRY);
	if (!place->proto)
		return cmd_refuse(text, word, PROBE_ERR_NO_BTF_ENTRY);
	args->all = true;
	for (unsigned int i = 0; !err && i < probe_btf_nr_args(place); i++) {
		name = probe_btf_arg_name(place, i);
		err = name ? args_parse_named(text, name, "", place, args) : 0;
	}
	return err;
}

/* Find the BTF name of ``$argN``, and set @rest to the text after it. Return: name or NULL. */
static const char *args_find_name(const char *word, const struct probe_place *place,
				  const char **rest)
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

static int args_parse_word(const struct cmd_text *text, char *word, struct probe_place *place,
			   struct probe_args *args)
{
	const char *name, *rest;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS) || !strstarts(word, "$arg"))
		return arg_parse(text, word, place, args);
	if (!strcmp(word, "$arg*"))
		return args_parse_all(text, word, place, args);
	name = args_find_name(word, place, &rest);
	return name ? args_parse_named(text, name, rest, place, args) :
		      arg_parse(text, word, place, args);
}

/* ------------------------------------------------------------------ */
/* All arguments							*/

static unsigned int args_count_words(const char *rest)
{
	unsigned int nr = 0;

	while (*(rest += strspn(rest, " \t"))) {
		rest += strcspn(rest, " \t");
		nr++;
	}
	return nr;
}

/* Allocate an entry for each word, and for each argument that ``$arg*`` expands to. */
static int args_alloc(const char *rest, const struct probe_place *place, struct probe_args *args)
{
	unsigned int nr = rest ? args_count_words(rest) : 0;

	if (nr && strstr(rest, "$arg*"))
		nr += probe_btf_nr_args(place);
	if (nr > PROBE_ARGS_MAX)
		return -E2BIG;
	args->fields = kcalloc(nr, sizeof(*args->fields), GFP_KERNEL);
	args->fetches = kvcalloc(nr, sizeof(*args->fetches), GFP_KERNEL);
	return args->fields && args->fetches ? 0 : -ENOMEM;
}

/* True if @f is the plain return value, which most return probes fetch: see record.c. */
static bool args_is_whole_retval(const struct fetch *f)
{
	return f->source == FETCH_RETVAL && !f->nr_loads && !f->right && !f->count &&
	       f->type->kind == FETCH_NUMBER && f->size == sizeof(long);
}

int probe_args_parse(const struct cmd_text *text, char *rest, struct probe_place *place,
		     unsigned int len, struct probe_args *args)
{
	char *word;
	int err;

	*args = (struct probe_args){ .len = len };
	probe_btf_find(place);
	err = args_alloc(rest, place, args);
	while (!err && (word = probe_next_word(&rest)))
		err = args_parse_word(text, word, place, args);
	probe_btf_put(place);
	if (!err && args->nr == 1 && args_is_whole_retval(args->fetches))
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
