// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of graph/: entries and returns, data that is kept in between, and the stacks of tasks
 * (SPEC T3).
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "count.h"
#include "graph.h"
#include "graph_targets.h"
#include "stacks.h"

#define NR_SEEN	8

/**
 * struct graph_watch - a user, and what it has seen
 * @gops: the user
 * @declines: the user declines all calls
 * @reserve: number of bytes to reserve for each call
 * @kept: the reserved data was found unchanged at the return
 * @refused: the data could not be reserved
 * @var: the user's word of the task at the last entry
 * @entries: number of entries
 * @returns: number of returns
 * @ent: the first entries
 * @ret: the first returns
 *
 * Ignores calls of other tasks than the one that runs the test.
 */
struct graph_watch {
	struct fgraph_ops	gops;
	bool			declines;
	int			reserve;
	bool			kept;
	bool			refused;
	unsigned long		var;
	unsigned int		entries;
	unsigned int		returns;
	struct ftrace_graph_ent	ent[NR_SEEN];
	struct ftrace_graph_ret	ret[NR_SEEN];
};

static struct task_struct *test_task;
static struct graph_watch watch, other;
static struct kunit *current_test;

static void keep(struct graph_watch *w)
{
	void *data = fgraph_reserve_data(w->gops.idx, w->reserve);

	if (data)
		memset(data, w->gops.idx + 1, w->reserve);
	else
		w->refused = true;
}

static bool was_kept(struct graph_watch *w)
{
	int size;
	u8 *data = fgraph_retrieve_data(w->gops.idx, &size);

	return data && size >= w->reserve &&
	       !memchr_inv(data, w->gops.idx + 1, w->reserve);
}

static int watch_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	struct graph_watch *w = container_of(gops, struct graph_watch, gops);

	if (current != test_task)
		return 0;
	if (w->entries < NR_SEEN)
		w->ent[w->entries] = *trace;
	w->entries++;
	w->var = (*fgraph_get_task_var(gops))++;
	if (w->reserve)
		keep(w);
	return !w->declines;
}

static void watch_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	struct graph_watch *w = container_of(gops, struct graph_watch, gops);

	if (w->returns < NR_SEEN)
		w->ret[w->returns] = *trace;
	w->returns++;
	w->kept = w->reserve && was_kept(w);
}

static void watch_begin(struct graph_watch *w, char *glob)
{
	KUNIT_ASSERT_EQ(current_test, 0,
			ftrace_set_filter(&w->gops.ops, (u8 *)glob, strlen(glob), 1));
	KUNIT_ASSERT_EQ(current_test, 0, register_ftrace_graph(&w->gops));
}

static void watch_reset(struct graph_watch *w)
{
	*w = (struct graph_watch) {
		.gops = { .entryfunc = watch_entry, .retfunc = watch_return },
	};
}

static int graph_test_init(struct kunit *test)
{
	ftrace_skip_if_traced(test, ftrace_graph_target);
	current_test = test;
	test_task = current;
	watch_reset(&watch);
	watch_reset(&other);
	return 0;
}

static void graph_test_exit(struct kunit *test)
{
	unregister_ftrace_graph(&watch.gops);
	unregister_ftrace_graph(&other.gops);
	ftrace_free_filter(&watch.gops.ops);
	ftrace_free_filter(&other.gops.ops);
}

static unsigned long func_at(unsigned long ip)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(ip, &size, &offset) ? ip - offset : 0;
}

/* ------------------------------------------------------------------ */
/* Entries and returns							*/

static void sees_entry_and_return(struct kunit *test)
{
	watch_begin(&watch, "ftrace_graph_target*");
	KUNIT_EXPECT_EQ(test, 42, ftrace_graph_target_outer(NULL, 42));
	KUNIT_EXPECT_EQ(test, 2, watch.entries);
	KUNIT_EXPECT_EQ(test, 2, watch.returns);
	KUNIT_EXPECT_EQ(test, (unsigned long)ftrace_graph_target_outer,
			func_at(watch.ent[0].func));
	KUNIT_EXPECT_EQ(test, (unsigned long)ftrace_graph_target, func_at(watch.ent[1].func));
	KUNIT_EXPECT_EQ(test, 0, watch.ent[0].depth);
	KUNIT_EXPECT_EQ(test, 1, watch.ent[1].depth);
	/* The inner one returns first. */
	KUNIT_EXPECT_EQ(test, watch.ent[1].func, watch.ret[0].func);
	KUNIT_EXPECT_EQ(test, watch.ent[0].func, watch.ret[1].func);
	KUNIT_EXPECT_EQ(test, 1, watch.ret[0].depth);
	KUNIT_EXPECT_EQ(test, 0, watch.ret[1].depth);
	KUNIT_EXPECT_LE(test, watch.ret[1].calltime, watch.ret[0].calltime);
	KUNIT_EXPECT_LE(test, watch.ret[0].calltime, watch.ret[0].rettime);
	KUNIT_EXPECT_LE(test, watch.ret[0].rettime, watch.ret[1].rettime);
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_RETVAL))
		KUNIT_EXPECT_EQ(test, 42, ftrace_graph_retval(&watch.ret[0]));
}

