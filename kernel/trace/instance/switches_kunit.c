// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit test of an instance that is switched on and off at the same time: afterwards both its
 * buffers are on, or both are off. Runs on an instance that nobody else uses.
 */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>

#include "instance.h"

#define ROUNDS		16000
#define LATEST		500

static int switches_test_init(struct kunit *test)
{
	struct trace_array *tr = kunit_kzalloc(test, sizeof(*tr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_ASSERT_EQ(test, trace_array_init(tr), 0);
	test->priv = tr;
	return 0;
}

static void switches_test_exit(struct kunit *test)
{
	if (test->priv)
		trace_array_exit(test->priv);
}

/**
 * struct race - threads that switch one instance
 * @tr: the instance
 * @nr: number of threads
 * @there: counts the arrivals of threads at the start of a round
 * @left: counts the arrivals of threads at the end of a round
 * @differ: number of rounds after which the states of the buffers differed
 * @gone: completed by each thread at its end
 */
struct race {
	struct trace_array	*tr;
	unsigned int		nr;
	atomic_t		there;
	atomic_t		left;
	unsigned int		differ;
	struct completion	gone;
};

static void meet(atomic_t *count, unsigned int nr)
{
	unsigned int round = (atomic_inc_return(count) - 1) / nr;

	while (atomic_read(count) < (round + 1) * nr)
		cond_resched();
}

static bool buffers_differ(const struct trace_array *tr)
{
	return ring_buffer_record_is_set_on(tr->buffers[0]) !=
	       ring_buffer_record_is_set_on(tr->buffers[NR_TRACE_BUFFERS - 1]);
}

/*
 * Delay one of the threads by a varying time, as both paths to the switch of the buffers take
 * different times: so each of them is late in some rounds.
 */
static void come_late(int round, bool off)
{
	if ((round & 1) == off)
		for (int n = round / 2 % LATEST; n; n--)
			barrier();
}

/*
 * The first thread switches the instance off, the others switch it on. The first one then
 * compares the buffers, while the others wait for the next round.
 */
static void switch_once(struct race *race, bool off)
{
	if (off)
		tracer_tracing_off(race->tr);
	else
		tracer_tracing_on(race->tr);
	meet(&race->left, race->nr);
	if (off)
		race->differ += buffers_differ(race->tr);
}

static int switcher(void *data)
{
	struct race *race = data;
	bool first = smp_processor_id() == cpumask_first(cpu_online_mask);

	for (int i = 0; i < ROUNDS; i++) {
		meet(&race->there, race->nr);
		come_late(i, first);
		switch_once(race, first);
	}
	complete(&race->gone);
	return 0;
}

static void buffers_are_the_same(struct kunit *test)
{
	struct race race = { .tr = test->priv };
	struct task_struct *tasks[2];
	int cpu;

	if (num_online_cpus() < 2)
		kunit_skip(test, "one CPU");
	init_completion(&race.gone);
	for_each_online_cpu(cpu) {
		tasks[race.nr] = kthread_create_on_cpu(switcher, &race, cpu, "switches/%u");
		KUNIT_ASSERT_FALSE(test, IS_ERR(tasks[race.nr]));
		if (++race.nr == ARRAY_SIZE(tasks))
			break;
	}
	for (unsigned int i = 0; i < race.nr; i++)
		wake_up_process(tasks[i]);
	for (unsigned int i = 0; i < race.nr; i++)
		wait_for_completion(&race.gone);
	KUNIT_EXPECT_EQ(test, race.differ, 0);
}

static struct kunit_case switches_cases[] = {
	KUNIT_CASE(buffers_are_the_same),
	{ }
};

static struct kunit_suite switches_suite = {
	.name		= "ftrace_switches",
	.init		= switches_test_init,
	.exit		= switches_test_exit,
	.test_cases	= switches_cases,
};

kunit_test_suite(switches_suite);
