/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What users write to have a probe, and what is wrong with it.
 */
#ifndef _KERNEL_TRACE_PROBES_TEXT_H
#define _KERNEL_TRACE_PROBES_TEXT_H

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/types.h>

#include "fetch.h"

struct btf;
struct btf_type;
struct trace_event_fields;

/* What is wrong with a text. */
enum probe_error {
	PROBE_ERR_NO_FILE, PROBE_ERR_NOT_REGULAR, PROBE_ERR_REFCNT, PROBE_ERR_REFCNT_OPEN,
	PROBE_ERR_REFCNT_SUFFIX, PROBE_ERR_FILE_OFFSET_OF_PLACE, PROBE_ERR_MAXACTIVE_ENTRY,
	PROBE_ERR_MAXACTIVE, PROBE_ERR_MAXACTIVE_BIG, PROBE_ERR_PLACE, PROBE_ERR_NOT_UNIQUE,
	PROBE_ERR_TRACEPOINT, PROBE_ERR_NO_TRACEPOINT,
	PROBE_ERR_RETURN, PROBE_ERR_SUFFIX, PROBE_ERR_NO_GROUP, PROBE_ERR_GROUP_LONG,
	PROBE_ERR_GROUP, PROBE_ERR_NO_EVENT, PROBE_ERR_EVENT_LONG, PROBE_ERR_EVENT,
	PROBE_ERR_EXISTS, PROBE_ERR_RETVAL, PROBE_ERR_STACK, PROBE_ERR_ARG_NUMBER,
	PROBE_ERR_VARIABLE, PROBE_ERR_REGISTER, PROBE_ERR_ADDRESS, PROBE_ERR_IMMEDIATE,
	PROBE_ERR_STRING_OPEN, PROBE_ERR_FILE_ON_KPROBE, PROBE_ERR_FILE_OFFSET,
	PROBE_ERR_SYMBOL_ON_UPROBE, PROBE_ERR_MANY_LOADS, PROBE_ERR_LOAD_BRACE,
	PROBE_ERR_LOAD_OFFSET, PROBE_ERR_LOAD_OPEN, PROBE_ERR_LOAD_COMM, PROBE_ERR_FETCH,
	PROBE_ERR_ARRAY_OPEN, PROBE_ERR_ARRAY_SUFFIX, PROBE_ERR_ARRAY, PROBE_ERR_ARRAY_BIG,
	PROBE_ERR_TYPE, PROBE_ERR_STRING, PROBE_ERR_SYMSTR, PROBE_ERR_BITS, PROBE_ERR_NAME_LONG,
	PROBE_ERR_NO_NAME, PROBE_ERR_NAME, PROBE_ERR_NAME_USED, PROBE_ERR_ARG_LONG,
	PROBE_ERR_NO_ARG, PROBE_ERR_BOUNDARY, PROBE_ERR_REFUSED, PROBE_ERR_OTHER_KIND,
	PROBE_ERR_OTHER_ARGS, PROBE_ERR_SAME, PROBE_ERR_NO_ATTACH, PROBE_ERR_ATTACH,
	PROBE_ERR_ATTACH_FIELD, PROBE_ERR_NO_FILTER, PROBE_ERR_NO_BTF, PROBE_ERR_ALL_ARGS,
	PROBE_ERR_NOT_ENTRY, PROBE_ERR_STRING_ONLY, PROBE_ERR_LONG, PROBE_ERR_NO_RETVAL,
	PROBE_ERR_NO_BTF_ARG, PROBE_ERR_NO_BTF_ENTRY, PROBE_ERR_ARGS_TWICE, PROBE_ERR_NOT_POINTER,
	PROBE_ERR_GROUP_TAKEN, PROBE_ERR_EVENT_TAKEN,
	PROBE_ERR_NO_DOT, PROBE_ERR_HYPHEN, PROBE_ERR_NO_MEMBER, PROBE_ERR_TYPE_OF_STRING,
	NR_PROBE_ERRORS
};

/**
 * struct probe_text - a text that is being understood
 * @who: who does, in error_log
 * @whole: as it was written
 * @text: the same, of which pieces have been cut off
 */
struct probe_text {
	const char	*who;
	const char	*whole;
	char		*text;
};

/**
 * probe_refuse - log what is wrong
 * @text: the text
 * @at: where in @text->text, or NULL for its beginning
 * @what: PROBE_ERR_*
 *
 * Context: may sleep.
 * Return: -EINVAL.
 */
int probe_refuse(const struct probe_text *text, const char *at, enum probe_error what);

/* Likewise. Return: @err. */
static inline int probe_refuse_with(const struct probe_text *text, const char *at,
				    enum probe_error what, int err)
{
	probe_refuse(text, at, what);
	return err;
}

