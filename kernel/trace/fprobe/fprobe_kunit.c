// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of fprobe/: which returns a probe waits for, which calls are missed, and when pending
 * calls end (SPEC E3). lib/test_fprobe.c tests the arguments of handlers.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/fprobe.h>
#include <linux/ftrace_kunit.h>
#include <linux/iopoll.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/math.h>
#include <linux/ptrace.h>
#include <linux/sched/task.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "fprobe_targets.h"
#include "graph/graph_targets.h"
#include "graph/stack.h"

/**
 * struct fprobe_watch - a probe, and how often its handlers were called
 * @fp: the probe
 * @declines: number of calls, from now on, whose entry handler declines the return
 * @entries: calls of the entry handler
 * @returns: calls of the exit handler
 * @kept: true if each exit handler found the data that the entry handler stored
 * @ret_at_entry: return address of the last call, as passed to the entry handler
 * @ret_at_return: return address of the last call, as passed to the exit handler
 * @ip_at_return: instruction pointer in the registers passed to the exit handler
 */
struct fprobe_watch {
	struct fprobe	fp;
	unsigned int	declines;
	unsigned int	entries;
	unsigned int	returns;
	bool		kept;
	unsigned long	ret_at_entry;
	unsigned long	ret_at_return;
	unsigned long	ip_at_return;
};

static struct fprobe_watch watch, inner;

static int at_entry(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
		    struct pt_regs *regs, void *data)
{
	struct fprobe_watch *w = container_of(fp, struct fprobe_watch, fp);

	w->entries++;
	w->ret_at_entry = ret_ip;
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
	w->ret_at_return = ret_ip;
	w->ip_at_return = instruction_pointer(regs);
	w->kept &= !fp->entry_data_size || !memchr_inv(data, 0x5a, fp->entry_data_size);
}

static int fprobe_test_init(struct kunit *test)
{
	ftrace_skip_if_traced(test, ftrace_graph_target);
	watch = (struct fprobe_watch) {
		.fp = { .entry_handler = at_entry, .exit_handler = at_return },
		.kept = true,
	};
	inner = watch;
	return 0;
}

