// SPDX-License-Identifier: GPL-2.0
/* Tests of direct calls, alone at a site and beside other ops. */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>
#include <linux/kthread.h>
#include <linux/linkage.h>
#include <asm/ibt.h>

#include "direct_targets.h"
#include "dispatch/dispatch.h"
#include "internal.h"
#include "ops.h"
#include "sites/lock.h"

/*
 * The code that is called directly counts its calls, and changes nothing that a function may expect
 * of its caller.
 */
unsigned int direct_kunit_hits, direct_kunit_hits_too;

#ifdef CONFIG_X86_64
#define COUNT(name)	"incl " #name "(%rip)\n"
#else
#define COUNT(name)	"incl " #name "\n"
#endif

#define DEFINE_COUNTER(name, counter)			\
	asm(".pushsection .text, \"ax\", @progbits\n"	\
	    ".globl " #name "\n"			\
	    ".type " #name ", @function\n"		\
	    #name ":\n"					\
	    ASM_ENDBR					\
	    COUNT(counter)				\
	    ASM_RET					\
	    ".size " #name ", .-" #name "\n"		\
	    ".popsection\n")

DEFINE_COUNTER(direct_kunit_count, direct_kunit_hits);
DEFINE_COUNTER(direct_kunit_count_too, direct_kunit_hits_too);

#define COUNT_ADDR	((unsigned long)direct_kunit_count)
#define COUNT_TOO_ADDR	((unsigned long)direct_kunit_count_too)

/* More ops than any trampoline calls, so that the site calls ftrace_direct_caller(). */
#define NR_CALLBACKS	70

static struct ftrace_ops direct, direct_too;
static struct ftrace_ops callbacks[NR_CALLBACKS];
static unsigned int callback_hits, hits_before_direct;
static unsigned long site, site_too;

static void count_callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			   struct ftrace_regs *fregs)
{
	callback_hits++;
	if (!READ_ONCE(direct_kunit_hits))
		hits_before_direct++;
}

static void select_target(struct kunit *test, struct ftrace_ops *ops, unsigned long ip)
{
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(ops, ip, 0, 0));
}

static int direct_test_init(struct kunit *test)
{
	ftrace_skip_if_traced(test, ftrace_direct_target);
	direct = (struct ftrace_ops){};
	direct_too = (struct ftrace_ops){};
	for (unsigned int i = 0; i < NR_CALLBACKS; i++)
		callbacks[i] = (struct ftrace_ops){ .func = count_callback };
	site = ftrace_location((unsigned long)ftrace_direct_target);
	site_too = ftrace_location((unsigned long)ftrace_direct_target_too);
	KUNIT_ASSERT_NE(test, 0UL, site);
	KUNIT_ASSERT_NE(test, 0UL, site_too);
	select_target(test, &direct, site);
	return 0;
}

static void forget_direct(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		unregister_ftrace_direct(ops, ops->direct_call, true);
	ftrace_free_filter(ops);
}

static void direct_test_exit(struct kunit *test)
{
	forget_direct(&direct);
	forget_direct(&direct_too);
	for (unsigned int i = 0; i < NR_CALLBACKS; i++) {
		if (callbacks[i].flags & FTRACE_OPS_FL_ENABLED)
			unregister_ftrace_function(&callbacks[i]);
		ftrace_free_filter(&callbacks[i]);
	}
}

static void register_callbacks(struct kunit *test, unsigned int nr, unsigned long flags)
{
	for (unsigned int i = 0; i < nr; i++) {
		callbacks[i].flags |= flags;
		select_target(test, &callbacks[i], site);
		KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&callbacks[i]));
	}
}

static void register_direct(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(&direct, COUNT_ADDR));
}

/* Call the target.  Expect calls of @nr callbacks, and the given number of each direct call. */
static void expect_calls(struct kunit *test, unsigned int nr, unsigned int hits,
			 unsigned int hits_too)
{
	callback_hits = 0;
	hits_before_direct = 0;
	WRITE_ONCE(direct_kunit_hits, 0);
	WRITE_ONCE(direct_kunit_hits_too, 0);
	KUNIT_EXPECT_EQ(test, 14L, ftrace_direct_target(1, 2, 3));
	KUNIT_EXPECT_EQ(test, nr, callback_hits);
	KUNIT_EXPECT_EQ(test, nr, hits_before_direct);
	KUNIT_EXPECT_EQ(test, hits, READ_ONCE(direct_kunit_hits));
	KUNIT_EXPECT_EQ(test, hits_too, READ_ONCE(direct_kunit_hits_too));
}

