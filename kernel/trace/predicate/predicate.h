/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Questions about a record that are answered yes or no, in the language of the kernel's
 * filters:
 *
 *	((sig >= 10 && sig < 15) || sig == 17) && comm != bash
 *
 * One is compiled once, for the fields of one type of record, into tests in the order in
 * which they stand; each says which one is next if it is true, and which if it is not. So
 * answering is a loop: predicate_match() in match.h.
 */
#ifndef _KERNEL_TRACE_PREDICATE_H
#define _KERNEL_TRACE_PREDICATE_H

#include <linux/bits.h>
#include <linux/types.h>

struct predicate;
struct trace_event_fields;

/* What may be wrong; the texts are predicate_errors[]. */
enum predicate_errno {
	PREDICATE_OK,
	PREDICATE_INVALID_OP,
	PREDICATE_TOO_MANY_OPEN,
	PREDICATE_TOO_MANY_CLOSE,
	PREDICATE_MISSING_QUOTE,
	PREDICATE_MISSING_BRACE_OPEN,
	PREDICATE_MISSING_BRACE_CLOSE,
	PREDICATE_OPERAND_TOO_LONG,
	PREDICATE_EXPECT_STRING,
	PREDICATE_EXPECT_DIGIT,
	PREDICATE_ILLEGAL_FIELD_OP,
	PREDICATE_FIELD_NOT_FOUND,
	PREDICATE_ILLEGAL_INTVAL,
	PREDICATE_BAD_SYSTEM,
	PREDICATE_TOO_MANY,
	PREDICATE_MEANINGLESS,
	PREDICATE_INVALID_CPULIST,
	PREDICATE_INVALID_VALUE,
	PREDICATE_NO_FUNCTION,
	PREDICATE_ERRNO,
	PREDICATE_NO_FILTER,
	NR_PREDICATE_ERRORS
};

extern const char *predicate_errors[NR_PREDICATE_ERRORS];

/**
 * struct predicate_error - what was wrong with a text
 * @what: enum predicate_errno
 * @pos: where
 */
struct predicate_error {
	u8	what;
	u16	pos;
};

/**
 * predicate_compile - understand a text
 * @fields: those of the records, behind the common ones
 * @text: what is asked
 * @err: filled in when it is not understood
 *
 * Context: may sleep.
 * Return: the predicate; ERR_PTR(-EINVAL) for a text that makes no sense, or names no field;
 * ERR_PTR(-ENOMEM).
 */
struct predicate *predicate_compile(const struct trace_event_fields *fields, const char *text,
				    struct predicate_error *err);

/**
 * enum - what predicate_match() needs
 * @PREDICATE_CALLS: it calls functions that may be traced
 * @PREDICATE_HEADER: it looks at the header of the record
 * @PREDICATE_MORE: it asks of more than numbers that a long has room for; so does what calls
 */
enum {
	PREDICATE_CALLS		= BIT(0),
	PREDICATE_HEADER	= BIT(1),
	PREDICATE_MORE		= BIT(2),
};

/**
 * predicate_needs - PREDICATE_* of a predicate
 * @p: the predicate
 *
 * Context: any.
 */
unsigned int predicate_needs(const struct predicate *p);

/**
 * predicate_free - the end of a predicate
 * @p: the predicate, which nobody asks any more; or NULL
 *
 * Context: may sleep.
 */
void predicate_free(struct predicate *p);

#endif /* _KERNEL_TRACE_PREDICATE_H */
