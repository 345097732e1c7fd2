// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of dispatch: interning of sets, their trampolines, and the ops that a
 * trampoline calls (SPEC D10, D11).
 */
#include <kunit/test.h>
#include <linux/compiler.h>
#include <linux/find.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>
#include <linux/irqflags.h>
#include <linux/mutex.h>
#include <linux/sched.h>

#include "dispatch.h"
#include "internal.h"
#include "sites/sites.h"

#define NR_OPS	6

/* Test ops with flags: one needs all registers, two need only those of the arguments. */
#define ALL_REGS	BIT(3)
#define ARGS_ONLY	(BIT(4) | BIT(5))

static unsigned int calls[NR_OPS];
static unsigned int sequence;
static unsigned int order[NR_OPS];
static struct told {
	unsigned long ip, parent_ip;
} told[NR_OPS];

static void count_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	unsigned int i = (unsigned long)ops->private;

	calls[i]++;
	order[i] = ++sequence;
	told[i] = (struct told) { ip, parent_ip };
}

static struct ftrace_ops test_ops[NR_OPS] = {
	{ .func = count_call, .private = (void *)0, .seq = 10 },
	{ .func = count_call, .private = (void *)1, .seq = 20 },
	{ .func = count_call, .private = (void *)2, .seq = 30 },
	{ .func = count_call, .private = (void *)3, .seq = 40,
	  .flags = FTRACE_OPS_FL_IPMODIFY },
	{ .func = count_call, .private = (void *)4, .seq = 50,
	  .flags = FTRACE_OPS_FL_ARGS_ONLY },
	{ .func = count_call, .private = (void *)5, .seq = 60,
	  .flags = FTRACE_OPS_FL_ARGS_ONLY },
};

static int dispatch_test_init(struct kunit *test)
{
	memset(calls, 0, sizeof(calls));
	sequence = 0;
	return 0;
}

/* Retire the sets that a case has created. */
static void dispatch_test_exit(struct kunit *test)
{
	guard(mutex)(&ftrace_lock);
	dispatch_reap();
}

/* Uses expectations only: an assertion would exit with ftrace_lock held. */
static u32 set_of(struct kunit *test, unsigned int mask)
{
	u32 id = DISPATCH_EMPTY;
	int i, ret;

	for (i = 0; i < NR_OPS; i++) {
		if (!(mask & BIT(i)))
			continue;
		ret = dispatch_with(id, &test_ops[i]);
		KUNIT_EXPECT_GT(test, ret, 0);
		id = ret > 0 ? ret : id;
	}
	return id;
}

static void sets_are_interned(struct kunit *test)
{
	u32 a, b, ab;

	guard(mutex)(&ftrace_lock);
	a = set_of(test, BIT(0));
	b = set_of(test, BIT(1));
	ab = set_of(test, BIT(0) | BIT(1));
	KUNIT_EXPECT_NE(test, a, b);
	KUNIT_EXPECT_NE(test, ab, a);
	KUNIT_EXPECT_EQ(test, set_of(test, BIT(0)), a);
	/* A set depends on its ops alone, not on the order in which they are attached. */
	KUNIT_EXPECT_EQ(test, dispatch_with(b, &test_ops[0]), ab);
	KUNIT_EXPECT_EQ(test, dispatch_with(ab, &test_ops[1]), ab);
	KUNIT_EXPECT_EQ(test, dispatch_without(ab, &test_ops[0]), b);
	KUNIT_EXPECT_EQ(test, dispatch_without(ab, &test_ops[2]), ab);
	KUNIT_EXPECT_EQ(test, dispatch_without(a, &test_ops[0]), DISPATCH_EMPTY);
	KUNIT_EXPECT_EQ(test, dispatch_without(DISPATCH_EMPTY, &test_ops[0]), DISPATCH_EMPTY);
}

