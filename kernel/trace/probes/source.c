// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing of the source and the loads of an argument: ``%REG``, ``$stack``, ``@ADDRESS``,
 * ``\CONSTANT`` and other sources, and ``+OFFSET(...)`` around any of them.
 */
#include <linux/array_size.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/thread_info.h>

#include "btf.h"
#include "text.h"
#include "types/types.h"

/* Words of a kernel stack: limit of $stackN, and of $argN, as no function has more arguments. */
#define STACK_ENTRIES	(THREAD_SIZE / sizeof(long))

/* ------------------------------------------------------------------ */
/* $...									*/

static int source_parse_stack(const struct cmd_text *text, const char *word,
			      const struct probe_place *place, struct fetch *f)
{
	const char *n = word + strlen("$stack");

	f->source = FETCH_STACK;
	if (!*n)
		return 0;
	f->source = FETCH_STACK_ENTRY;
	if (!isdigit(*n) || kstrtoul(n, 10, &f->value))
		return cmd_refuse(text, word, PROBE_ERR_VARIABLE);
	if (f->value > STACK_ENTRIES && !(place->at & PROBE_IN_USER))
		return cmd_refuse(text, word, PROBE_ERR_STACK);
	return 0;
}

static int source_parse_arg(const struct cmd_text *text, const char *word,
			    struct probe_place *place, struct fetch *f)
{
	const char *n = word + strlen("$arg");
	unsigned long arg;

	if (!IS_ENABLED(CONFIG_HAVE_FUNCTION_ARG_ACCESS_API))
		return cmd_refuse(text, word, PROBE_ERR_VARIABLE);
	if (kstrtoul(n, 10, &arg))
		return cmd_refuse(text, word, PROBE_ERR_VARIABLE);
	if (!arg || arg > STACK_ENTRIES)
		return cmd_refuse(text, word, PROBE_ERR_ARG_NUMBER);
	if (place->proto && arg > probe_btf_nr_args(place))
		return cmd_refuse(text, word, PROBE_ERR_NO_BTF_ARG);
	return fetch_arg_set(text, word, arg - 1, place, f);
}

static int source_parse_retval(const struct cmd_text *text, char *word, struct probe_place *place,
			       struct fetch *f)
{
	if (!(place->at & PROBE_AT_RETURN))
		return cmd_refuse(text, word, PROBE_ERR_RETVAL);
	if (IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS) && place->function)
		return fetch_btf_parse(text, word, place, f);
	f->source = FETCH_RETVAL;
	return 0;
}

/* True for ``$retval``, and for a member of it. */
static bool source_is_retval(const char *word)
{
	size_t len = str_has_prefix(word, "$retval");

	if (!len)
		return false;
	return !word[len] || (IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS) && strchr(".-", word[len]));
}