static void fprobe_test_exit(struct kunit *test)
{
	if (fprobe_is_registered(&watch.fp))
		unregister_fprobe(&watch.fp);
	if (fprobe_is_registered(&inner.fp))
		unregister_fprobe(&inner.fp);
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

/* A call with more data than fits is missed, and does not count against nr_maxactive. */
static void no_room_takes_no_place(struct kunit *test)
{
	watch.fp.nr_maxactive = 1;
	begin(test, "ftrace_graph_target");
	/* Set after the registration, which would refuse this size. */
	watch.fp.entry_data_size = SZ_64K;
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
		/* A kthread that is stopped too early never runs its function. */
		wait_for_completion(&ended);
		kthread_stop_put(task);
		KUNIT_EXPECT_EQ(test, i, watch.entries);
		/* The call ends when the last reference to the task is dropped. */
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

/* Tries the largest data size that a call can store, and one byte more. */
static void more_than_can_be_kept_is_refused(struct kunit *test)
{
	size_t most = (GRAPH_CALL_WORDS_MAX - GRAPH_CALL_WORDS) * sizeof(long);

	most = round_down(most, sizeof(u64)) - sizeof(long);
	watch.fp.entry_data_size = most + 1;
	KUNIT_EXPECT_EQ(test, -EINVAL, register_fprobe(&watch.fp, "ftrace_graph_target", NULL));
	watch.fp.entry_data_size = most;
	begin(test, "ftrace_graph_target");
	ftrace_graph_target(NULL, 0);
	KUNIT_EXPECT_EQ(test, 1, watch.returns);
	KUNIT_EXPECT_EQ(test, 0, watch.fp.nmissed);
}

/* Not traced, as nothing in this file is. The function of this name in fprobe_targets.c is. */
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

static void expect_hit(struct kunit *test, unsigned int entries, unsigned int returns)
{
	ftrace_graph_target(NULL, 0);
	KUNIT_EXPECT_EQ(test, entries, watch.entries);
	KUNIT_EXPECT_EQ(test, returns, watch.returns);
	KUNIT_EXPECT_EQ(test, entries, inner.entries);
	KUNIT_EXPECT_EQ(test, 0, inner.returns);
}

/* The second of three addresses is no function; the other two probes share one function. */
static void many_at_once(struct kunit *test)
{
	static struct fprobe_watch nowhere;
	struct fprobe *fps[] = { &watch.fp, &nowhere.fp, &inner.fp };
	unsigned long at = (unsigned long)ftrace_graph_target;
	unsigned long addrs[] = { at, (unsigned long)&nowhere, at };

	nowhere = inner;
	nowhere.fp.exit_handler = NULL;
	inner.fp.exit_handler = NULL;
	for (unsigned int round = 1; round <= 2; round++) {
		KUNIT_EXPECT_EQ(test, -EINVAL, register_fprobes(fps, addrs, 3));
		KUNIT_EXPECT_FALSE(test, fprobe_is_registered(&nowhere.fp));
		expect_hit(test, round, round);
		/* A probe that is registered cannot be registered once more. */
		KUNIT_EXPECT_EQ(test, -EBUSY, register_fprobes(fps, addrs, 3));
		KUNIT_EXPECT_EQ(test, 0, unregister_fprobes(fps, 3));
		expect_hit(test, round, round);
	}
}

/* Both probes have an entry handler only. */
static void many_entries_at_once(struct kunit *test)
{
	struct fprobe *fps[] = { &watch.fp, &inner.fp };
	unsigned long at = (unsigned long)ftrace_graph_target;
	unsigned long addrs[] = { at, at };

	watch.fp.exit_handler = NULL;
	inner.fp.exit_handler = NULL;
	for (unsigned int round = 1; round <= 2; round++) {
		KUNIT_EXPECT_EQ(test, 0, register_fprobes(fps, addrs, 2));
		expect_hit(test, round, 0);
		KUNIT_EXPECT_EQ(test, 0, unregister_fprobes(fps, 2));
		expect_hit(test, round, 0);
	}
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

/* Recurses deeper than the task's return stack has room for. */
static void no_room_on_the_stack_is_missed(struct kunit *test)
{
	begin(test, "ftrace_graph_target_deep");
	ftrace_graph_target_deep(300);
	unregister_fprobe(&watch.fp);
	KUNIT_EXPECT_GT(test, watch.fp.nmissed, 0);
	KUNIT_EXPECT_EQ(test, 301, watch.entries + watch.fp.nmissed);
	KUNIT_EXPECT_EQ(test, watch.entries, watch.returns);
}

static void calls_in_a_pause_are_missed(struct kunit *test)
{
	begin(test, "ftrace_graph_target");
	pause_graph_tracing();
	ftrace_graph_target(NULL, 0);
	unpause_graph_tracing();
	KUNIT_EXPECT_EQ(test, 0, watch.entries);
	KUNIT_EXPECT_EQ(test, 1, watch.fp.nmissed);
	ftrace_graph_target(NULL, 0);
	KUNIT_EXPECT_EQ(test, 1, watch.returns);
	KUNIT_EXPECT_EQ(test, 1, watch.fp.nmissed);
}

/* ------------------------------------------------------------------ */
/* The caller								*/

/* ftrace_graph_target_tail_call() ends with a jump to ftrace_graph_target(). */
static noinline void call_jump(void)
{
	ftrace_graph_target_tail_call(NULL, 0);
	barrier();
}

/* Upper bound for the size of call_jump() in bytes. */
#define CALL_JUMP_MAX	256

static bool is_in_caller(unsigned long ret)
{
	unsigned long begin = (unsigned long)dereference_function_descriptor(call_jump);
	unsigned long jump = (unsigned long)
		dereference_function_descriptor(ftrace_graph_target_tail_call);

	/* The compiler may have turned the jump into a call. */
	return (ret > begin && ret < begin + CALL_JUMP_MAX) ||
	       (ret > jump && ret < jump + CALL_JUMP_MAX);
}

static void expect_callers(struct kunit *test, const struct fprobe_watch *w)
{
	KUNIT_EXPECT_EQ(test, 1, w->entries);
	KUNIT_EXPECT_TRUE_MSG(test, is_in_caller(w->ret_at_entry), "%pS",
			      (void *)w->ret_at_entry);
	if (!w->fp.exit_handler)
		return;
	KUNIT_EXPECT_EQ(test, 1, w->returns);
	KUNIT_EXPECT_EQ(test, w->ret_at_entry, w->ret_at_return);
	KUNIT_EXPECT_EQ(test, w->ret_at_entry, w->ip_at_return);
}

static void jumped_to_knows_its_caller(struct kunit *test)
{
	begin(test, "ftrace_graph_target_tail_call");
	KUNIT_ASSERT_EQ(test, 0, register_fprobe(&inner.fp, "ftrace_graph_target", NULL));
	call_jump();
	expect_callers(test, &watch);
	expect_callers(test, &inner);
}

static void jumped_to_knows_its_caller_at_entry_alone(struct kunit *test)
{
	inner.fp.exit_handler = NULL;
	jumped_to_knows_its_caller(test);
}

#ifdef CONFIG_KRETPROBE_ON_RETHOOK

static unsigned long hook_went_to;

static int hook_returns(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	hook_went_to = instruction_pointer(regs);
	return 0;
}

NOKPROBE_SYMBOL(hook_returns);

/* Call the targets while @hooked has a kretprobe, in addition to the registered fprobes. */
static void call_with_hook(struct kunit *test, const char *hooked)
{
	struct kretprobe rp = { .handler = hook_returns, .kp.symbol_name = hooked };

	hook_went_to = 0;
	KUNIT_ASSERT_EQ(test, 0, register_kretprobe(&rp));
	call_jump();
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_TRUE_MSG(test, is_in_caller(hook_went_to), "%pS", (void *)hook_went_to);
}

static void caller_behind_return_probe(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, register_fprobe(&inner.fp, "ftrace_graph_target", NULL));
	call_with_hook(test, "ftrace_graph_target_tail_call");
	expect_callers(test, &inner);
}

static void return_probe_behind_caller(struct kunit *test)
{
	begin(test, "ftrace_graph_target_tail_call");
	call_with_hook(test, "ftrace_graph_target");
	expect_callers(test, &watch);
}

static void return_probe_of_the_same(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, register_fprobe(&inner.fp, "ftrace_graph_target", NULL));
	call_with_hook(test, "ftrace_graph_target");
	expect_callers(test, &inner);
}

static void all_of_both(struct kunit *test)
{
	begin(test, "ftrace_graph_target_tail_call");
	KUNIT_ASSERT_EQ(test, 0, register_fprobe(&inner.fp, "ftrace_graph_target", NULL));
	call_with_hook(test, "ftrace_graph_target_tail_call");
	expect_callers(test, &watch);
	expect_callers(test, &inner);
}

#endif

static struct kunit_case fprobe_test_cases[] = {
	KUNIT_CASE(who_does_not_wait_takes_no_place),
	KUNIT_CASE(more_at_once_are_missed),
	KUNIT_CASE(each_call_has_data_of_its_own),
	KUNIT_CASE(no_room_takes_no_place),
	KUNIT_CASE(no_room_on_the_stack_is_missed),
	KUNIT_CASE(calls_that_are_left_are_over),
	KUNIT_CASE(disabled_is_not_called),
	KUNIT_CASE(what_makes_no_sense_is_refused),
	KUNIT_CASE(more_than_can_be_kept_is_refused),
	KUNIT_CASE(of_one_name_the_one_that_can_be_traced),
	KUNIT_CASE(known_once),
	KUNIT_CASE(many_at_once),
	KUNIT_CASE(many_entries_at_once),
	KUNIT_CASE(what_is_counted_begins_anew),
	KUNIT_CASE(calls_in_a_pause_are_missed),
	KUNIT_CASE(jumped_to_knows_its_caller),
	KUNIT_CASE(jumped_to_knows_its_caller_at_entry_alone),
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	KUNIT_CASE(caller_behind_return_probe),
	KUNIT_CASE(return_probe_behind_caller),
	KUNIT_CASE(return_probe_of_the_same),
	KUNIT_CASE(all_of_both),
#endif
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
