/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts that users write to create a probe: parsing of names, arguments and types.
 */
#ifndef _KERNEL_TRACE_PROBES_TEXT_H
#define _KERNEL_TRACE_PROBES_TEXT_H

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/types.h>

#include "command/text.h"
#include "errors.h"
#include "fetch.h"

struct btf;
struct btf_type;
struct trace_event_fields;

/**
 * probe_next_word - cut off the next word of a text
 * @rest: remaining text; set to the text after the word, or to NULL at the end
 *
 * Context: any.
 * Return: the word; NULL if no word is left.
 */
char *probe_next_word(char **rest);

/* ------------------------------------------------------------------ */
/* Names of probes							*/

/* Size limit of the name of a group or event, with its NUL. */
#define PROBE_NAME_MAX	64U

/**
 * struct probe_name - name that a user gives to the event of a probe
 * @system: the GROUP, or NULL if none was written
 * @event: the EVENT, or NULL if none was written
 */
struct probe_name {
	const char	*system;
	const char	*event;
};

/**
 * probe_name_parse - parse ``[GROUP/]EVENT`` or ``GROUP/``
 * @text: the text, for errors
 * @word: the word of @text to parse, which is modified
 * @name: filled in, with pointers into @word
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged.
 */
int probe_name_parse(const struct cmd_text *text, char *word, struct probe_name *name);

/**
 * probe_instances_parse - parse how many calls of a function can be in flight (maxactive)
 * @text: the text, for errors
 * @word: the number, in @text
 * @nr: set to the number
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged.
 */
int probe_instances_parse(const struct cmd_text *text, const char *word, unsigned int *nr);

/**
 * probe_return_parse - cut a suffix ``%return`` off a word
 * @text: the text, for errors
 * @word: the word, in @text, which may have the suffix
 * @returns: set to true if the word has the suffix, otherwise unchanged
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged, for another suffix.
 */
int probe_return_parse(const struct cmd_text *text, char *word, bool *returns);

/**
 * probe_symbol_module - get the module of a symbol that is written as ``MODULE:SYMBOL``
 * @symbol: the symbol, as the user wrote it
 * @name: set to the name of the module
 *
 * Context: any.
 * Return: true if @symbol names a module, and the name is not too long for one.
 */
bool probe_symbol_module(const char *symbol, char name[MODULE_NAME_LEN]);

/**
 * probe_symbol_name - get a symbol without the name of its module
 * @symbol: ``SYMBOL`` or ``MODULE:SYMBOL``
 *
 * Context: any.
 * Return: the part of @symbol after the colon, or @symbol if it has none.
 */
const char *probe_symbol_name(const char *symbol);

/**
 * probe_symbol_is_unloaded - test whether a symbol is in a module that is not loaded
 * @symbol: ``SYMBOL`` or ``MODULE:SYMBOL``
 *
 * Context: any.
 * Return: true if @symbol names a module, and that is not loaded now.
 */
bool probe_symbol_is_unloaded(const char *symbol);

/**
 * probe_name_clean - make a valid name of an event of a string
 * @name: the string, which is modified
 *
 * Characters other than letters and digits become ``_``, and the string is cut to PROBE_NAME_MAX.
 *
 * Context: any.
 */
void probe_name_clean(char *name);

/**
 * probe_is_name - test whether a string is a valid C identifier
 * @name: the string
 *
 * Context: any.
 * Return: true if it is.
 */
bool probe_is_name(const char *name);

/* ------------------------------------------------------------------ */
/* Arguments								*/

#define PROBE_ARGS_MAX		128U	/* arguments of a probe */
#define PROBE_ARG_LEN_MAX	64U	/* bytes of the text of an argument, with its NUL */
#define PROBE_ARG_NAME_MAX	32U	/* characters of the name of an argument */
#define PROBE_LEN_MAX		3072U	/* bytes of all fixed-size arguments in a record */
#define PROBE_RECORD_MAX	3840U	/* bytes of a record, with the texts at its end */
#define PROBE_KEPT_MAX		16U	/* arguments that a return probe saves at the entry */

