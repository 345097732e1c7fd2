// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of scratch records. */
#include <kunit/test.h>
#include <linux/container_of.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/math.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "internal.h"
#include "scratch.h"

static struct trace_buffer *buffer_of(struct kunit *test)
{
	return test->priv;
}

/* Filters and triggers that were set up at boot may need scratch records, too. */
static bool others_have_asked(void)
{
	return READ_ONCE(*raw_cpu_ptr(&trace_scratch.room));
}

static void nothing_before_it_is_asked_for(struct kunit *test)
{
	trace_scratch_put(TRACE_SCRATCH_READ);
	preempt_disable();
	if (others_have_asked())
		kunit_mark_skipped(test, "somebody else has asked for room");
	else
		KUNIT_EXPECT_NULL(test, trace_scratch_start(8));
	preempt_enable();
	KUNIT_EXPECT_EQ(test, trace_scratch_get(TRACE_SCRATCH_READ), 0);
}

/* Return: true if the record was kept. */
static bool make(struct kunit *test, int pid, unsigned int len, bool wanted)
{
	struct trace_entry *ent;
	bool kept = false;

	preempt_disable();
	ent = trace_scratch_start(len);
	if (ent) {
		memset(ent, 0x5a, len);
		ent->pid = pid;
		if (wanted)
			kept = trace_scratch_keep(buffer_of(test), ent, len, NULL);
		trace_scratch_end();
	}
	preempt_enable();
	return kept;
}

static void only_what_is_wanted_is_recorded(struct kunit *test)
{
	struct ring_buffer_event *event;
	struct trace_entry *ent;
	int cpu;

	migrate_disable();
	cpu = smp_processor_id();
	KUNIT_EXPECT_FALSE(test, make(test, 1, 16, false));
	KUNIT_EXPECT_TRUE(test, make(test, 2, 104, true));
	KUNIT_EXPECT_FALSE(test, make(test, 3, 16, false));
	migrate_enable();
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer_of(test)), 1);
	event = ring_buffer_consume(buffer_of(test), cpu, NULL, NULL);
	KUNIT_ASSERT_NOT_NULL(test, event);
	ent = ring_buffer_event_data(event);
	KUNIT_EXPECT_EQ(test, ent->pid, 2);
	KUNIT_EXPECT_EQ(test, ring_buffer_event_length(event), 104);
	KUNIT_EXPECT_EQ(test, ((u8 *)ent)[103], 0x5a);
}

static void long_ones_find_no_room(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, make(test, 1, TRACE_SCRATCH_MAX, true));
	KUNIT_EXPECT_FALSE(test, make(test, 1, TRACE_SCRATCH_MAX + 1, true));
}

/*
 * Contexts that nest get different places, and there is a limit. Interrupts are off, because
 * events traced in them would find no place. Return: the number of places.
 */
static unsigned int count_places(struct kunit *test)
{
	struct trace_entry *ents[TRACE_SCRATCH_PLACES_SYNTH + 1];
	unsigned int nr = 0;
	unsigned long flags;

	local_irq_save(flags);
	while (nr < ARRAY_SIZE(ents) && (ents[nr] = trace_scratch_start(TRACE_SCRATCH_MAX))) {
		ents[nr]->pid = nr + 1;
		nr++;
	}
	for (unsigned int i = 0; i < nr; i++)
		KUNIT_EXPECT_EQ(test, ents[i]->pid, i + 1);
	for (unsigned int i = 0; i < nr; i++)
		trace_scratch_end();
	local_irq_restore(flags);
	KUNIT_EXPECT_TRUE(test, make(test, 1, 8, true));
	return nr;
}

static void skip_if_more_is_there(struct kunit *test)
{
	if (READ_ONCE(raw_cpu_ptr(&trace_scratch)->places) > TRACE_SCRATCH_PLACES_READ)
		kunit_skip(test, "somebody else has asked for more");
}

static void contexts_have_places_of_their_own(struct kunit *test)
{
	skip_if_more_is_there(test);
	KUNIT_EXPECT_EQ(test, count_places(test), TRACE_SCRATCH_PLACES_READ);
	KUNIT_ASSERT_EQ(test, trace_scratch_get(TRACE_SCRATCH_PROBE), 0);
	KUNIT_EXPECT_EQ(test, count_places(test), TRACE_SCRATCH_PLACES_PROBE);
	KUNIT_EXPECT_EQ(test, trace_scratch_get(TRACE_SCRATCH_SYNTH), 0);
	KUNIT_EXPECT_EQ(test, count_places(test), TRACE_SCRATCH_PLACES_SYNTH);
	trace_scratch_put(TRACE_SCRATCH_PROBE);
	trace_scratch_put(TRACE_SCRATCH_SYNTH);
	KUNIT_EXPECT_EQ(test, count_places(test), TRACE_SCRATCH_PLACES_SYNTH);
}

