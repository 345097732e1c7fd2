// SPDX-License-Identifier: GPL-2.0
/*
 * A module without a table of call sites, as if from another build: see Kbuild. Two parameters call
 * its functions, and a third one keeps it in its init function.
 */
#include <linux/delay.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static unsigned int stray_calls;

static noinline __noclone void stray_one(void)
{
	WRITE_ONCE(stray_calls, stray_calls + 1);
}

static noinline __noclone void stray_two(void)
{
	WRITE_ONCE(stray_calls, stray_calls + 2);
}

static int call(const char *text, void (*func)(void))
{
	unsigned int n;
	int ret = kstrtouint(text, 0, &n);

	if (ret)
		return ret;
	while (n--)
		func();
	return 0;
}

static int stray_set_one(const char *text, const struct kernel_param *kp)
{
	return call(text, stray_one);
}

static int stray_set_two(const char *text, const struct kernel_param *kp)
{
	return call(text, stray_two);
}

static const struct kernel_param_ops stray_one_ops = {
	.set = stray_set_one,
	.get = param_get_uint,
};

static const struct kernel_param_ops stray_two_ops = {
	.set = stray_set_two,
	.get = param_get_uint,
};

module_param_cb(one, &stray_one_ops, &stray_calls, 0644);
MODULE_PARM_DESC(one, "writing n calls stray_one() n times");
module_param_cb(two, &stray_two_ops, &stray_calls, 0644);
MODULE_PARM_DESC(two, "writing n calls stray_two() n times");

static bool stray_hold;
module_param_named(hold, stray_hold, bool, 0644);
MODULE_PARM_DESC(hold, "the init function does not return before this is N");

static noinline __init void stray_arrive(void)
{
	stray_one();
}

static int __init stray_init(void)
{
	do {
		stray_arrive();
		msleep(20);
	} while (READ_ONCE(stray_hold));
	return 0;
}

static void __exit stray_exit(void)
{
}

module_init(stray_init);
module_exit(stray_exit);
MODULE_DESCRIPTION("A module without a table of call sites, for the tracer's tests");
MODULE_LICENSE("GPL");
