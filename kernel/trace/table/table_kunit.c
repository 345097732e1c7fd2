// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the table that counts.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/preempt.h>
#include <linux/sort.h>

#include "internal.h"
#include "table.h"

static struct table *a_table(struct kunit *test, unsigned int rows, unsigned int key_size)
{
	struct table *t = table_alloc(rows, key_size, 0, 2);

	KUNIT_ASSERT_NOT_NULL(test, t);
	return t;
}

/* Count a hit. Return: false if the table has no row left for the key. */
static bool hit(struct table *t, u64 key, u64 value)
{
	u64 values[] = { value, 1 };
	struct table_row *row;

	guard(preempt)();
	row = table_row(t, &key);
	if (row)
		table_add(t, row, values);
	return row;
}

static u64 hits_of(struct table *t, u64 key)
{
	struct table_row *row = table_find(t, &key);

	return row ? atomic64_read(&row->hits) : 0;
}

static void keys_are_counted(struct kunit *test)
{
	struct table *t = a_table(test, 100, sizeof(u64));
	u64 key = 7;

	KUNIT_EXPECT_NULL(test, table_find(t, &key));
	for (unsigned int i = 0; i < 300; i++)
		KUNIT_EXPECT_TRUE(test, hit(t, i % 100, i));
	for (key = 0; key < 100; key++) {
		struct table_row *row = table_find(t, &key);

		KUNIT_ASSERT_NOT_NULL(test, row);
		KUNIT_EXPECT_EQ(test, *(u64 *)table_key(t, row), key);
		KUNIT_EXPECT_EQ(test, atomic64_read(&row->hits), 3);
		KUNIT_EXPECT_EQ(test, atomic64_read(&row->sums[0]), 3 * key + 300);
		KUNIT_EXPECT_EQ(test, atomic64_read(&row->sums[1]), 3);
	}
	KUNIT_EXPECT_EQ(test, atomic64_read(&t->dropped), 0);
	table_free(t);
}

static void what_does_not_fit_is_counted(struct kunit *test)
{
	struct table *t = a_table(test, 10, sizeof(u64));
	unsigned int taken = 0;

	for (u64 key = 0; key < 1000; key++)
		taken += hit(t, key * 4096, 1);
	KUNIT_EXPECT_EQ(test, taken, 10);
	KUNIT_EXPECT_EQ(test, atomic64_read(&t->dropped), 990);
	/* Keys that have a row are still counted. */
	KUNIT_EXPECT_TRUE(test, hit(t, 0, 1));
	KUNIT_EXPECT_EQ(test, hits_of(t, 0), 2);
	KUNIT_EXPECT_EQ(test, atomic64_read(&t->dropped), 990);
	table_free(t);
}

static void forgets_all(struct kunit *test)
{
	struct table *t = a_table(test, 10, sizeof(u64));

	for (unsigned int again = 0; again < 3; again++) {
		for (u64 key = 0; key < 20; key++)
			hit(t, key, 1);
		KUNIT_EXPECT_EQ(test, atomic64_read(&t->dropped), 10);
		KUNIT_EXPECT_EQ(test, hits_of(t, 3), 1);
		table_clear(t);
		KUNIT_EXPECT_EQ(test, hits_of(t, 3), 0);
	}
	table_free(t);
}

/* A copy has the key of any slot, the last one included. */
static void each_slot_is_shown(struct kunit *test)
{
	struct table *t = a_table(test, 4, sizeof(u64));
	struct table_copy copy;

	for (u64 key = 0; key < 1000; key++) {
		table_clear(t);
		hit(t, key, 1);
		KUNIT_ASSERT_EQ(test, table_hits(t), 1);
		KUNIT_ASSERT_EQ(test, table_copy(t, &copy), 0);
		KUNIT_ASSERT_EQ(test, copy.nr, 1);
		KUNIT_EXPECT_EQ(test, *(u64 *)table_key(t, copy.rows[0]), key);
		table_copy_free(&copy);
	}
	table_free(t);
}

/* Keys that differ only in a few bits, at any position, do not pile up in adjacent slots. */
static void keys_are_spread(struct kunit *test)
{
	const unsigned int nr = 1024;
	unsigned int number, last, longest;

	for (unsigned int shift = 0; shift <= 54; shift += 6) {
		struct table *t = a_table(test, nr, sizeof(u64));

		for (u64 key = 0; key < nr; key++)
			hit(t, key << shift, 1);
		longest = 0;
		last = 0;
		for (unsigned int at = 0; at <= t->mask; at++) {
			number = atomic_read(&t->slots[at]);
			last = number ? last + 1 : 0;
			longest = max(longest, last);
		}
		KUNIT_EXPECT_LT_MSG(test, longest, nr / 8, "shifted by %u", shift);
		table_free(t);
	}
}

