// SPDX-License-Identifier: GPL-2.0
/* Tests of graph/: unwinding the stack of a task at each moment of a traced call. */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch_return.h>
#include <linux/ftrace_kunit.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "graph.h"
#include "graph_targets.h"
#include "walk.h"

static struct task_struct *test_task;
static struct fgraph_ops watch;
static unsigned int returns;

static unsigned long walked[32];
static unsigned int nr_walked;

static void walk(void)
{
	nr_walked = stack_trace_save(walked, ARRAY_SIZE(walked), 0);
}

static unsigned long func_at(unsigned long ip)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(ip, &size, &offset) ? ip - offset : 0;
}

static bool walked_has(unsigned long func)
{
	for (unsigned int i = 0; i < nr_walked; i++)
		if (func_at(walked[i]) == func)
			return true;
	return false;
}

#define EXPECT_WALKED(test, func) \
	KUNIT_EXPECT_TRUE(test, walked_has((unsigned long)(func)))

static void expect_no_handler(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, walked_has(func_at((unsigned long)return_to_handler)));
}

static int watch_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return current == test_task;
}

static void watch_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	returns++;
}

static void watch_begin(struct kunit *test, char *glob)
{
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&watch.ops, (u8 *)glob, strlen(glob), 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_graph(&watch));
}

static int unwind_test_init(struct kunit *test)
{
	ftrace_skip_if_traced(test, ftrace_graph_target);
	test_task = current;
	returns = 0;
	nr_walked = 0;
	watch = (struct fgraph_ops) { .entryfunc = watch_entry, .retfunc = watch_return };
	return 0;
}

static void unwind_test_exit(struct kunit *test)
{
	unregister_ftrace_graph(&watch);
	ftrace_free_filter(&watch.ops);
}

static void unwinder_sees_callers(struct kunit *test)
{
	watch_begin(test, "ftrace_graph_target*");
	ftrace_graph_target_outer(walk, 7);
	EXPECT_WALKED(test, ftrace_graph_target);
	EXPECT_WALKED(test, ftrace_graph_target_outer);
	EXPECT_WALKED(test, unwinder_sees_callers);
	expect_no_handler(test);
}

static void walk_at_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	walk();
}

static void unwinder_sees_callers_at_return(struct kunit *test)
{
	watch.retfunc = walk_at_return;
	watch_begin(test, "ftrace_graph_target");
	ftrace_graph_target_outer(NULL, 7);
	EXPECT_WALKED(test, graph_return);
	EXPECT_WALKED(test, ftrace_graph_target_outer);
	EXPECT_WALKED(test, unwinder_sees_callers_at_return);
}

/* The stack of a task is taken during the walk, after its last return. */
static void stack_goes_meanwhile(struct kunit *test)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);
	struct ftrace_ret_stack *calls, *call;
	struct graph_walk w;

	KUNIT_ASSERT_NOT_NULL(test, task);
	calls = kunit_kcalloc(test, 3, sizeof(*calls), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, calls);
	calls[1].below = GRAPH_CALL_WORDS;
	calls[2].below = GRAPH_CALL_WORDS;
	task->ret_stack = (unsigned long *)calls;
	task->curr_ret_stack = 2 * GRAPH_CALL_WORDS;

	call = graph_walk_begin(&w, task);
	KUNIT_EXPECT_PTR_EQ(test, &calls[2], call);
	task->ret_stack = NULL;
	call = graph_walk_next(&w, call);
	KUNIT_EXPECT_PTR_EQ(test, &calls[1], call);
	KUNIT_EXPECT_NULL(test, graph_walk_next(&w, call));
	KUNIT_EXPECT_NULL(test, graph_walk_begin(&w, task));
}

/* Without CONFIG_ARCH_STACKWALK, stack_trace_save_regs() warns that it is not supported. */
#if defined(CONFIG_KPROBES) && defined(CONFIG_ARCH_STACKWALK)

/* Unwind from the interrupted function, by its registers. */
static int walk_from_probe(struct kprobe *at, struct pt_regs *regs)
{
	if (current == test_task)
		nr_walked = stack_trace_save_regs(regs, walked, ARRAY_SIZE(walked), 0);
	return 0;
}

static void end_watch(void)
{
	unregister_ftrace_graph(&watch);
}

/*
 * Unwind from graph_note_unused_stack(): graph_return() calls it when the last user has gone, after
 * the pop of the call.
 */
static void unwinder_sees_callers_behind_the_call(struct kunit *test)
{
	struct kprobe behind = {
		.symbol_name = "graph_note_unused_stack",
		.pre_handler = walk_from_probe,
	};

	KUNIT_ASSERT_EQ(test, 0, register_kprobe(&behind));
	watch_begin(test, "ftrace_graph_target");
	ftrace_graph_target_outer(end_watch, 7);
	unregister_kprobe(&behind);
	/* With frame pointers, a function without a frame yet hides its caller. */
	if (!IS_ENABLED(CONFIG_FRAME_POINTER))
		EXPECT_WALKED(test, graph_return);
	EXPECT_WALKED(test, ftrace_graph_target_outer);
	EXPECT_WALKED(test, unwinder_sees_callers_behind_the_call);
}

#endif

#ifdef CONFIG_KRETPROBES

static unsigned int probed;

static int count_probed(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	probed++;
	return 0;
}

static struct kretprobe probe;

static void probe_begin(struct kunit *test)
{
	probed = 0;
	probe = (struct kretprobe) {
		.handler = count_probed,
		.kp.symbol_name = "ftrace_graph_target",
	};
	KUNIT_ASSERT_EQ(test, 0, register_kretprobe(&probe));
}

static void check_with_probe(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 7, ftrace_graph_target_outer(walk, 7));
	KUNIT_EXPECT_EQ(test, 1, probed);
	KUNIT_EXPECT_EQ(test, 2, returns);
	EXPECT_WALKED(test, ftrace_graph_target);
	/* Without rethook, the unwinder ends at a return probe. */
	if (IS_ENABLED(CONFIG_KRETPROBE_ON_RETHOOK))
		EXPECT_WALKED(test, ftrace_graph_target_outer);
	expect_no_handler(test);
	unregister_kretprobe(&probe);
}

static void return_probe_first(struct kunit *test)
{
	probe_begin(test);
	watch_begin(test, "ftrace_graph_target*");
	check_with_probe(test);
}

static void return_probe_second(struct kunit *test)
{
	watch_begin(test, "ftrace_graph_target*");
	probe_begin(test);
	check_with_probe(test);
}

#endif

static int unwind_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("ftrace_graph_target*");
}

static struct kunit_case unwind_cases[] = {
	KUNIT_CASE(unwinder_sees_callers),
	KUNIT_CASE(unwinder_sees_callers_at_return),
	KUNIT_CASE(stack_goes_meanwhile),
#if defined(CONFIG_KPROBES) && defined(CONFIG_ARCH_STACKWALK)
	KUNIT_CASE(unwinder_sees_callers_behind_the_call),
#endif
#ifdef CONFIG_KRETPROBES
	KUNIT_CASE(return_probe_first),
	KUNIT_CASE(return_probe_second),
#endif
	{ }
};

static struct kunit_suite unwind_suite = {
	.name		= "ftrace_graph_unwind",
	.suite_init	= unwind_suite_init,
	.init		= unwind_test_init,
	.exit		= unwind_test_exit,
	.test_cases	= unwind_cases,
};

kunit_test_suite(unwind_suite);
