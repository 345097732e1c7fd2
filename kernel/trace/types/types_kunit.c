// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of types of records that are registered and unregistered. */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>

#include "types.h"

static void own_types_are_there(struct kunit *test)
{
	static const unsigned int some[] = { TRACE_STACK, TRACE_PRINT, TRACE_BPRINT, TRACE_BPUTS,
					     TRACE_RAW_DATA, TRACE_USER_STACK };

	for (unsigned int i = 0; i < ARRAY_SIZE(some); i++) {
		const struct record_type *type = record_type_of(some[i]);

		KUNIT_ASSERT_NOT_NULL_MSG(test, type, "%u", some[i]);
		KUNIT_EXPECT_EQ(test, type->id, some[i]);
		KUNIT_EXPECT_NOT_NULL(test, type->class->text);
		KUNIT_EXPECT_NOT_NULL(test, type->fields);
	}
	KUNIT_EXPECT_NULL(test, record_type_of(0));
	KUNIT_EXPECT_NULL(test, record_type_of(TRACE_EVENT_TYPE_MAX));
	KUNIT_EXPECT_NULL(test, record_type_of(UINT_MAX));
}

/* A record that prints by the type of another one prints nonsense, or worse. */
static void numbers_are_not_used_again_soon(struct kunit *test)
{
	struct record_type one = { .name = "one" }, two = { .name = "two" };
	unsigned int id;

	KUNIT_ASSERT_EQ(test, record_type_register(&one), 0);
	id = one.id;
	KUNIT_EXPECT_GE(test, id, TRACE_FIRST_EVENT);
	KUNIT_EXPECT_PTR_EQ(test, record_type_of(id), &one);
	record_type_unregister(&one);
	KUNIT_EXPECT_NULL(test, record_type_of(id));
	KUNIT_ASSERT_EQ(test, record_type_register(&two), 0);
	KUNIT_EXPECT_NE(test, two.id, id);
	record_type_unregister(&two);
}

/* An open file that remembers a key never finds a later event. */
static void keys_are_not_used_again(struct kunit *test)
{
	struct record_type type = { .name = "type" };
	unsigned int id, key;

	KUNIT_ASSERT_EQ(test, record_type_register(&type), 0);
	record_type_unregister(&type);
	id = type.id;
	key = record_type_key(&type);
	KUNIT_EXPECT_EQ(test, key & U16_MAX, id);
	do {
		KUNIT_ASSERT_EQ(test, record_type_register(&type), 0);
		record_type_unregister(&type);
	} while (type.id != id);
	KUNIT_EXPECT_NE(test, record_type_key(&type), key);
	KUNIT_EXPECT_EQ(test, record_type_key(record_type_of(TRACE_PRINT)), TRACE_PRINT);
}

static void size_is_that_of_the_fields(struct kunit *test)
{
	static const struct trace_event_fields fields[] = {
		{ "u8", "one", .size = 1, .align = 1 },
		{ "u32", "two", .size = 4, .align = 4 },
		{ "char[]", "rest", .size = 0, .align = 1 },
		{ }
	};
	struct record_type type = { .name = "type", .fields = fields };

	KUNIT_ASSERT_EQ(test, record_type_register(&type), 0);
	KUNIT_EXPECT_EQ(test, type.size, sizeof(struct trace_entry) + 8);
	record_type_unregister(&type);
}

/* A registration that gets the first number again returns 0, not the 1 of xa_alloc_cyclic(). */
static void numbers_begin_anew(struct kunit *test)
{
	struct record_type type = { .name = "type" };
	unsigned int last;
	int ret;

	do {
		last = type.id;
		ret = record_type_register(&type);
		if (ret >= 0)
			record_type_unregister(&type);
	} while (!ret && type.id > last);
	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_EXPECT_EQ(test, last, TRACE_EVENT_TYPE_MAX);
}

struct leaver {
	struct record_type	*type;
	struct completion	begins;
	bool			gone;
};

static int leave(void *data)
{
	struct leaver *l = data;

	complete(&l->begins);
	record_type_unregister(l->type);
	WRITE_ONCE(l->gone, true);
	return 0;
}

static void who_prints_is_waited_for(struct kunit *test)
{
	struct record_type type = { .name = "leaves" };
	struct leaver l = { .type = &type };
	struct task_struct *task;

	init_completion(&l.begins);
	KUNIT_ASSERT_EQ(test, record_type_register(&type), 0);
	record_types_lock();
	task = kthread_run(leave, &l, "leaver");
	if (IS_ERR(task)) {
		record_types_unlock();
		record_type_unregister(&type);
		kunit_skip(test, "no thread");
	}
	get_task_struct(task);
	wait_for_completion(&l.begins);
	schedule_timeout_uninterruptible(3);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(l.gone));
	KUNIT_EXPECT_PTR_EQ(test, record_type_of(type.id), &type);
	record_types_unlock();
	kthread_stop(task);
	put_task_struct(task);
	KUNIT_EXPECT_TRUE(test, l.gone);
	KUNIT_EXPECT_NULL(test, record_type_of(type.id));
}

static struct kunit_case types_cases[] = {
	KUNIT_CASE(own_types_are_there),
	KUNIT_CASE(numbers_are_not_used_again_soon),
	KUNIT_CASE(numbers_begin_anew),
	KUNIT_CASE(keys_are_not_used_again),
	KUNIT_CASE(size_is_that_of_the_fields),
	KUNIT_CASE(who_prints_is_waited_for),
	{}
};

static struct kunit_suite types_suite = {
	.name		= "ftrace_types",
	.test_cases	= types_cases,
};

kunit_test_suite(types_suite);
