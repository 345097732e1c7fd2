/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fields of histograms: where the number, text or stack of a field comes from (its source), how it
 * is changed and shown (its modifier, see modifier.h), where it is in the record and in the key,
 * and which C type it has.
 *
 * fields.c parses fields, type.c compares their types, and value.c reads them at each hit. An
 * expression is the value of a field as well: see expr.h.
 */
#ifndef _KERNEL_TRACE_HIST_FIELDS_H
#define _KERNEL_TRACE_HIST_FIELDS_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/math.h>
#include <linux/types.h>

struct hist;
struct hist_expr;
struct hist_modifier;
struct hist_text;
struct synth_field;
struct trace_event_file;

/* Bytes kept of a string behind the record's fields, and of a stack. */
#define HIST_TEXT_SIZE	256U
#define HIST_STACK_DEPTH 16U
#define HIST_STACK_SIZE	(HIST_STACK_DEPTH * sizeof(unsigned long))
/* Bytes of a stack kept as a value: the number of addresses, and the addresses. */
#define HIST_STACK_VALUE_SIZE	round_up(HIST_STACK_SIZE + sizeof(long), sizeof(u64))

/*
 * Where the value of a field comes from. The order matters to hist_is_number(): every source before
 * HIST_TEXT is a number, and every one from HIST_TEXT on is text or a stack.
 */
enum hist_source {
	HIST_WORD,		/* number in the record, read as the end of an 8 byte word */
	HIST_EARLY,		/* number in the first 7 bytes, too early for such a word */
	HIST_TIME,		/* time of the hit */
	HIST_CPU,		/* CPU on which the event was hit */
	HIST_HITS,		/* 1 at each hit, so that the sum is the hit count */
	HIST_EXPR,		/* result of an expression */
	HIST_OWN_NUMBER,	/* number in the histogram's own variable, of parameters alone */
	HIST_REF_NUMBER,	/* number in another histogram's variable, of parameters alone */
	HIST_TEXT,		/* array of char in the record */
	HIST_DATA_LOC,		/* string whose offset counts from the start of the record */
	HIST_REL_LOC,		/* string whose offset counts from the end of the field */
	HIST_COMM,		/* name of the current task */
	HIST_STACK,		/* kernel stack of the hit */
	HIST_STACK_FIELD,	/* stack in the record */
	HIST_OWN_TEXT,		/* text or stack in the histogram's own variable */
	HIST_REF_TEXT,		/* text or stack in another histogram's variable */
};

/* Kinds of numbers that a row keeps for a value. */
enum hist_keeps {
	HIST_KEEPS_SUM,
	HIST_KEEPS_LOWEST,
	HIST_KEEPS_HIGHEST,
};

/*
 * How a hit gets the number of a field: chosen at parse time, so that common fields are fast. The
 * order does not matter, but HIST_WAY_OTHER is 0, and is right for every field without a modifier:
 * it is the way of a field that hist_prepare_field() has not seen yet.
 */
enum hist_way {
	HIST_WAY_OTHER,		/* by &hist_field.source, unchanged */
	HIST_WAY_PLAIN,		/* HIST_WORD, unchanged */
	HIST_WAY_LOG2,		/* HIST_WORD, of which hist_log2() is taken */
	HIST_WAY_TIME,		/* HIST_TIME, unchanged */
	HIST_WAY_CHANGED,	/* by &hist_field.source, changed by &hist_modifier.apply */
};

/**
 * struct hist_place - place of a field in the record
 * @offset: offset in bytes
 * @size: size in bytes
 * @word: HIST_WORD: offset of the 8 bytes of the record that end with the field
 * @shift: HIST_WORD and HIST_EARLY: bits by which these 8 bytes are shifted to get the number
 */
struct hist_place {
	u16	offset;
	u16	size;
	u16	word;
	u8	shift;
};

/**
 * struct hist_field - a key, a value, an operand, a parameter, or the value of a variable
 * @name: name of the field; text of the expression for HIST_EXPR
 * @type: type of the field in the record; NULL if the record does not have it
 * @as: modifier, or NULL
 * @source: enum hist_source, which selects the member of the union
 * @way: enum hist_way; set by hist_prepare_field()
 * @keeps: enum hist_keeps of @as
 * @is_signed: the number is signed, which matters for sorting
 * @is_ref: the expression is nothing but $NAME, and is shown so; @name is without the $
 * @percentile: print the buckets of the 50th, 90th and 99th percentile, and the highest one
 * @at: offset in the key
 * @len: bytes in the key, or in a variable
 * @rec: place in the record; valid if there is @type
 * @var: HIST_OWN_*: index of the histogram's own variable
 * @ref: HIST_REF_*: index of the reference to another histogram's variable
 * @expr: HIST_EXPR: the expression
 * @width: width of a bucket, for modifiers that take it
 */
struct hist_field {
	char		*name;
	char		*type;
	const struct hist_modifier *as;
	u8		source;
	u8		way;
	u8		keeps;
	bool		is_signed;
	bool		is_ref;
	bool		percentile;
	u16		at;
	u16		len;
	union {
		struct hist_place rec;
		u16	var;
		u16	ref;
		struct hist_expr *expr;
	};
	u64		width;
};

/**
 * struct hist_type - type of a value
 * @name: C type, or NULL if it has none
 * @kind: enum synth_kind
 * @size: size in bytes; 0 if it varies
 * @is_signed: the number is signed; unused for text and stacks
 */