/* ``$arg*`` cannot be part of an argument. As a whole argument args.c expands it, with BTF. */
static int source_refuse_all_args(const struct cmd_text *text, const char *word,
				  const struct probe_place *place)
{
	if (!probe_has_arguments(place))
		return cmd_refuse(text, word, PROBE_ERR_NOT_ENTRY);
	if (IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		return cmd_refuse(text, word, PROBE_ERR_ALL_ARGS);
	return cmd_refuse_with(text, word, PROBE_ERR_NO_BTF, -EOPNOTSUPP);
}

static bool source_is_comm(const char *word)
{
	return !strcmp(word, "$comm") || !strcmp(word, "$COMM");
}

static int source_parse_variable(const struct cmd_text *text, char *word,
				 struct probe_place *place, struct fetch *f)
{
	if (source_is_comm(word)) {
		f->source = FETCH_COMM;
		return 0;
	}
	if (!strcmp(word, "$arg*"))
		return source_refuse_all_args(text, word, place);
	if (source_is_retval(word))
		return source_parse_retval(text, word, place, f);
	if (strstarts(word, "$stack"))
		return source_parse_stack(text, word, place, f);
	if (strstarts(word, "$arg"))
		return source_parse_arg(text, word, place, f);
	return cmd_refuse(text, word, PROBE_ERR_VARIABLE);
}

/* ------------------------------------------------------------------ */
/* $FIELD								*/

/* For an array of other types than char, the number is its first element, or its location word. */
static u8 source_field_kind(const struct trace_event_fields *field)
{
	if (!record_field_is_text(field))
		return FETCH_FIELD_NUMBER;
	if (record_field_is_data_loc(field))
		return FETCH_FIELD_DATA_LOC;
	return record_field_is_rel_loc(field) ? FETCH_FIELD_REL_LOC : FETCH_FIELD_TEXT;
}

static int source_parse_field(const struct cmd_text *text, const char *word,
			      const struct probe_place *place, struct fetch *f)
{
	const struct trace_event_fields *field;
	size_t len = strlen(word + 1);
	unsigned int at;

	field = record_field_find(place->fields, word + 1, len, &at) ?:
		record_common_find(word + 1, len, &at);
	if (!field && source_is_comm(word)) {
		f->source = FETCH_COMM;
		return 0;
	}
	if (!field)
		return cmd_refuse(text, word, PROBE_ERR_ATTACH_FIELD);
	f->source = FETCH_FIELD;
	f->value = at;
	f->field_kind = source_field_kind(field);
	/* Fetch at most the first 8 bytes of an array of numbers. */
	f->field_size = min_t(unsigned int, field->size,
			      f->field_kind == FETCH_FIELD_NUMBER ? sizeof(u64) : U16_MAX);
	f->field_signed = field->is_signed;
	return 0;
}

/* ------------------------------------------------------------------ */
/* @...									*/

static int source_parse_file_offset(const struct cmd_text *text, const char *word,
				    const struct probe_place *place, struct fetch *f)
{
	int err;

	if (!(place->at & PROBE_IN_USER))
		return cmd_refuse(text, word, PROBE_ERR_FILE_ON_KPROBE);
	err = kstrtoul(word + 2, 0, &f->value);
	if (err)
		return cmd_refuse_with(text, word, PROBE_ERR_FILE_OFFSET, err);
	f->source = FETCH_FILE;
	return fetch_load_add(text, word, (struct fetch_load){}, f);
}

/* ``SYMBOL``, ``SYMBOL+OFFSET`` or ``SYMBOL-OFFSET`` */
static int source_parse_symbol(const struct cmd_text *text, const char *word,
			       const struct probe_place *place, struct fetch *f)
{
	size_t len = strcspn(word + 1, "+-");

	if (place->at & PROBE_IN_USER)
		return cmd_refuse(text, word, PROBE_ERR_SYMBOL_ON_UPROBE);
	if (word[1 + len] && kstrtol(word + 1 + len, 0, &f->text_offset))
		return cmd_refuse(text, word, PROBE_ERR_ADDRESS);
	f->source = FETCH_SYMBOL;
	f->text = kmemdup_nul(word + 1, len, GFP_KERNEL);
	return f->text ? fetch_load_add(text, word, (struct fetch_load){}, f) : -ENOMEM;
}

static int source_parse_memory(const struct cmd_text *text, const char *word,
			       const struct probe_place *place, struct fetch *f)
{
	int err;

	if (word[1] == '+')
		return source_parse_file_offset(text, word, place, f);
	if (!isdigit(word[1]))
		return source_parse_symbol(text, word, place, f);
	err = kstrtoul(word + 1, 0, &f->value);
	if (err)
		return cmd_refuse_with(text, word, PROBE_ERR_ADDRESS, err);
	f->source = FETCH_CONSTANT;
	return fetch_load_add(text, word, (struct fetch_load){}, f);
}

/* ------------------------------------------------------------------ */
/* Constants								*/

/* ``"TEXT"`` */
static int source_parse_string(const struct cmd_text *text, const char *word, struct fetch *f)
{
	size_t len = strlen(word);

	if (len < 2 || word[len - 1] != '"')
		return cmd_refuse(text, word + len, PROBE_ERR_STRING_OPEN);
	f->source = FETCH_TEXT;
	f->text = kmemdup_nul(word + 1, len - 2, GFP_KERNEL);
	return f->text ? 0 : -ENOMEM;
}

static int source_parse_constant(const struct cmd_text *text, const char *word, struct fetch *f)
{
	int err;

	if (*word == '"')
		return source_parse_string(text, word, f);
	f->source = FETCH_CONSTANT;
	err = *word == '-' ? kstrtol(word, 0, (long *)&f->value) :
			     kstrtoul(word, 0, &f->value);
	return err ? cmd_refuse_with(text, word, PROBE_ERR_IMMEDIATE, err) : 0;
}

static int source_parse_register(const struct cmd_text *text, const char *word,
				 const struct probe_place *place, struct fetch *f)
{
	int offset;

	if (place->at & (PROBE_IN_EVENT | PROBE_NO_REGISTERS))
		return cmd_refuse(text, word, PROBE_ERR_VARIABLE);
	offset = regs_query_register_offset(word + 1);
	if (offset < 0)
		return cmd_refuse(text, word, PROBE_ERR_REGISTER);
	f->source = FETCH_REGISTER;
	f->value = offset;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Sources and loads							*/

static bool source_is_text(const struct fetch *f)
{
	return f->source == FETCH_COMM || f->source == FETCH_TEXT;
}

/* ``+[u]OFFSET`` or ``-[u]OFFSET``. Return: 0, or -errno. */
static int source_parse_load_offset(char *word, struct fetch_load *load)
{
	load->user = word[1] == 'u';
	/* Move the sign over the u, so that it is in front of the number. */
	if (load->user) {
		word[1] = word[0];
		word++;
	}
	return kstrtol(*word == '+' ? word + 1 : word, 0, &load->offset);
}

/* ``+[u]OFFSET(...)``. Set @inner to the part in parentheses. Return: 0 or an errno. */
static int source_parse_load(const struct cmd_text *text, char *word, struct fetch_load *load,
			     char **inner)
{
	char *brace = strchr(word, '('), *end;
	int err;

	if (!brace)
		return cmd_refuse(text, word, PROBE_ERR_LOAD_BRACE);
	*brace = '\0';
	err = source_parse_load_offset(word, load);
	if (err)
		return cmd_refuse_with(text, word, PROBE_ERR_LOAD_OFFSET, err);
	*inner = brace + 1;
	end = strrchr(*inner, ')');
	if (!end)
		return cmd_refuse(text, *inner + strlen(*inner), PROBE_ERR_LOAD_OPEN);
	*end = '\0';
	return end[1] ? cmd_refuse(text, end + 1, PROBE_ERR_FETCH) : 0;
}

/* The name of an argument of the probed function, possibly with members. */
static int source_parse_arg_name(const struct cmd_text *text, char *word,
				 struct probe_place *place, struct fetch *f)
{
	if (place->at & (PROBE_IN_EVENT | PROBE_IN_USER))
		return cmd_refuse(text, word, PROBE_ERR_NO_BTF);
	return fetch_btf_parse(text, word, place, f);
}

static int source_parse_simple(const struct cmd_text *text, char *word, struct probe_place *place,
			       struct fetch *f)
{
	switch (*word) {
	case '$':
		return place->at & PROBE_IN_EVENT ? source_parse_field(text, word, place, f) :
						    source_parse_variable(text, word, place, f);
	case '%':
		return source_parse_register(text, word, place, f);
	case '@':
		return source_parse_memory(text, word, place, f);
	case '\\':
		return source_parse_constant(text, word + 1, f);
	default:
		if (isalpha(*word) || *word == '_')
			return source_parse_arg_name(text, word, place, f);
		return cmd_refuse(text, word, PROBE_ERR_FETCH);
	}
}

/*
 * Loads are parsed from the outermost to the innermost, and added in the opposite order, as the
 * innermost is executed first. PROBE_ARG_LEN_MAX limits the text, so @loads has room for all that
 * can be written, which may be more than FETCH_LOADS_MAX.
 */
int fetch_source_parse(const struct cmd_text *text, char *word, struct probe_place *place,
		       struct fetch *f)
{
	struct fetch_load loads[PROBE_ARG_LEN_MAX / 4];
	char *inners[ARRAY_SIZE(loads)];
	unsigned int nr = 0;
	int err = 0;

	while (!err && (*word == '+' || *word == '-')) {
		if (nr == ARRAY_SIZE(loads))
			return cmd_refuse(text, word, PROBE_ERR_MANY_LOADS);
		err = source_parse_load(text, word, &loads[nr], &inners[nr]);
		word = inners[nr++];
	}
	err = err ?: source_parse_simple(text, word, place, f);
	if (!err && nr && source_is_text(f))
		return cmd_refuse(text, word, PROBE_ERR_LOAD_COMM);
	/* BTF has the type of the innermost source, not of the memory that a load reads. */
	if (nr)
		place->arg_type = (struct probe_btf_type){};
	while (!err && nr--)
		err = fetch_load_add(text, inners[nr], loads[nr], f);
	return err;
}
