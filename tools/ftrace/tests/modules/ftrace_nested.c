// SPDX-License-Identifier: GPL-2.0
/*
 * Always the same calls, when somebody writes to its parameter "run":
 *
 *	nested_outer() calls nested_leaf(1), nested_middle(), nested_leaf(2)
 *	nested_middle() calls nested_leaf(3), nested_leaf(4)
 *
 * For "slow" nested_wait(1000) sleeps as many milliseconds in between: longer than a busy
 * machine lets anything else take.  For "args" nothing but passed_eight() is called, with
 * 0x11 to 0x18.
 */
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

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

/* More than any machine passes in registers. */
static noinline __noclone long passed_eight(long a, long b, long c, long d, long e, long f,
					    long g, long h)
{
	barrier();
	return a + b + c + d + e + f + g + h;
}

static int run_set(const char *word, const struct kernel_param *kp)
{
	if (sysfs_streq(word, "args"))
		return passed_eight(0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18) == 0xa4 ?
		       0 : -EIO;
	nested_outer(sysfs_streq(word, "slow") ? 1000 : 0);
	return 0;
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "write anything to have the functions called");

MODULE_DESCRIPTION("Calls functions of its own, for the function tracer's tests");
MODULE_LICENSE("GPL");
