// SPDX-License-Identifier: GPL-2.0
/*
 * Self-tests of patching call sites, and of filters, for kernels with CONFIG_DYNAMIC_FTRACE
 * (SPEC D16).
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "discover/discover.h"
#include "ops/edit.h"
#include "ops/ops.h"
#include "selftest.h"
#include "sites/sites.h"

#define ONE	"ftrace_selftest_one"
#define TWO	"ftrace_selftest_two"
#define BOTH	"ftrace_selftest_*"

static int set_filter(struct ftrace_ops *ops, const char *word)
{
	return ftrace_set_filter(ops, (unsigned char *)word, strlen(word), 1);
}

static void count_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	unsigned int *count = ops->private;

	(*count)++;
}

/* ------------------------------------------------------------------ */
/* Dynamic modification and filters					*/

static unsigned int dynamic_count;
static struct ftrace_ops dynamic_ops = {
	.func		= count_call,
	.private	= &dynamic_count,
};

static const char *dynamic_attached(void)
{
	unsigned char *one = (unsigned char *)ONE;
	struct ftrace_ops *ops = &dynamic_ops;

	dynamic_count = 0;
	return expect_true(call_two() && !dynamic_count,
			   "a function outside the filter was traced") ?:
	       expect_true(call_one() && dynamic_count == 1,
			   "the filtered function was not traced") ?:
	       expect_true(!ftrace_set_notrace(ops, one, strlen(ONE), 1), "cannot set notrace") ?:
	       expect_true(call_one() && dynamic_count == 1, "notrace does not win") ?:
	       expect_true(!ftrace_set_notrace(ops, NULL, 0, 1), "cannot clear notrace") ?:
	       expect_true(!set_filter(ops, TWO), "cannot change the filter") ?:
	       expect_true(call_one() && dynamic_count == 1, "traced after leaving the filter") ?:
	       expect_true(call_two() && dynamic_count == 2, "not traced after joining the filter");
}

/* Run @test while @ops is registered for ftrace_selftest_one(). */
static const char *with_ops(struct ftrace_ops *ops, selftest_fn test)
{
	const char *why;

	why = expect_true(!set_filter(ops, ONE), "cannot set the filter") ?:
	      expect_true(!register_ftrace_function(ops), "cannot register");
	if (why)
		return why;
	why = test();
	return expect_true(!unregister_ftrace_function(ops), "cannot unregister") ?: why;
}

static const char *test_dynamic(void)
{
	const char *why;

	why = expect_true(call_one() && call_two(), "the targets do not work") ?:
	      with_ops(&dynamic_ops, dynamic_attached);
	dynamic_count = 0;
	why = why ?: expect_true(call_one() && call_two() && !dynamic_count,
			    "called after unregistering");
	ftrace_free_filter(&dynamic_ops);
	return why;
}

/* Does what the sysctl kernel.ftrace_enabled does. */
static const char *disabled_attached(void)
{
	int off, on, refused;

	dynamic_count = 0;
	scoped_guard(mutex, &ftrace_lock)
		off = ops_suspend_all();
	call_one();
	scoped_guard(mutex, &ftrace_lock)
		on = ops_resume_all();
	dynamic_ops.flags |= FTRACE_OPS_FL_PERMANENT;
	scoped_guard(mutex, &ftrace_lock)
		refused = ops_suspend_all();
	dynamic_ops.flags &= ~FTRACE_OPS_FL_PERMANENT;

	return expect_true(!off && !on, "cannot switch") ?:
	       expect_true(!dynamic_count, "called while off") ?:
	       expect_true(refused == -EBUSY, "a permanent ops was detached") ?:
	       expect_true(call_one() && dynamic_count == 1, "not called when on again");
}

static const char *test_disabled(void)
{
	const char *why = with_ops(&dynamic_ops, disabled_attached);

	ftrace_free_filter(&dynamic_ops);
	return why;
}

/* ------------------------------------------------------------------ */
/* Several users							*/

#define NR_USERS	3

static unsigned int user_counts[NR_USERS + 1];
static struct ftrace_ops users[NR_USERS] = {
	{ .func = count_call, .private = &user_counts[0] },
	{ .func = count_call, .private = &user_counts[1] },
	{ .func = count_call, .private = &user_counts[2] },
};

static bool counts_are(unsigned int a, unsigned int b, unsigned int c, unsigned int d)
{
	const unsigned int want[] = { a, b, c, d };

	memset(user_counts, 0, sizeof(user_counts));
	return call_one() && call_two() && !memcmp(user_counts, want, sizeof(want));
}

static const char *users_attached(void)
{
	return expect_true(counts_are(1, 1, 2, 1), "not each got its own calls") ?:
	       expect_true(!unregister_ftrace_function(&users[0]), "cannot unregister") ?:
	       expect_true(counts_are(0, 1, 2, 1), "wrong after one left") ?:
	       expect_true(register_ftrace_function(&users[1]) == -EBUSY, "registered twice") ?:
	       expect_true(!register_ftrace_function(&users[0]), "cannot register again") ?:
	       expect_true(counts_are(1, 1, 2, 1), "wrong after one came back");
}

static const char *users_register(struct ftrace_ops *dynamic)
{
	bool set = !set_filter(&users[0], ONE) && !set_filter(&users[1], TWO) &&
		   !set_filter(&users[2], BOTH) && !set_filter(dynamic, ONE);
	bool registered = set && !register_ftrace_function(&users[0]) &&
			  !register_ftrace_function(&users[1]) &&
			  !register_ftrace_function(&users[2]) &&
			  !register_ftrace_function(dynamic);

	return expect_true(set, "cannot set the filters") ?:
	       expect_true(registered, "cannot register");
}

