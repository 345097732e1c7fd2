// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the data that users reserve for a call: its search while more is being reserved, as
 * by an interrupt in the middle of fgraph_reserve_data(); and data that a call has from its
 * start.
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

/* Register a user so that tasks get stacks. Its filter matches no function. */
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
	struct ftrace_ret_stack *call = graph_push_call(current, graph_newest_call(current),
							&(const u32){ graph_users_to_head(users) });

	call->seq = READ_ONCE(graph_seq);
	return call;
}

/* Get the outer data inside of a call of the user whose first word of data is @word. */
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
	graph_pop_call(current, graph_newest_call(current));
	graph_pop_call(current, outer);
	return found;
}

static void what_is_kept_is_found(struct kunit *test)
{
	unsigned long *data;
	void *found = outer_data_if(graph_data_head(user.idx, DATA_WORDS), &data);

	KUNIT_EXPECT_PTR_EQ(test, found, (void *)(data + 1));
}

static void unwritten_word_ends_the_search(struct kunit *test)
{
	const unsigned long words[] = {
		0, graph_data_head(user.idx, 0), graph_data_head(user.idx + 1, 0),
		graph_data_head(user.idx, DATA_WORDS + 1),
		graph_data_head(user.idx + 1, U16_MAX), ULONG_MAX,
	};
	unsigned long *data;

	for (int i = 0; i < ARRAY_SIZE(words); i++)
		KUNIT_EXPECT_NULL_MSG(test, outer_data_if(words[i], &data), "%lx", words[i]);
}

/*
 * Simulate an interrupt after a call was announced, in memory where each byte is @was: the
 * calls below must be found from a call of the interrupt.
 */
static bool all_are_found(u8 was)
{
	struct ftrace_ret_stack *newest, *half, *inner;
	int index, depth;
	bool found;

	guard(preempt_notrace)();
	index = current->curr_ret_stack;
	depth = current->curr_ret_depth;
	newest = push(0);
	memset((unsigned long *)newest + newest->words, was, 4 * sizeof(*newest));
	half = graph_push_entry(current, newest, newest->words, 0);
	current->curr_ret_depth++;
	inner = push(user.user);
	found = graph_outer_call(inner) == half && graph_outer_call(half) == newest && !half->users;
	/* Restore the stack without the sizes in these calls, which may be wrong. */
	WRITE_ONCE(current->curr_ret_stack, index);
	current->curr_ret_depth = depth;
	return found;
}

static void calls_are_found_below_half_a_call(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, all_are_found(0));
	KUNIT_EXPECT_TRUE(test, all_are_found(0xff));
}

/* ------------------------------------------------------------------ */
/* Data that a call has from its start					*/

struct kept {
	u64	time;
};

/* Fill the memory of the next call with ones. */
static struct ftrace_ret_stack *push_keeping(void)
{
	struct ftrace_ret_stack *newest = graph_newest_call(current), *call;

	memset((unsigned long *)newest + newest->words, 0xff,
	       sizeof(*call) + 2 * sizeof(struct kept));
	call = graph_push_call_with_data(current, newest, &user.head, user.idx,
					 sizeof(struct kept));
	if (call)
		call->seq = READ_ONCE(graph_seq);
	return call;
}

static void data_from_the_start_are_found(struct kunit *test)
{
	struct ftrace_ret_stack *outer, *inner;
	struct kept *kept, *same, was;

	scoped_guard(preempt_notrace) {
		outer = push_keeping();
		kept = graph_data_of_fast(&user, outer, sizeof(*kept));
		same = fgraph_retrieve_data(user.idx, NULL);
		was = *kept;
		inner = push(0);
		graph_pop_call(current, inner);
		graph_pop_call(current, outer);
	}
	KUNIT_EXPECT_PTR_EQ(test, kept, same);
	KUNIT_EXPECT_EQ(test, 0, was.time);
	KUNIT_EXPECT_TRUE(test, (void *)inner >= (void *)(kept + 1));
	KUNIT_EXPECT_PTR_EQ(test, graph_outer_call(inner), outer);
}

/* The search must not find data of other users, nor data behind the end of the call. */
static void other_data_are_not_plain(struct kunit *test)
{
	struct ftrace_ret_stack *call;
	void *others, *none, *later;

	scoped_guard(preempt_notrace) {
		call = push_keeping();
		fgraph_reserve_data(user.idx + 1, 0);
		others = graph_data_of_fast(&user, call, sizeof(struct kept));
		graph_pop_call(current, call);
		call = push(user.user);
		*graph_data_begin(call) = graph_data_head(user.idx, DATA_WORDS);
		none = graph_data_of_fast(&user, call, sizeof(struct kept));
		graph_pop_call(current, call);
		call = push_keeping();
		call->seq = user.since - 1;
		later = graph_data_of_fast(&user, call, sizeof(struct kept));
		graph_pop_call(current, call);
	}
	KUNIT_EXPECT_NULL(test, others);
	KUNIT_EXPECT_NULL(test, none);
	KUNIT_EXPECT_NULL(test, later);
}

/* Fill the stack, then pop all calls. Return: the end of the last call. */
static unsigned long *fill_stack(void)
{
	struct ftrace_ret_stack *call, *last = NULL;
	unsigned long *end;
	int calls = 0;

	while ((call = graph_push_call_with_data(current, graph_newest_call(current), &user.head,
						 user.idx, sizeof(struct kept)))) {
		last = call;
		calls++;
	}
	end = (unsigned long *)last + last->words;
	while (calls--)
		graph_pop_call(current, graph_newest_call(current));
	return end;
}

static void data_do_not_leave_the_stack(struct kunit *test)
{
	unsigned long *end, *top;

	scoped_guard(preempt_notrace) {
		end = fill_stack();
		top = current->ret_stack + GRAPH_STACK_WORDS;
	}
	KUNIT_EXPECT_TRUE(test, end <= top);
	/* The stack must be nearly full. */
	KUNIT_EXPECT_TRUE(test, end + GRAPH_CALL_WORDS + 2 * sizeof(u64) / sizeof(long) > top);
}

static struct kunit_case data_cases[] = {
	KUNIT_CASE(what_is_kept_is_found),
	KUNIT_CASE(unwritten_word_ends_the_search),
	KUNIT_CASE(calls_are_found_below_half_a_call),
	KUNIT_CASE(data_from_the_start_are_found),
	KUNIT_CASE(other_data_are_not_plain),
	KUNIT_CASE(data_do_not_leave_the_stack),
	{ }
};

static struct kunit_suite data_suite = {
	.name		= "ftrace_graph_data",
	.init		= data_test_init,
	.exit		= data_test_exit,
	.test_cases	= data_cases,
};

kunit_test_suite(data_suite);