static void all_that_is_returned(struct kunit *test)
{
	struct graph_pair pair;

	watch_begin(&watch, "ftrace_graph_target*");
	pair = ftrace_graph_target_pair(3, 4);
	KUNIT_EXPECT_EQ(test, 1, watch.returns);
	KUNIT_EXPECT_EQ(test, 3, pair.a);
	KUNIT_EXPECT_EQ(test, 4, pair.b);
}

static void jump_in_place_of_a_call(struct kunit *test)
{
	watch_begin(&watch, "ftrace_graph_target*");
	watch_begin(&other, "ftrace_graph_target");
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target_tail_call(NULL, 6));
	KUNIT_EXPECT_EQ(test, 8, ftrace_graph_target_tail_call(NULL, 7));
	KUNIT_EXPECT_EQ(test, 4, watch.returns);
	KUNIT_EXPECT_EQ(test, 2, other.returns);
	KUNIT_EXPECT_EQ(test, watch.ent[0].func, watch.ret[1].func);
	KUNIT_EXPECT_EQ(test, watch.ent[1].func, watch.ret[0].func);
	KUNIT_EXPECT_EQ(test, 0, current->curr_ret_stack);
}

static void declined_is_not_told(struct kunit *test)
{
	watch.declines = true;
	watch_begin(&watch, "ftrace_graph_target*");
	KUNIT_EXPECT_EQ(test, 42, ftrace_graph_target_outer(NULL, 42));
	KUNIT_EXPECT_EQ(test, 2, watch.entries);
	KUNIT_EXPECT_EQ(test, 0, watch.returns);
	/* A call without users does not count in the depth. */
	KUNIT_EXPECT_EQ(test, 0, watch.ent[1].depth);
}

static void two_users_share_a_call(struct kunit *test)
{
	watch_begin(&watch, "ftrace_graph_target*");
	watch_begin(&other, "ftrace_graph_target");
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target_outer(NULL, 7));
	KUNIT_EXPECT_EQ(test, 2, watch.returns);
	KUNIT_EXPECT_EQ(test, 1, other.entries);
	KUNIT_EXPECT_EQ(test, 1, other.returns);
	KUNIT_EXPECT_EQ(test, 1, other.ent[0].depth);
	KUNIT_EXPECT_EQ(test, watch.ret[0].calltime, other.ret[0].calltime);
}

static void one_of_two_declines(struct kunit *test)
{
	watch.reserve = 8;
	other.reserve = 8;
	other.declines = true;
	watch_begin(&watch, "ftrace_graph_target");
	watch_begin(&other, "ftrace_graph_target");
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target(NULL, 7));
	KUNIT_EXPECT_EQ(test, 1, watch.returns);
	KUNIT_EXPECT_TRUE(test, watch.kept);
	KUNIT_EXPECT_EQ(test, 1, other.entries);
	KUNIT_EXPECT_EQ(test, 0, other.returns);
}

static void filter_is_obeyed(struct kunit *test)
{
	watch_begin(&watch, "ftrace_graph_target_outer");
	ftrace_graph_target_outer(NULL, 7);
	KUNIT_EXPECT_EQ(test, 1, watch.entries);
	unregister_ftrace_graph(&watch.gops);
	ftrace_graph_target_outer(NULL, 7);
	KUNIT_EXPECT_EQ(test, 1, watch.entries);
}

/* ------------------------------------------------------------------ */
/* What is kept								*/

static void data_are_kept(struct kunit *test)
{
	watch.reserve = 100;
	other.reserve = 12;
	watch_begin(&watch, "ftrace_graph_target*");
	watch_begin(&other, "ftrace_graph_target*");
	ftrace_graph_target_outer(NULL, 7);
	KUNIT_EXPECT_EQ(test, 2, watch.returns);
	KUNIT_EXPECT_TRUE(test, watch.kept);
	KUNIT_EXPECT_TRUE(test, other.kept);
	KUNIT_EXPECT_FALSE(test, watch.refused);
}