/**
 * probe_next_word - cut the next word off
 * @rest: what is left of the text
 *
 * Return: the word; NULL if there is none.
 */
char *probe_next_word(char **rest);

/* ------------------------------------------------------------------ */
/* What a probe is called						*/

/* The longest name, with its NUL. */
#define PROBE_NAME_MAX	64U

/**
 * struct probe_name - what a probe is called
 * @system: GROUP, or NULL
 * @event: EVENT, or NULL
 */
struct probe_name {
	const char	*system;
	const char	*event;
};

/**
 * probe_name_parse - understand ``[GROUP/]EVENT``, or ``GROUP/``
 * @text: the text
 * @word: where it stands there; it is changed
 * @name: filled in
 *
 * Return: 0; -EINVAL, logged.
 */
int probe_name_parse(const struct probe_text *text, char *word, struct probe_name *name);

/**
 * probe_instances_parse - understand how many calls of a function can be under way
 * @text: the text
 * @word: where the number stands there
 * @nr: set to it
 *
 * Return: 0; -EINVAL, logged.
 */
int probe_instances_parse(const struct probe_text *text, const char *word, unsigned int *nr);

/**
 * probe_return_parse - cut ``%return`` off
 * @text: the text
 * @word: behind what it may stand
 * @returns: set if it does
 *
 * Return: 0; -EINVAL, logged, for another suffix.
 */
int probe_return_parse(const struct probe_text *text, char *word, bool *returns);

/**
 * probe_symbol_module - which module a symbol is to be in
 * @symbol: the symbol, as it is written
 * @name: filled in
 *
 * Context: any.
 * Return: true if it is ``MODULE:SYMBOL``, and a module can have such a long name.
 */
bool probe_symbol_module(const char *symbol, char name[MODULE_NAME_LEN]);

/* The symbol without its module. Context: any. */
const char *probe_symbol_name(const char *symbol);

/* True if a symbol is in a module that is not there now. Context: any. */
bool probe_symbol_is_to_come(const char *symbol);

/* What no name can have becomes a _, and what is too long is cut off. */
void probe_name_clean(char *name);

/* Letters, digits and _, of which a digit is not the first. */
bool probe_is_name(const char *name);

/* ------------------------------------------------------------------ */
/* What it fetches							*/

/* As many arguments as a probe can have, and as long as one can be, with its NUL. */
#define PROBE_ARGS_MAX		128U
#define PROBE_ARG_LEN_MAX	64U
#define PROBE_ARG_NAME_MAX	32U
/* As long as all of them can be in a record, and a record with what is behind it. */
#define PROBE_LEN_MAX		3072U
#define PROBE_ROOM_MAX		3840U
/* As many arguments as are kept from the entry on. */
#define PROBE_KEPT_MAX		16U

/* What there is where a probe is hit. */
#define PROBE_AT_ENTRY		BIT(0)	/* the function begins there: its arguments */
#define PROBE_AT_RETURN		BIT(1)	/* it returns: what, and arguments that were kept */
#define PROBE_IN_USER		BIT(2)	/* in a program */
#define PROBE_IN_EVENT		BIT(3)	/* in another event: fields */
#define PROBE_NO_REGISTERS	BIT(4)	/* not all registers are what they were */

/**
 * struct probe_natural - what an argument is by itself
 * @is_known: its type is known
 * @type: what it becomes unless something else is asked for; NULL for an address, or anything
 * @left: of a bit field, &fetch.left, and
 * @right: &fetch.right
 * @is_text_address: it is the address of characters
 * @is_text: it is an array of them, in memory
 */
struct probe_natural {
	bool		is_known;
	const char	*type;
	u8		left;
	u8		right;
	bool		is_text_address;
	bool		is_text;
};

/**
 * probe_natural_place_bits - say where a bit field is
 * @n: what is said of it
 * @size: bits of its type
 * @offset: where it begins, in bits
 * @bits: how many it has
 *
 * A number of its type's size, at a multiple of that, is read as a whole.
 *
 * Return: where that begins, in bits; -ERANGE if the field does not end in it, as in a packed
 * structure.
 */
static inline int probe_natural_place_bits(struct probe_natural *n, u32 size, u32 offset, u32 bits)
{
	u32 first = offset % size;

	if (bits > size || first > size - bits)
		return -ERANGE;
	n->left = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? first : size - first - bits;
	n->right = size - bits;
	return offset - first;
}

/**
 * struct probe_place - where a probe is hit
 * @at: PROBE_AT_*, PROBE_IN_*
 * @fields: those of the event, ended by a NULL type
 * @nr_kept: how many arguments are to be kept at the entry
 * @kept: which ones
 * @first_arg: how many arguments come before what the user takes for the first one
 * @function: which function it is, or tracepoint, if @first_arg is not 0; or NULL. As btf.h
 *	knows it,
 * @btf: where that is, and
 * @proto: what it takes and returns, or NULL
 * @natural: what is being fetched
 */