static void site_calls_the_address(struct kunit *test)
{
	expect_calls(test, 0, 0, 0);
	register_direct(test);
	expect_calls(test, 0, 1, 0);
	KUNIT_EXPECT_EQ(test, COUNT_ADDR, ftrace_find_rec_direct(site));
	KUNIT_EXPECT_EQ(test, 0UL, ftrace_find_rec_direct(site_too));
	KUNIT_EXPECT_EQ(test, 0UL, ftrace_find_rec_direct(0));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(&direct, COUNT_ADDR, false));
	KUNIT_EXPECT_EQ(test, 0UL, ftrace_find_rec_direct(site));
	expect_calls(test, 0, 0, 0);
	/* The filter was kept. */
	register_direct(test);
	expect_calls(test, 0, 1, 0);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(&direct, COUNT_ADDR, true));
	KUNIT_EXPECT_NULL(test, direct.filter);
}

static void ops_can_have_a_callback_afterwards(struct kunit *test)
{
	register_direct(test);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(&direct, COUNT_ADDR, false));
	direct.func = count_callback;
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&direct));
	KUNIT_EXPECT_EQ(test, 0UL, ftrace_find_rec_direct(site));
	expect_calls(test, 1, 0, 0);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(&direct));
}

/* Have @nr callbacks be there before the direct call, and then the direct call before them. */
static void call_after_callbacks(struct kunit *test, unsigned int nr, unsigned long flags)
{
	register_callbacks(test, nr, flags);
	register_direct(test);
	expect_calls(test, nr, 1, 0);
	for (unsigned int i = 0; i < nr; i++)
		KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(&callbacks[i]));
	expect_calls(test, 0, 1, 0);
	for (unsigned int i = 0; i < nr; i++)
		KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(&callbacks[i]));
	expect_calls(test, nr, 1, 0);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(&direct, COUNT_ADDR, false));
	expect_calls(test, nr, 0, 0);
}

static void callbacks_are_called_before(struct kunit *test)
{
	call_after_callbacks(test, 1, 0);
}

static void callbacks_get_registers(struct kunit *test)
{
	call_after_callbacks(test, 2, FTRACE_OPS_FL_SAVE_REGS);
}

static void callbacks_get_arguments_only(struct kunit *test)
{
	call_after_callbacks(test, 2, FTRACE_OPS_FL_ARGS_ONLY);
}

static void without_a_trampoline(struct kunit *test)
{
	call_after_callbacks(test, NR_CALLBACKS, 0);
}

static void without_a_trampoline_with_registers(struct kunit *test)
{
	call_after_callbacks(test, NR_CALLBACKS, FTRACE_OPS_FL_SAVE_REGS);
}

static void address_is_modified(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, -EINVAL, modify_ftrace_direct(&direct, COUNT_TOO_ADDR));
	register_direct(test);
	KUNIT_EXPECT_EQ(test, -EINVAL, modify_ftrace_direct(&direct, 0));
	KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(&direct, COUNT_TOO_ADDR));
	KUNIT_EXPECT_EQ(test, COUNT_TOO_ADDR, ftrace_find_rec_direct(site));
	expect_calls(test, 0, 0, 1);
	register_callbacks(test, 2, 0);
	expect_calls(test, 2, 0, 1);
	KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(&direct, COUNT_ADDR));
	expect_calls(test, 2, 1, 0);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(&direct, COUNT_ADDR, false));
	expect_calls(test, 2, 0, 0);
}

/* Does what the sysctl kernel.ftrace_enabled does. */
static void switch_tracing(struct kunit *test, bool on)
{
	guard(mutex)(&ftrace_lock);
	KUNIT_ASSERT_EQ(test, 0, on ? ops_resume_all() : ops_suspend_all());
	ops_set_enabled(on);
}

