// SPDX-License-Identifier: GPL-2.0
/*
 * Evaluating predicates that test more than plain numbers; match.h has the fast path. Runs in
 * any context: nothing here may sleep, lock or allocate.
 */
#include <linux/cpumask.h>
#include <linux/glob.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include "internal.h"

/* ------------------------------------------------------------------ */
/* Numbers								*/

static u64 test_load_number(const struct test *t, const void *at)
{
	u64 word = 0;

	memcpy((void *)&word + sizeof(word) - t->size, at, t->size);
	return test_highest(t, word);
}

/* ------------------------------------------------------------------ */
/* CPUs									*/

static bool test_cpu_number(const struct test *t, u64 cpu)
{
	bool in = cpu < nr_cpu_ids && cpumask_test_cpu(cpu, t->cpus);

	switch (t->op) {
	case OP_EQ:
		return in && cpumask_weight(t->cpus) == 1;
	case OP_NE:
		return !in || cpumask_weight(t->cpus) != 1;
	default:
		return in;
	}
}

static bool test_compare_masks(const struct test *t, const struct cpumask *mask)
{
	switch (t->op) {
	case OP_EQ:
		return cpumask_equal(mask, t->cpus);
	case OP_NE:
		return !cpumask_equal(mask, t->cpus);
	default:
		return cpumask_intersects(mask, t->cpus);
	}
}

static bool test_compare_mask_cpu(const struct test *t, const struct cpumask *mask)
{
	bool in = t->low < nr_cpu_ids && cpumask_test_cpu(t->low, mask);

	switch (t->op) {
	case OP_EQ:
		return in && cpumask_weight(mask) == 1;
	case OP_NE:
		return !in || cpumask_weight(mask) != 1;
	default:
		return in;
	}
}

static bool test_cpumask(const struct test *t, const void *rec)
{
	u32 word = get_unaligned((u32 *)(rec + t->offset));
	const struct cpumask *mask = rec + (word & 0xffff);

	/* The record may have the mask unaligned, or shorter than cpumask_size(). */
	if (!IS_ALIGNED((unsigned long)mask, sizeof(long)) || word >> 16 < cpumask_size()) {
		struct cpumask copy = { };

		memcpy(&copy, mask, min_t(size_t, word >> 16, sizeof(copy)));
		return t->is_cpus ? test_compare_masks(t, &copy) : test_compare_mask_cpu(t, &copy);
	}
	return t->is_cpus ? test_compare_masks(t, mask) : test_compare_mask_cpu(t, mask);
}

/* ------------------------------------------------------------------ */
/* Strings								*/

/* @text has at most @len characters, and need not end by a NUL. */
static bool test_compare_text(const struct test *t, const char *text, size_t len)
{
	size_t used;
	bool equal;

	switch (t->op) {
	case OP_EQ:
	case OP_NE:
		used = strnlen(text, len);
		equal = strlen(t->text) == used && !memcmp(t->text, text, used);
		return equal == (t->op == OP_EQ);
	default:
		return glob_match_len(t->text, text, len) == (t->op == OP_GLOB);
	}
}

static bool test_compare_pointer(const struct test *t, const void *at, bool user)
{
	unsigned long addr = get_unaligned((unsigned long *)at);
	char copy[MAX_FILTER_STR_VAL];
	long len;

	if (user)
		len = strncpy_from_user_nofault(copy, (void __user *)addr, sizeof(copy));
	else
		len = strncpy_from_kernel_nofault(copy, (void *)addr, sizeof(copy));
	/* A string that cannot be read fails every test, != included. */
	return len >= 0 && test_compare_text(t, copy, sizeof(copy) - 1);
}

/* ------------------------------------------------------------------ */
/* All subjects								*/

static bool test_this_cpu(const struct test *t)
{
	u64 cpu = raw_smp_processor_id();

	return t->is_cpus ? test_cpu_number(t, cpu) : test_range(t, cpu << t->shift);
}

static bool test_located_string(const struct test *t, const void *rec, unsigned int base)
{
	u32 word = get_unaligned((u32 *)(rec + t->offset));

	return test_compare_text(t, rec + base + (word & 0xffff), word >> 16);
}

static bool test_evaluate(const struct test *t, const void *rec)
{
	switch (t->subject) {
	case SUBJECT_NUMBER:
		return test_number(t, rec);
	case SUBJECT_WIDE_NUMBER:
		return test_word(t, rec);
	case SUBJECT_EARLY_NUMBER:
		return test_range(t, test_load_number(t, rec + t->offset));
	case SUBJECT_CPU_NUMBER:
		return test_cpu_number(t, test_load_number(t, rec + t->offset) >> t->shift);
	case SUBJECT_STRING:
		return test_compare_text(t, rec + t->offset, t->len);
	case SUBJECT_DATA_LOC:
		return test_located_string(t, rec, 0);
	case SUBJECT_REL_LOC:
		return test_located_string(t, rec, t->offset + sizeof(u32));
	case SUBJECT_POINTER:
		return test_compare_pointer(t, rec + t->offset, false);
	case SUBJECT_USER_POINTER:
		return test_compare_pointer(t, rec + t->offset, true);
	case SUBJECT_COMM:
		return test_compare_text(t, current->comm, TASK_COMM_LEN);
	case SUBJECT_CPU:
		return test_this_cpu(t);
	default:
		return test_cpumask(t, rec);
	}
}

bool predicate_match_any(const struct predicate *p, const void *rec)
{
	const struct test *t = p->tests;
	long step;

	for (;;) {
		step = test_evaluate(t, rec) ? t->yes : t->no;
		if (step <= 0)
			return step != ANSWER_NO;
		t = (const void *)t + step;
	}
}
