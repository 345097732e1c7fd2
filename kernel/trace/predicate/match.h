/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluating a predicate on the hot path: tests of plain numbers are inline and call nothing.
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

/* Result of a predicate, stored instead of a distance to the next test, which is at least 1. */
#define ANSWER_YES	(-1)	/* the predicate is true */
#define ANSWER_NO	0	/* the predicate is false */

/**
 * struct test - one comparison
 * @subject: enum test_subject
 * @op: enum test_op
 * @size: bytes of a number
 * @shift: bits by which a number is shifted left, to the highest bytes of a word
 * @is_signed: true if the number is signed
 * @is_cpus: true if the right-hand side is @cpus
 * @negate: true if the test holds outside the range; @yes and @no are swapped then
 * @in_header: true if the field is in the common header of all records
 * @offset: offset in the record, in bytes, of the field or of the word that ends with it
 * @len: bytes of a SUBJECT_STRING
 * @yes: distance in bytes to the next test if this one is true, or ANSWER_*
 * @no: distance in bytes to the next test if this one is false, or ANSWER_*
 * @mask: bits of the word to be compared
 * @low: first value of the range; with SUBJECT_CPUMASK the number of a CPU
 * @span: last value of the range, minus @low
 * @text: string or pattern on the right-hand side
 * @cpus: set of CPUs on the right-hand side
 *
 * Every comparison of a number is a check whether it is in a range. Numbers are compared in the
 * highest bytes of a word, where the arithmetic wraps for every size and sign as for 8 bytes; so
 * no number has to be extended.
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
 * struct predicate - a compiled predicate
 * @needs: PREDICATE_*
 * @nr: number of tests, at least one
 * @tests: the tests; evaluation begins with the first one
 */
struct predicate {
	unsigned int	needs;
	unsigned int	nr;
	struct test	tests[] __counted_by(nr);
};

/**
 * test_highest - move a number to the highest bytes of its word
 * @t: the test
 * @word: the word, with the number in its last bytes in memory
 *
 * Context: any.
 * Return: @word with the number in its highest bytes.
 */
static __always_inline u64 test_highest(const struct test *t, u64 word)
{
	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? word << t->shift : word;
}

/**
 * test_range - test whether a number is in the range of a test
 * @t: the test
 * @number: the number, in the highest bytes of a word
 *
 * Context: any.
 * Return: true if it is.
 */
static __always_inline bool test_range(const struct test *t, u64 number)
{
	return (number & t->mask) - t->low <= t->span;
}

/**
 * test_word - test a number in the last bytes of a word
 * @t: the test; the word is at its @offset
 * @rec: the record
 *
 * Context: any.
 * Return: true if the number is in the range.
 */
static __always_inline bool test_word(const struct test *t, const void *rec)
{
	return test_range(t, test_highest(t, get_unaligned((u64 *)(rec + t->offset))));
}

/**
 * test_half - test a number of at most 32 bits where a word needs two registers
 * @t: the test; the word is at its @offset
 * @rec: the record
 *
 * The lower halves of the shifted number and of the beginning of the range are 0, so the upper
 * halves suffice.
 *
 * Context: any.
 * Return: true if the number is in the range.
 */
static __always_inline bool test_half(const struct test *t, const void *rec)
{
	u32 number = get_unaligned((u32 *)(rec + t->offset + sizeof(u32)));

	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		number <<= t->shift - BITS_PER_TYPE(u32);
	return (number & upper_32_bits(t->mask)) - upper_32_bits(t->low) <=
	       upper_32_bits(t->span);
}

/**
 * test_number - test a number that fits a long
 * @t: the test, of a SUBJECT_NUMBER
 * @rec: the record
 *
 * Context: any.
 * Return: true if the number is in the range.
 */
static __always_inline bool test_number(const struct test *t, const void *rec)
{
	return IS_ENABLED(CONFIG_64BIT) ? test_word(t, rec) : test_half(t, rec);
}

/**
 * predicate_match_any - evaluate any predicate: the slow path of predicate_match()
 * @p: the predicate
 * @rec: the record, complete; its header may be missing if @p is without PREDICATE_HEADER
 *
 * Context: any, NMI included; preemption off.
 * Return: true if the record matches.
 */
bool predicate_match_any(const struct predicate *p, const void *rec);

/**
 * predicate_match_numbers - evaluate a predicate that tests nothing but plain numbers
 * @p: a predicate without PREDICATE_MORE
 * @rec: the record, complete; its header may be missing if @p is without PREDICATE_HEADER
 *
 * Calls no function.
 *
 * Context: any, NMI included; preemption off.
 * Return: true if the record matches.
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
 * predicate_match - evaluate a predicate for a record
 * @p: the predicate
 * @rec: the record, complete; its header may be missing if @p is without PREDICATE_HEADER
 *
 * A test of a string that the record points to fails if the string cannot be read. COMM is the
 * current task, and CPU this CPU.
 *
 * Context: any, NMI included; preemption off.
 * Return: true if the record matches.
 */
static __always_inline bool predicate_match(const struct predicate *p, const void *rec)
{
	return unlikely(p->needs & PREDICATE_MORE) ? predicate_match_any(p, rec) :
						     predicate_match_numbers(p, rec);
}

#endif /* _KERNEL_TRACE_PREDICATE_MATCH_H */
