// SPDX-License-Identifier: GPL-2.0
/*
 * The pid lists of an instance.
 *
 * A list is a bitmap of all the pids there can be: adding and taking away are
 * single bit operations that need neither lock nor memory, which suits the
 * hooks at fork and exit.  It is looked at when a task is switched to; the
 * callback of the function tracer sees only trace_cpu::ignore_task, and whom that
 * is about.
 */
#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/uaccess.h>
#include <trace/events/sched.h>

#include "command/words.h"
#include "instance/instance.h"
#include "instance/part.h"
#include "instance/straight.h"
#include "pids.h"
#include "switch_probe.h"

DEFINE_STATIC_KEY_FALSE(trace_pids_key);

struct pid_bitmap {
	DECLARE_BITMAP(bits, PID_MAX_LIMIT);
};

/**
 * struct pid_lists - the part of an instance
 * @tr: the instance
 * @of: the lists; NULL when there is none (RCU)
 * @watching: among the instances that have one (RCU)
 */
struct pid_lists {
	struct trace_array	*tr;
	struct pid_bitmap __rcu	*of[NR_TRACE_PID_TYPES];
	struct list_head	watching;
};

static struct pid_lists *lists(const struct trace_array *tr)
{
	return instance_part(tr, &trace_pids_part);
}

/* How much of one write is looked at; the caller comes back with the rest. */
#define PIDS_WRITE_MAX	SZ_64K

static bool task_is_ignored(struct trace_array *tr, struct task_struct *task)
{
	struct pid_bitmap *only = rcu_dereference_sched(lists(tr)->of[TRACE_PIDS]);
	struct pid_bitmap *except = rcu_dereference_sched(lists(tr)->of[TRACE_NO_PIDS]);

	return (only && !test_bit(task->pid, only->bits)) ||
	       (except && test_bit(task->pid, except->bits));
}

/*
 * An NMI between the two stores finds a task that is to be ignored not ignored:
 * but it is not that task yet, and @ignore_is_for is not what it finds current.
 */
static void ask(struct trace_array *tr, struct trace_cpu *cpu,
		struct task_struct *task)
{
	WRITE_ONCE(cpu->ignore_is_for, task);
	/* In this order for an NMI on this CPU; others have no business here. */
	barrier();
	WRITE_ONCE(cpu->ignore_task, task_is_ignored(tr, task));
}

/* The instances that have a list.  Changed under trace_lock, read with RCU. */
static LIST_HEAD(watching);

void trace_pids_at_switch(struct task_struct *next)
{
	struct pid_lists *pids;

	/* The tracepoint has preemption off. */
	list_for_each_entry_rcu(pids, &watching, watching, preemptible() == 0)
		ask(pids->tr, this_cpu_ptr(pids->tr->cpus), next);
}

/* For the tasks that run already; on each CPU, interrupts off. */
static void mark_current(void *data)
{
	struct trace_array *tr = data;

	ask(tr, this_cpu_ptr(tr->cpus), current);
}

/* A CPU that is down comes up in its idle task, and not by a switch to it. */
static void mark_all(struct trace_array *tr)
{
	int cpu;

	guard(cpus_read_lock)();
	on_each_cpu(mark_current, tr, 1);
	guard(preempt)();
	for_each_possible_cpu(cpu)
		/* One without an idle task cannot come up. */
		if (!cpu_online(cpu) && idle_task(cpu))
			ask(tr, per_cpu_ptr(tr->cpus, cpu), idle_task(cpu));
}

static bool has_list(struct trace_array *tr)
{
	return rcu_access_pointer(lists(tr)->of[TRACE_PIDS]) ||
	       rcu_access_pointer(lists(tr)->of[TRACE_NO_PIDS]);
}

static struct pid_bitmap *list_of(struct trace_array *tr, enum trace_pid_type type)
{
	return rcu_dereference_protected(lists(tr)->of[type],
					 lockdep_is_held(&trace_lock));
}

static int start_watching(struct trace_array *tr)
{
	int ret = switch_probe_get();

	if (ret)
		return ret;
	static_branch_inc(&trace_pids_key);
	static_branch_inc(&trace_function_general_key);
	static_branch_inc(&trace_graph_limited_key);
	lists(tr)->tr = tr;
	list_add_rcu(&lists(tr)->watching, &watching);
	return 0;
}

static void stop_watching(struct trace_array *tr)
{
	int cpu;

	list_del_rcu(&lists(tr)->watching);
	/* A probe under way could set what is cleared below. */
	synchronize_rcu();
	for_each_possible_cpu(cpu) {
		WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->ignore_is_for, NULL);
		WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->ignore_task, false);
	}
	static_branch_dec(&trace_graph_limited_key);
	static_branch_dec(&trace_function_general_key);
	static_branch_dec(&trace_pids_key);
	switch_probe_put();
}

