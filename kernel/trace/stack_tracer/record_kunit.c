// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of stack_tracer/: which stacks are recorded, and what is recorded of them (SPEC T6).
 *
 * The tests use a record and an ops of their own, so that they work even while the stack tracer
 * is in use.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/preempt.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>

#include "record.h"
#include "record_targets.h"

#define DEEP	5U

static DECLARE_COMPLETION(reported);
static unsigned int reports;

static void count_report(struct irq_work *work)
{
	reports++;
	complete(&reported);
}

static const struct stack_record empty = STACK_RECORD_INIT(count_report);
static struct stack_record record;
static struct task_struct *test_task;

static void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		 struct ftrace_regs *fregs)
{
	if (current == test_task)
		stack_record_check(&record, ip, fregs);
}

static struct ftrace_ops look_ops = { .func = look };

/* Trace only the function at the end of the recursion: then no callback leaves stale addresses. */
static int record_test_init(struct kunit *test)
{
	record = empty;
	test_task = current;
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&look_ops,
						      (unsigned long)ftrace_stack_target, 0, 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&look_ops));
	return 0;
}

static void record_test_exit(struct kunit *test)
{
	unregister_ftrace_function(&look_ops);
	ftrace_free_filter(&look_ops);
}

static unsigned long func_at(unsigned long ip)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(ip, &size, &offset) ? ip - offset : 0;
}

/* Clear the stack below, because stale return addresses there could be mistaken for real ones. */
static noinline void scrub(unsigned int depth)
{
	char room[STACK_TARGET_ROOM];

	memset(room, 0, sizeof(room));
	barrier_data(room);
	if (depth)
		scrub(depth - 1);
	barrier_data(room);
}

/* Not inlined, so that the target uses the stack that scrub() has cleared. */
static noinline void recurse(unsigned int depth)
{
	scrub(2 * DEEP);
	ftrace_stack_target_deep(depth);
	barrier();
}

/* Frame size of ftrace_stack_target_deep(), measured at the outermost of its @depth + 1 calls. */
static unsigned int frame_size(unsigned int depth)
{
	return deepest_stack_size(&record.deepest, depth + 1);
}

/* ------------------------------------------------------------------ */
/* What is recorded							*/

static void expect_recursion(struct kunit *test, unsigned int depth)
{
	const struct deepest_stack *stack = &record.deepest;
	unsigned int i;

	KUNIT_ASSERT_GT(test, stack->nr, depth + 2);
	KUNIT_EXPECT_EQ(test, func_at(stack->ips[0]), (unsigned long)ftrace_stack_target);
	for (i = 1; i <= depth + 1; i++)
		KUNIT_EXPECT_EQ(test, func_at(stack->ips[i]),
				(unsigned long)ftrace_stack_target_deep);
	KUNIT_EXPECT_NE(test, func_at(stack->ips[depth + 2]),
			(unsigned long)ftrace_stack_target_deep);
	KUNIT_EXPECT_GE(test, deepest_stack_size(stack, 1), STACK_TARGET_ROOM);
	KUNIT_EXPECT_GE(test, frame_size(depth), STACK_TARGET_ROOM);
	/* Skip the innermost one: its size may include ftrace_stack_target(), a leaf function. */
	for (i = 2; i <= depth + 1; i++)
		KUNIT_EXPECT_EQ(test, deepest_stack_size(stack, i), frame_size(depth));
}

static void finds_each_frame(struct kunit *test)
{
	recurse(DEEP);
	expect_recursion(test, DEEP);
}

static void frames_add_up(struct kunit *test)
{
	const struct deepest_stack *stack = &record.deepest;
	unsigned int i, sum = 0;

	recurse(DEEP);
	KUNIT_EXPECT_EQ(test, record.max, stack->depths[0]);
	KUNIT_EXPECT_LT(test, record.max, THREAD_SIZE);
	for (i = 0; i < stack->nr; i++) {
		KUNIT_EXPECT_LE(test, stack->depths[i], stack->depths[i ? i - 1 : 0]);
		sum += deepest_stack_size(stack, i);
	}
	KUNIT_EXPECT_EQ(test, sum, record.max);
	/* All frames of the recursion are below the frame of this function. */
	KUNIT_EXPECT_GT(test, record.max,
			stack_depth((unsigned long)__builtin_frame_address(0)) +
			(DEEP + 1) * STACK_TARGET_ROOM);
}

static void deeper_by_its_frames(struct kunit *test)
{
	unsigned long max;

	recurse(2);
	max = record.max;
	recurse(DEEP);
	KUNIT_EXPECT_EQ(test, record.max, max + (DEEP - 2) * frame_size(DEEP));
	expect_recursion(test, DEEP);
}

static void shallower_is_nothing(struct kunit *test)
{
	unsigned long max;

	recurse(DEEP);
	max = record.max;
	recurse(1);
	ftrace_stack_target();
	KUNIT_EXPECT_EQ(test, record.max, max);
	expect_recursion(test, DEEP);
}

static int takes_ours(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return current == test_task;
}

static void ignore(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
}