static void every_subset_by_every_way(struct kunit *test)
{
	u32 ids[BIT(3)];
	unsigned int mask, i;

	guard(mutex)(&ftrace_lock);
	for (mask = 0; mask < BIT(3); mask++)
		ids[mask] = set_of(test, mask);
	for (mask = 0; mask < BIT(3); mask++) {
		for (i = 0; i < 3; i++) {
			KUNIT_EXPECT_EQ(test, dispatch_with(ids[mask], &test_ops[i]),
					ids[mask | BIT(i)]);
			KUNIT_EXPECT_EQ(test, dispatch_without(ids[mask], &test_ops[i]),
					ids[mask & ~BIT(i)]);
		}
	}
}

static void one_ipmodify_per_set(struct kunit *test)
{
	struct ftrace_ops second = test_ops[3];
	u32 id;

	guard(mutex)(&ftrace_lock);
	id = set_of(test, BIT(0) | BIT(3));
	KUNIT_EXPECT_EQ(test, dispatch_with(id, &second), -EBUSY);
	KUNIT_EXPECT_EQ(test, dispatch_with(id, &test_ops[3]), id);
}

static void many_come_and_go(struct kunit *test)
{
	struct ftrace_ops *all[] = { &test_ops[0], &test_ops[1], &test_ops[2] };
	struct ftrace_ops *some[] = { &test_ops[0], &test_ops[2], &test_ops[4] };
	u32 middle, three;

	guard(mutex)(&ftrace_lock);
	middle = set_of(test, BIT(1));
	three = set_of(test, BIT(0) | BIT(1) | BIT(2));
	KUNIT_EXPECT_EQ(test, dispatch_with_all(DISPATCH_EMPTY, all, 3), three);
	/* Some of the ops may be in the base set already. */
	KUNIT_EXPECT_EQ(test, dispatch_with_all(middle, all, 3), three);
	KUNIT_EXPECT_EQ(test, dispatch_with_all(three, all, 3), three);
	KUNIT_EXPECT_EQ(test, dispatch_with_all(middle, some, 3),
			set_of(test, BIT(0) | BIT(1) | BIT(2) | BIT(4)));
	KUNIT_EXPECT_EQ(test, dispatch_without_all(three, some, 3), middle);
	KUNIT_EXPECT_EQ(test, dispatch_without_all(middle, some, 3), middle);
	KUNIT_EXPECT_EQ(test, dispatch_without_all(three, all, 3), DISPATCH_EMPTY);
	KUNIT_EXPECT_EQ(test, dispatch_without_all(DISPATCH_EMPTY, all, 3), DISPATCH_EMPTY);
}

static void one_modifier_of_many(struct kunit *test)
{
	struct ftrace_ops second = test_ops[3];
	struct ftrace_ops *both[] = { &test_ops[3], &second };
	struct ftrace_ops *last[] = { &second, &test_ops[4] };

	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_EQ(test, dispatch_with_all(DISPATCH_EMPTY, both, 2), -EBUSY);
	KUNIT_EXPECT_EQ(test, dispatch_with_all(set_of(test, BIT(3)), last, 2), -EBUSY);
}

static void unused_sets_are_retired(struct kunit *test)
{
	u32 a, b;

	guard(mutex)(&ftrace_lock);
	a = set_of(test, BIT(0));
	b = set_of(test, BIT(1));
	dispatch_count_moved(DISPATCH_EMPTY, a, 2);
	dispatch_reap();
	KUNIT_EXPECT_NOT_NULL(test, dispatch_set_by_id(a));
	KUNIT_EXPECT_NULL(test, dispatch_set_by_id(b));
	dispatch_count_moved(a, DISPATCH_EMPTY, 1);
	dispatch_reap();
	KUNIT_EXPECT_NOT_NULL(test, dispatch_set_by_id(a));
	dispatch_count_moved(a, DISPATCH_EMPTY, 1);
	dispatch_reap();
	KUNIT_EXPECT_NULL(test, dispatch_set_by_id(a));
}

