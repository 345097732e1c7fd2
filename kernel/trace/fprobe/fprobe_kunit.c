// SPDX-License-Identifier: GPL-2.0
/*
 * Units of fprobe/: which calls are waited for, which are missed, and when they are over
 * (SPEC E3). What handlers get is in lib/test_fprobe.c.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/fprobe.h>
#include <linux/ftrace_kunit.h>
#include <linux/iopoll.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "fprobe_targets.h"
#include "graph/graph_targets.h"

/**
 * struct fprobe_watch - a probe, and how often its handlers were called
 * @fp: the probe
 * @declines: how many of the next calls it does not wait for
 * @entries: at entries
 * @returns: at returns
 * @kept: each time the data were those of the entry
 */
struct fprobe_watch {
	struct fprobe	fp;
	unsigned int	declines;
	unsigned int	entries;
	unsigned int	returns;
	bool		kept;
};

static struct fprobe_watch watch;

static int at_entry(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
		    struct pt_regs *regs, void *data)
{
	struct fprobe_watch *w = container_of(fp, struct fprobe_watch, fp);

	w->entries++;
	if (data)
		memset(data, 0x5a, fp->entry_data_size);
	if (!w->declines)
		return 0;
	w->declines--;
	return 1;
}

static void at_return(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
		      struct pt_regs *regs, void *data)
{
	struct fprobe_watch *w = container_of(fp, struct fprobe_watch, fp);

	w->returns++;
	w->kept &= !fp->entry_data_size || !memchr_inv(data, 0x5a, fp->entry_data_size);
}

static int fprobe_test_init(struct kunit *test)
{
	ftrace_skip_if_traced(test, ftrace_graph_target);
	watch = (struct fprobe_watch) {
		.fp = { .entry_handler = at_entry, .exit_handler = at_return },
		.kept = true,
	};
	return 0;
}

static void fprobe_test_exit(struct kunit *test)
{
	if (fprobe_is_registered(&watch.fp))
		unregister_fprobe(&watch.fp);
}

static void begin(struct kunit *test, const char *filter)
{
	KUNIT_ASSERT_EQ(test, 0, register_fprobe(&watch.fp, filter, NULL));
}

/* ------------------------------------------------------------------ */

static void who_does_not_wait_takes_no_place(struct kunit *test)
{
	watch.fp.nr_maxactive = 2;
	watch.declines = 5;
	begin(test, "ftrace_graph_target");
	for (unsigned int i = 0; i < 8; i++)
		KUNIT_EXPECT_EQ(test, i, ftrace_graph_target(NULL, i));
	KUNIT_EXPECT_EQ(test, 8, watch.entries);
	KUNIT_EXPECT_EQ(test, 3, watch.returns);
	KUNIT_EXPECT_EQ(test, 0, watch.fp.nmissed);
}

static void more_at_once_are_missed(struct kunit *test)
{
	watch.fp.nr_maxactive = 2;
	begin(test, "ftrace_graph_target_deep");
	for (unsigned int i = 1; i <= 3; i++) {
		ftrace_graph_target_deep(4);
		KUNIT_EXPECT_EQ(test, 2 * i, watch.entries);
		KUNIT_EXPECT_EQ(test, 2 * i, watch.returns);
		KUNIT_EXPECT_EQ(test, 3 * i, watch.fp.nmissed);
	}
}

static void each_call_has_data_of_its_own(struct kunit *test)
{
	watch.fp.entry_data_size = 24;
	begin(test, "ftrace_graph_target_deep");
	ftrace_graph_target_deep(4);
	KUNIT_EXPECT_EQ(test, 5, watch.returns);
	KUNIT_EXPECT_TRUE(test, watch.kept);
	KUNIT_EXPECT_EQ(test, 0, watch.fp.nmissed);
}

/* More than there is room for. */
static void no_room_takes_no_place(struct kunit *test)
{
	watch.fp.nr_maxactive = 1;
	watch.fp.entry_data_size = SZ_64K;
	begin(test, "ftrace_graph_target");
	for (unsigned int i = 1; i <= 3; i++) {
		ftrace_graph_target(NULL, 0);
		KUNIT_EXPECT_EQ(test, i, watch.fp.nmissed);
	}
	KUNIT_EXPECT_EQ(test, 0, watch.entries);
	KUNIT_EXPECT_EQ(test, 0, watch.returns);
}

static DECLARE_COMPLETION(ended);

/* A task that ends in a function never returns from it. */
static void end_here(void)
{
	kthread_complete_and_exit(&ended, 0);
}

static int ends_in_a_call(void *unused)
{
	ftrace_graph_target(end_here, 0);
	return 0;
}

static void calls_that_are_left_are_over(struct kunit *test)
{
	struct task_struct *task;
	int active;

	watch.fp.nr_maxactive = 1;
	begin(test, "ftrace_graph_target");
	for (unsigned int i = 1; i <= 3; i++) {
		task = kthread_create(ends_in_a_call, NULL, "fprobe_left");
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
		get_task_struct(task);
		wake_up_process(task);
		/* One that is stopped before does not begin. */
		wait_for_completion(&ended);
		kthread_stop_put(task);
		KUNIT_EXPECT_EQ(test, i, watch.entries);
		/* It goes when nobody looks at it any more. */
		KUNIT_EXPECT_EQ(test, 0, read_poll_timeout(atomic_read, active, !active,
							   10 * USEC_PER_MSEC,
							   60 * USEC_PER_SEC, false,
							   &watch.fp.active));
	}
	ftrace_graph_target(NULL, 0);
	KUNIT_EXPECT_EQ(test, 4, watch.entries);
	KUNIT_EXPECT_EQ(test, 1, watch.returns);
	KUNIT_EXPECT_EQ(test, 0, watch.fp.nmissed);
}