/* A user of graph/ replaces return addresses on the stack by those of a trampoline. */
static void finds_replaced_addresses(struct kunit *test)
{
	static struct fgraph_ops gops;

	if (!IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		kunit_skip(test, "nobody replaces return addresses");
	gops = (struct fgraph_ops){ .entryfunc = takes_ours, .retfunc = ignore };
	KUNIT_ASSERT_EQ(test, 0,
			ftrace_set_filter_ip(&gops.ops,
					     (unsigned long)ftrace_stack_target_deep, 0, 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_graph(&gops));
	recurse(DEEP);
	unregister_ftrace_graph(&gops);
	ftrace_free_filter(&gops.ops);
	expect_recursion(test, DEEP);
}

/* ------------------------------------------------------------------ */
/* Stacks that are not recorded						*/

static void nothing_while_disabled(struct kunit *test)
{
	preempt_disable();
	stack_tracer_disable();
	stack_tracer_disable();
	recurse(DEEP);
	stack_tracer_enable();
	recurse(DEEP);
	stack_tracer_enable();
	preempt_enable();
	KUNIT_EXPECT_EQ(test, record.max, 0);
	KUNIT_EXPECT_EQ(test, record.deepest.nr, 0);
	recurse(1);
	expect_recursion(test, 1);
}

static void nothing_on_other_stacks(struct kunit *test)
{
	unsigned long ip = (unsigned long)ftrace_stack_target;

	stack_record_deeper(&record, ip, (unsigned long)&record);
	stack_record_deeper(&record, ip, (unsigned long)task_stack_page(current) - 64);
	stack_record_deeper(&record, ip,
			    (unsigned long)task_stack_page(current) + THREAD_SIZE + 64);
	KUNIT_EXPECT_EQ(test, record.max, 0);
	KUNIT_EXPECT_EQ(test, record.deepest.nr, 0);
}

static void begins_anew(struct kunit *test)
{
	recurse(DEEP);
	KUNIT_EXPECT_EQ(test, 0, stack_record_set_max(&record, 0));
	KUNIT_EXPECT_EQ(test, record.max, 0);
	KUNIT_EXPECT_EQ(test, record.deepest.nr, 0);
	recurse(1);
	expect_recursion(test, 1);
}

static void only_beyond_what_is_set(struct kunit *test)
{
	unsigned long max;

	recurse(DEEP);
	max = record.max;
	KUNIT_EXPECT_EQ(test, 0, stack_record_set_max(&record, max));
	recurse(DEEP);
	KUNIT_EXPECT_EQ(test, record.deepest.nr, 0);
	KUNIT_EXPECT_EQ(test, 0, stack_record_set_max(&record, max - 1));
	recurse(DEEP);
	KUNIT_EXPECT_EQ(test, record.max, max);
	expect_recursion(test, DEEP);
}

/* ------------------------------------------------------------------ */
/* The end of the stack							*/

/* Corrupt the end of the stack meanwhile. Preemption is off because the scheduler checks it too. */
static void recurse_overrun(unsigned int depth)
{
	unsigned long *end = end_of_stack(current), magic = *end;

	preempt_disable();
	WRITE_ONCE(*end, ~magic);
	recurse(depth);
	WRITE_ONCE(*end, magic);
	preempt_enable();
}

static void overrun_is_reported_once(struct kunit *test)
{
	unsigned long max;

	reports = 0;
	reinit_completion(&reported);
	recurse_overrun(2);
	KUNIT_EXPECT_TRUE(test, record.overrun);
	KUNIT_EXPECT_EQ(test, record.pid, current->pid);
	KUNIT_EXPECT_STREQ(test, record.comm, current->comm);
	KUNIT_EXPECT_NE(test, 0, wait_for_completion_timeout(&reported, 60 * HZ));
	max = record.max;
	recurse_overrun(DEEP);
	irq_work_sync(&record.report);
	KUNIT_EXPECT_EQ(test, reports, 1);
	/* The record of the overrun stack is kept. */
	KUNIT_EXPECT_EQ(test, record.max, max);
	KUNIT_EXPECT_EQ(test, -ENODEV, stack_record_set_max(&record, 0));
	KUNIT_EXPECT_EQ(test, record.max, max);
	expect_recursion(test, 2);
}

static struct kunit_case record_cases[] = {
	KUNIT_CASE(finds_each_frame),
	KUNIT_CASE(frames_add_up),
	KUNIT_CASE(deeper_by_its_frames),
	KUNIT_CASE(shallower_is_nothing),
	KUNIT_CASE(finds_replaced_addresses),
	KUNIT_CASE(nothing_while_disabled),
	KUNIT_CASE(nothing_on_other_stacks),
	KUNIT_CASE(begins_anew),
	KUNIT_CASE(only_beyond_what_is_set),
	KUNIT_CASE(overrun_is_reported_once),
	{}
};

static struct kunit_suite record_suite = {
	.name = "ftrace_stack_tracer",
	.init = record_test_init,
	.exit = record_test_exit,
	.test_cases = record_cases,
};

kunit_test_suite(record_suite);