static void trampoline_is_found(struct kunit *test)
{
	unsigned long start, last;
	struct dispatch_set *set;

	guard(mutex)(&ftrace_lock);
	set = dispatch_set_by_id(set_of(test, BIT(0) | BIT(2)));
	KUNIT_EXPECT_NOT_NULL(test, set);
	if (!set || !set->size)
		return;
	start = set->trampoline;
	last = start + set->size - 1;
	KUNIT_EXPECT_PTR_EQ(test, dispatch_trampoline_at(start), set);
	KUNIT_EXPECT_PTR_EQ(test, dispatch_trampoline_at(last), set);
	KUNIT_EXPECT_PTR_NE(test, dispatch_trampoline_at(start - 1), set);
	KUNIT_EXPECT_PTR_NE(test, dispatch_trampoline_at(last + 1), set);
	KUNIT_EXPECT_TRUE(test, is_ftrace_trampoline(last));
	KUNIT_EXPECT_TRUE(test, core_kernel_text(ftrace_trampoline_static_ip(start)));
	KUNIT_EXPECT_TRUE(test, core_kernel_text(ftrace_trampoline_static_ip(last)));
	KUNIT_EXPECT_EQ(test, ftrace_trampoline_static_ip((unsigned long)count_call), 0UL);
}

/* Call a trampoline as a site does. The caller's registers must survive. */
static noinline void call_trampoline(struct kunit *test, unsigned int mask)
{
	int i;

	memset(calls, 0, sizeof(calls));
	guard(mutex)(&ftrace_lock);
	arch_trampoline_call(dispatch_target(set_of(test, mask), 0));
	for (i = 0; i < NR_OPS; i++)
		KUNIT_EXPECT_EQ(test, calls[i], mask & BIT(i) ? 1U : 0U);
}

static void trampoline_calls_its_ops_only(struct kunit *test)
{
	call_trampoline(test, BIT(0) | BIT(2));
	KUNIT_EXPECT_LT(test, order[0], order[2]);
}

static void trampoline_calls_in_order(struct kunit *test)
{
	call_trampoline(test, BIT(0) | BIT(1) | BIT(2));
	KUNIT_EXPECT_LT(test, order[0], order[1]);
	KUNIT_EXPECT_LT(test, order[1], order[2]);
}

static void expect_told(struct kunit *test, unsigned long mask, const struct told *as)
{
	unsigned int i;

	for_each_set_bit(i, &mask, NR_OPS) {
		KUNIT_EXPECT_EQ_MSG(test, told[i].ip, as->ip, "ops %u of set %lx", i, mask);
		KUNIT_EXPECT_EQ_MSG(test, told[i].parent_ip, as->parent_ip,
				    "ops %u of set %lx", i, mask);
	}
}

/* Callbacks get the same arguments from every kind of trampoline. */
static void all_are_told_the_same(struct kunit *test)
{
	static const unsigned int masks[] = {
		BIT(4), ARGS_ONLY, BIT(0) | BIT(4), ALL_REGS | ARGS_ONLY,
	};
	struct told usual;

	call_trampoline(test, BIT(0));
	usual = told[0];
	for (int m = 0; m < ARRAY_SIZE(masks); m++) {
		call_trampoline(test, masks[m]);
		expect_told(test, masks[m], &usual);
	}
}

/*
 * Without a generated trampoline, the ops of a site are looked up.  The look-up must not
 * call a traced function: that function would start a look-up again, without end.
 */
static struct task_struct *looking_up;
static unsigned int calls_meanwhile;

static void count_meanwhile(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (READ_ONCE(looking_up) == current)
		calls_meanwhile++;
}

/*
 * Count the callbacks that run in this task while the ops of @ip are looked up.  Other users
 * of the function are called as well, so they are given registers and a return address that
 * they may replace.
 */
static unsigned int calls_of_look_up(struct kunit *test, unsigned long ip)
{
	void *fregs = kunit_kzalloc(test, ftrace_regs_size(), GFP_KERNEL);
	unsigned long flags, ret = _THIS_IP_;

	KUNIT_ASSERT_NOT_NULL(test, fregs);
	arch_test_regs(fregs, &ret);
	calls_meanwhile = 0;
	local_irq_save(flags);
	WRITE_ONCE(looking_up, current);
	arch_ftrace_ops_list_func(ip, 0, NULL, fregs);
	WRITE_ONCE(looking_up, NULL);
	local_irq_restore(flags);
	return calls_meanwhile;
}

