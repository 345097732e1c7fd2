/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fetch programs. Each argument of a probe is compiled into a short program of three parts: a
 * source, which yields a number; loads, each of which takes the number as an address and replaces
 * it by the number in memory there; and a type, with which the last number is stored in the record.
 *
 *	name=+8(+0x10(%di)):u16		take register di; load at +0x10; load u16 at +8
 *
 * A program never faults, even on invalid addresses: see fetch_fill().
 */
#ifndef _KERNEL_TRACE_PROBES_FETCH_H
#define _KERNEL_TRACE_PROBES_FETCH_H

#include <linux/types.h>

struct pt_regs;
struct trace_seq;

/* Source of the first number. @value and @text are members of &struct fetch. */
enum fetch_source {
	FETCH_REGISTER,		/* the register at offset @value in struct pt_regs */
	FETCH_STACK,		/* the stack pointer */
	FETCH_STACK_ENTRY,	/* word @value on the stack */
	FETCH_RETVAL,		/* the return value of the function */
	FETCH_ARG,		/* argument @value of the function, counted from 0 */
	FETCH_KEPT,		/* saved argument at index @value, for return probes */
	FETCH_CONSTANT,		/* @value itself */
	FETCH_SYMBOL,		/* @value: the address of symbol @text plus @text_offset */
	FETCH_FILE,		/* the address at which byte @value of the file is mapped */
	FETCH_FIELD,		/* a field of another event, at offset @value in its record */
	FETCH_COMM,		/* the address of the name of the current task */
	FETCH_TEXT,		/* the address of @text */
};

/* Representation in the record. Numbers come first: FETCH_STRING and all behind it are texts. */
enum fetch_kind {
	FETCH_NUMBER,		/* a number */
	FETCH_STRING,		/* a string at the end of the record, with its NUL */
	FETCH_USTRING,		/* a string from user memory, at the end of the record */
	FETCH_SYMSTR,		/* the name of a symbol as a string, at the end of the record */
};

/**
 * struct fetch_type - a type that a user can write for an argument
 * @name: name that the user writes
 * @field: type of the field in the format file
 * @fmt: conversion in the print format of the format file
 * @print: print a number of the record, with its sign extended if @is_signed; NULL for texts. A hit
 *	changes the number itself, if at all: fetch_fill_number() in fetch.c
 * @size: bytes in the record; of a text, those of the word that locates it
 * @is_signed: the format file shows the field as signed
 * @kind: representation, enum fetch_kind
 */
struct fetch_type {
	const char	*name;
	const char	*field;
	const char	*fmt;
	void		(*print)(struct trace_seq *s, u64 number);
	u8		size;
	bool		is_signed;
	u8		kind;
};

/* True for types of texts: the text is at the end of the record, the field locates it. */
static inline bool fetch_type_is_text(const struct fetch_type *type)
{
	return type->kind >= FETCH_STRING;
}

#define FETCH_LOADS_MAX		14U	/* loads of one argument */
#define FETCH_ARRAY_MAX		64U	/* elements of an array */
#define FETCH_TEXT_MAX		4096U	/* bytes of a string, with its NUL */

/**
 * struct fetch_load - replacement of an address by the number in memory there
 * @offset: added to the address before reading
 * @user: the address is one of user space
 */
struct fetch_load {
	long	offset;
	bool	user;
};

/**
 * struct fetch - fetch program of one argument
 * @written: the argument as the user wrote it, without its name
 * @type: type of the argument, or of an element of an array
 * @source: source of the first number, enum fetch_source
 * @nr_loads: number of @loads
 * @count: number of elements of an array, or 0
 * @left: number of bits above the bit field in its number: the shift to the left
 * @right: number of bits that do not belong to the bit field: the shift to the right; 0 if the
 *	argument is no bit field
 * @field_signed: the field of FETCH_FIELD is a signed number
 * @field_kind: what the field of FETCH_FIELD contains, FETCH_FIELD_*
 * @field_size: size of the field of FETCH_FIELD, in bytes
 * @offset: offset of the argument in the record, in bytes
 * @size: size of the argument in the record, in bytes; an array as a whole
 * @value: number that @source refers to
 * @text: text or symbol that @source refers to, or NULL
 * @text_offset: offset from the symbol of FETCH_SYMBOL, in bytes
 * @loads: loads in the order of execution; the last one reads the value of @type, and those before
 *	it read an address
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

/* Contents of the field of FETCH_FIELD. */
enum {
	FETCH_FIELD_NUMBER,	/* a number */
	FETCH_FIELD_TEXT,	/* an array of char */
	FETCH_FIELD_DATA_LOC,	/* the location of a text, relative to the start of the record */
	FETCH_FIELD_REL_LOC,	/* the location of a text, relative to the end of the field */
};

/**
 * struct fetch_from - data that a probe can fetch from when it is hit
 * @regs: the registers, or NULL
 * @kept: arguments that were saved at the entry, for a return probe
 * @rec: record of the other event, for a probe of an event
 * @base: address at which byte 0 of the file would be mapped, for a probe of a program
 * @user: all addresses are those of user space, and reading them may sleep
 */
struct fetch_from {
	struct pt_regs		*regs;
	const unsigned long	*kept;
	const void		*rec;
	unsigned long		base;
	bool			user;
};

/**
 * fetch_room - get the size of all texts at the end of the record
 * @fetches: programs of all arguments
 * @nr: number of arguments
 * @from: data of this hit
 *
 * Context: any, NMI included; may sleep if @from->user.
 * Return: size in bytes, which may exceed the limit of a record.
 */
unsigned int fetch_room(const struct fetch *fetches, unsigned int nr,
			const struct fetch_from *from);

/**
 * fetch_fill - fetch all arguments into a record
 * @fetches: programs of all arguments
 * @nr: number of arguments
 * @rec: the record
 * @at: offset of the first text in the record, in bytes
 * @end: end of the record, in bytes; texts that do not fit are cut off
 * @from: data of this hit
 *
 * A number that cannot be read becomes 0, and a text that cannot be read has no bytes, which prints
 * as (fault).
 *
 * Context: any, NMI included; may sleep if @from->user.
 */
void fetch_fill(const struct fetch *fetches, unsigned int nr, void *rec, unsigned int at,
		unsigned int end, const struct fetch_from *from);

#endif /* _KERNEL_TRACE_PROBES_FETCH_H */