static void too_much_is_refused(struct kunit *test)
{
	watch.reserve = GRAPH_CALL_WORDS_MAX * sizeof(long);
	watch_begin(&watch, "ftrace_graph_target");
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target(NULL, 7));
	KUNIT_EXPECT_TRUE(test, watch.refused);
	KUNIT_EXPECT_EQ(test, 1, watch.returns);
}

static void word_begins_as_zero(struct kunit *test)
{
	int i;

	for (i = 0; i < GRAPH_USERS + 1; i++) {
		watch_begin(&watch, "ftrace_graph_target");
		ftrace_graph_target(NULL, 7);
		KUNIT_EXPECT_EQ(test, 0, watch.var);
		ftrace_graph_target(NULL, 7);
		KUNIT_EXPECT_EQ(test, 1, watch.var);
		unregister_ftrace_graph(&watch.gops);
	}
}

/* ------------------------------------------------------------------ */
/* Unusual cases							*/

static void too_deep_is_counted(struct kunit *test)
{
	int before = atomic_read(&current->trace_overrun);

	watch_begin(&watch, "ftrace_graph_target_deep");
	KUNIT_EXPECT_EQ(test, 300, ftrace_graph_target_deep(300));
	KUNIT_EXPECT_EQ(test, watch.entries, watch.returns);
	KUNIT_EXPECT_GT(test, watch.entries, 40);
	KUNIT_EXPECT_EQ(test, 301, watch.entries + atomic_read(&current->trace_overrun) - before);
}

/* Push a call as if a function had been entered with its return address at @retp, and abandoned. */
static void leave(unsigned long *retp)
{
	struct ftrace_ret_stack *call;

	preempt_disable_notrace();
	call = graph_push_call(current, graph_newest_call(current),
			       &(const u32){ graph_users_to_head(0) });
	*call = (struct ftrace_ret_stack) {
		.ret = 1, .func = 2, .retp = retp,
		.words = call->words, .below = call->below,
	};
	preempt_enable_notrace();
}

static noinline void leave_here(void)
{
	unsigned long here = 0;

	leave(&here);
	OPTIMIZER_HIDE_VAR(here);
}

static void leave_two(void)
{
	unsigned long elsewhere;

	leave_here();
	leave(&elsewhere + THREAD_SIZE);
}

static void left_calls_are_over(struct kunit *test)
{
	watch_begin(&watch, "ftrace_graph_target*");
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target_outer(leave_two, 7));
	KUNIT_EXPECT_EQ(test, 2, watch.returns);
	KUNIT_EXPECT_EQ(test, 1, watch.ret[0].depth);
	KUNIT_EXPECT_EQ(test, 0, current->curr_ret_stack);
	KUNIT_EXPECT_EQ(test, 0, current->curr_ret_depth);
}

/* On MIPS, a function in the place of sys_sigreturn(): older calls never return. */
static void left_first_are_over(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_MIPS))
		kunit_skip(test, "returns by which the older one is known");
	watch_begin(&watch, "ftrace_graph_target*");
	for (int i = 0; i < 200; i++) {
		leave_here();
		KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target_outer(NULL, 7));
		KUNIT_EXPECT_EQ(test, 0, current->curr_ret_stack);
	}
	KUNIT_EXPECT_EQ(test, 400, watch.returns);
}

static void end_watch(void)
{
	unregister_ftrace_graph(&watch.gops);
}

/* Unregister the user, and register others until one gets its index. */
static void end_watch_and_go_round(void)
{
	int i;

	end_watch();
	for (i = 0; i < GRAPH_USERS; i++) {
		watch_begin(&other, "ftrace_graph_target_deep");
		if (other.gops.idx == watch.gops.idx)
			break;
		unregister_ftrace_graph(&other.gops);
	}
}

static void user_goes_meanwhile(struct kunit *test)
{
	watch_begin(&watch, "ftrace_graph_target*");
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target_outer(end_watch, 7));
	KUNIT_EXPECT_EQ(test, 2, watch.entries);
	KUNIT_EXPECT_EQ(test, 0, watch.returns);
}

static void next_user_is_not_told(struct kunit *test)
{
	watch_begin(&watch, "ftrace_graph_target*");
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target_outer(end_watch_and_go_round, 7));
	KUNIT_EXPECT_EQ(test, watch.gops.idx, other.gops.idx);
	KUNIT_EXPECT_EQ(test, 0, watch.returns);
	KUNIT_EXPECT_EQ(test, 0, other.returns);
}

