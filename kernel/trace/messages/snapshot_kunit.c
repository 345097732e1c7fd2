// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of snapshots, on an instance that is in no list: the exchange of the buffers, their
 * sizes, conditions, and that no record is lost between the two buffers.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include "instance/snapshot.h"
#include "internal.h"
#include "ring_buffer/consume.h"
#include "snapshot.h"

/* Number of records of the writer on another CPU; all of them fit into one buffer. */
#define MANY	5000

static int snapshot_init(struct kunit *test)
{
	struct trace_array *tr = kunit_kzalloc(test, sizeof(*tr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_ASSERT_EQ(test, 0, trace_array_init(tr));
	tr->buf_size = MANY * 16;
	test->priv = tr;
	return 0;
}

static void snapshot_exit(struct kunit *test)
{
	if (test->priv)
		trace_array_exit(test->priv);
}

static void make_room(struct kunit *test)
{
	guard(mutex)(&trace_lock);
	KUNIT_ASSERT_EQ(test, 0, snapshot_alloc(test->priv));
}

static int record(struct trace_array *tr)
{
	u32 data = 1;

	guard(preempt)();
	return ring_buffer_write(READ_ONCE(tr->buffer), sizeof(data), &data);
}

static unsigned long live_entries(struct trace_array *tr)
{
	return ring_buffer_entries(tr->buffer);
}

static unsigned long put_aside(struct trace_array *tr)
{
	return ring_buffer_entries(trace_array_snapshot(tr));
}

static void buffers_change_places(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	make_room(test);
	KUNIT_EXPECT_EQ(test, 0, record(tr));
	KUNIT_EXPECT_TRUE(test, snapshot_take(tr));
	KUNIT_EXPECT_EQ(test, 0, live_entries(tr));
	KUNIT_EXPECT_EQ(test, 1, put_aside(tr));
	record(tr);
	record(tr);
	KUNIT_EXPECT_TRUE(test, snapshot_take(tr));
	KUNIT_EXPECT_EQ(test, 1, live_entries(tr));
	KUNIT_EXPECT_EQ(test, 2, put_aside(tr));
	snapshot_clear(tr, RING_BUFFER_ALL_CPUS);
	KUNIT_EXPECT_EQ(test, 1, live_entries(tr));
	KUNIT_EXPECT_EQ(test, 0, put_aside(tr));
}

static int take_here(struct trace_array *tr)
{
	unsigned long flags;
	int ret;

	local_irq_save(flags);
	ret = snapshot_take_here(tr);
	local_irq_restore(flags);
	return ret;
}

static void only_this_cpu(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	make_room(test);
	migrate_disable();
	record(tr);
	KUNIT_EXPECT_EQ(test, 0, take_here(tr));
	KUNIT_EXPECT_EQ(test, 0, live_entries(tr));
	KUNIT_EXPECT_EQ(test, 1, put_aside(tr));
	KUNIT_EXPECT_PTR_EQ(test, tr->buffer, tr->buffers[0]);
	migrate_enable();
}

static void not_under_who_consumes(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	make_room(test);
	migrate_disable();
	for (int all = 0; all < 2; all++) {
		int cpu = all ? RING_BUFFER_ALL_CPUS : raw_smp_processor_id();

		consume_lock(cpu);
		KUNIT_EXPECT_EQ(test, -EBUSY, take_here(tr));
		consume_unlock(cpu);
	}
	KUNIT_EXPECT_EQ(test, 0, take_here(tr));
	migrate_enable();
}

static int make_room_task(void *data)
{
	int ret;

	scoped_guard(mutex, &trace_lock)
		ret = snapshot_alloc(data);
	while (!kthread_should_stop())
		msleep(20);
	return ret;
}

static void pages_stay_while_somebody_consumes(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct task_struct *task;

	KUNIT_ASSERT_EQ(test, 0, tracing_set_subbuf_order(tr, 1));
	consume_lock(RING_BUFFER_ALL_CPUS);
	task = kthread_run(make_room_task, tr, "snapshot_kunit");
	if (!IS_ERR(task))
		msleep(100);
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_subbuf_order_get(trace_array_snapshot(tr)));
	consume_unlock(RING_BUFFER_ALL_CPUS);
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	KUNIT_EXPECT_EQ(test, 0, kthread_stop(task));
	KUNIT_EXPECT_EQ(test, 1, ring_buffer_subbuf_order_get(trace_array_snapshot(tr)));
}

static void without_room_recording_stops(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	KUNIT_EXPECT_FALSE(test, snapshot_take(tr));
	KUNIT_EXPECT_EQ(test, -ENODEV, snapshot_take_here(tr));
	record(tr);
	trace_snapshot(tr);
	KUNIT_EXPECT_FALSE(test, tracer_tracing_is_on(tr));
	/* The second record is the message that there is no room. */
	KUNIT_EXPECT_EQ(test, 2, live_entries(tr));
	KUNIT_EXPECT_NE(test, 0, record(tr));
}

static void sizes_follow(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	int cpu = raw_smp_processor_id();
	unsigned long small, size;

	small = ring_buffer_size(trace_array_snapshot(tr), cpu);
	make_room(test);
	size = ring_buffer_size(tr->buffer, cpu);
	KUNIT_EXPECT_GT(test, size, small);
	KUNIT_EXPECT_EQ(test, size, ring_buffer_size(trace_array_snapshot(tr), cpu));

	KUNIT_EXPECT_EQ(test, 0, tracing_resize(tr, 5 * size, cpu));
	KUNIT_EXPECT_EQ(test, 0, tracing_set_subbuf_order(tr, 1));
	KUNIT_EXPECT_EQ(test, 1, ring_buffer_subbuf_order_get(trace_array_snapshot(tr)));
	KUNIT_EXPECT_GE(test, ring_buffer_size(tr->buffer, cpu), 5 * size);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(tr->buffer, cpu),
			ring_buffer_size(trace_array_snapshot(tr), cpu));

	scoped_guard(mutex, &trace_lock) {
		KUNIT_EXPECT_EQ(test, 0, snapshot_free(tr));
		KUNIT_EXPECT_FALSE(test, snapshot_take(tr));
	}
	KUNIT_EXPECT_EQ(test, small, ring_buffer_size(trace_array_snapshot(tr), cpu));
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_subbuf_order_get(trace_array_snapshot(tr)));
	make_room(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(tr->buffer, cpu),
			ring_buffer_size(trace_array_snapshot(tr), cpu));
}