static void disabled_is_not_called(struct kunit *test)
{
	begin(test, "ftrace_graph_target");
	disable_fprobe(&watch.fp);
	ftrace_graph_target(NULL, 0);
	enable_fprobe(&watch.fp);
	KUNIT_EXPECT_EQ(test, 0, watch.entries);
	ftrace_graph_target(NULL, 0);
	KUNIT_EXPECT_EQ(test, 1, watch.entries);
	KUNIT_EXPECT_EQ(test, 1, watch.returns);
}

static void what_makes_no_sense_is_refused(struct kunit *test)
{
	const char *none[2] = { "ftrace_graph_target", "no_such_function_at_all" };

	KUNIT_EXPECT_EQ(test, -EINVAL, register_fprobe(NULL, "ftrace_graph_target", NULL));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_fprobe(&watch.fp, NULL, NULL));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_fprobe_ips(&watch.fp, NULL, 1));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_fprobe_syms(&watch.fp, none, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_fprobe_syms(&watch.fp, none, -1));
	KUNIT_EXPECT_EQ(test, -ENOENT, register_fprobe_syms(&watch.fp, none, 2));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_fprobe(&watch.fp, none[1], NULL));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_fprobe(&watch.fp, "", NULL));
	KUNIT_EXPECT_EQ(test, -EINVAL, unregister_fprobe(&watch.fp));
	KUNIT_EXPECT_FALSE(test, fprobe_is_registered(&watch.fp));
}

/* As is all of this room, it is not traced. */
static noinline __used void ftrace_fprobe_namesake(void)
{
	barrier();
}

static void of_one_name_the_one_that_can_be_traced(struct kunit *test)
{
	const char *name = "ftrace_fprobe_namesake";

	if (!IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD))
		kunit_skip(test, "which can be traced is yet to be found");
	KUNIT_ASSERT_EQ(test, 0, register_fprobe_syms(&watch.fp, &name, 1));
	ftrace_fprobe_call_namesake();
	KUNIT_EXPECT_EQ(test, 1, watch.entries);
	KUNIT_EXPECT_EQ(test, 1, watch.returns);
}

static void known_once(struct kunit *test)
{
	const char *name = "ftrace_graph_target";

	begin(test, name);
	KUNIT_EXPECT_TRUE(test, fprobe_is_registered(&watch.fp));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_fprobe(&watch.fp, name, NULL));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_fprobe_syms(&watch.fp, &name, 1));
	KUNIT_EXPECT_EQ(test, 0, unregister_fprobe(&watch.fp));
	KUNIT_EXPECT_EQ(test, -EINVAL, unregister_fprobe(&watch.fp));
	ftrace_graph_target(NULL, 0);
	KUNIT_EXPECT_EQ(test, 0, watch.entries);
}

static void what_is_counted_begins_anew(struct kunit *test)
{
	watch.fp.nr_maxactive = 1;
	begin(test, "ftrace_graph_target_deep");
	ftrace_graph_target_deep(2);
	KUNIT_EXPECT_EQ(test, 2, watch.fp.nmissed);
	KUNIT_ASSERT_EQ(test, 0, unregister_fprobe(&watch.fp));
	begin(test, "ftrace_graph_target_deep");
	KUNIT_EXPECT_EQ(test, 0, watch.fp.nmissed);
	ftrace_graph_target_deep(0);
	KUNIT_EXPECT_EQ(test, 2, watch.returns);
}

/* More levels than there is room for on the task's return stack. */
static void no_room_on_the_stack_is_missed(struct kunit *test)
{
	begin(test, "ftrace_graph_target_deep");
	ftrace_graph_target_deep(300);
	unregister_fprobe(&watch.fp);
	KUNIT_EXPECT_GT(test, watch.fp.nmissed, 0);
	KUNIT_EXPECT_EQ(test, 301, watch.entries + watch.fp.nmissed);
	KUNIT_EXPECT_EQ(test, watch.entries, watch.returns);
}

static struct kunit_case fprobe_test_cases[] = {
	KUNIT_CASE(who_does_not_wait_takes_no_place),
	KUNIT_CASE(more_at_once_are_missed),
	KUNIT_CASE(each_call_has_data_of_its_own),
	KUNIT_CASE(no_room_takes_no_place),
	KUNIT_CASE(no_room_on_the_stack_is_missed),
	KUNIT_CASE(calls_that_are_left_are_over),
	KUNIT_CASE(disabled_is_not_called),
	KUNIT_CASE(what_makes_no_sense_is_refused),
	KUNIT_CASE(of_one_name_the_one_that_can_be_traced),
	KUNIT_CASE(known_once),
	KUNIT_CASE(what_is_counted_begins_anew),
	{ }
};

static int fprobe_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("ftrace_graph_target*");
}

static struct kunit_suite fprobe_test_suite = {
	.name		= "ftrace_fprobe",
	.suite_init	= fprobe_suite_init,
	.init		= fprobe_test_init,
	.exit		= fprobe_test_exit,
	.test_cases	= fprobe_test_cases,
};

kunit_test_suite(fprobe_test_suite);
