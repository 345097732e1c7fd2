/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to predicate/: parsing the single tests of a predicate.
 */
#ifndef _KERNEL_TRACE_PREDICATE_INTERNAL_H
#define _KERNEL_TRACE_PREDICATE_INTERNAL_H

#include <linux/types.h>

#include "match.h"
#include "predicate.h"

/**
 * struct cursor - a position in a text that is being parsed
 * @text: beginning of the text
 * @at: next character to parse
 * @err: set to the first error
 */
struct cursor {
	const char		*text;
	const char		*at;
	struct predicate_error	*err;
};

/**
 * cursor_error - store an error, unless there has been one
 * @c: the text
 * @what: the error
 * @at: place of the error in the text
 *
 * Context: any.
 * Return: -EINVAL, always.
 */
int cursor_error(struct cursor *c, enum predicate_errno what, const char *at);

/**
 * cursor_skip_blanks - move to the next character that is not a blank
 * @c: the text
 *
 * Context: any.
 */
void cursor_skip_blanks(struct cursor *c);

/**
 * test_parse - parse one comparison, ``FIELD OPERATOR VALUE``
 * @c: position of the field; moved behind the value
 * @fields: fields of the record
 * @t: set to the test, except @yes and @no; test_free() must follow, also after a failure
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, with the error stored in @c; -ENOMEM.
 */
int test_parse(struct cursor *c, const struct trace_event_fields *fields, struct test *t);

/**
 * test_needs - the needs of a test
 * @t: the test
 *
 * Context: any.
 * Return: PREDICATE_*.
 */
unsigned int test_needs(const struct test *t);

/**
 * test_free - free the memory that a test points to
 * @t: the test
 *
 * Context: may sleep.
 */
void test_free(struct test *t);

#endif /* _KERNEL_TRACE_PREDICATE_INTERNAL_H */
