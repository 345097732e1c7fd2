/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Answering a predicate, for the hot path: what is asked of numbers calls nothing.
 */
#ifndef _KERNEL_TRACE_PREDICATE_MATCH_H
#define _KERNEL_TRACE_PREDICATE_MATCH_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/types.h>
#include <linux/unaligned.h>
#include <linux/wordpart.h>

#include "predicate.h"

struct cpumask;

/* What is looked at. */
enum test_subject {
	SUBJECT_NUMBER,		/* the last 1, 2, 4 or 8 bytes of a word of the record */
	SUBJECT_WIDE_NUMBER,	/* the same, where a long has less than 8 and it has more */
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

/* In place of a step to the next test: the answer. No step is less than 1. */
#define ANSWER_YES	(-1)
#define ANSWER_NO	0

/**
 * struct test - one comparison
 * @subject: enum test_subject
 * @op: enum test_op
 * @size: of a number, in bytes
 * @shift: of a word in which a number stands highest, to the number
 * @is_signed: it is
 * @is_cpus: the other side is @cpus
 * @negate: it is true outside of the range: @yes and @no are the other way round then
 * @in_header: the field is in the header that all records have
 * @offset: where the field is in the record, or the word that ends with it
 * @len: of a string in it
 * @yes: how many bytes further on the next one is, if this one is true, or the answer
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
	s32		yes;
	s32		no;
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
 * @needs: PREDICATE_CALLS, PREDICATE_HEADER, PREDICATE_MORE
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
	return (number & t->mask) - t->low <= t->span;
}

/* Each record begins with a word, so that there is one that ends with a field behind it. */
static __always_inline bool test_word(const struct test *t, const void *rec)
{
	return test_range(t, test_highest(t, get_unaligned((u64 *)(rec + t->offset))));
}

/*
 * Of numbers that have no more than 32 bits nothing is in the lower half of a word, nor in that
 * of where a range begins: so the higher halves say it all, where words are two registers.
 */
static __always_inline bool test_half(const struct test *t, const void *rec)
{
	u32 number = get_unaligned((u32 *)(rec + t->offset + sizeof(u32)));

	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		number <<= t->shift - BITS_PER_TYPE(u32);
	return (number & upper_32_bits(t->mask)) - upper_32_bits(t->low) <=
	       upper_32_bits(t->span);
}

static __always_inline bool test_number(const struct test *t, const void *rec)
{
	return IS_ENABLED(CONFIG_64BIT) ? test_word(t, rec) : test_half(t, rec);
}

/* What is behind predicate_match(), whatever is asked. */
bool predicate_match_any(const struct predicate *p, const void *rec);

/**
 * predicate_match_numbers - answer for a record what takes no more than its numbers
 * @p: a predicate without PREDICATE_MORE
 * @rec: as for predicate_match()
 *
 * Calls nothing.
 *
 * Context and return: as predicate_match().
 */
static __always_inline bool predicate_match_numbers(const struct predicate *p, const void *rec)
{
	const struct test *t = p->tests;
	long step;

	for (;;) {
		step = test_number(t, rec) ? t->yes : t->no;
		if (step <= 0)
			return step != ANSWER_NO;
		t = (const void *)t + step;
	}
}

/**
 * predicate_match - answer for a record
 * @p: the predicate
 * @rec: the record, complete; without PREDICATE_HEADER its header need not be
 *
 * Strings that a record points to may be gone: then they are no string.
 *
 * Context: any, NMI included; preemption off. COMM and CPU are those here.
 * Return: whether it fits.
 */
static __always_inline bool predicate_match(const struct predicate *p, const void *rec)
{
	return unlikely(p->needs & PREDICATE_MORE) ? predicate_match_any(p, rec) :
						     predicate_match_numbers(p, rec);
}

#endif /* _KERNEL_TRACE_PREDICATE_MATCH_H */