struct probe_place {
	unsigned int			at;
	const struct trace_event_fields	*fields;
	unsigned int			nr_kept;
	u8				kept[PROBE_KEPT_MAX];
	unsigned int			first_arg;
	const char			*function;
	struct btf			*btf;
	const struct btf_type		*proto;
	struct probe_natural		natural;
};

/* Are arguments of a function at hand there? */
static inline bool probe_has_arguments(const struct probe_place *place)
{
	return (place->at & (PROBE_AT_ENTRY | PROBE_AT_RETURN)) && !(place->at & PROBE_IN_USER);
}

/**
 * struct probe_field - an argument as the event has it
 * @name: its name
 * @field: its type in the format file
 * @type: its type, or that of an element
 * @count: elements of an array, or 0
 * @offset: where it is in the record
 * @written: where it stands in the text, as long as there is one
 */
struct probe_field {
	char			*name;
	char			*field;
	const struct fetch_type	*type;
	u8			count;
	u16			offset;
	const char		*written;
};

/**
 * struct probe_args - the arguments of a probe
 * @nr: how many
 * @len: of a record up to behind them
 * @all: all arguments of the function are among them
 * @fields: of each, what the event has
 * @fetches: of each, what is fetched
 * @retval_at: if there is one, and it is all that a function returns: where in the record; or 0
 */
struct probe_args {
	unsigned int		nr;
	unsigned int		len;
	bool			all;
	u16			retval_at;
	struct probe_field	*fields;
	struct fetch		*fetches;
};

/**
 * probe_args_parse - understand the arguments of a probe
 * @text: the text
 * @rest: what is left of it
 * @place: where the probe is hit
 * @len: where the first one is in a record
 * @args: filled in, for probe_args_free(), also if it fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL or another errno, logged; -ENOMEM; -E2BIG for too many.
 */
int probe_args_parse(const struct probe_text *text, char *rest, struct probe_place *place,
		     unsigned int len, struct probe_args *args);

void probe_args_free(struct probe_args *args);
void probe_fields_free(struct probe_field *fields, unsigned int nr);

/**
 * fetch_parse - understand what is fetched for one argument
 * @text: the text
 * @word: what is written, which is changed
 * @place: where the probe is hit
 * @f: filled in, for fetch_free(), also if it fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL or another errno, logged; -ENOMEM.
 */
int fetch_parse(const struct probe_text *text, char *word, struct probe_place *place,
		struct fetch *f);

void fetch_free(struct fetch *f);

/**
 * fetch_source_parse - likewise, without its type
 * @text: the text
 * @word: what is written, which is changed
 * @place: where the probe is hit
 * @f: @source and what belongs to it, and @loads, are filled in
 *
 * Context and return: likewise.
 */
int fetch_source_parse(const struct probe_text *text, char *word, struct probe_place *place,
		       struct fetch *f);

/**
 * fetch_load_add - one load more
 * @text: the text
 * @at: where what asks for it stands there
 * @load: the load
 * @f: has the ones before it
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged.
 */
int fetch_load_add(const struct probe_text *text, const char *at, struct fetch_load load,
		   struct fetch *f);

/**
 * fetch_arg_set - fetch an argument of the function
 * @text: the text
 * @word: where it is written there
 * @n: which one, from 0 on
 * @place: where the probe is hit
 * @f: @source and what belongs to it is filled in
 *
 * Context and return: likewise.
 */
int fetch_arg_set(const struct probe_text *text, const char *word, unsigned int n,
		  struct probe_place *place, struct fetch *f);

/**
 * fetch_type_parse - understand what stands behind the colon, or the absence of it
 * @text: the text
 * @word: the type, which is changed; or NULL
 * @at: where what is wrong otherwise is shown
 * @place: where the probe is hit
 * @f: what comes before has been understood; @type and what belongs to it is filled in
 *
 * Context and return: likewise.
 */
int fetch_type_parse(const struct probe_text *text, char *word, const char *at,
		     const struct probe_place *place, struct fetch *f);

/**
 * fetch_resolve - look up the symbols of all arguments
 * @args: the arguments
 *
 * Those of a module that is not there yet are found when this is called again.
 *
 * Context: may sleep; nobody fetches by them.
 * Return: the first argument whose symbol is not there, or NULL.
 */
const struct fetch *fetch_resolve(struct probe_args *args);

/* Likewise. Return: 0; -ENOENT, logged. */
int fetch_resolve_all(const struct probe_text *text, struct probe_args *args);

#endif /* _KERNEL_TRACE_PROBES_TEXT_H */
