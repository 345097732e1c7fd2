/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Answering a predicate, for the hot path: what is asked of numbers calls nothing.
 */
#ifndef _KERNEL_TRACE_PREDICATE_MATCH_H
#define _KERNEL_TRACE_PREDICATE_MATCH_H

#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/types.h>
#include <linux/unaligned.h>

struct cpumask;

/* What is looked at. */
enum test_subject {
	SUBJECT_NUMBER,		/* the last 1, 2, 4 or 8 bytes of a word of the record */
	SUBJECT_EARLY_NUMBER,	/* a field where the record is too young for that */
	SUBJECT_CPU_NUMBER,	/* a field that is the number of a CPU */
	SUBJECT_STRING,		/* an array of char in the record */
	SUBJECT_DATA_LOC,	/* a string behind it */
	SUBJECT_REL_LOC,	/* likewise */
	SUBJECT_POINTER,	/* a string that it points to */
	SUBJECT_USER_POINTER,	/* likewise, in the memory of the task */
	SUBJECT_COMM,		/* the name of the task */
	SUBJECT_CPU,		/* the CPU */
	SUBJECT_FUNCTION,	/* an address in a function; SUBJECT_NUMBER once understood */
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
 * @shift: of a word in which a number stands highest, to the number
 * @is_signed: it is
 * @is_cpus: the other side is @cpus
 * @negate: it is true outside of the range
 * @in_header: the field is in the header that all records have
 * @offset: where the field is in the record, or the word that ends with it
 * @len: of a string in it
 * @yes: the next test, if this one is true
 * @no: if it is not
 * @mask: those bits of a number that count
 * @low: where the range begins; of SUBJECT_CPUMASK the CPU
 * @span: how far it goes
 * @text: a string
 * @cpus: CPUs
 *
 * Whatever is asked of a number is whether it is in a range. Numbers stand in the highest
 * bytes of a word, where those of each size and sign wrap alike: so none is extended.
 */
struct test {
	u8		subject;
	u8		op;
	u8		size;
	u8		shift;
	bool		is_signed;
	bool		is_cpus;
	bool		negate;
	bool		in_header;
	u16		offset;
	u16		len;
	u16		yes;
	u16		no;
	union {
		struct {
			u64	mask;
			u64	low;
			u64	span;
		};
		char		*text;
		struct cpumask	*cpus;
	};
};

/**
 * struct predicate - tests
 * @needs: PREDICATE_CALLS, PREDICATE_HEADER
 * @nr: how many, at least one
 * @tests: the first one is where it begins
 */
struct predicate {
	unsigned int	needs;
	unsigned int	nr;
	struct test	tests[] __counted_by(nr);
};

/* A number that is in the last bytes of a word, in its highest ones. */
static __always_inline u64 test_highest(const struct test *t, u64 word)
{
	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? word << t->shift : word;
}

static __always_inline bool test_range(const struct test *t, u64 number)
{
	return ((number & t->mask) - t->low <= t->span) != t->negate;
}

/* Each record begins with a word, so that there is one that ends with a field behind it. */
static __always_inline bool test_number(const struct test *t, const void *rec)
{
	return test_range(t, test_highest(t, get_unaligned((u64 *)(rec + t->offset))));
}

/* What is behind predicate_match(), whatever is asked. */
bool predicate_match_any(const struct predicate *p, const void *rec);

/**
 * predicate_match_numbers - answer for a record, if that takes no more than its numbers
 * @p: the predicate
 * @rec: as for predicate_match()
 *
 * Calls nothing.
 *
 * Context: as predicate_match().
 * Return: whether it fits; or -1 if something else is asked: ask predicate_match().
 */
static __always_inline int predicate_match_numbers(const struct predicate *p, const void *rec)
{
	const struct test *t = p->tests;
	unsigned int next;

	while (likely(t->subject == SUBJECT_NUMBER)) {
		next = test_number(t, rec) ? t->yes : t->no;
		if (next >= ANSWER_NO)
			return next == ANSWER_YES;
		t = &p->tests[next];
	}
	return -1;
}

/**
 * predicate_match - answer for a record
 * @p: the predicate
 * @rec: the record, complete; without PREDICATE_HEADER its header need not be
 *
 * Strings that a record points to may be gone: then they are no string.
 *
 * Context: any, NMI included; preemption off. COMM and CPU are those here.
 */
static __always_inline bool predicate_match(const struct predicate *p, const void *rec)
{
	int answer = predicate_match_numbers(p, rec);

	return likely(answer >= 0) ? answer : predicate_match_any(p, rec);
}

#endif /* _KERNEL_TRACE_PREDICATE_MATCH_H */