/* Properties of a place: they decide what a probe there can fetch. */
#define PROBE_AT_ENTRY		BIT(0)	/* entry of a function: the arguments */
#define PROBE_AT_RETURN		BIT(1)	/* return: the return value, arguments saved at the entry */
#define PROBE_IN_USER		BIT(2)	/* user space: memory and file offsets of a program */
#define PROBE_IN_EVENT		BIT(3)	/* a hit of another event: the fields of its record */
#define PROBE_NO_REGISTERS	BIT(4)	/* pt_regs are incomplete: registers cannot be fetched */

/**
 * struct probe_btf_type - type of an argument according to BTF
 * @is_known: the type is known
 * @type: name of the fetch type to use if the user writes none; NULL for the default type
 * @left: &fetch.left for a bit field, or 0
 * @right: &fetch.right for a bit field, or 0
 * @is_text_address: the argument is a pointer to char
 * @is_text: the argument is an array of char in memory
 */
struct probe_btf_type {
	bool		is_known;
	const char	*type;
	u8		left;
	u8		right;
	bool		is_text_address;
	bool		is_text;
};

/**
 * probe_btf_set_bitfield - set the position of a bit field in the number that contains it
 * @n: type of the argument; @n->left and @n->right are set
 * @size: size of the type of the bit field, in bits
 * @offset: offset of the bit field in its structure, in bits
 * @bits: width of the bit field, in bits
 *
 * The number that is read has the size of the type, and is aligned to that size.
 *
 * Context: any.
 * Return: offset of the number in the structure, in bits; -ERANGE if the bit field does not fit
 * into one aligned number, as in a packed structure.
 */
static inline int probe_btf_set_bitfield(struct probe_btf_type *n, u32 size, u32 offset, u32 bits)
{
	u32 first = offset % size;

	if (bits > size || first > size - bits)
		return -ERANGE;
	n->left = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? first : size - first - bits;
	n->right = size - bits;
	return offset - first;
}

/**
 * struct probe_place - place of a probe, as the parser of its arguments needs it
 * @at: what can be fetched there: PROBE_AT_*, PROBE_IN_*, PROBE_NO_REGISTERS
 * @fields: fields of the other event (PROBE_IN_EVENT), ended by an entry with a NULL type
 * @nr_kept: number of arguments to save at the entry, for a fetch at the return
 * @kept: indices of these arguments
 * @first_arg: number of hidden arguments in front of the first one that users can name
 * @function: name of the function, or of the tracepoint if @first_arg is not 0; or NULL
 * @btf: BTF that has @proto, held by probe_btf_find(); or NULL
 * @proto: BTF prototype of @function, or NULL if not known
 * @arg_type: BTF type of the argument that is being parsed
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
	struct probe_btf_type		arg_type;
};

/* True if the arguments of a kernel function can be fetched at the place. */
static inline bool probe_has_arguments(const struct probe_place *place)
{
	return (place->at & (PROBE_AT_ENTRY | PROBE_AT_RETURN)) && !(place->at & PROBE_IN_USER);
}

/**
 * struct probe_field - field of an event for one argument
 * @name: name of the argument
 * @field: type of the field in the format file
 * @type: fetch type of the argument, or of an element of an array
 * @count: number of elements of an array, or 0
 * @offset: offset of the field in the record, in bytes
 * @written: place of the argument in the text, for errors; valid only while the text is parsed
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
 * @nr: number of arguments
 * @len: length of a record up to the end of the fixed-size arguments, in bytes
 * @all: ``$arg*`` has been expanded
 * @fields: @nr fields of the event
 * @fetches: @nr programs that fetch the values
 * @retval_at: if the only argument is the whole return value, its offset in the record, for a fast
 *	path; otherwise 0
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
 * probe_args_parse - parse the arguments of a probe
 * @text: the text, for errors
 * @rest: remaining text with the arguments, which is modified; or NULL
 * @place: place of the probe
 * @len: offset of the first argument in a record, in bytes
 * @args: filled in; to be freed by probe_args_free(), also on failure
 *
 * Context: may sleep.
 * Return: 0; -EINVAL or another errno, logged; -ENOMEM; -E2BIG for too many arguments.
 */
