// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the algebra of address sets against a model: a set is also a
 * bitmap of 64 addresses, on which every operation is one machine instruction.
 */
#include <kunit/test.h>
#include <linux/bitops.h>
#include <linux/prandom.h>

#include "ip_set.h"
#include "ip_set_internal.h"

#define ROUNDS	500
#define BASE	0x10000UL
#define STEP	16UL

static unsigned long bit_ip(unsigned int bit)
{
	return BASE + bit * STEP;
}

static struct ip_set *from_model(struct kunit *test, u64 model)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	struct ip_set *s;
	unsigned int bit;

	for (bit = 0; bit < 64; bit++)
		if (model & BIT_ULL(bit))
			KUNIT_ASSERT_EQ(test, ip_set_add(&b, bit_ip(bit)), 0);
	s = ip_set_finish(&b);
	KUNIT_ASSERT_FALSE(test, IS_ERR(s));
	return s;
}

static u64 to_model(struct kunit *test, const struct ip_set *s)
{
	u64 model = 0;
	unsigned int i;

	for (i = 0; i < ip_set_size(s); i++) {
		unsigned long bit = (s->ips[i] - BASE) / STEP;

		KUNIT_EXPECT_LT(test, bit, 64);
		KUNIT_EXPECT_EQ(test, s->ips[i], bit_ip(bit));
		if (i)
			KUNIT_EXPECT_LT(test, s->ips[i - 1], s->ips[i]);
		model |= BIT_ULL(bit);
	}
	return model;
}

/* Check a result against the model, and that the empty set is NULL. Frees the result. */
static void expect_model(struct kunit *test, struct ip_set *s, u64 model)
{
	KUNIT_ASSERT_FALSE(test, IS_ERR(s));
	KUNIT_EXPECT_EQ(test, !s, !model);
	KUNIT_EXPECT_EQ(test, to_model(test, s), model);
	ip_set_free(s);
}

static u64 random_model(struct rnd_state *rnd)
{
	u64 a = prandom_u32_state(rnd) | (u64)prandom_u32_state(rnd) << 32;

	/* Dense, sparse and empty sets. */
	switch (prandom_u32_state(rnd) % 4) {
	case 0:
		return a & random_model(rnd);
	case 1:
		return a & BIT_ULL(prandom_u32_state(rnd) % 64);
	default:
		return a;
	}
}

static void algebra_test(struct kunit *test)
{
	struct rnd_state rnd;
	unsigned int i;

	prandom_seed_state(&rnd, 1);
	for (i = 0; i < ROUNDS; i++) {
		u64 ma = random_model(&rnd), mb = random_model(&rnd);
		struct ip_set *a = from_model(test, ma);
		struct ip_set *b = from_model(test, mb);

		expect_model(test, ip_set_union(a, b), ma | mb);
		expect_model(test, ip_set_minus(a, b), ma & ~mb);
		expect_model(test, ip_set_common(a, b), ma & mb);
		expect_model(test, ip_set_copy(a), ma);
		KUNIT_EXPECT_EQ(test, ip_set_equal(a, b), ma == mb);
		KUNIT_EXPECT_EQ(test, to_model(test, a), ma);
		KUNIT_EXPECT_EQ(test, to_model(test, b), mb);
		ip_set_free(a);
		ip_set_free(b);
	}
}

static u64 model_range(unsigned long start, unsigned long end)
{
	u64 model = 0;
	unsigned int bit;

	for (bit = 0; bit < 64; bit++)
		if (bit_ip(bit) >= start && bit_ip(bit) < end)
			model |= BIT_ULL(bit);
	return model;
}

static void range_test(struct kunit *test)
{
	struct rnd_state rnd;
	unsigned int i;

	prandom_seed_state(&rnd, 2);
	for (i = 0; i < ROUNDS; i++) {
		u64 m = random_model(&rnd), in;
		struct ip_set *a = from_model(test, m);
		unsigned long start, end;

		start = BASE - STEP + prandom_u32_state(&rnd) % (66 * STEP);
		end = BASE - STEP + prandom_u32_state(&rnd) % (66 * STEP);
		in = model_range(start, end);

		KUNIT_EXPECT_EQ(test, ip_set_touches(a, start, end), !!(m & in));
		expect_model(test, ip_set_without_range(a, start, end), m & ~in);
		KUNIT_EXPECT_EQ(test, to_model(test, a), m);
		expect_model(test, ip_set_cut_range(a, start, end), m & ~in);
	}
}

static void has_test(struct kunit *test)
{
	struct rnd_state rnd;
	unsigned int i, bit;

	prandom_seed_state(&rnd, 3);
	for (i = 0; i < 20; i++) {
		u64 m = random_model(&rnd);
		struct ip_set *a = from_model(test, m);

		for (bit = 0; bit < 64; bit++) {
			KUNIT_EXPECT_EQ(test, ip_set_has(a, bit_ip(bit)),
					!!(m & BIT_ULL(bit)));
			KUNIT_EXPECT_FALSE(test, ip_set_has(a, bit_ip(bit) + 1));
		}
		KUNIT_EXPECT_FALSE(test, ip_set_has(a, 0));
		KUNIT_EXPECT_FALSE(test, ip_set_has(a, ULONG_MAX));
		ip_set_free(a);
	}
}

