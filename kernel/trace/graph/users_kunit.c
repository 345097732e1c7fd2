// SPDX-License-Identifier: GPL-2.0
/* Tests of graph/: several users of one call, the notifications of each, and their order. */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch_return.h>
#include <linux/ftrace_kunit.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/processor.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "graph.h"
#include "graph_targets.h"
#include "guard/guard.h"
#include "users.h"

/* More users than have a bit of their own. */
#define NR_MANY	(GRAPH_USERS + 24)

/**
 * struct graph_one - a user
 * @gops: the user
 * @declines: number of calls that the user still declines
 * @entries: number of calls of the entryfunc
 * @returns: number of returns that were reported
 * @lefts: number of calls that were reported as abandoned
 * @kept: reserved data was found unchanged each time
 * @calltime: calltime of the last call whose return was reported
 *
 * Declines calls of other tasks than the one that runs the test.
 */
struct graph_one {
	struct fgraph_ops	gops;
	int			declines;
	unsigned int		entries;
	unsigned int		returns;
	unsigned int		lefts;
	bool			kept;
	u64			calltime;
};

static struct graph_one many[NR_MANY];
static struct task_struct *test_task;

static struct graph_one *one_of(struct fgraph_ops *gops)
{
	return container_of(gops, struct graph_one, gops);
}

static int one_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	struct graph_one *one = one_of(gops);
	unsigned long *data;

	if (current != test_task)
		return 0;
	one->entries++;
	if (one->declines-- > 0)
		return 0;
	data = fgraph_reserve_data(gops->idx, sizeof(*data));
	if (data)
		*data = gops->idx;
	return 1;
}

static void one_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	struct graph_one *one = one_of(gops);
	unsigned long *data = fgraph_retrieve_data(gops->idx, NULL);

	one->returns++;
	one->kept = one->kept && data && *data == gops->idx;
	one->calltime = trace->calltime;
}

static void one_left(struct fgraph_ops *gops, struct task_struct *task,
		     const struct ftrace_ret_stack *call)
{
	if (task == test_task)
		one_of(gops)->lefts++;
}

static int one_begin(struct graph_one *one, char *glob)
{
	int ret = ftrace_set_filter(&one->gops.ops, (u8 *)glob, strlen(glob), 1);

	return ret ?: register_ftrace_graph(&one->gops);
}

static void one_end(struct graph_one *one)
{
	unregister_ftrace_graph(&one->gops);
	ftrace_free_filter(&one->gops.ops);
}

static int users_test_init(struct kunit *test)
{
	ftrace_skip_if_traced(test, ftrace_graph_target);
	test_task = current;
	for (unsigned int i = 0; i < NR_MANY; i++)
		many[i] = (struct graph_one) {
			.gops = { .entryfunc = one_entry, .retfunc = one_return,
				  .abandoned = one_left },
			.kept = true,
		};
	return 0;
}

static void users_test_exit(struct kunit *test)
{
	for (unsigned int i = 0; i < NR_MANY; i++)
		one_end(&many[i]);
}

/* ------------------------------------------------------------------ */
/* Many users								*/

static void expect_all(struct kunit *test, unsigned int from, unsigned int entries,
		       unsigned int returns)
{
	for (unsigned int i = from; i < NR_MANY; i++) {
		KUNIT_EXPECT_EQ_MSG(test, entries, many[i].entries, "user %u", i);
		KUNIT_EXPECT_EQ_MSG(test, returns, many[i].returns, "user %u", i);
		KUNIT_EXPECT_TRUE_MSG(test, many[i].kept, "user %u", i);
	}
}

/* Users without a bit of their own are notified of each of their calls once, too. */
static void each_of_many_is_told(struct kunit *test)
{
	for (unsigned int i = 0; i < NR_MANY; i++)
		KUNIT_ASSERT_EQ(test, 0, one_begin(&many[i], "ftrace_graph_target"));
	KUNIT_EXPECT_GT(test, many[NR_MANY - 1].gops.idx, GRAPH_SHARED_BIT);
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target(NULL, 7));
	expect_all(test, 0, 1, 1);
	KUNIT_EXPECT_EQ(test, 8, ftrace_graph_target_outer(NULL, 8));
	expect_all(test, 0, 2, 2);
	KUNIT_EXPECT_EQ(test, 0, current->curr_ret_stack);
}