/* Keys of any number of words are compared as a whole, and bytes behind them are ignored. */
static void whole_keys_are_compared(struct kunit *test)
{
	for (unsigned int size = 8; size < 40; size += 8) {
		struct table *t = table_alloc(4, size, 0, 0);
		char key[48] __aligned(sizeof(u64)) = {};
		struct table_row *one, *other;

		KUNIT_ASSERT_NOT_NULL(test, t);
		preempt_disable();
		one = table_row(t, key);
		key[size - 1] = 1;
		other = table_row(t, key);
		KUNIT_EXPECT_PTR_NE(test, one, other);
		KUNIT_EXPECT_PTR_EQ(test, table_row(t, key), other);
		KUNIT_EXPECT_PTR_EQ(test, table_find(t, key), other);
		key[size - 1] = 0;
		key[size] = 1;
		KUNIT_EXPECT_PTR_EQ(test, table_find(t, key), one);
		preempt_enable();
		table_free(t);
	}
}

static void too_many_rows(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, table_alloc(0, 8, 0, 1));
	KUNIT_EXPECT_NULL(test, table_alloc(TABLE_ROWS_MAX + 1, 8, 0, 1));
}

static int by_key(const void *a, const void *b, const void *table)
{
	const struct table *t = table;
	u64 left = *(u64 *)table_key(t, *(struct table_row **)a);
	u64 right = *(u64 *)table_key(t, *(struct table_row **)b);

	return left < right ? -1 : left > right;
}

static void copies_stand_still(struct kunit *test)
{
	struct table *t = a_table(test, 64, sizeof(u64));
	struct table_copy copy;

	for (u64 key = 0; key < 50; key++)
		hit(t, 49 - key, key);
	KUNIT_ASSERT_EQ(test, table_copy(t, &copy), 0);
	hit(t, 0, 5);
	hit(t, 60, 5);
	KUNIT_EXPECT_EQ(test, copy.nr, 50);
	sort_r(copy.rows, copy.nr, sizeof(*copy.rows), by_key, NULL, t);
	for (unsigned int i = 0; i < copy.nr; i++) {
		KUNIT_EXPECT_EQ(test, *(u64 *)table_key(t, copy.rows[i]), i);
		KUNIT_EXPECT_EQ(test, atomic64_read(&copy.rows[i]->hits), 1);
		KUNIT_EXPECT_EQ(test, atomic64_read(&copy.rows[i]->sums[0]), 49 - i);
	}
	table_copy_free(&copy);
	table_free(t);
}

/* ------------------------------------------------------------------ */
/* Concurrent hits							*/

#define RACERS		4
#define RACE_HITS	20000
#define RACE_KEYS	300

struct racer {
	struct table		*t;
	struct completion	*go;
	struct completion	done;
	u64			seed;
	u64			taken;
};

static int race(void *data)
{
	struct racer *r = data;

	wait_for_completion(r->go);
	for (unsigned int i = 0; i < RACE_HITS; i++) {
		r->seed = r->seed * 6364136223846793005ULL + 1442695040888963407ULL;
		r->taken += hit(r->t, (r->seed >> 33) % RACE_KEYS, 3);
	}
	complete(&r->done);
	return 0;
}

static void start_racers(struct kunit *test, struct table *t, struct racer *racers)
{
	static struct completion go;

	init_completion(&go);
	for (unsigned int i = 0; i < RACERS; i++) {
		struct task_struct *task;

		racers[i] = (struct racer){ .t = t, .go = &go, .seed = i };
		init_completion(&racers[i].done);
		task = kthread_run(race, &racers[i], "racer");
		if (IS_ERR(task))
			complete(&racers[i].done);
	}
	complete_all(&go);
	for (unsigned int i = 0; i < RACERS; i++)
		wait_for_completion(&racers[i].done);
}