int probe_args_parse(const struct cmd_text *text, char *rest, struct probe_place *place,
		     unsigned int len, struct probe_args *args);

/**
 * probe_args_free - free what probe_args_parse() has allocated
 * @args: the arguments; not freed itself
 *
 * Context: may sleep.
 */
void probe_args_free(struct probe_args *args);

/**
 * probe_fields_free - free fields that were taken out of &probe_args.fields
 * @fields: the fields, or NULL
 * @nr: number of fields
 *
 * Context: may sleep.
 */
void probe_fields_free(struct probe_field *fields, unsigned int nr);

/**
 * fetch_parse - parse one argument without its name: ``SOURCE[:TYPE]``
 * @text: the text, for errors
 * @word: the argument, which is modified
 * @place: place of the probe
 * @f: filled in; to be freed by fetch_free(), also on failure
 *
 * Context: may sleep.
 * Return: 0; -EINVAL or another errno, logged; -ENOMEM.
 */
int fetch_parse(const struct cmd_text *text, char *word, struct probe_place *place,
		struct fetch *f);

/**
 * fetch_free - free what fetch_parse() has allocated
 * @f: the program; not freed itself
 *
 * Context: may sleep.
 */
void fetch_free(struct fetch *f);

/**
 * fetch_source_parse - parse the source and the loads of an argument, without its type
 * @text: the text, for errors
 * @word: the argument up to the colon, which is modified
 * @place: place of the probe; @place->arg_type is set
 * @f: the members @source, @value, @text, @text_offset, those of fields, and @loads are filled in
 *
 * Context: may sleep.
 * Return: 0; -EINVAL or another errno, logged; -ENOMEM.
 */
int fetch_source_parse(const struct cmd_text *text, char *word, struct probe_place *place,
		       struct fetch *f);

/**
 * fetch_load_add - append a load to the program of an argument
 * @text: the text, for errors
 * @at: place in the text that asks for the load, for errors
 * @load: the load
 * @f: the program
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged, for more than FETCH_LOADS_MAX loads.
 */
int fetch_load_add(const struct cmd_text *text, const char *at, struct fetch_load load,
		   struct fetch *f);

/**
 * fetch_arg_set - make an argument of the function the source
 * @text: the text, for errors
 * @word: place of the argument in the text, for errors
 * @n: index of the argument, from 0
 * @place: place of the probe; at a return the argument is added to those to save at the entry
 * @f: @source and @value are set
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged.
 */
int fetch_arg_set(const struct cmd_text *text, const char *word, unsigned int n,
		  struct probe_place *place, struct fetch *f);

/**
 * fetch_type_parse - parse the type of an argument, or choose one if none is written
 * @text: the text, for errors
 * @word: the type, which is modified; or NULL if the argument has none
 * @at: place of the argument in the text, for errors that are not about @word
 * @place: place of the probe, with the BTF type of the argument in @place->arg_type
 * @f: result of fetch_source_parse(); @type, @count, @left and @right are set
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged.
 */
int fetch_type_parse(const struct cmd_text *text, char *word, const char *at,
		     const struct probe_place *place, struct fetch *f);

/**
 * fetch_resolve - look up the addresses of the symbols of all arguments
 * @args: the arguments
 *
 * Called again when a module has been loaded, to find symbols that were missing.
 *
 * Context: may sleep; the probe is not hit meanwhile.
 * Return: the first argument whose symbol was not found, or NULL.
 */
const struct fetch *fetch_resolve(struct probe_args *args);

/**
 * fetch_resolve_all - look up the addresses of the symbols of all arguments, or log an error
 * @text: the text, for errors
 * @args: the arguments
 *
 * Context: may sleep; the probe is not hit meanwhile.
 * Return: 0; -ENOENT, logged, if a symbol was not found.
 */
int fetch_resolve_all(const struct cmd_text *text, struct probe_args *args);

#endif /* _KERNEL_TRACE_PROBES_TEXT_H */