static void one_of_many_declines(struct kunit *test)
{
	struct graph_one *one = &many[NR_MANY - 2];

	for (unsigned int i = 0; i < NR_MANY; i++)
		KUNIT_ASSERT_EQ(test, 0, one_begin(&many[i], "ftrace_graph_target"));
	one->declines = 1;
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target(NULL, 7));
	KUNIT_EXPECT_EQ(test, 0, one->returns);
	KUNIT_EXPECT_EQ(test, 1, many[NR_MANY - 1].returns);
	KUNIT_EXPECT_TRUE(test, many[NR_MANY - 1].kept);
	KUNIT_EXPECT_EQ(test, 8, ftrace_graph_target(NULL, 8));
	KUNIT_EXPECT_EQ(test, 1, one->returns);
}

static void end_later_half(void)
{
	for (unsigned int i = NR_MANY / 2; i < NR_MANY; i++)
		unregister_ftrace_graph(&many[i].gops);
}

static void many_go_meanwhile(struct kunit *test)
{
	for (unsigned int i = 0; i < NR_MANY; i++)
		KUNIT_ASSERT_EQ(test, 0, one_begin(&many[i], "ftrace_graph_target"));
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target(end_later_half, 7));
	expect_all(test, NR_MANY / 2, 1, 0);
	KUNIT_EXPECT_EQ(test, 1, many[0].returns);
	KUNIT_EXPECT_EQ(test, 1, many[NR_MANY / 2 - 1].returns);
}

/* Users that nothing calls, in static memory: their removal has no grace period. */
#define NR_IDLE	1024
static struct fgraph_ops idle[NR_IDLE];

static unsigned int begin_until_refused(int *ret)
{
	unsigned int i = 0;

	for (*ret = 0; i < NR_IDLE && !*ret; i++) {
		idle[i] = (struct fgraph_ops) { .ops.flags = FTRACE_OPS_FL_STUB };
		*ret = register_ftrace_graph(&idle[i]);
	}
	return i - !!*ret;
}

static void too_many_are_refused(struct kunit *test)
{
	unsigned int nr;
	int ret;

	graph_limit_idxs(NR_IDLE);
	nr = begin_until_refused(&ret);
	KUNIT_EXPECT_EQ(test, -ENOSPC, ret);
	KUNIT_EXPECT_GT(test, nr, NR_IDLE - GRAPH_USERS - 1);
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_graph(&idle[0]));
	/* There is still room for users that are part of the tracer. */
	many[0].gops.notify = graph_notify_sharers;
	KUNIT_EXPECT_EQ(test, 0, one_begin(&many[0], "ftrace_graph_target"));
	for (unsigned int i = 0; i < nr; i++)
		unregister_ftrace_graph(&idle[i]);
	graph_limit_idxs(GRAPH_IDX_MAX);
}

/* ------------------------------------------------------------------ */
/* A number that a callback still uses					*/

static struct fgraph_ops held, next;
static struct task_struct *held_task;
static bool is_held, let_go;
static DECLARE_COMPLETION(number_given);

/* Replaces graph_default_callback(), on the way to which a task may be preempted. */
static void held_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		      struct ftrace_regs *fregs)
{
	if (READ_ONCE(held_task) != current)
		return;
	WRITE_ONCE(is_held, true);
	while (!READ_ONCE(let_go))
		cpu_relax();
	WRITE_ONCE(is_held, false);
}

static int held_thread(void *unused)
{
	WRITE_ONCE(held_task, current);
	ftrace_graph_target(NULL, 7);
	WRITE_ONCE(held_task, NULL);
	return 0;
}

/*
 * Register users until one gets the number of @held. Store whether a callback of @held was
 * running then.
 */
static int number_thread(void *was_held)
{
	unsigned int turns = 0;
	int ret;

	do {
		next = (struct fgraph_ops) { .ops.flags = FTRACE_OPS_FL_STUB };
		ret = register_ftrace_graph(&next);
		WRITE_ONCE(*(bool *)was_held, READ_ONCE(is_held));
		unregister_ftrace_graph(&next);
	} while (!ret && next.idx != held.idx && turns++ < NR_IDLE);
	complete(&number_given);
	return ret;
}