struct more {
	struct work_struct	work;
	int			err;
	bool			done;
};

static void get_more(struct work_struct *work)
{
	struct more *more = container_of(work, struct more, work);

	more->err = trace_scratch_get(TRACE_SCRATCH_SYNTH);
	WRITE_ONCE(more->done, true);
}

/*
 * The memory of a scratch record stays until its end, even if a larger room is installed
 * meanwhile.
 */
static void a_record_keeps_its_room(struct kunit *test)
{
	struct trace_entry *ent;
	struct more more = { };
	bool done;

	skip_if_more_is_there(test);
	INIT_WORK_ONSTACK(&more.work, get_more);
	preempt_disable();
	ent = trace_scratch_start(TRACE_SCRATCH_MAX);
	queue_work(system_unbound_wq, &more.work);
	for (int i = 0; ent && i < 50; i++) {
		memset(ent, i, TRACE_SCRATCH_MAX);
		mdelay(1);
	}
	done = READ_ONCE(more.done);
	if (ent)
		trace_scratch_end();
	preempt_enable();
	flush_work(&more.work);
	destroy_work_on_stack(&more.work);
	KUNIT_EXPECT_NOT_NULL(test, ent);
	KUNIT_EXPECT_FALSE(test, done);
	KUNIT_ASSERT_EQ(test, more.err, 0);
	KUNIT_EXPECT_EQ(test, count_places(test), TRACE_SCRATCH_PLACES_SYNTH);
	trace_scratch_put(TRACE_SCRATCH_SYNTH);
}

static void take_and_give_back(struct kunit *test, unsigned int times)
{
	for (unsigned int i = 0; i < times; i++) {
		if (!trace_scratch_get(TRACE_SCRATCH_SYNTH))
			trace_scratch_put(TRACE_SCRATCH_SYNTH);
		trace_scratch_put(TRACE_SCRATCH_READ);
		KUNIT_ASSERT_EQ(test, trace_scratch_get(TRACE_SCRATCH_READ), 0);
	}
}

/*
 * Old rooms are freed. Other code may allocate memory during the test, but less than these rooms
 * have.
 */
static void room_that_was_given_back_is_free(struct kunit *test)
{
	const long pages = DIV_ROUND_UP(TRACE_SCRATCH_PLACES_READ * TRACE_SCRATCH_MAX, PAGE_SIZE);
	const int times = 50;
	long before, more;

	take_and_give_back(test, 1);
	before = vmalloc_nr_pages();
	take_and_give_back(test, times);
	more = vmalloc_nr_pages() - before;
	KUNIT_EXPECT_LT(test, more, times * pages / 2);
}

static bool has_room(unsigned int cpu)
{
	return READ_ONCE(per_cpu(trace_scratch.room, cpu));
}

/* A CPU that is offline has no room; one that comes up gets it before it does anything. */
static void only_cpus_that_are_online_have_room(struct kunit *test)
{
	unsigned int cpu = cpumask_last(cpu_online_mask), each;

	for_each_possible_cpu(each)
		KUNIT_EXPECT_EQ(test, has_room(each), cpu_online(each));
	if (!cpu || remove_cpu(cpu))
		kunit_skip(test, "there is no CPU that can be taken down");
	KUNIT_EXPECT_FALSE(test, has_room(cpu));
	KUNIT_ASSERT_EQ(test, add_cpu(cpu), 0);
	KUNIT_EXPECT_TRUE(test, has_room(cpu));
}

static struct kunit_case scratch_cases[] = {
	KUNIT_CASE(nothing_before_it_is_asked_for),
	KUNIT_CASE(only_what_is_wanted_is_recorded),
	KUNIT_CASE(long_ones_find_no_room),
	KUNIT_CASE(contexts_have_places_of_their_own),
	KUNIT_CASE(a_record_keeps_its_room),
	KUNIT_CASE_SLOW(room_that_was_given_back_is_free),
	KUNIT_CASE_SLOW(only_cpus_that_are_online_have_room),
	{}
};

static int scratch_test_init(struct kunit *test)
{
	test->priv = ring_buffer_alloc(PAGE_SIZE * 4, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, test->priv);
	KUNIT_ASSERT_EQ(test, trace_scratch_get(TRACE_SCRATCH_READ), 0);
	return 0;
}

static void scratch_test_exit(struct kunit *test)
{
	if (!test->priv)
		return;
	trace_scratch_put(TRACE_SCRATCH_READ);
	ring_buffer_free(test->priv);
}

static struct kunit_suite scratch_suite = {
	.name		= "ftrace_scratch",
	.init		= scratch_test_init,
	.exit		= scratch_test_exit,
	.test_cases	= scratch_cases,
};

kunit_test_suite(scratch_suite);
