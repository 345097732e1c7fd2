/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a predicate is made of: inside of predicate/.
 */
#ifndef _KERNEL_TRACE_PREDICATE_INTERNAL_H
#define _KERNEL_TRACE_PREDICATE_INTERNAL_H

#include <linux/cpumask_types.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include "predicate.h"

/* What is looked at. */
enum test_subject {
	SUBJECT_NUMBER,		/* a field of 1, 2, 4 or 8 bytes */
	SUBJECT_STRING,		/* an array of char in the record */
	SUBJECT_DATA_LOC,	/* a string behind it */
	SUBJECT_REL_LOC,	/* likewise */
	SUBJECT_POINTER,	/* a string that it points to */
	SUBJECT_USER_POINTER,	/* likewise, in the memory of the task */
	SUBJECT_COMM,		/* the name of the task */
	SUBJECT_CPU,		/* the CPU */
	SUBJECT_FUNCTION,	/* an address in a function */
	SUBJECT_CPUMASK,	/* CPUs, behind the record */
};

enum test_op {
	OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_AND, OP_GLOB, OP_NOT_GLOB,
	NR_TEST_OPS
};

/* In place of the next test: the answer. */
#define ANSWER_YES	U16_MAX
#define ANSWER_NO	(U16_MAX - 1)

/**
 * struct test - one comparison
 * @subject: enum test_subject
 * @op: enum test_op
 * @size: of a number, in bytes
 * @is_signed: it is
 * @is_cpus: the other side is @mask
 * @offset: where the field is in the record
 * @len: of a string in it
 * @yes: the next test, if this one is true
 * @no: if it is not
 * @value: the other side: a number, or the address that a function begins at
 * @end: behind that function
 * @text: a string
 * @mask: CPUs
 */
struct test {
	u8		subject;
	u8		op;
	u8		size;
	bool		is_signed;
	bool		is_cpus;
	u16		offset;
	u16		len;
	u16		yes;
	u16		no;
	union {
		u64		value;
		char		*text;
		struct cpumask	*mask;
	};
	u64		end;
};

/* A number as wide as that of the field. */
static __always_inline u64 test_number_at(const struct test *t, const void *at)
{
	switch (t->size) {
	case 8:
		return get_unaligned((u64 *)at);
	case 4:
		return t->is_signed ? get_unaligned((s32 *)at) : get_unaligned((u32 *)at);
	case 2:
		return t->is_signed ? get_unaligned((s16 *)at) : get_unaligned((u16 *)at);
	default:
		return t->is_signed ? *(s8 *)at : *(u8 *)at;
	}
}

/**
 * struct predicate - tests
 * @calls: some of them call what may be traced
 * @nr: how many, at least one
 * @tests: the first one is where it begins
 */
struct predicate {
	bool		calls;
	unsigned int	nr;
	struct test	tests[] __counted_by(nr);
};

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

/* Does it call what may be traced? */
static inline bool test_calls(const struct test *t)
{
	return t->op == OP_GLOB || t->op == OP_NOT_GLOB || t->is_cpus ||
	       t->subject == SUBJECT_CPUMASK || t->subject == SUBJECT_POINTER ||
	       t->subject == SUBJECT_USER_POINTER;
}

/* What a test has allocated. */
void test_free(struct test *t);

#endif /* _KERNEL_TRACE_PREDICATE_INTERNAL_H */