static int asked;

static bool second_time(struct trace_array *tr, void *data)
{
	return ++asked == 2 && data == &asked;
}

static void a_condition_decides(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	asked = 0;
	KUNIT_EXPECT_EQ(test, -EINVAL, tracing_snapshot_cond_disable(tr));
	KUNIT_ASSERT_EQ(test, 0, tracing_snapshot_cond_enable(tr, test, second_time));
	KUNIT_EXPECT_EQ(test, -EBUSY, tracing_snapshot_cond_enable(tr, test, second_time));
	KUNIT_EXPECT_PTR_EQ(test, test, tracing_cond_snapshot_data(tr));
	record(tr);
	tracing_snapshot_cond(tr, &asked);
	KUNIT_EXPECT_EQ(test, 0, put_aside(tr));
	tracing_snapshot_cond(tr, &asked);
	KUNIT_EXPECT_EQ(test, 1, put_aside(tr));
	trace_snapshot(tr);
	KUNIT_EXPECT_EQ(test, 1, put_aside(tr));
	KUNIT_EXPECT_EQ(test, 3, asked);

	KUNIT_EXPECT_EQ(test, 0, tracing_snapshot_cond_disable(tr));
	KUNIT_EXPECT_NULL(test, tracing_cond_snapshot_data(tr));
	tracing_snapshot_cond(tr, NULL);
	KUNIT_EXPECT_EQ(test, 0, put_aside(tr));
	KUNIT_EXPECT_EQ(test, 3, asked);
}