static void hold_in_callback(struct kunit *test)
{
	struct task_struct *task;

	WRITE_ONCE(let_go, false);
	task = kthread_run(held_thread, NULL, "ftrace_kunit_held");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	while (!READ_ONCE(is_held))
		msleep(20);
}

/* The removal of a user in static memory has no grace period, but the reuse of its number has. */
static void number_waits_for_callbacks(struct kunit *test)
{
	struct task_struct *task;
	bool was_held = false;

	if (!IS_ENABLED(CONFIG_PREEMPTION))
		kunit_skip(test, "no callback is preempted");
	held = (struct fgraph_ops) { .ops.func = held_call };
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&held.ops, (u8 *)"ftrace_graph_target",
						   strlen("ftrace_graph_target"), 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_graph(&held));
	hold_in_callback(test);
	unregister_ftrace_graph(&held);
	reinit_completion(&number_given);
	task = kthread_run(number_thread, &was_held, "ftrace_kunit_number");
	KUNIT_EXPECT_FALSE(test, IS_ERR(task));
	if (!IS_ERR(task))
		KUNIT_EXPECT_EQ(test, 0, wait_for_completion_timeout(&number_given, HZ));
	WRITE_ONCE(let_go, true);
	if (!IS_ERR(task))
		wait_for_completion(&number_given);
	while (READ_ONCE(held_task))
		msleep(20);
	KUNIT_EXPECT_FALSE(test, was_held);
	KUNIT_EXPECT_EQ(test, next.idx, held.idx);
	ftrace_free_filter(&held.ops);
}

/* ------------------------------------------------------------------ */
/* Two users of one call						*/

/*
 * A function makes a tail call to itself. The first user has declined the call, and is asked
 * again: for that user, a new call has begun.
 */
static void jump_to_itself_is_a_new_call(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, one_begin(&many[0], "ftrace_graph_target_tail_recursion"));
	KUNIT_ASSERT_EQ(test, 0, one_begin(&many[1], "ftrace_graph_target_tail_recursion"));
	many[0].declines = 1;
	KUNIT_EXPECT_EQ(test, 1, ftrace_graph_target_tail_recursion(1, 0));
	KUNIT_EXPECT_EQ(test, 2, many[0].entries);
	KUNIT_EXPECT_EQ(test, 2, many[1].entries);
	KUNIT_EXPECT_EQ(test, 1, many[0].returns);
	KUNIT_EXPECT_EQ(test, 2, many[1].returns);
	/*
	 * The last return reported to many[1] is that of the first call, which many[0] was not
	 * in.
	 */
	KUNIT_EXPECT_LT(test, many[1].calltime, many[0].calltime);
	KUNIT_EXPECT_EQ(test, 0, current->curr_ret_stack);
}

static u64 first_asked;

/* Entry function of both users; the first call of it stores its time. */
static int slow_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	u64 asked = trace_clock_local();

	if (current != test_task)
		return 0;
	first_asked = first_asked ?: asked;
	while (trace_clock_local() - asked < 100 * NSEC_PER_USEC)
		cpu_relax();
	return 1;
}

/* The calltime precedes the first entry function, however long that takes. */
static void call_begins_once(struct kunit *test)
{
	first_asked = 0;
	for (unsigned int i = 0; i < 2; i++) {
		many[i].gops.entryfunc = slow_entry;
		KUNIT_ASSERT_EQ(test, 0, one_begin(&many[i], "ftrace_graph_target"));
	}
	ftrace_graph_target(NULL, 7);
	KUNIT_EXPECT_EQ(test, many[0].calltime, many[1].calltime);
	KUNIT_EXPECT_LE(test, many[0].calltime, first_asked);
}

/* ------------------------------------------------------------------ */
/* Calls that are left							*/

/*
 * Push a call as if a function of the user had been entered with its return address at @retp,
 * and abandoned.
 */
static void leave(unsigned long *retp)
{
	struct ftrace_ret_stack *call;

	preempt_disable_notrace();
	call = graph_push_call(current, graph_newest_call(current), &many[0].gops.head);
	call->ret = 1;
	call->func = 2;
	call->seq = READ_ONCE(graph_seq);
	call->retp = retp;
	preempt_enable_notrace();
}

static void leave_above(void)
{
	unsigned long elsewhere;

	leave(&elsewhere + THREAD_SIZE);
	leave(&elsewhere + THREAD_SIZE);
}

