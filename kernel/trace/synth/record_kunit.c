// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the layout of strings and stacks behind the fields of a record.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "events/events.h"
#include "internal.h"
#include "synth.h"

#define NAME	"kunit_stacked"

static void delete_event(struct kunit *test)
{
	if (!test->priv)
		return;
	synth_event_put(test->priv);
	KUNIT_EXPECT_EQ(test, synth_event_delete(NAME), 0);
}

/* Create an event with a string of variable length, and a stack behind it. */
static int make_event(struct kunit *test)
{
	struct synth_field_desc fields[] = {
		{ .type = "char[]", .name = "before" }, { .type = "long[]", .name = "stack" },
	};
	int err = synth_event_create(NAME, fields, ARRAY_SIZE(fields), NULL);

	if (err)
		return err;
	guard(mutex)(&events_lock);
	test->priv = synth_event_get(NAME);
	return test->priv ? 0 : -ENOENT;
}

/* Get the field of an array: its offset in the lower, its length in the upper 16 bits. */
static u32 loc_of(const void *rec, const struct synth_field *f)
{
	return *(u32 *)(rec + f->offset);
}

static void expect_whole_stack(struct kunit *test, const char *before)
{
	static const unsigned long stack[] = { 3, 0x111, 0x222, 0x333 };
	const u64 vals[] = { (uintptr_t)before, (uintptr_t)stack };
	const struct synth_vals from = { .vals = vals };
	const struct synth_event *event = test->priv;
	unsigned int room = synth_room(event, &from);
	unsigned long rec[32] = { };
	u32 loc;

	KUNIT_ASSERT_LE(test, event->len + room, sizeof(rec));
	synth_fill(event, rec, room, &from);
	loc = loc_of(rec, &event->fields[0]);
	KUNIT_ASSERT_EQ(test, loc >> 16, strlen(before) + 1);
	KUNIT_EXPECT_STREQ(test, (char *)rec + (u16)loc, before);
	loc = loc_of(rec, &event->fields[1]);
	KUNIT_ASSERT_EQ(test, loc >> 16, sizeof(stack));
	KUNIT_ASSERT_LE(test, (u16)loc + sizeof(stack), event->len + room);
	KUNIT_EXPECT_EQ(test, (u16)loc % sizeof(long), 0);
	KUNIT_EXPECT_MEMEQ(test, (void *)rec + (u16)loc, stack, sizeof(stack));
}

/* A stack is aligned and complete behind a string of any length. */
static void stacks_are_whole_behind_a_text(struct kunit *test)
{
	static const char before[] = "a text of 19 bytes";

	for (int i = 0; i < sizeof(before); i++)
		expect_whole_stack(test, before + i);
}

static struct kunit_case record_cases[] = {
	KUNIT_CASE(stacks_are_whole_behind_a_text),
	{}
};

static struct kunit_suite record_suite = {
	.name		= "ftrace_synth_record",
	.init		= make_event,
	.exit		= delete_event,
	.test_cases	= record_cases,
};

kunit_test_suite(record_suite);