static const char *test_users(void)
{
	struct ftrace_ops *dynamic = kzalloc(sizeof(*dynamic), GFP_KERNEL);
	const char *why;
	int i;

	if (!dynamic)
		return "no memory";
	dynamic->func = count_call;
	dynamic->private = &user_counts[NR_USERS];
	why = users_register(dynamic) ?: users_attached();
	unregister_ftrace_function(dynamic);
	for (i = 0; i < NR_USERS; i++)
		unregister_ftrace_function(&users[i]);
	if (!why && !counts_are(0, 0, 0, 0))
		why = "called after all have left";
	ftrace_free_filter(dynamic);
	for (i = 0; i < NR_USERS; i++)
		ftrace_free_filter(&users[i]);
	kfree(dynamic);
	return why;
}

/* ------------------------------------------------------------------ */
/* Recursion								*/

static unsigned int recursion_count;

static void call_back_into(unsigned long ip, unsigned long parent_ip,
			   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (recursion_count++ < 10)
		call_one();
}

static void call_back_guarded(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	int bit = ftrace_test_recursion_trylock(ip, parent_ip);

	if (bit < 0)
		return;
	call_back_into(ip, parent_ip, ops, fregs);
	ftrace_test_recursion_unlock(bit);
}

/* Recursion protection may take one nested call for the early entry code of an interrupt. */
static const char *recursion_attached(void)
{
	recursion_count = 0;
	return expect_true(call_one(), "the traced function does not work") ?:
	       expect_true(recursion_count >= 1, "not called") ?:
	       expect_true(recursion_count <= 2, "the callback ran inside itself");
}

static const char *recursion_of(struct ftrace_ops *ops)
{
	const char *why = with_ops(ops, recursion_attached);

	ftrace_free_filter(ops);
	return why;
}

static const char *test_recursion(void)
{
	static struct ftrace_ops by_flag = {
		.func	= call_back_into,
		.flags	= FTRACE_OPS_FL_RECURSION,
	};
	static struct ftrace_ops by_itself = { .func = call_back_guarded };

	return recursion_of(&by_flag) ?: recursion_of(&by_itself);
}

/* ------------------------------------------------------------------ */
/* Registers								*/

struct seen_regs {
	bool full;
	bool args;
};

static void look_at_regs(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct seen_regs *seen = ops->private;

	seen->full = ftrace_get_regs(fregs);
	seen->args = ftrace_regs_has_args(fregs) &&
		     ftrace_regs_get_argument(fregs, 0) == 1 &&
		     ftrace_regs_get_argument(fregs, 3) == 4 &&
		     (FTRACE_NR_ARGS < 6 || ftrace_regs_get_argument(fregs, 5) == 6);
}

static const char *regs_attached(void)
{
	return expect_true(call_one(), "an argument of the traced function got lost");
}

static const char *regs_of(struct ftrace_ops *ops)
{
	const char *why = with_ops(ops, regs_attached);

	ftrace_free_filter(ops);
	return why;
}

static const char *test_regs(void)
{
	static struct seen_regs args, full;
	static struct ftrace_ops args_ops = {
		.func = look_at_regs, .private = &args,
	};
	static struct ftrace_ops full_ops = {
		.func = look_at_regs, .private = &full, .flags = FTRACE_OPS_FL_SAVE_REGS,
	};
	bool has_args = IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS);
	const char *why;

	why = regs_of(&args_ops) ?:
	      expect_true(args.args == has_args && !args.full, "wrong arguments");
	if (why || !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		return why;
	return regs_of(&full_ops) ?: expect_true(full.full && full.args, "no full registers");
}

/* Runs another function instead of the traced one, as live patching does. */
static void go_on_in_two(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)ftrace_selftest_two);
}

static const char *redirect_attached(void)
{
	return expect_true(ftrace_selftest_one(1, 2, 3, 4, 5, 6) == 2,
		      "the function was not replaced");
}

/* With CONFIG_DYNAMIC_FTRACE_WITH_ARGS, FTRACE_OPS_FL_IPMODIFY needs no FTRACE_OPS_FL_SAVE_REGS. */
static const char *test_redirect(void)
{
	static struct ftrace_ops ops = {
		.func	= go_on_in_two,
		.flags	= FTRACE_OPS_FL_IPMODIFY |
			  (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) ? 0 :
			   FTRACE_OPS_FL_SAVE_REGS),
	};
	const char *why;

	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		return NULL;
	why = with_ops(&ops, redirect_attached);
	ftrace_free_filter(&ops);
	return why ?: expect_true(call_one(), "the function stays replaced");
}

void find_targets(void)
{
	call_one();
	call_two();
	discover_convert();
}

bool boot_is_filtered(void)
{
	return global_filter.only.set || global_filter.except.set;
}

void filter_one(bool only)
{
	static unsigned char one[] = ONE;

	ftrace_set_global_filter(only ? one : NULL, only ? strlen(one) : 0, 1);
}

const struct selftest ops_selftests[] = {
	{ "dynamic ftrace",		test_dynamic },
	{ "ftrace switched off",	test_disabled },
	{ "several ftrace ops",		test_users },
	{ "ftrace recursion",		test_recursion },
	{ "ftrace registers",		test_regs },
	{ "ftrace redirection",		test_redirect },
	{ }
};
