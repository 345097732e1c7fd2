// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the interface of modules to synthetic events, and of the errors that it returns.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/err.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include "instance/instance.h"
#include "synth.h"

#define SYSTEM	"synthetic"
#define NAME	"kunit_made"

/* Create an event with a string and a number, and enable it in the first instance. */
static int make_event(struct kunit *test)
{
	struct synth_field_desc fields[] = {
		{ .type = "char[8]", .name = "text" }, { .type = "s32", .name = "number" },
	};
	struct trace_event_file *file;
	int err = synth_event_create(NAME, fields, ARRAY_SIZE(fields), NULL);

	if (err)
		return err;
	file = trace_get_event_file(NULL, SYSTEM, NAME);
	if (IS_ERR(file)) {
		synth_event_delete(NAME);
		return PTR_ERR(file);
	}
	test->priv = file;
	return trace_set_clr_event(SYSTEM, NAME, 1);
}

static void delete_event(struct kunit *test)
{
	struct trace_event_file *file = test->priv;

	if (!file)
		return;
	trace_set_clr_event(SYSTEM, NAME, 0);
	trace_put_event_file(file);
	KUNIT_EXPECT_EQ(test, synth_event_delete(NAME), 0);
}

static u64 text(const char *text)
{
	return (uintptr_t)text;
}

/* Fields of a record are set either in their order or by name. */
static void fields_are_set_in_one_way(struct kunit *test)
{
	struct synth_event_trace_state state;

	KUNIT_ASSERT_EQ(test, synth_event_trace_start(test->priv, &state), 0);
	KUNIT_EXPECT_EQ(test, synth_event_add_val("number", 3, &state), 0);
	KUNIT_EXPECT_EQ(test, synth_event_add_next_val(4, &state), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_add_val("text", text("some"), &state), 0);
	KUNIT_EXPECT_EQ(test, synth_event_trace_end(&state), 0);

	KUNIT_ASSERT_EQ(test, synth_event_trace_start(test->priv, &state), 0);
	KUNIT_EXPECT_EQ(test, synth_event_add_next_val(text("some"), &state), 0);
	KUNIT_EXPECT_EQ(test, synth_event_add_val("number", 5, &state), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_add_next_val(5, &state), 0);
	KUNIT_EXPECT_EQ(test, synth_event_add_next_val(6, &state), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_trace_end(&state), 0);
}

