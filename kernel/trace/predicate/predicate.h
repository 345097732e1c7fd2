/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Predicates: boolean expressions on the fields of a record, in the language of the kernel's
 * event filters:
 *
 *	((sig >= 10 && sig < 15) || sig == 17) && comm != bash
 *
 * A predicate is compiled once, for the fields of one type of record, into a sequence of tests.
 * Each test has two successors, one if it is true and one if it is false, so evaluation is a
 * loop: predicate_match() in match.h.
 */
#ifndef _KERNEL_TRACE_PREDICATE_H
#define _KERNEL_TRACE_PREDICATE_H

#include <linux/bits.h>
#include <linux/types.h>

struct predicate;
struct trace_event_fields;

/**
 * struct predicate_error - an error in a text
 * @message: message of the error, or NULL if there is none
 * @pos: offset of the error in the text
 */
struct predicate_error {
	const char	*message;
	u16		pos;
};

/**
 * predicate_compile - compile a text
 * @fields: fields of the records, without the common ones
 * @text: the expression
 * @err: set to the error in the text, if there is one
 *
 * Context: may sleep.
 * Return: the predicate; ERR_PTR(-EINVAL) for an error in the text; ERR_PTR(-ENOMEM).
 */
struct predicate *predicate_compile(const struct trace_event_fields *fields, const char *text,
				    struct predicate_error *err);

/**
 * enum predicate_need - what the evaluation of a predicate needs
 * @PREDICATE_CALLS: evaluation calls functions that may be traced
 * @PREDICATE_HEADER: a test reads the common header of the record
 * @PREDICATE_MORE: a test reads anything but a number that fits a long; set with
 *	PREDICATE_CALLS, too
 */
enum predicate_need {
	PREDICATE_CALLS		= BIT(0),
	PREDICATE_HEADER	= BIT(1),
	PREDICATE_MORE		= BIT(2),
};

/**
 * predicate_needs - the needs of a predicate
 * @p: the predicate
 *
 * Context: any.
 * Return: PREDICATE_*.
 */
unsigned int predicate_needs(const struct predicate *p);

/**
 * predicate_free - free a predicate
 * @p: the predicate, which is no longer evaluated; or NULL
 *
 * Context: may sleep.
 */
void predicate_free(struct predicate *p);

#endif /* _KERNEL_TRACE_PREDICATE_H */