/* The buffer cannot be mapped while there is a condition, and can be afterwards. */
static void a_condition_ends(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	KUNIT_ASSERT_EQ(test, 0, tracing_snapshot_cond_enable(tr, test, second_time));
	KUNIT_EXPECT_EQ(test, -EBUSY, snapshot_block(tr));
	KUNIT_EXPECT_EQ(test, 0, tracing_snapshot_cond_disable(tr));
	KUNIT_EXPECT_EQ(test, 0, snapshot_block(tr));
	KUNIT_EXPECT_EQ(test, -EBUSY, tracing_snapshot_cond_enable(tr, test, second_time));
	snapshot_unblock(tr);
	KUNIT_EXPECT_EQ(test, 0, tracing_snapshot_cond_enable(tr, test, second_time));
	KUNIT_EXPECT_EQ(test, 0, tracing_snapshot_cond_disable(tr));
}

static bool asks_itself(struct trace_array *tr, void *data)
{
	asked++;
	tracing_snapshot_cond(tr, data);
	return true;
}

/* A condition, or a traced function that it calls, may request a snapshot itself. */
static void a_condition_may_ask(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	asked = 0;
	KUNIT_ASSERT_EQ(test, 0, tracing_snapshot_cond_enable(tr, test, asks_itself));
	record(tr);
	tracing_snapshot_cond(tr, NULL);
	KUNIT_EXPECT_EQ(test, 1, asked);
	KUNIT_EXPECT_EQ(test, 1, put_aside(tr));
	tracing_snapshot_cond(tr, NULL);
	KUNIT_EXPECT_EQ(test, 2, asked);
	KUNIT_EXPECT_EQ(test, 0, put_aside(tr));
	KUNIT_EXPECT_EQ(test, 0, tracing_snapshot_cond_disable(tr));
}

static int write_many(void *data)
{
	struct trace_array *tr = data;
	int left = MANY;

	while (left && !kthread_should_stop()) {
		left -= !record(tr);
		cond_resched();
	}
	while (!kthread_should_stop())
		msleep(20);
	return left;
}

static struct task_struct *start_writer(struct kunit *test, int cpu)
{
	struct task_struct *writer = kthread_create_on_cpu(write_many, test->priv, cpu,
							   "snapshot_kunit/%u");

	if (!IS_ERR(writer))
		wake_up_process(writer);
	return writer;
}

static void take_until_all_is_written(struct trace_array *tr)
{
	unsigned long rounds = 0;

	while (live_entries(tr) + put_aside(tr) < MANY && rounds++ < 1000 * MANY) {
		snapshot_take(tr);
		cond_resched();
	}
}

/* A writer that has loaded the pointer to the old buffer adds its record there. */
static void write_elsewhere(struct kunit *test, int cpu)
{
	struct trace_array *tr = test->priv;
	struct task_struct *writer = start_writer(test, cpu);

	KUNIT_EXPECT_FALSE(test, IS_ERR(writer));
	if (IS_ERR(writer))
		return;
	take_until_all_is_written(tr);
	KUNIT_EXPECT_EQ(test, 0, kthread_stop(writer));
	KUNIT_EXPECT_EQ(test, MANY, live_entries(tr) + put_aside(tr));
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_overruns(tr->buffers[0]));
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_overruns(tr->buffers[1]));
}

static void nothing_is_lost_in_between(struct kunit *test)
{
	int other;

	make_room(test);
	/* A writer on this CPU does not run while a snapshot is taken. */
	migrate_disable();
	other = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	if (other < nr_cpu_ids)
		write_elsewhere(test, other);
	migrate_enable();
	if (other >= nr_cpu_ids)
		kunit_skip(test, "takes two CPUs");
}

static struct kunit_case snapshot_cases[] = {
	KUNIT_CASE(buffers_change_places),
	KUNIT_CASE(only_this_cpu),
	KUNIT_CASE(not_under_who_consumes),
	KUNIT_CASE(pages_stay_while_somebody_consumes),
	KUNIT_CASE(without_room_recording_stops),
	KUNIT_CASE(sizes_follow),
	KUNIT_CASE(a_condition_decides),
	KUNIT_CASE(a_condition_ends),
	KUNIT_CASE(a_condition_may_ask),
	KUNIT_CASE_SLOW(nothing_is_lost_in_between),
	{}
};

static struct kunit_suite snapshot_suite = {
	.name		= "ftrace_snapshot",
	.init		= snapshot_init,
	.exit		= snapshot_exit,
	.test_cases	= snapshot_cases,
};

kunit_test_suite(snapshot_suite);