static void task_without_stack(struct kunit *test)
{
	unsigned long before = graph_count_missed_calls();
	unsigned long *stack;

	watch_begin(&watch, "ftrace_graph_target");
	stack = xchg(&current->ret_stack, NULL);
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target(NULL, 7));
	KUNIT_EXPECT_EQ(test, 0, watch.entries);
	KUNIT_EXPECT_EQ(test, before + 1, graph_count_missed_calls());
	KUNIT_EXPECT_GT(test, graph_count_stacks(), 0);
	/* The task gets another stack. */
	for (int i = 0; i < 100 && !READ_ONCE(current->ret_stack); i++)
		msleep(100);
	KUNIT_EXPECT_NOT_NULL(test, current->ret_stack);
	ftrace_graph_target(NULL, 7);
	KUNIT_EXPECT_EQ(test, 1, watch.returns);
	kfree(stack);
}

/* An interrupt for each call would leave no time for other work. */
static void asks_for_a_stack_once(struct kunit *test)
{
	unsigned int before = graph_count_stack_requests();
	unsigned long *stack, *given;
	unsigned int nr_given = 0;

	watch_begin(&watch, "ftrace_graph_target");
	for (int i = 0; i < 5; i++) {
		stack = xchg(&current->ret_stack, NULL);
		ftrace_graph_target(NULL, 7);
		msleep(20);
		given = xchg(&current->ret_stack, stack);
		nr_given += !!given;
		kfree(given);
	}
	KUNIT_EXPECT_LE(test, graph_count_stack_requests(), before + 1 + nr_given);
	KUNIT_EXPECT_EQ(test, 0, watch.entries);
}

static void paused_is_not_seen(struct kunit *test)
{
	watch_begin(&watch, "ftrace_graph_target");
	pause_graph_tracing();
	ftrace_graph_target(NULL, 7);
	unpause_graph_tracing();
	KUNIT_EXPECT_EQ(test, 0, watch.entries);
	ftrace_graph_target(NULL, 7);
	KUNIT_EXPECT_EQ(test, 1, watch.entries);
}

/* Tasks that sleep in a call lose their stack as well, after their return. */
static void memory_is_given_back(struct kunit *test)
{
	watch_begin(&watch, "ftrace_graph_target");
	KUNIT_EXPECT_NOT_NULL(test, current->ret_stack);
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target(end_watch, 7));
	for (int i = 0; i < 1200 && READ_ONCE(current->ret_stack); i++)
		msleep(100);
	KUNIT_EXPECT_NULL(test, current->ret_stack);
}

#ifdef CONFIG_KPROBES
static int pass(struct kprobe *at, struct pt_regs *regs)
{
	return 0;
}

/* The prologue that shows which call returns may contain a breakpoint. */
static void left_calls_beside_a_probe(struct kunit *test)
{
	struct kprobe beside = {
		.symbol_name = "ftrace_graph_target_outer",
		.pre_handler = pass,
	};

	KUNIT_ASSERT_EQ(test, 0, register_kprobe(&beside));
	left_calls_are_over(test);
	unregister_kprobe(&beside);
}
#endif

static int graph_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("ftrace_graph_target*");
}

static struct kunit_case graph_cases[] = {
	KUNIT_CASE(sees_entry_and_return),
	KUNIT_CASE(all_that_is_returned),
	KUNIT_CASE(jump_in_place_of_a_call),
	KUNIT_CASE(declined_is_not_told),
	KUNIT_CASE(two_users_share_a_call),
	KUNIT_CASE(one_of_two_declines),
	KUNIT_CASE(filter_is_obeyed),
	KUNIT_CASE(data_are_kept),
	KUNIT_CASE(too_much_is_refused),
	KUNIT_CASE(word_begins_as_zero),
	KUNIT_CASE(too_deep_is_counted),
	KUNIT_CASE(left_calls_are_over),
	KUNIT_CASE(left_first_are_over),
	KUNIT_CASE(user_goes_meanwhile),
	KUNIT_CASE(next_user_is_not_told),
	KUNIT_CASE(task_without_stack),
	KUNIT_CASE(asks_for_a_stack_once),
	KUNIT_CASE(paused_is_not_seen),
	KUNIT_CASE(memory_is_given_back),
#ifdef CONFIG_KPROBES
	KUNIT_CASE(left_calls_beside_a_probe),
#endif
	{ }
};

static struct kunit_suite graph_suite = {
	.name		= "ftrace_graph",
	.suite_init	= graph_suite_init,
	.init		= graph_test_init,
	.exit		= graph_test_exit,
	.test_cases	= graph_cases,
};

kunit_test_suite(graph_suite);