static void address_is_modified_while_tracing_is_off(struct kunit *test)
{
	register_direct(test);
	switch_tracing(test, false);
	KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(&direct, COUNT_TOO_ADDR));
	expect_calls(test, 0, 0, 0);
	switch_tracing(test, true);
	expect_calls(test, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, COUNT_TOO_ADDR, ftrace_find_rec_direct(site));
}

static void functions_have_one_direct_call(struct kunit *test)
{
	register_direct(test);
	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_direct(&direct, COUNT_ADDR));
	select_target(test, &direct_too, site);
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_direct(&direct_too, COUNT_TOO_ADDR));
	KUNIT_EXPECT_EQ(test, -EINVAL, modify_ftrace_direct(&direct_too, COUNT_TOO_ADDR));
	KUNIT_EXPECT_EQ(test, -EINVAL, unregister_ftrace_direct(&direct_too, COUNT_TOO_ADDR,
								false));
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ip(&direct_too, site_too, 0, 1));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_direct(&direct_too, COUNT_TOO_ADDR));
	KUNIT_EXPECT_EQ(test, -EBUSY, ftrace_set_filter_ip(&direct_too, site, 0, 0));
	expect_calls(test, 0, 1, 0);
	/* The address that is modified is that of one ops, not that of the other. */
	KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(&direct, COUNT_TOO_ADDR));
	KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(&direct_too, COUNT_ADDR));
	KUNIT_EXPECT_EQ(test, COUNT_TOO_ADDR, ftrace_find_rec_direct(site));
	KUNIT_EXPECT_EQ(test, COUNT_ADDR, ftrace_find_rec_direct(site_too));
}

static void wrong_ops_are_refused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_direct(&direct_too, COUNT_ADDR));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_direct(&direct, 0));
	direct.func = count_callback;
	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_direct(&direct, COUNT_ADDR));
	direct.func = NULL;
	KUNIT_EXPECT_EQ(test, -EINVAL, unregister_ftrace_direct(&direct, COUNT_ADDR, false));
	register_direct(test);
}

/* ------------------------------------------------------------------ */
/* Sharing a function with an ops that modifies the instruction pointer	*/

static unsigned int requests[FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER + 1];
static int answer;
static bool modifies;

static int answer_request(struct ftrace_ops *op, enum ftrace_ops_cmd cmd)
{
	requests[cmd]++;
	if (cmd == FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER && modifies)
		return modify_ftrace_direct_nolock(op, COUNT_TOO_ADDR);
	return answer;
}

static void expect_requests(struct kunit *test, unsigned int self, unsigned int peer,
			    unsigned int end)
{
	KUNIT_EXPECT_EQ(test, self, requests[FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF]);
	KUNIT_EXPECT_EQ(test, peer, requests[FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER]);
	KUNIT_EXPECT_EQ(test, end, requests[FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER]);
	memset(requests, 0, sizeof(requests));
}

static void prepare_sharing(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		kunit_skip(test, "no ops can modify the instruction pointer");
	memset(requests, 0, sizeof(requests));
	answer = 0;
	modifies = false;
	direct.ops_func = answer_request;
	callbacks[0].flags = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS;
	select_target(test, &callbacks[0], site);
}

static void modifier_comes_second(struct kunit *test)
{
	prepare_sharing(test);
	register_direct(test);
	expect_requests(test, 0, 0, 0);
	answer = -EAGAIN;
	KUNIT_EXPECT_EQ(test, -EAGAIN, register_ftrace_function(&callbacks[0]));
	expect_requests(test, 0, 1, 0);
	expect_calls(test, 0, 1, 0);
	modifies = true;
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(&callbacks[0]));
	expect_requests(test, 0, 1, 0);
	expect_calls(test, 1, 0, 1);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(&callbacks[0]));
	expect_requests(test, 0, 0, 1);
	expect_calls(test, 0, 0, 1);
}