struct hist_type {
	const char	*name;
	u8		kind;
	u16		size;
	bool		is_signed;
};

/* Uses of a field, which decide about valid fields and modifiers. */
enum {
	HIST_FOR_KEYS	= BIT(0),	/* part of the key */
	HIST_FOR_VALS	= BIT(1),	/* value that is added up */
	HIST_FOR_VARS	= BIT(2),	/* value of a variable */
	HIST_FOR_OPERANDS = BIT(3),	/* operand of an expression */
	HIST_FOR_PARAMS	= BIT(4),	/* parameter of an action */
};

/**
 * hist_field_parse - parse ``FIELD[.MODIFIER]``
 * @text: text of the trigger
 * @word: the field; the modifier is cut off
 * @whom: HIST_FOR_*: how the field is used
 * @f: filled in, except for &hist_field.at
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, logged; -ENOMEM. In any case @f needs hist_field_free().
 */
int hist_field_parse(const struct hist_text *text, char *word, unsigned int whom,
		     struct hist_field *f);

/**
 * hist_has_field - does a word name a field that a histogram of an event can use?
 * @file: event in the instance
 * @word: name of the field, perhaps with a modifier
 * @fallback_too: also accept names such as "comm", which stand for something else if the event
 *	has no field of that name
 *
 * Context: any; events_lock held.
 * Return: true if there is such a field.
 */
bool hist_has_field(const struct trace_event_file *file, const char *word, bool fallback_too);

/**
 * hist_other_name - match an alternative name of a field
 * @file: event in the instance
 * @f: the field
 * @word: text that may begin with the name, which ends at a dot or at the end of the text
 *
 * For instance, "cpu" means common_cpu if the event has no field "cpu".
 *
 * Context: may sleep; events_lock held.
 * Return: length of the name in @word; 0 if it does not name @f.
 */
size_t hist_other_name(const struct trace_event_file *file, const struct hist_field *f,
		       const char *word);

/**
 * hist_prepare_field - prepare a parsed field for hits
 * @h: histogram that uses the field
 * @f: the field; its &hist_field.way is set, and that of the operands of its expression
 *
 * Tells @h if it has to take the time, keep the name of the task, or read the record's header.
 *
 * Context: any; before @h is attached.
 */
void hist_prepare_field(struct hist *h, struct hist_field *f);

/**
 * hist_field_free - free what a field refers to
 * @f: the field, or one that is all zeroes
 *
 * Context: may sleep.
 */
void hist_field_free(struct hist_field *f);

/**
 * hist_type_of - get the type of a field's value
 * @h: histogram that uses the field
 * @f: the field
 *
 * Context: events_lock held; &hist_type.name is valid only until it is released.
 * Return: the type. For a reference whose variable was withdrawn, or an expression that begins with
 * one: a number of 0 bytes, which fits no field, see hist_type_fits().
 */
struct hist_type hist_type_of(const struct hist *h, const struct hist_field *f);

/**
 * hist_type_fits - can a field of a synthetic event take values of a type?
 * @to: field of the synthetic event
 * @from: type of the value
 *
 * As in the stock kernel, a number fits if it has the same size and signedness.
 *
 * Context: any; events_lock held since hist_type_of().
 * Return: true if the value fits.
 */
bool hist_type_fits(const struct synth_field *to, const struct hist_type *from);

/*
 * hist_is_number() relies on the order of enum hist_source: numbers are before HIST_TEXT, text and
 * stacks are not.
 */
static_assert(HIST_WORD < HIST_TEXT && HIST_EARLY < HIST_TEXT && HIST_TIME < HIST_TEXT &&
	      HIST_CPU < HIST_TEXT && HIST_HITS < HIST_TEXT && HIST_EXPR < HIST_TEXT &&
	      HIST_OWN_NUMBER < HIST_TEXT && HIST_REF_NUMBER < HIST_TEXT);
static_assert(HIST_DATA_LOC > HIST_TEXT && HIST_REL_LOC > HIST_TEXT && HIST_COMM > HIST_TEXT &&
	      HIST_STACK > HIST_TEXT && HIST_STACK_FIELD > HIST_TEXT &&
	      HIST_OWN_TEXT > HIST_TEXT && HIST_REF_TEXT > HIST_TEXT);

/* True for a number; false for text or a stack. */
static inline bool hist_is_number(const struct hist_field *f)
{
	return f->source < HIST_TEXT;
}

/* True for a stack of the hit or of the record. */
static inline bool hist_is_stack(const struct hist_field *f)
{
	return f->source == HIST_STACK || f->source == HIST_STACK_FIELD;
}

/*
 * Map a number to what a row keeps for a minimum or maximum: an unsigned number whose highest is
 * the minimum or maximum searched for. So 0, which an empty row has, is less than or equal to all.
 */
static inline u64 hist_extreme_to_kept(const struct hist_field *f, u64 number)
{
	u64 order = f->is_signed ? number ^ BIT_ULL(63) : number;

	return f->keeps == HIST_KEEPS_LOWEST ? ~order : order;
}

/* Undo hist_extreme_to_kept(). */
static inline u64 hist_kept_to_extreme(const struct hist_field *f, u64 kept)
{
	u64 order = f->keeps == HIST_KEEPS_LOWEST ? ~kept : kept;

	return f->is_signed ? order ^ BIT_ULL(63) : order;
}

#endif /* _KERNEL_TRACE_HIST_FIELDS_H */
