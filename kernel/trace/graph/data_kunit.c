// SPDX-License-Identifier: GPL-2.0
/*
 * Units of what users keep for a call, found while somebody reserves more of it: what an
 * interrupt sees that comes in the middle of fgraph_reserve_data().
 */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>
#include <linux/limits.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "graph.h"
#include "graph_targets.h"

#define DATA_WORDS	2

static int say_no(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return 0;
}

static struct fgraph_ops user;

/* For tasks to have stacks: it is not called. */
static int data_test_init(struct kunit *test)
{
	char none[] = "ftrace_graph_target_of_nobody";
	int ret;

	ftrace_skip_if_traced(test, ftrace_graph_target);
	user = (struct fgraph_ops) { .entryfunc = say_no };
	ftrace_set_filter(&user.ops, (u8 *)none, strlen(none), 1);
	ret = register_ftrace_graph(&user);
	KUNIT_ASSERT_EQ(test, 0, ret);
	return ret;
}

static void data_test_exit(struct kunit *test)
{
	unregister_ftrace_graph(&user);
	ftrace_free_filter(&user.ops);
}

static struct ftrace_ret_stack *push(u16 users)
{
	struct ftrace_ret_stack *call = graph_push(current, graph_newest(current),
						   &(const u32){ graph_head(users) });

	call->seq = READ_ONCE(graph_seq);
	return call;
}

/* In a call that the user has said yes to: its first word of data is @word. */
static void *outer_data_if(unsigned long word, unsigned long **data)
{
	struct ftrace_ret_stack *outer;
	void *found;

	guard(preempt_notrace)();
	outer = push(user.user);
	*data = (unsigned long *)outer + outer->words;
	(*data)[0] = word;
	outer->words += DATA_WORDS;
	push(0);
	found = graph_outer_data(&user);
	graph_pop(current, graph_newest(current));
	graph_pop(current, outer);
	return found;
}

static unsigned long word_of(int idx, unsigned int words)
{
	return (unsigned long)idx << 16 | words;
}

static void what_is_kept_is_found(struct kunit *test)
{
	unsigned long *data;
	void *found = outer_data_if(word_of(user.idx, DATA_WORDS), &data);

	KUNIT_EXPECT_PTR_EQ(test, found, (void *)(data + 1));
}

static void unwritten_word_ends_the_search(struct kunit *test)
{
	const unsigned long words[] = {
		0, word_of(user.idx, 0), word_of(user.idx + 1, 0),
		word_of(user.idx, DATA_WORDS + 1), word_of(user.idx + 1, U16_MAX), ULONG_MAX,
	};
	unsigned long *data;

	for (int i = 0; i < ARRAY_SIZE(words); i++)
		KUNIT_EXPECT_NULL_MSG(test, outer_data_if(words[i], &data), "%lx", words[i]);
}

static struct kunit_case data_cases[] = {
	KUNIT_CASE(what_is_kept_is_found),
	KUNIT_CASE(unwritten_word_ends_the_search),
	{ }
};

static struct kunit_suite data_suite = {
	.name		= "ftrace_graph_data",
	.init		= data_test_init,
	.exit		= data_test_exit,
	.test_cases	= data_cases,
};

kunit_test_suite(data_suite);