/* Each key has one row, and the rows have all hits that got a row. */
static void expect_all(struct kunit *test, struct table *t, const struct racer *racers)
{
	u64 taken = 0, hits = 0, sum = 0;
	struct table_copy copy;

	for (unsigned int i = 0; i < RACERS; i++)
		taken += racers[i].taken;
	KUNIT_ASSERT_EQ(test, table_copy(t, &copy), 0);
	sort_r(copy.rows, copy.nr, sizeof(*copy.rows), by_key, NULL, t);
	for (unsigned int i = 0; i < copy.nr; i++) {
		hits += atomic64_read(&copy.rows[i]->hits);
		sum += atomic64_read(&copy.rows[i]->sums[0]);
		if (i)
			KUNIT_EXPECT_LT(test, *(u64 *)table_key(t, copy.rows[i - 1]),
					*(u64 *)table_key(t, copy.rows[i]));
	}
	KUNIT_EXPECT_GT(test, taken, 0);
	KUNIT_EXPECT_EQ(test, hits, taken);
	KUNIT_EXPECT_EQ(test, sum, 3 * taken);
	KUNIT_EXPECT_EQ(test, hits + atomic64_read(&t->dropped),
			(u64)RACERS * RACE_HITS);
	KUNIT_EXPECT_EQ(test, atomic_read(&t->keys), copy.nr);
	/* Rows that lost the race for a slot have been reused. */
	KUNIT_EXPECT_LE(test, atomic_read(&t->used),
			copy.nr + num_possible_cpus() * TABLE_LEVELS);
	table_copy_free(&copy);
}

static void nothing_is_lost_at_once(struct kunit *test)
{
	static const unsigned int rows[] = { RACE_KEYS, 2 * RACE_KEYS, RACE_KEYS / 3 };
	static struct racer racers[RACERS];

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct table *t = a_table(test, rows[i], sizeof(u64));

		start_racers(test, t, racers);
		expect_all(test, t, racers);
		if (rows[i] > RACE_KEYS)
			KUNIT_EXPECT_EQ(test, atomic64_read(&t->dropped), 0);
		table_free(t);
	}
}

/* Number of keys, each of which two tasks add at the same time. */
#define BOTH_KEYS	20000

struct runner {
	struct table		*t;
	atomic_t		*arrived;
	struct completion	done;
};

static int run_along(void *data)
{
	struct runner *r = data;

	for (u64 key = 0; key < BOTH_KEYS; key++) {
		atomic_inc(r->arrived);
		while (atomic_read(r->arrived) < 2 * (key + 1))
			cpu_relax();
		hit(r->t, key, 1);
		cond_resched();
	}
	complete(&r->done);
	return 0;
}

static bool run_both(struct runner *runners)
{
	struct task_struct *tasks[2];
	unsigned int cpu = cpumask_first(cpu_online_mask);

	for (unsigned int i = 0; i < 2; i++) {
		init_completion(&runners[i].done);
		tasks[i] = kthread_create(run_along, &runners[i], "runner");
		if (IS_ERR(tasks[i])) {
			if (i)
				kthread_stop(tasks[0]);
			return false;
		}
		kthread_bind(tasks[i], cpu);
		cpu = cpumask_next(cpu, cpu_online_mask);
	}
	wake_up_process(tasks[0]);
	wake_up_process(tasks[1]);
	wait_for_completion(&runners[0].done);
	wait_for_completion(&runners[1].done);
	return true;
}

static void rows_filled_in_vain_are_used(struct kunit *test)
{
	static atomic_t arrived;
	static struct runner runners[2];
	struct table *t;

	/* A single CPU never loses a race for a slot. */
	if (num_online_cpus() < 2)
		return;
	/* One row more than keys, so that each task gets a row while both add the last key. */
	t = a_table(test, BOTH_KEYS + 1, sizeof(u64));
	atomic_set(&arrived, 0);
	for (unsigned int i = 0; i < 2; i++) {
		runners[i].t = t;
		runners[i].arrived = &arrived;
	}
	if (run_both(runners)) {
		KUNIT_EXPECT_EQ(test, atomic64_read(&t->dropped), 0);
		KUNIT_EXPECT_EQ(test, table_hits(t), 2 * BOTH_KEYS);
		KUNIT_EXPECT_LE(test, atomic_read(&t->used), BOTH_KEYS + 2 * TABLE_LEVELS);
	}
	table_free(t);
}

static struct kunit_case table_cases[] = {
	KUNIT_CASE(keys_are_counted),
	KUNIT_CASE(what_does_not_fit_is_counted),
	KUNIT_CASE(forgets_all),
	KUNIT_CASE(each_slot_is_shown),
	KUNIT_CASE(keys_are_spread),
	KUNIT_CASE(whole_keys_are_compared),
	KUNIT_CASE(too_many_rows),
	KUNIT_CASE(copies_stand_still),
	KUNIT_CASE(nothing_is_lost_at_once),
	KUNIT_CASE(rows_filled_in_vain_are_used),
	{}
};

static struct kunit_suite table_suite = {
	.name		= "ftrace_table",
	.test_cases	= table_cases,
};

kunit_test_suite(table_suite);