static void look_up_calls_nothing_traced(struct kunit *test)
{
	static struct ftrace_ops everywhere = { .func = count_meanwhile };
	unsigned long ip = ftrace_location((unsigned long)schedule);
	unsigned int nr;

	KUNIT_ASSERT_NE(test, ip, 0UL);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&everywhere), 0);
	nr = calls_of_look_up(test, ip);
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&everywhere), 0);
	/* One call for schedule(), whose ops were looked up, and none for another function. */
	KUNIT_EXPECT_EQ(test, nr, 1U);
}

/* A look-up by the entry without registers must skip ops that need registers. */
static void look_up_leaves_out_who_needs_registers(struct kunit *test)
{
	static struct ftrace_ops wants_regs = {
		.func = count_meanwhile, .flags = FTRACE_OPS_FL_SAVE_REGS,
	};
	unsigned long ip = ftrace_location((unsigned long)schedule);

	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		kunit_skip(test, "there is one entry only");
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&wants_regs, ip, 0, 1), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&wants_regs), 0);
	KUNIT_EXPECT_EQ(test, calls_of_look_up(test, ip), 0U);
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&wants_regs), 0);
	ftrace_free_filter(&wants_regs);
}

static int count_in_callback;

static void note_preempt_count(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (READ_ONCE(looking_up) == current)
		count_in_callback = preempt_count();
}

/* Callbacks must see the preempt count of the traced function. */
static void look_up_leaves_preemption_alone(struct kunit *test)
{
	static struct ftrace_ops notes = { .func = note_preempt_count };
	unsigned long ip = ftrace_location((unsigned long)schedule);
	int count;

	count_in_callback = -1;
	KUNIT_ASSERT_NE(test, ip, 0UL);
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&notes, ip, 0, 1), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&notes), 0);
	calls_of_look_up(test, ip);
	count = preempt_count();
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&notes), 0);
	KUNIT_EXPECT_EQ(test, count_in_callback, count);
	ftrace_free_filter(&notes);
}

/* Sites of a module may be too far away for a direct call of a trampoline. */
static void far_site_calls_the_static_entry(struct kunit *test)
{
	unsigned long near = (unsigned long)vfs_read;
	unsigned long far = (unsigned long)test;
	struct dispatch_set *set;

	/* Otherwise the compiler makes it an address in the middle of a function. */
	OPTIMIZER_HIDE_VAR(near);
	if (arch_site_reaches(far, near))
		kunit_skip(test, "no address is out of reach");
	guard(mutex)(&ftrace_lock);
	set = dispatch_set_by_id(set_of(test, BIT(0)));
	KUNIT_EXPECT_NOT_NULL(test, set);
	if (!set)
		return;
	KUNIT_EXPECT_EQ(test, dispatch_target(set->id, near), set->trampoline);
	KUNIT_EXPECT_EQ(test, dispatch_target(set->id, far), (unsigned long)ftrace_caller);
	KUNIT_EXPECT_EQ(test, dispatch_target(DISPATCH_EMPTY, far), 0UL);
}

/* More sets than the first set_table has room for. */
static void there_is_room_for_many_sets(struct kunit *test)
{
	static struct ftrace_ops many[40];
	unsigned int i, other;
	u32 ids[ARRAY_SIZE(many)];

	guard(mutex)(&ftrace_lock);
	for (i = 0; i < ARRAY_SIZE(many); i++) {
		many[i].func = ftrace_stub;
		many[i].seq = i;
		ids[i] = dispatch_with(DISPATCH_EMPTY, &many[i]);
		KUNIT_EXPECT_GT(test, (int)ids[i], 0);
	}
	for (i = 0; i < ARRAY_SIZE(many); i++) {
		struct dispatch_set *set = dispatch_set_by_id(ids[i]);

		KUNIT_EXPECT_TRUE(test, set && set->ops[0] == &many[i]);
		for (other = 0; other < i; other++)
			KUNIT_EXPECT_NE(test, ids[other], ids[i]);
	}
	KUNIT_EXPECT_NULL(test, dispatch_set_by_id(SITE_SET_ID_MAX));
}

