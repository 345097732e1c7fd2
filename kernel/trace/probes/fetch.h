/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a probe fetches. A user writes it in words, and it is made a short program of three
 * parts: a source, which gives a number; loads, each of which takes that number for an address,
 * and has the one that is there instead; and a type, as which the last one gets into the
 * record.
 *
 *	name=+8(+0x10(%di)):u16		register di; load at +0x10; at +8, as u16
 *
 * Running it does not fault, whatever is where it looks: see fetch_fill().
 */
#ifndef _KERNEL_TRACE_PROBES_FETCH_H
#define _KERNEL_TRACE_PROBES_FETCH_H

#include <linux/types.h>

struct pt_regs;

/* Where the number comes from with which it begins. */
enum fetch_source {
	FETCH_REGISTER,		/* of which @value is the offset in struct pt_regs */
	FETCH_STACK,		/* the stack pointer */
	FETCH_STACK_ENTRY,	/* the @value'th word on the stack */
	FETCH_RETVAL,		/* what the function returns */
	FETCH_ARG,		/* its @value'th argument, from 0 on */
	FETCH_KEPT,		/* likewise, at its return: the @value'th that was kept */
	FETCH_CONSTANT,		/* @value */
	FETCH_SYMBOL,		/* likewise, the address of @text and an offset */
	FETCH_FILE,		/* where the @value'th byte of the file is in memory */
	FETCH_FIELD,		/* a field of the record of another event */
	FETCH_COMM,		/* the address of the name of the task */
	FETCH_TEXT,		/* that of @text */
};

/* How it is kept and printed. */
enum fetch_kind {
	FETCH_UNSIGNED,
	FETCH_SIGNED,
	FETCH_HEX,
	FETCH_CHAR,
	FETCH_SYMBOLIC,		/* an address, printed as a symbol */
	FETCH_STRING,		/* behind the record, with its NUL */
	FETCH_USTRING,		/* likewise, from the memory of the task */
	FETCH_SYMSTR,		/* likewise, the name of a symbol */
};

/**
 * struct fetch_type - a type that a user can ask for
 * @name: as he writes it
 * @field: as the format file has it
 * @fmt: as the print format has it
 * @size: bytes in the record
 * @is_signed: for the format file
 * @kind: enum fetch_kind
 */
struct fetch_type {
	const char	*name;
	const char	*field;
	const char	*fmt;
	u8		size;
	bool		is_signed;
	u8		kind;
};

/* Is it behind the record, and only said where, in its place? */
static inline bool fetch_type_is_text(const struct fetch_type *type)
{
	return type->kind >= FETCH_STRING;
}

/* As many loads as the kernel lets one argument have. */
#define FETCH_LOADS_MAX		14U
/* And elements of an array. */
#define FETCH_ARRAY_MAX		64U
/* The longest string, with its NUL. */
#define FETCH_TEXT_MAX		4096U

/**
 * struct fetch_load - a step from an address to what is there
 * @offset: added to the address
 * @user: it is one of the task's
 */
struct fetch_load {
	long	offset;
	bool	user;
};

/**
 * struct fetch - what is fetched for one argument
 * @written: the argument as it was written, without its name
 * @type: what it becomes
 * @source: enum fetch_source
 * @nr_loads: how many @loads
 * @count: elements of an array, or 0
 * @left: bits above those of a bit field
 * @right: bits above them and below
 * @field_signed: is the field of FETCH_FIELD smaller than 0 sometimes; and
 * @field_kind: what is there; and
 * @field_size: of it
 * @offset: where it is in the record
 * @size: how many bytes
 * @value: see @source
 * @text: see @source; or NULL
 * @text_offset: behind the address of FETCH_SYMBOL
 * @loads: the first one comes first, and the last one has the size of @type
 */
struct fetch {
	char			*written;
	const struct fetch_type	*type;
	u8			source;
	u8			nr_loads;
	u8			count;
	u8			left;
	u8			right;
	bool			field_signed;
	u8			field_kind;
	u16			field_size;
	u16			offset;
	u16			size;
	unsigned long		value;
	char			*text;
	long			text_offset;
	struct fetch_load	loads[FETCH_LOADS_MAX];
};

/* What is in a field of FETCH_FIELD. */
enum {
	FETCH_FIELD_NUMBER,
	FETCH_FIELD_TEXT,	/* an array of char */
	FETCH_FIELD_DATA_LOC,	/* a word that says where, from the record on */
	FETCH_FIELD_REL_LOC,	/* or from behind itself on */
};

/**
 * struct fetch_from - what a probe has at hand when it is hit
 * @regs: the registers, or NULL
 * @kept: arguments that were kept at the entry
 * @rec: the record of another event
 * @base: where the file would be in memory from its first byte on
 * @user: all addresses are those of the task, which may sleep until they are there
 */
struct fetch_from {
	struct pt_regs		*regs;
	const unsigned long	*kept;
	const void		*rec;
	unsigned long		base;
	bool			user;
};

/**
 * fetch_room - how much comes behind the record
 * @fetches: of all arguments
 * @nr: how many
 * @from: what there is
 *
 * Context: any, NMI included; with @from->user, may sleep.
 * Return: bytes, which may be more than a record can have.
 */
unsigned int fetch_room(const struct fetch *fetches, unsigned int nr,
			const struct fetch_from *from);

/**
 * fetch_fill - fetch all arguments
 * @fetches: of all arguments
 * @nr: how many
 * @rec: the record, which has room for them where they say that they are
 * @at: behind that, where texts begin
 * @end: behind what there is room for; what is longer is cut off
 * @from: as there
 *
 * What cannot be read is 0, or a text of no bytes, which prints as (fault).
 *
 * Context: as fetch_room().
 */
void fetch_fill(const struct fetch *fetches, unsigned int nr, void *rec, unsigned int at,
		unsigned int end, const struct fetch_from *from);

#endif /* _KERNEL_TRACE_PROBES_FETCH_H */