static void left_are_told(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, one_begin(&many[0], "ftrace_graph_target_outer"));
	KUNIT_ASSERT_EQ(test, 0, one_begin(&many[1], "ftrace_graph_target_outer"));
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target_outer(leave_above, 7));
	KUNIT_EXPECT_EQ(test, 2, many[0].lefts);
	KUNIT_EXPECT_EQ(test, 1, many[0].returns);
	KUNIT_EXPECT_EQ(test, 0, many[1].lefts);
	KUNIT_EXPECT_EQ(test, 0, current->curr_ret_stack);
}

/* A user that was registered later is not notified of abandoned calls. */
static void left_before_are_not_told(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, one_begin(&many[0], "ftrace_graph_target_outer"));
	preempt_disable_notrace();
	leave_above();
	many[0].gops.since = graph_seq + 1;
	graph_notify_abandoned(current, graph_newest_call(current));
	while (current->curr_ret_stack)
		graph_pop_call(current, graph_newest_call(current));
	preempt_enable_notrace();
	KUNIT_EXPECT_EQ(test, 0, many[0].lefts);
}

/* ------------------------------------------------------------------ */
/* Work of the tracer itself						*/

static void call_target(struct irq_work *work)
{
	ftrace_graph_target(NULL, 7);
}

/* Calls in the tracer's own work are not traced, those of an interrupt are. */
static void own_is_not_waited_for(struct kunit *test)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(call_target);
	struct trace_own own;

	KUNIT_ASSERT_EQ(test, 0, one_begin(&many[0], "ftrace_graph_target"));
	trace_own_begin(&own);
	ftrace_graph_target(NULL, 7);
	trace_own_end(&own);
	KUNIT_EXPECT_EQ(test, 0, many[0].entries);
	trace_own_begin(&own);
	irq_work_queue(&work);
	/* Interrupts are on: wait until the work has run. */
	while (irq_work_is_busy(&work))
		cpu_relax();
	trace_own_end(&own);
	KUNIT_EXPECT_EQ(test, 1, many[0].entries);
	KUNIT_EXPECT_EQ(test, 1, many[0].returns);
	KUNIT_EXPECT_EQ(test, 0, atomic_read(&current->tracing_graph_pause));
}

/* ------------------------------------------------------------------ */
/* Registers at the return						*/

static struct pt_regs at_return;
static unsigned long went_to;

static void take_regs(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
		      const struct ftrace_return *r, u64 now)
{
	arch_return_regs(r, &at_return);
	went_to = call->ret;
}

static void registers_at_the_return(struct kunit *test)
{
	unsigned long here = (unsigned long)&here;

	many[0].gops.notify = take_regs;
	KUNIT_ASSERT_EQ(test, 0, one_begin(&many[0], "ftrace_graph_target"));
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target_outer(NULL, 7));
	KUNIT_EXPECT_EQ(test, 7, regs_return_value(&at_return));
	/* The stack pointer is that of the caller's frame, which is below this one. */
	KUNIT_EXPECT_LT(test, kernel_stack_pointer(&at_return), here);
	KUNIT_EXPECT_GT(test, kernel_stack_pointer(&at_return), here - 1024);
	KUNIT_EXPECT_GT(test, went_to, (unsigned long)ftrace_graph_target_outer);
}

static int users_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("ftrace_graph_target*");
}

static struct kunit_case users_cases[] = {
	KUNIT_CASE(each_of_many_is_told),
	KUNIT_CASE(one_of_many_declines),
	KUNIT_CASE(many_go_meanwhile),
	KUNIT_CASE(too_many_are_refused),
	KUNIT_CASE(number_waits_for_callbacks),
	KUNIT_CASE(jump_to_itself_is_a_new_call),
	KUNIT_CASE(call_begins_once),
	KUNIT_CASE(left_are_told),
	KUNIT_CASE(left_before_are_not_told),
	KUNIT_CASE(own_is_not_waited_for),
	KUNIT_CASE(registers_at_the_return),
	{ }
};

static struct kunit_suite users_suite = {
	.name		= "ftrace_graph_users",
	.suite_init	= users_suite_init,
	.init		= users_test_init,
	.exit		= users_test_exit,
	.test_cases	= users_cases,
};

kunit_test_suite(users_suite);
