// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of how arguments are found in registers, and of how they are printed.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/trace_seq.h>

#include "args.h"

#define LONG	sizeof(long)

/* An expected text, and whether it applies to the architecture that the kernel is built for. */
#define OF_X86_64(text)	{ IS_ENABLED(CONFIG_X86_64), text }
#define OF_I386(text)	{ IS_ENABLED(CONFIG_X86_32), text }
#define OF_N64(text)	{ IS_ENABLED(CONFIG_MIPS) && IS_ENABLED(CONFIG_64BIT), text }
#define OF_O32_LE(text)	{ IS_ENABLED(CONFIG_MIPS) && IS_ENABLED(CONFIG_32BIT) &&	\
			  IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN), text }
#define OF_O32_BE(text)	{ IS_ENABLED(CONFIG_MIPS) && IS_ENABLED(CONFIG_32BIT) &&	\
			  IS_ENABLED(CONFIG_CPU_BIG_ENDIAN), text }
#define OF_ALL(text)	{ true, text }

struct expectation {
	bool		here;
	const char	*text;
};

static const unsigned long numbers[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static void expect_args(struct kunit *test, const struct call_proto *proto,
			const unsigned long *args, unsigned int nr,
			const struct expectation *expected, unsigned int nr_expected)
{
	struct trace_seq *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	unsigned int found = 0;

	KUNIT_ASSERT_NOT_NULL(test, s);
	trace_seq_init(s);
	args_put_by(s, proto, args, nr);
	trace_seq_putc(s, '\0');
	for (unsigned int i = 0; i < nr_expected; i++) {
		if (!expected[i].here)
			continue;
		found++;
		KUNIT_EXPECT_STREQ(test, s->buffer, expected[i].text);
	}
	KUNIT_EXPECT_EQ(test, found, 1);
}

#define EXPECT_ARGS(test, proto, args, nr, ...)					\
do {										\
	const struct expectation expected[] = { __VA_ARGS__ };			\
										\
	expect_args(test, proto, args, nr, expected, ARRAY_SIZE(expected));	\
} while (0)

/* The bits of a register above a value are ignored. */
static void test_kinds(struct kunit *test)
{
	static const struct call_proto proto = {
		.nr = 6,
		.params = {
			{ "pointer", PARAM_BITS, LONG },
			{ "number", PARAM_SIGNED, sizeof(int) },
			{ "bits", PARAM_BITS, sizeof(short) },
			{ "yes", PARAM_BOOL, 1 },
			{ "no", PARAM_BOOL, 1 },
			{ "", PARAM_WHOLE, 3 },
		},
	};
	unsigned long args[] = { 0x1234, 0xfffffffe, 0x5fffe, 0x101, 0x100,
				 IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? 0x705 : 0x5000700 };

	if (IS_ENABLED(CONFIG_64BIT))
		args[1] |= 5ULL << 32;
	EXPECT_ARGS(test, &proto, args, 6,
		    OF_ALL("pointer=0x1234, number=-2, bits=0xfffe, yes=true, no=false, {0x700}"));
}

static void test_not_in_registers(struct kunit *test)
{
	static const struct call_proto proto = {
		.nr = 3,
		.params = {
			{ NULL, PARAM_BITS, LONG },
			{ NULL, PARAM_BITS, LONG },
			{ "last", PARAM_BITS, LONG },
		},
	};

	EXPECT_ARGS(test, &proto, numbers, 3, OF_ALL("0x1, 0x2, last=0x3"));
	EXPECT_ARGS(test, &proto, numbers, 2, OF_ALL("0x1, 0x2, last=..."));
	EXPECT_ARGS(test, &proto, numbers, 0, OF_ALL("..., ..., last=..."));
}

static void test_two_longs(struct kunit *test)
{
	static const struct call_proto proto = {
		.nr = 2,
		.params = {
			{ NULL, PARAM_BITS, LONG },
			{ NULL, PARAM_BITS, 2 * LONG },
		},
	};

	EXPECT_ARGS(test, &proto, numbers, 4,
		    OF_X86_64("0x1, {0x2, 0x3}"), OF_I386("0x1, 0x300000002"),
		    OF_N64("0x1, {0x3, 0x4}"), OF_O32_LE("0x1, 0x400000003"),
		    OF_O32_BE("0x1, 0x300000004"));
}

static void test_behind_what_did_not_fit(struct kunit *test)
{
	static const struct call_proto proto = {
		.nr = 3,
		.params = {
			{ NULL, PARAM_BITS, LONG },
			{ NULL, PARAM_WHOLE, 2 * LONG },
			{ NULL, PARAM_BITS, LONG },
		},
	};

	EXPECT_ARGS(test, &proto, numbers, 2,
		    OF_X86_64("0x1, ..., 0x2"), OF_I386("0x1, ..., ..."),
		    OF_N64("0x1, ..., ..."), OF_O32_LE("0x1, ..., ..."),
		    OF_O32_BE("0x1, ..., ..."));
}

static void test_large_structures(struct kunit *test)
{
	static const struct call_proto proto = {
		.nr = 2,
		.params = {
			{ NULL, PARAM_WHOLE, 3 * LONG },
			{ NULL, PARAM_BITS, LONG },
		},
	};

	EXPECT_ARGS(test, &proto, numbers, 4,
		    OF_X86_64("..., 0x1"), OF_I386("{0x1, 0x2, 0x3}, 0x4"),
		    OF_N64("{0x1, 0x2, 0x3}, 0x4"), OF_O32_LE("{0x1, 0x2, 0x3}, 0x4"),
		    OF_O32_BE("{0x1, 0x2, 0x3}, 0x4"));
}

static void test_varying_number(struct kunit *test)
{
	static const struct call_proto some = {
		.nr = 1,
		.more = true,
		.params = { { "fmt", PARAM_BITS, LONG } },
	};
	static const struct call_proto none = { .more = true };

	EXPECT_ARGS(test, &some, numbers, 4,
		    OF_X86_64("fmt=0x1, ..."), OF_I386("fmt=..., ..."),
		    OF_N64("fmt=0x1, ..."), OF_O32_LE("fmt=0x1, ..."),
		    OF_O32_BE("fmt=0x1, ..."));
	EXPECT_ARGS(test, &none, numbers, 4, OF_ALL("..."));
}

static struct kunit_case args_cases[] = {
	KUNIT_CASE(test_kinds),
	KUNIT_CASE(test_not_in_registers),
	KUNIT_CASE(test_two_longs),
	KUNIT_CASE(test_behind_what_did_not_fit),
	KUNIT_CASE(test_large_structures),
	KUNIT_CASE(test_varying_number),
	{}
};

static struct kunit_suite args_suite = {
	.name		= "ftrace_args",
	.test_cases	= args_cases,
};

kunit_test_suite(args_suite);
