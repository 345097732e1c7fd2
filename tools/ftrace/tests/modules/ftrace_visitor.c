// SPDX-License-Identifier: GPL-2.0
/*
 * A module that is loaded and removed while it is traced. It has functions in its init text and in
 * its text. A timer calls one of them until the module is removed, and a write to its parameter
 * calls them.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/timer.h>

static void visitor_tick(struct timer_list *timer);

static DEFINE_TIMER(visitor_timer, visitor_tick);
static unsigned int visitor_calls;

static noinline __noclone unsigned int visitor_leaf(unsigned int n)
{
	return READ_ONCE(visitor_calls) + n;
}

static noinline __noclone void visitor_work(unsigned int n)
{
	WRITE_ONCE(visitor_calls, visitor_leaf(n));
}

static void visitor_tick(struct timer_list *timer)
{
	visitor_work(1);
	mod_timer(timer, jiffies + 1);
}

static int visitor_call_set(const char *text, const struct kernel_param *kp)
{
	unsigned int n;
	int ret;

	ret = kstrtouint(text, 0, &n);
	if (ret)
		return ret;
	while (n--)
		visitor_work(1);
	return 0;
}

static const struct kernel_param_ops visitor_call_ops = {
	.set = visitor_call_set,
	.get = param_get_uint,
};

module_param_cb(calls, &visitor_call_ops, &visitor_calls, 0644);
MODULE_PARM_DESC(calls, "writing n calls visitor_work() n times");

static noinline __init int visitor_arrive(void)
{
	visitor_work(1);
	return 0;
}

static int __init visitor_init(void)
{
	mod_timer(&visitor_timer, jiffies + 1);
	return visitor_arrive();
}

static void __exit visitor_exit(void)
{
	timer_shutdown_sync(&visitor_timer);
}

module_init(visitor_init);
module_exit(visitor_exit);
MODULE_DESCRIPTION("A module that is loaded and removed by the tracer's tests");
MODULE_LICENSE("GPL");
