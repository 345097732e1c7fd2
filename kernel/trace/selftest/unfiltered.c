// SPDX-License-Identifier: GPL-2.0
/*
 * Self-tests for kernels without CONFIG_DYNAMIC_FTRACE (SPEC D15). There every function calls
 * every ops, so the callbacks check whether a target has called them.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "ops/ops.h"
#include "selftest.h"
#include "sites/lock.h"

/* True if @ip is in ftrace_selftest_one(); the other target may follow directly behind it. */
static bool is_site_of_one(unsigned long ip)
{
	unsigned long one = (unsigned long)ftrace_selftest_one;
	unsigned long two = (unsigned long)ftrace_selftest_two;

	return ip >= one && ip - one <= FTRACE_MCOUNT_MAX_OFFSET && (two < one || ip < two);
}

static void count_one(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (is_site_of_one(ip))
		++*(unsigned int *)ops->private;
}

/* ------------------------------------------------------------------ */
/* Several users							*/

#define NR_USERS	3

static unsigned int counts[NR_USERS];
static struct ftrace_ops users[NR_USERS] = {
	{ .func = count_one, .private = &counts[0] },
	{ .func = count_one, .private = &counts[1] },
	{ .func = count_one, .private = &counts[2], .flags = FTRACE_OPS_FL_RECURSION },
};

static bool counts_are(unsigned int a, unsigned int b, unsigned int c)
{
	const unsigned int want[] = { a, b, c };

	memset(counts, 0, sizeof(counts));
	return call_one() && call_two() && !memcmp(counts, want, sizeof(want));
}

static const char *users_attached(void)
{
	return expect_true(counts_are(1, 1, 1), "not each was called once") ?:
	       expect_true(!unregister_ftrace_function(&users[1]), "cannot unregister") ?:
	       expect_true(counts_are(1, 0, 1), "wrong after one left") ?:
	       expect_true(register_ftrace_function(&users[0]) == -EBUSY, "registered twice") ?:
	       expect_true(!register_ftrace_function(&users[1]), "cannot register again") ?:
	       expect_true(counts_are(1, 1, 1), "wrong after one came back");
}

static const char *users_register(void)
{
	for (unsigned int i = 0; i < NR_USERS; i++)
		if (register_ftrace_function(&users[i]))
			return "cannot register";
	return NULL;
}

static void users_leave(void)
{
	for (unsigned int i = 0; i < NR_USERS; i++)
		unregister_ftrace_function(&users[i]);
}

static const char *with_users(selftest_fn test)
{
	const char *why = expect_true(call_one() && call_two(), "the targets do not work") ?:
			  users_register() ?: test();

	users_leave();
	return why ?: expect_true(counts_are(0, 0, 0), "called after all have left");
}

static const char *test_users(void)
{
	return with_users(users_attached);
}

/* ------------------------------------------------------------------ */
/* Off and on								*/

static const char *disabled_attached(void)
{
	bool off, on, none;

	scoped_guard(mutex, &ftrace_lock)
		off = !ops_suspend_all();
	none = counts_are(0, 0, 0);
	scoped_guard(mutex, &ftrace_lock)
		on = !ops_resume_all();
	return expect_true(off && on, "cannot switch") ?:
	       expect_true(none, "called while off") ?:
	       expect_true(counts_are(1, 1, 1), "not called when on again");
}

static const char *test_disabled(void)
{
	return with_users(disabled_attached);
}

static const char *stopped_attached(void)
{
	bool none;

	function_trace_stop = 1;
	none = counts_are(0, 0, 0);
	function_trace_stop = 0;
	return expect_true(none, "called while stopped") ?:
	       expect_true(counts_are(1, 1, 1), "not called when it goes on");
}

static const char *test_stopped(void)
{
	return with_users(stopped_attached);
}

/* ------------------------------------------------------------------ */
/* Recursion and registers						*/

static unsigned int recursion_count;

static void call_back_into(unsigned long ip, unsigned long parent_ip,
			   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (is_site_of_one(ip) && recursion_count++ < 10)
		call_one();
}

/* Recursion protection may take one nested call for the early entry code of an interrupt. */
static const char *test_recursion(void)
{
	static struct ftrace_ops ops = {
		.func	= call_back_into,
		.flags	= FTRACE_OPS_FL_RECURSION,
	};
	const char *why = expect_true(!register_ftrace_function(&ops), "cannot register");

	recursion_count = 0;
	why = why ?: expect_true(call_one(), "the traced function does not work");
	unregister_ftrace_function(&ops);
	return why ?: expect_true(recursion_count >= 1, "not called") ?:
	       expect_true(recursion_count <= 2, "the callback ran inside itself");
}

static bool args_are_right;

/* Entry code that does not pass arguments must pass NULL rather than wrong ones. */
static bool are_args_of_one(struct ftrace_regs *fregs)
{
	if (!IS_ENABLED(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS))
		return !fregs;
	return ftrace_regs_has_args(fregs) &&
	       ftrace_regs_get_argument(fregs, 0) == 1 &&
	       ftrace_regs_get_argument(fregs, 3) == 4;
}

static void look_at_args(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (is_site_of_one(ip))
		args_are_right = are_args_of_one(fregs);
}

static const char *test_regs(void)
{
	static struct ftrace_ops args = { .func = look_at_args };
	static struct ftrace_ops full = {
		.func = look_at_args, .flags = FTRACE_OPS_FL_SAVE_REGS,
	};
	static struct ftrace_ops redirect = {
		.func = look_at_args, .flags = FTRACE_OPS_FL_IPMODIFY,
	};
	const char *why = expect_true(!register_ftrace_function(&args), "cannot register");

	why = why ?: expect_true(call_one(), "an argument of the traced function got lost");
	unregister_ftrace_function(&args);
	return why ?: expect_true(args_are_right, "wrong arguments") ?:
	       expect_true(register_ftrace_function(&full) == -EINVAL, "full registers") ?:
	       expect_true(register_ftrace_function(&redirect) == -EINVAL, "may redirect");
}

void find_targets(void)
{
}

bool boot_is_filtered(void)
{
	return false;
}

void filter_one(bool only)
{
}

const struct selftest ops_selftests[] = {
	{ "several ftrace ops",		test_users },
	{ "ftrace switched off",	test_disabled },
	{ "function_trace_stop",	test_stopped },
	{ "ftrace recursion",		test_recursion },
	{ "ftrace registers",		test_regs },
	{ }
};