/* Make an empty list, if there is none. */
static int list_create(struct trace_array *tr, enum trace_pid_type type)
{
	struct pid_bitmap *list;
	int ret;

	if (list_of(tr, type))
		return 0;

	list = kvzalloc(sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;

	if (!has_list(tr)) {
		ret = start_watching(tr);
		if (ret) {
			kvfree(list);
			return ret;
		}
	}
	rcu_assign_pointer(lists(tr)->of[type], list);
	return 0;
}

/* Return: how many pids there are in @text, all of which go to @pids; or -EINVAL. */
static int parse_pids(char *text, size_t len, unsigned int *pids)
{
	struct words words;
	unsigned int nr = 0;
	char *word;

	words_begin(&words, text, len);
	while ((word = words_next(&words))) {
		if (kstrtouint(word, 0, &pids[nr]) || pids[nr] >= PID_MAX_LIMIT)
			return -EINVAL;
		nr++;
	}
	return nr;
}

static int set_pids(struct trace_array *tr, enum trace_pid_type type,
		    const unsigned int *pids, unsigned int nr)
{
	int ret;

	guard(mutex)(&trace_lock);
	ret = list_create(tr, type);
	if (ret)
		return ret;
	while (nr--)
		set_bit(pids[nr], list_of(tr, type)->bits);
	mark_all(tr);
	return 0;
}

static int add_pids(struct trace_array *tr, enum trace_pid_type type, char *text,
		    size_t len)
{
	/* At least a digit, and something between two of them. */
	unsigned int *pids = kvmalloc_array(len / 2 + 1, sizeof(*pids), GFP_KERNEL);
	int nr, ret;

	if (!pids)
		return -ENOMEM;
	nr = parse_pids(text, len, pids);
	ret = nr > 0 ? set_pids(tr, type, pids, nr) : nr;
	kvfree(pids);
	return ret;
}

ssize_t trace_pids_write(struct trace_array *tr, enum trace_pid_type type,
			 const char __user *ubuf, size_t cnt)
{
	size_t len = min_t(size_t, cnt, PIDS_WRITE_MAX);
	char *text;
	int ret;

	text = memdup_user_nul(ubuf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	/* Do not tear a number in two: leave the last word to the next write. */
	if (len < cnt)
		len = words_whole(text, len);
	ret = len || !cnt ? add_pids(tr, type, text, len) : -EINVAL;
	kfree(text);
	return ret ?: len;
}

void trace_pids_clear(struct trace_array *tr, enum trace_pid_type type)
{
	struct pid_bitmap *list;

	guard(mutex)(&trace_lock);
	list = list_of(tr, type);
	if (!list)
		return;

	rcu_assign_pointer(lists(tr)->of[type], NULL);
	if (has_list(tr))
		mark_all(tr);
	else
		stop_watching(tr);
	/* Probes and the file may still be looking at it. */
	synchronize_rcu();
	kvfree(list);
}

bool trace_pids_next(struct trace_array *tr, enum trace_pid_type type, int *pid)
{
	struct pid_bitmap *list;
	unsigned long next;

	guard(rcu)();
	list = rcu_dereference(lists(tr)->of[type]);
	if (!list || *pid < 0)
		return false;
	next = find_next_bit(list->bits, PID_MAX_LIMIT, *pid);
	*pid = next;
	return next < PID_MAX_LIMIT;
}

bool trace_pids_set(struct trace_array *tr, enum trace_pid_type type)
{
	return rcu_access_pointer(lists(tr)->of[type]);
}

static void add_child(void *data, struct task_struct *parent,
		      struct task_struct *child)
{
	struct trace_array *tr = data;

	for (int type = 0; type < NR_TRACE_PID_TYPES; type++) {
		struct pid_bitmap *list = rcu_dereference_sched(lists(tr)->of[type]);

		if (list && test_bit(parent->pid, list->bits))
			set_bit(child->pid, list->bits);
	}
}

static void remove_dead(void *data, struct task_struct *task)
{
	struct trace_array *tr = data;

	for (int type = 0; type < NR_TRACE_PID_TYPES; type++) {
		struct pid_bitmap *list = rcu_dereference_sched(lists(tr)->of[type]);

		if (list)
			clear_bit(task->pid, list->bits);
	}
}

/*
 * Children of listed tasks join the list, exits leave (option function-fork). A fork that
 * is under way when it stops may still be followed, until a grace period of RCU has passed.
 */
static int __maybe_unused follow_fork(struct trace_array *tr, bool on)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (!on) {
		unregister_trace_sched_process_fork(add_child, tr);
		unregister_trace_sched_process_free(remove_dead, tr);
		return 0;
	}

	ret = register_trace_sched_process_fork(add_child, tr);
	if (ret)
		return ret;
	ret = register_trace_sched_process_free(remove_dead, tr);
	if (ret)
		unregister_trace_sched_process_fork(add_child, tr);
	return ret;
}

static void setup(void)
{
#ifdef CONFIG_FUNCTION_TRACER
	trace_option_carry_out(TRACE_OPT_FUNC_FORK_BIT, follow_fork);
#endif
}

static void clear_all(struct trace_array *tr)
{
	for (int type = 0; type < NR_TRACE_PID_TYPES; type++)
		trace_pids_clear(tr, type);
}

struct instance_part trace_pids_part = {
	.setup	= setup,
	.size	= sizeof(struct pid_lists),
	.gone	= clear_all,
};