static void nonsense_is_refused(struct kunit *test)
{
	struct synth_event_trace_state state;
	u64 vals[] = { text("some"), 1 };

	KUNIT_EXPECT_EQ(test, synth_event_trace_start(test->priv, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_add_next_val(1, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_add_val("number", 1, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_trace_end(NULL), -EINVAL);
	KUNIT_ASSERT_EQ(test, synth_event_trace_start(test->priv, &state), 0);
	KUNIT_EXPECT_EQ(test, synth_event_add_val("nothing", 1, &state), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_add_val("text", 0, &state), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_trace_end(&state), 0);
	KUNIT_EXPECT_EQ(test, synth_event_trace_array(test->priv, vals, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_trace_array(test->priv, vals, 2), 0);
	KUNIT_EXPECT_EQ(test, synth_event_trace(test->priv, 3, vals[0], vals[1], vals[0]), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_trace(test->priv, 2, vals[0], vals[1]), 0);
}

/* A string that does not fit is cut, and does not overwrite the next field. */
static void texts_are_cut(struct kunit *test)
{
	static const struct {
		const char	*whole;
		char		cut[8];
	} texts[] = {
		{ "as long as it likes", "as long" },
		{ "12345678", "1234567" },
		{ "1234567", "1234567" },
		{ "", "" },
	};
	struct synth_event_trace_state state;
	int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		KUNIT_ASSERT_EQ(test, synth_event_trace_start(test->priv, &state), 0);
		KUNIT_EXPECT_EQ(test, synth_event_add_val("number", -2, &state), 0);
		KUNIT_EXPECT_EQ(test, synth_event_add_val("text", text(texts[i].whole), &state), 0);
		KUNIT_EXPECT_MEMEQ(test, state.entry + state.event->fields[0].offset, texts[i].cut,
				   sizeof(texts[i].cut));
		KUNIT_EXPECT_EQ(test, *(s32 *)(state.entry + state.event->fields[1].offset), -2);
		KUNIT_EXPECT_EQ(test, synth_event_trace_end(&state), 0);
	}
}

/* An event that is on, or that is referenced, cannot be deleted. */
static void what_is_used_stays(struct kunit *test)
{
	struct synth_field_desc field = { .type = "int", .name = "other" };

	KUNIT_EXPECT_EQ(test, synth_event_create(NAME, NULL, 0, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, synth_event_create(NAME, &field, 1, NULL), -EEXIST);
	KUNIT_EXPECT_EQ(test, synth_event_delete(NAME), -EBUSY);
	KUNIT_EXPECT_EQ(test, synth_event_delete("kunit_never_made"), -ENOENT);
	KUNIT_EXPECT_EQ(test, trace_set_clr_event(SYSTEM, NAME, 0), 0);
	KUNIT_EXPECT_EQ(test, synth_event_delete(NAME), -EBUSY);
	/* The failed attempt has not unlinked the event. */
	KUNIT_EXPECT_EQ(test, synth_event_delete(NAME), -EBUSY);
}

/*
 * Fill the buffer of this CPU until the writer is on a page that it has written before, so that no
 * byte of the next record is 0 by chance.
 */
static int fill_buffer(struct trace_event_file *file)
{
	struct trace_buffer *buffer = file->tr->buffer;
	int cpu = smp_processor_id(), err = 0;

	for (int i = 0; !err && i < SZ_64K && !ring_buffer_overrun_cpu(buffer, cpu); i++)
		err = synth_event_trace(file, 2, text("1234567"), -1ULL);
	return err ?: ring_buffer_overrun_cpu(buffer, cpu) ? 0 : -ENOSPC;
}

/**
 * struct unset - fields of a record none of which was set
 * @text: string of the record
 * @number: number of the record
 */
struct unset {
	char	text[8];
	s32	number;
};

static int record_unset(struct trace_event_file *file, struct unset *unset)
{
	struct synth_event_trace_state state;
	int err = synth_event_trace_start(file, &state);
	const struct synth_field *fields = state.event->fields;

	if (err || state.disabled)
		return err ?: -ENODATA;
	memcpy(unset->text, state.entry + fields[0].offset, sizeof(unset->text));
	unset->number = *(s32 *)(state.entry + fields[1].offset);
	return synth_event_trace_end(&state);
}

/* Check a record without values. The caller's instance has a buffer of its own, made small here. */
static void try_unset(struct kunit *test, struct trace_event_file *file)
{
	struct trace_buffer *buffer = file->tr->buffer;
	struct unset unset = { .text = "not 0", .number = -1 };
	int err;

	ring_buffer_change_overwrite(buffer, 1);
	err = ring_buffer_resize(buffer, 2 * PAGE_SIZE, RING_BUFFER_ALL_CPUS);
	scoped_guard(migrate)
		err = err ?: fill_buffer(file) ?: record_unset(file, &unset);
	KUNIT_EXPECT_EQ(test, err, 0);
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(unset.text, 0, sizeof(unset.text)), NULL);
	KUNIT_EXPECT_EQ(test, unset.number, 0);
}

/* Fields that are not set are 0, and do not leak older contents of the buffer. */
static void what_is_not_set_is_0(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name(NAME, NULL);
	struct trace_event_file *file;

	KUNIT_ASSERT_NOT_NULL(test, tr);
	file = trace_get_event_file(NAME, SYSTEM, NAME);
	KUNIT_EXPECT_FALSE(test, IS_ERR(file));
	if (!IS_ERR(file)) {
		KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, SYSTEM, NAME, true), 0);
		try_unset(test, file);
		trace_put_event_file(file);
	}
	trace_array_put(tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), 0);
}

static struct kunit_case api_cases[] = {
	KUNIT_CASE(fields_are_set_in_one_way),
	KUNIT_CASE(nonsense_is_refused),
	KUNIT_CASE(texts_are_cut),
	KUNIT_CASE(what_is_not_set_is_0),
	KUNIT_CASE(what_is_used_stays),
	{}
};

static struct kunit_suite api_suite = {
	.name		= "ftrace_synth",
	.init		= make_event,
	.exit		= delete_event,
	.test_cases	= api_cases,
};

kunit_test_suite(api_suite);
