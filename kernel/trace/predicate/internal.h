/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a predicate is made of: inside of predicate/.
 */
#ifndef _KERNEL_TRACE_PREDICATE_INTERNAL_H
#define _KERNEL_TRACE_PREDICATE_INTERNAL_H

#include <linux/types.h>

#include "match.h"
#include "predicate.h"

/**
 * struct cursor - a text that is being understood
 * @text: all of it
 * @at: what comes next
 * @err: what was wrong
 */
struct cursor {
	const char		*text;
	const char		*at;
	struct predicate_error	*err;
};

/* Notes the first thing that is wrong, at @at. Return: -EINVAL. */
int cursor_error(struct cursor *c, enum predicate_errno what, const char *at);

void cursor_skip_blanks(struct cursor *c);

/**
 * test_parse - one comparison
 * @c: at a field
 * @fields: of the record
 * @t: filled in, but for @yes and @no
 *
 * Return: 0; -EINVAL, noted; -ENOMEM.
 */
int test_parse(struct cursor *c, const struct trace_event_fields *fields, struct test *t);

/* PREDICATE_* of a test. */
unsigned int test_needs(const struct test *t);

/* What a test has allocated. */
void test_free(struct test *t);

#endif /* _KERNEL_TRACE_PREDICATE_INTERNAL_H */