/* Three ops that share a filter, and one that conflicts with the last of them. */
static struct ftrace_ops sharing[] = {
	{ .func = ftrace_stub },
	{ .func = ftrace_stub },
	{ .func = ftrace_stub, .flags = FTRACE_OPS_FL_IPMODIFY },
};

static struct ftrace_ops in_the_way = {
	.func = ftrace_stub, .flags = FTRACE_OPS_FL_IPMODIFY,
};

static u32 set_at(unsigned long ip)
{
	guard(mutex)(&ftrace_lock);
	return site_set_id(site_at(ip, NULL));
}

static void register_sharing(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sharing); i++) {
		sharing[i].filter = sharing[0].filter;
		KUNIT_EXPECT_EQ(test, register_ftrace_function(&sharing[i]), 0);
	}
	KUNIT_EXPECT_EQ(test, register_ftrace_function(&in_the_way), 0);
}

static void unregister_sharing(struct kunit *test)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&in_the_way), 0);
	ftrace_free_filter(&in_the_way);
	for (i = 0; i < ARRAY_SIZE(sharing); i++)
		KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&sharing[i]), 0);
	for (i = 1; i < ARRAY_SIZE(sharing); i++)
		sharing[i].filter = NULL;
	ftrace_free_filter(&sharing[0]);
}

/* Ops that were moved before the one that fails are moved back. */
static void refused_change_is_undone(struct kunit *test)
{
	unsigned long from = ftrace_location((unsigned long)vfs_read);
	unsigned long to = ftrace_location((unsigned long)vfs_write);
	u32 set_from, set_to;

	KUNIT_ASSERT_NE(test, from, 0UL);
	KUNIT_ASSERT_NE(test, to, 0UL);
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&sharing[0], from, 0, 1), 0);
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&in_the_way, to, 0, 1), 0);
	register_sharing(test);
	set_from = set_at(from);
	set_to = set_at(to);
	KUNIT_EXPECT_NE(test, set_from, set_to);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&sharing[0], to, 0, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, set_at(from), set_from);
	KUNIT_EXPECT_EQ(test, set_at(to), set_to);
	unregister_sharing(test);
}

static struct kunit_case dispatch_cases[] = {
	KUNIT_CASE(sets_are_interned),
	KUNIT_CASE(every_subset_by_every_way),
	KUNIT_CASE(one_ipmodify_per_set),
	KUNIT_CASE(many_come_and_go),
	KUNIT_CASE(one_modifier_of_many),
	KUNIT_CASE(unused_sets_are_retired),
	KUNIT_CASE(trampoline_is_found),
	KUNIT_CASE(trampoline_calls_its_ops_only),
	KUNIT_CASE(trampoline_calls_in_order),
	KUNIT_CASE(all_are_told_the_same),
	KUNIT_CASE(look_up_calls_nothing_traced),
	KUNIT_CASE(look_up_leaves_out_who_needs_registers),
	KUNIT_CASE(look_up_leaves_preemption_alone),
	KUNIT_CASE(far_site_calls_the_static_entry),
	KUNIT_CASE(there_is_room_for_many_sets),
	KUNIT_CASE(refused_change_is_undone),
	{}
};

static int dispatch_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("vfs_*");
}

static struct kunit_suite dispatch_suite = {
	.name		= "ftrace_dispatch",
	.suite_init	= dispatch_suite_init,
	.init		= dispatch_test_init,
	.exit		= dispatch_test_exit,
	.test_cases	= dispatch_cases,
};

kunit_test_suite(dispatch_suite);
