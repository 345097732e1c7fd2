// SPDX-License-Identifier: GPL-2.0
/*
 * A write to the parameter "run" executes always the same calls:
 *
 *	nested_outer() calls nested_leaf(1), nested_middle(), nested_leaf(2)
 *	nested_middle() calls nested_leaf(3), nested_leaf(4)
 *
 * Between them nested_outer() calls nested_wait(), which with the word "slow" sleeps for 1000 ms:
 * longer than anything else takes on a busy machine. The word "args" only calls passed_eight()
 * with 0x11 to 0x18, and "kinds" only calls functions with arguments of other types.
 */
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/types.h>

static noinline __noclone long nested_leaf(long value)
{
	barrier();
	return value;
}

static noinline __noclone long nested_middle(void)
{
	long sum = nested_leaf(3) + nested_leaf(4);

	barrier();
	return sum;
}

static noinline __noclone int nested_wait(unsigned int msecs)
{
	if (!msecs)
		return -EINVAL;
	msleep(msecs);
	return 0;
}

static noinline __noclone int nested_outer(unsigned int msecs)
{
	long sum = nested_leaf(1);
	int err;

	sum += nested_middle();
	err = nested_wait(msecs);
	sum += nested_leaf(2);
	return sum == 10 ? err : -EIO;
}

/* More arguments than some machines pass in registers. */
static noinline __noclone long passed_eight(long a, long b, long c, long d, long e, long f,
					    long g, long h)
{
	barrier();
	return a + b + c + d + e + f + g + h;
}

enum passed_sign {
	PASSED_MINUS = -1,
	PASSED_PLUS = 1,
};

enum passed_digit {
	PASSED_SIX = 6,
};

struct passed_pair {
	long	first;
	int	second;
};

struct passed_triple {
	long	first;
	long	second;
	long	third;
};

static noinline __noclone int passed_kinds(const void *pointer, short number, char letter,
					   bool truth, enum passed_sign sign, u16 bits)
{
	barrier();
	return pointer && truth ? number + letter + sign + bits : 0;
}

static noinline __noclone long passed_whole(struct passed_pair pair,
					    struct passed_triple triple,
					    enum passed_digit digit, u64 behind)
{
	barrier();
	return pair.second + triple.third + digit + behind;
}

static noinline __noclone __printf(1, 2) bool passed_more(const char *format, ...)
{
	barrier();
	return *format == '%';
}

/* A function of ftrace_speaker has the same name and other arguments. */
static noinline __noclone long passed_by_namesake(long number)
{
	barrier();
	return -number;
}

static int pass_kinds(void)
{
	const struct passed_pair pair = { 0x21, 2 };
	const struct passed_triple triple = { 0x31, 0x32, 3 };
	long sum = passed_kinds((void *)0x1234, -2, 'a', true, PASSED_MINUS, 0xfffe);

	sum += passed_whole(pair, triple, PASSED_SIX, 0x41);
	sum += passed_by_namesake(-5);
	return passed_more("%d", 1) && sum == 0xfffe + 'a' - 3 + 2 + 3 + 6 + 0x41 + 5 ? 0 : -EIO;
}

static int run_set(const char *word, const struct kernel_param *kp)
{
	if (sysfs_streq(word, "args"))
		return passed_eight(0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18) == 0xa4 ?
		       0 : -EIO;
	if (sysfs_streq(word, "kinds"))
		return pass_kinds();
	nested_outer(sysfs_streq(word, "slow") ? 1000 : 0);
	return 0;
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "calls the functions: slow, args, kinds, or another word");

MODULE_DESCRIPTION("Calls its own functions, for the tracer's tests");
MODULE_LICENSE("GPL");
