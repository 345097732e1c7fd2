/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to predicate/: what a test compares, and parsing the single tests of a predicate.
 */
#ifndef _KERNEL_TRACE_PREDICATE_INTERNAL_H
#define _KERNEL_TRACE_PREDICATE_INTERNAL_H

#include <linux/types.h>

#include "match.h"
#include "predicate.h"

/* Errors in a text. */
#define PREDICATE_ERR_INVALID_OP		"Invalid operator"
#define PREDICATE_ERR_TOO_MANY_OPEN		"Too many '('"
#define PREDICATE_ERR_TOO_MANY_CLOSE		"Too few '('"
#define PREDICATE_ERR_MISSING_QUOTE		"Missing matching quote"
#define PREDICATE_ERR_MISSING_BRACE_OPEN	"Missing '{'"
#define PREDICATE_ERR_MISSING_BRACE_CLOSE	"Missing '}'"
#define PREDICATE_ERR_OPERAND_TOO_LONG		"Operand too long"
#define PREDICATE_ERR_EXPECT_STRING		"Expecting string field"
#define PREDICATE_ERR_EXPECT_DIGIT		"Expecting numeric field"
#define PREDICATE_ERR_ILLEGAL_FIELD_OP		"Illegal operation for field type"
#define PREDICATE_ERR_FIELD_NOT_FOUND		"Field not found"
#define PREDICATE_ERR_ILLEGAL_INTVAL		"Illegal integer value"
#define PREDICATE_ERR_TOO_MANY			"Too many terms in predicate expression"
#define PREDICATE_ERR_MEANINGLESS		"Meaningless filter expression"
#define PREDICATE_ERR_INVALID_CPULIST		"Invalid cpulist"
#define PREDICATE_ERR_INVALID_VALUE		"Invalid value (did you forget quotes)?"
#define PREDICATE_ERR_NO_FUNCTION		"Function not found"
#define PREDICATE_ERR_NO_FILTER			"No filter found"

/* The left-hand side of a test. A word has 8 bytes, and may be unaligned. */
enum test_subject {
	SUBJECT_NUMBER,		/* last 1, 2, 4 or 8 bytes of a word; not more than a long */
	SUBJECT_WIDE_NUMBER,	/* last 8 bytes of a word where a long has 4 */
	SUBJECT_EARLY_NUMBER,	/* number that ends before byte 8: no word ends with it */
	SUBJECT_CPU_NUMBER,	/* number that is compared with a set of CPUs */
	SUBJECT_STRING,		/* array of char in the record */
	SUBJECT_DATA_LOC,	/* string in the dynamic data of a __data_loc field */
	SUBJECT_REL_LOC,	/* string in the dynamic data of a __rel_loc field */
	SUBJECT_POINTER,	/* string in kernel memory that a field points to */
	SUBJECT_USER_POINTER,	/* string in user memory that a field points to */
	SUBJECT_COMM,		/* name of the current task */
	SUBJECT_CPU,		/* number of this CPU */
	SUBJECT_FUNCTION,	/* address in a function; only while parsing, then a number */
	SUBJECT_CPUMASK,	/* cpumask in the dynamic data of a __data_loc field */
};

/* The operator of a test. */
enum test_op {
	OP_EQ,		/* == */
	OP_NE,		/* != */
	OP_LT,		/* < */
	OP_LE,		/* <= */
	OP_GT,		/* > */
	OP_GE,		/* >= */
	OP_AND,		/* &: a number with common bits, or a CPU mask with common CPUs */
	OP_GLOB,	/* ~: a string that matches a pattern */
	OP_NOT_GLOB,	/* !~: a string that does not match a pattern */
	NR_TEST_OPS
};

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
 * @message: PREDICATE_ERR_*
 * @at: place of the error in the text
 *
 * Context: any.
 * Return: -EINVAL, always.
 */
int cursor_error(struct cursor *c, const char *message, const char *at);

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