static void empty_test(struct kunit *test)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	struct ip_set *a = from_model(test, 5);

	KUNIT_EXPECT_NULL(test, ip_set_finish(&b));
	KUNIT_EXPECT_NULL(test, ip_set_from(NULL, 0));
	KUNIT_EXPECT_NULL(test, ip_set_copy(NULL));
	KUNIT_EXPECT_NULL(test, ip_set_union(NULL, NULL));
	KUNIT_EXPECT_NULL(test, ip_set_minus(NULL, a));
	KUNIT_EXPECT_NULL(test, ip_set_minus(a, a));
	KUNIT_EXPECT_NULL(test, ip_set_common(a, NULL));
	KUNIT_EXPECT_NULL(test, ip_set_without_range(a, 0, ULONG_MAX));
	KUNIT_EXPECT_NULL(test, ip_set_without_range(NULL, 0, ULONG_MAX));
	KUNIT_EXPECT_NULL(test, ip_set_cut_range(NULL, 0, ULONG_MAX));
	KUNIT_EXPECT_TRUE(test, ip_set_equal(NULL, NULL));
	KUNIT_EXPECT_FALSE(test, ip_set_equal(a, NULL));
	KUNIT_EXPECT_FALSE(test, ip_set_equal(NULL, a));
	KUNIT_EXPECT_FALSE(test, ip_set_has(NULL, 0));
	KUNIT_EXPECT_FALSE(test, ip_set_touches(NULL, 0, ULONG_MAX));
	KUNIT_EXPECT_EQ(test, ip_set_size(NULL), 0);
	expect_model(test, ip_set_union(a, NULL), 5);
	expect_model(test, ip_set_union(NULL, a), 5);
	expect_model(test, ip_set_minus(a, NULL), 5);

	ip_set_drop(&b);
	ip_set_free(NULL);
	ip_set_free(ERR_PTR(-ENOMEM));
	ip_set_free(a);
}

/* A builder gets unordered addresses, each several times, and grows many times. */
static void builder_test(struct kunit *test)
{
	const unsigned int nr = 3001;
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	struct ip_set *s;
	unsigned int i, at;

	/* 3001 is prime, so each residue occurs, three times in all. */
	for (i = 0, at = 0; i < 3 * nr; i++, at = (at + 1234) % nr)
		KUNIT_ASSERT_EQ(test, ip_set_add(&b, bit_ip(at)), 0);
	s = ip_set_finish(&b);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, s);
	KUNIT_EXPECT_NULL(test, b.set);
	KUNIT_ASSERT_EQ(test, s->nr, nr);
	for (i = 0; i < nr; i++)
		KUNIT_EXPECT_EQ(test, s->ips[i], bit_ip(i));
	ip_set_free(s);

	/* A finished builder can be used again, and dropped with addresses in it. */
	KUNIT_EXPECT_EQ(test, ip_set_add(&b, 1), 0);
	ip_set_drop(&b);
	KUNIT_EXPECT_NULL(test, ip_set_finish(&b));
}

/* A builder gets ordered addresses with repetitions. */
static void repeated_test(struct kunit *test)
{
	const unsigned long ips[] = { 3, 3, 5, 8, 8, 8 };
	struct ip_set *s = ip_set_from(ips, ARRAY_SIZE(ips));

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, s);
	KUNIT_ASSERT_EQ(test, s->nr, 3);
	KUNIT_EXPECT_EQ(test, s->ips[0], 3);
	KUNIT_EXPECT_EQ(test, s->ips[1], 5);
	KUNIT_EXPECT_EQ(test, s->ips[2], 8);
	ip_set_free(s);
}

static void extremes_test(struct kunit *test)
{
	const unsigned long ips[] = { ULONG_MAX, 0, ULONG_MAX, LONG_MAX, 0 };
	struct ip_set *s = ip_set_from(ips, ARRAY_SIZE(ips));

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, s);
	KUNIT_ASSERT_EQ(test, s->nr, 3);
	KUNIT_EXPECT_EQ(test, s->ips[0], 0);
	KUNIT_EXPECT_EQ(test, s->ips[1], (unsigned long)LONG_MAX);
	KUNIT_EXPECT_EQ(test, s->ips[2], ULONG_MAX);
	KUNIT_EXPECT_TRUE(test, ip_set_has(s, ULONG_MAX));
	KUNIT_EXPECT_TRUE(test, ip_set_has(s, 0));
	ip_set_free(s);
}

static struct kunit_case ip_set_cases[] = {
	KUNIT_CASE(algebra_test),
	KUNIT_CASE(range_test),
	KUNIT_CASE(has_test),
	KUNIT_CASE(empty_test),
	KUNIT_CASE(builder_test),
	KUNIT_CASE(repeated_test),
	KUNIT_CASE(extremes_test),
	{}
};

static struct kunit_suite ip_set_suite = {
	.name = "ftrace_ip_set",
	.test_cases = ip_set_cases,
};

kunit_test_suite(ip_set_suite);

MODULE_DESCRIPTION("Tests of the sets of addresses filters are made of");
MODULE_LICENSE("GPL");