static void direct_call_comes_second(struct kunit *test)
{
	prepare_sharing(test);
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&callbacks[0]));
	answer = -EAGAIN;
	KUNIT_EXPECT_EQ(test, -EAGAIN, register_ftrace_direct(&direct, COUNT_ADDR));
	expect_requests(test, 1, 0, 0);
	expect_calls(test, 1, 0, 0);
	answer = 0;
	register_direct(test);
	expect_requests(test, 1, 0, 0);
	expect_calls(test, 1, 1, 0);
}

static void who_cannot_be_asked_is_busy(struct kunit *test)
{
	prepare_sharing(test);
	direct.ops_func = NULL;
	register_direct(test);
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(&callbacks[0]));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(&direct, COUNT_ADDR, false));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&callbacks[0]));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_direct(&direct, COUNT_ADDR));
	expect_calls(test, 1, 0, 0);
}

/* If two direct calls are asked and the second refuses, the first gets back what it had. */
static void all_agree_or_none(struct kunit *test)
{
	prepare_sharing(test);
	register_direct(test);
	select_target(test, &direct_too, site_too);
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(&direct_too, COUNT_TOO_ADDR));
	select_target(test, &callbacks[0], site_too);
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(&callbacks[0]));
	expect_requests(test, 0, 1, 1);
}

static void registered_modifier_gets_no_direct_call(struct kunit *test)
{
	prepare_sharing(test);
	register_direct(test);
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ip(&callbacks[0], site_too, 0, 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&callbacks[0]));
	KUNIT_EXPECT_EQ(test, -EBUSY, ftrace_set_filter_ip(&callbacks[0], site, 0, 0));
	expect_requests(test, 0, 0, 0);
	expect_calls(test, 0, 1, 0);
}

/* ------------------------------------------------------------------ */
/* Calls during a change						*/

/* Call the target until the thread is stopped.  Return: number of calls. */
static int call_all_the_time(void *data)
{
	int calls = 0;

	for (; !kthread_should_stop(); calls++) {
		ftrace_direct_target(1, 2, 3);
		cond_resched();
	}
	return calls;
}

static void each_call_is_counted_once(struct kunit *test)
{
	struct task_struct *thread;
	int calls;

	register_direct(test);
	WRITE_ONCE(direct_kunit_hits, 0);
	WRITE_ONCE(direct_kunit_hits_too, 0);
	thread = kthread_run(call_all_the_time, NULL, "direct_kunit");
	KUNIT_ASSERT_FALSE(test, IS_ERR(thread));
	for (unsigned int i = 0; i < 50; i++) {
		KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(&direct, i & 1 ? COUNT_ADDR :
									COUNT_TOO_ADDR));
		if (i == 20)
			register_callbacks(test, 1, 0);
		if (i == 40)
			KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(&callbacks[0]));
	}
	calls = kthread_stop(thread);
	KUNIT_EXPECT_EQ(test, calls, (int)(direct_kunit_hits + direct_kunit_hits_too));
}

static struct kunit_case direct_cases[] = {
	KUNIT_CASE(site_calls_the_address),
	KUNIT_CASE(ops_can_have_a_callback_afterwards),
	KUNIT_CASE(callbacks_are_called_before),
	KUNIT_CASE(callbacks_get_registers),
	KUNIT_CASE(callbacks_get_arguments_only),
	KUNIT_CASE(without_a_trampoline),
	KUNIT_CASE(without_a_trampoline_with_registers),
	KUNIT_CASE(address_is_modified),
	KUNIT_CASE(address_is_modified_while_tracing_is_off),
	KUNIT_CASE(functions_have_one_direct_call),
	KUNIT_CASE(wrong_ops_are_refused),
	KUNIT_CASE(modifier_comes_second),
	KUNIT_CASE(direct_call_comes_second),
	KUNIT_CASE(who_cannot_be_asked_is_busy),
	KUNIT_CASE(all_agree_or_none),
	KUNIT_CASE(registered_modifier_gets_no_direct_call),
	KUNIT_CASE_SLOW(each_call_is_counted_once),
	{}
};

static int direct_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("ftrace_direct_target*");
}

static struct kunit_suite direct_suite = {
	.name		= "ftrace_direct",
	.suite_init	= direct_suite_init,
	.init		= direct_test_init,
	.exit		= direct_test_exit,
	.test_cases	= direct_cases,
};

kunit_test_suite(direct_suite);
