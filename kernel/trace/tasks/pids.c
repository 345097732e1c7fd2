// SPDX-License-Identifier: GPL-2.0
/*
 * The pid lists of an instance.
 *
 * The lists (pid_list.h) are evaluated at each task switch, and the results stored per CPU: the
 * callback of the function tracer reads &trace_cpu.ignore_task and
 * &trace_cpu.ignore_checked_for, and the probes of events read &trace_cpu_stopped.ignored.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
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
#include "instance/fast_path.h"
#include "internal.h"
#include "pid_list.h"
#include "pids.h"
#include "switch_probe.h"

DEFINE_STATIC_KEY_FALSE(trace_pids_key);
DEFINE_STATIC_KEY_FALSE(trace_event_pids_key);

/* The lists of a pair. */
enum {
	PIDS_ONLY,		/* only these tasks are followed */
	PIDS_EXCEPT,		/* these tasks are excluded */
	NR_IN_PAIR
};

#define NR_PAIRS	(NR_TRACE_PID_TYPES / NR_IN_PAIR)

/**
 * struct pid_pair - the two lists by which a consumer in an instance follows tasks
 * @tr: the instance
 * @user: callbacks of the consumer
 * @of: the lists, by PIDS_ONLY and PIDS_EXCEPT; NULL for none (RCU)
 * @forks: true if children join the lists of their parents; the lists then have all their pieces.
 *	Protected by trace_lock
 * @node: entry in the list of pairs with at least one list (RCU)
 */
struct pid_pair {
	struct trace_array	*tr;
	const struct pid_user	*user;
	struct pid_list __rcu	*of[NR_IN_PAIR];
	bool			forks;
	struct list_head	node;
};

/**
 * struct pid_user - callbacks of a consumer of pid lists: the function tracer, or events
 * @changed: called when a pair gets its first list, with @on, or loses its last one; trace_lock is
 *	held
 * @update: store for a CPU whether the pair excludes @task, the current or next task of the CPU
 * @reset: store for a CPU that the pair excludes no task
 */
struct pid_user {
	void	(*changed)(struct trace_array *tr, bool on);
	void	(*update)(const struct pid_pair *pair, struct trace_cpu *cpu,
			  struct task_struct *task);
	void	(*reset)(struct trace_cpu *cpu);
};

static struct pid_pair *pid_pair_of(const struct trace_array *tr, enum trace_pid_type type)
{
	struct pid_pair *pairs = instance_part(tr, &trace_pids_part);

	return &pairs[type / NR_IN_PAIR];
}

/* Bytes of a write that are parsed at a time; the caller writes the rest again. */
#define PIDS_WRITE_MAX	SZ_64K

/* True if a list excludes both pids, which may be equal: a list allows both if it allows one. */
static bool pid_pair_excludes_both(const struct pid_pair *pair, pid_t a, pid_t b)
{
	const struct pid_list *only = rcu_dereference_sched(pair->of[PIDS_ONLY]);
	const struct pid_list *except = rcu_dereference_sched(pair->of[PIDS_EXCEPT]);

	return (only && !pid_list_has(only, a) && !pid_list_has(only, b)) ||
	       (except && pid_list_has(except, a) && pid_list_has(except, b));
}

static bool pid_pair_excludes(const struct pid_pair *pair, pid_t pid)
{
	return pid_pair_excludes_both(pair, pid, pid);
}

/* ------------------------------------------------------------------ */
/* The function tracer							*/

static void function_pids_changed(struct trace_array *tr, bool on)
{
	if (on) {
		static_branch_inc(&trace_pids_key);
		static_branch_inc(&trace_function_general_key);
		static_branch_inc(&trace_graph_limited_key);
	} else {
		static_branch_dec(&trace_graph_limited_key);
		static_branch_dec(&trace_function_general_key);
		static_branch_dec(&trace_pids_key);
	}
}

/*
 * An NMI between the two stores finds the old ->ignore_task for the new ->ignore_checked_for.
 * This does no harm, because @task is not current yet, and trace_pids_allow() compares it with
 * current.
 */
static void function_pids_update(const struct pid_pair *pair, struct trace_cpu *cpu,
				 struct task_struct *task)
{
	WRITE_ONCE(cpu->ignore_checked_for, task);
	/* Order the stores for an NMI on this CPU; other CPUs do not read them. */
	barrier();
	WRITE_ONCE(cpu->ignore_task, pid_pair_excludes(pair, task->pid));
}

static void function_pids_reset(struct trace_cpu *cpu)
{
	WRITE_ONCE(cpu->ignore_checked_for, NULL);
	WRITE_ONCE(cpu->ignore_task, false);
}

/* ------------------------------------------------------------------ */
/* Events								*/

static void (*event_pids_notify)(struct trace_array *tr, bool on) __ro_after_init;

void trace_pids_follow_events(void (*changed)(struct trace_array *tr, bool on))
{
	event_pids_notify = changed;
}

static void event_pids_changed(struct trace_array *tr, bool on)
{
	if (on)
		static_branch_inc(&trace_event_pids_key);
	else
		static_branch_dec(&trace_event_pids_key);
	if (event_pids_notify)
		event_pids_notify(tr, on);
}

static void event_pids_update(const struct pid_pair *pair, struct trace_cpu *cpu,
			      struct task_struct *task)
{
	WRITE_ONCE(cpu->events.ignored, pid_pair_excludes(pair, task->pid));
	/* If this interrupts an event of two tasks, the value that it would restore is stale. */
	WRITE_ONCE(cpu->ignored_stack, 0);
}

static void event_pids_reset(struct trace_cpu *cpu)
{
	WRITE_ONCE(cpu->events.ignored, false);
	WRITE_ONCE(cpu->ignored_stack, 0);
}

static bool event_pids_exclude_two(const struct pid_pair *pair, pid_t other, bool at_once)
{
	/* A made-up pid, as from event injection, is in no list; nor is 0. */
	if (other < 0 || other >= PID_MAX_LIMIT)
		other = 0;
	if (at_once)
		return pid_pair_excludes_both(pair, current->pid, other);
	return pid_pair_excludes(pair, current->pid) && pid_pair_excludes(pair, other);
}

bool trace_pids_exclude_two(struct trace_array *tr, pid_t other, bool at_once)
{
	return event_pids_exclude_two(pid_pair_of(tr, TRACE_EVENT_PIDS), other, at_once);
}

/*
 * Clear ->ignored during an event of two tasks if the lists allow the event (@let), and push
 * whether it was set on the stack of bits ->ignored_stack. If the event is excluded, current is
 * excluded as well, and ->ignored stays set. A nested event, in an NMI too, restores both members.
 * pid_pair_mark_current() does not, so interrupts are off.
 */
static void event_pids_unignore_begin(struct trace_cpu *cpu, bool let)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	let &= cpu->events.ignored;
	WRITE_ONCE(cpu->ignored_stack, cpu->ignored_stack << 1 | let);
	if (let)
		WRITE_ONCE(cpu->events.ignored, false);
	raw_local_irq_restore(flags);
}

/* Undo event_pids_unignore_begin(). */
static void event_pids_unignore_end(struct trace_cpu *cpu)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	if (cpu->ignored_stack & 1)
		WRITE_ONCE(cpu->events.ignored, true);
	WRITE_ONCE(cpu->ignored_stack, cpu->ignored_stack >> 1);
	raw_local_irq_restore(flags);
}

static const struct pid_user pid_users[NR_PAIRS] = {
	[TRACE_PIDS / NR_IN_PAIR] = {
		.changed	= function_pids_changed,
		.update		= function_pids_update,
		.reset		= function_pids_reset,
	},
	[TRACE_EVENT_PIDS / NR_IN_PAIR] = {
		.changed	= event_pids_changed,
		.update		= event_pids_update,
		.reset		= event_pids_reset,
	},
};

/* ------------------------------------------------------------------ */
/* Task switches							*/

/* Pairs with at least one list. Changed under trace_lock, read with RCU. */
static LIST_HEAD(watched_pid_pairs);

void trace_pids_at_switch(struct task_struct *next)
{
	struct pid_pair *pair;

	/* The tracepoint has preemption off. */
	list_for_each_entry_rcu(pair, &watched_pid_pairs, node, preemptible() == 0)
		pair->user->update(pair, this_cpu_ptr(pair->tr->cpus), next);
}

static bool pid_pair_is_for_events(const struct pid_pair *pair)
{
	return pair->user == &pid_users[TRACE_EVENT_PIDS / NR_IN_PAIR];
}

/*
 * If a pair leaves the list before trace_pids_two_end(), its words are not restored there, but
 * reset by pid_pair_stop(), after a grace period. For a pair that is added meanwhile,
 * ->ignored_stack is 0, so nothing is restored.
 */
void trace_pids_two_begin(pid_t other, bool at_once)
{
	struct pid_pair *pair;

	list_for_each_entry_rcu(pair, &watched_pid_pairs, node, preemptible() == 0)
		if (pid_pair_is_for_events(pair))
			event_pids_unignore_begin(this_cpu_ptr(pair->tr->cpus),
						  !event_pids_exclude_two(pair, other, at_once));
}

void trace_pids_two_end(void)
{
	struct pid_pair *pair;

	list_for_each_entry_rcu(pair, &watched_pid_pairs, node, preemptible() == 0)
		if (pid_pair_is_for_events(pair))
			event_pids_unignore_end(this_cpu_ptr(pair->tr->cpus));
}

/* Evaluate the lists for the running task. Called on each CPU with interrupts off. */
static void pid_pair_mark_current(void *data)
{
	struct pid_pair *pair = data;

	pair->user->update(pair, this_cpu_ptr(pair->tr->cpus), current);
}

/*
 * Evaluate the lists on all CPUs. An offline CPU comes up in its idle task, without a task switch,
 * so that task is evaluated for it.
 */
static void pid_pair_mark_all(struct pid_pair *pair)
{
	int cpu;

	guard(cpus_read_lock)();
	on_each_cpu(pid_pair_mark_current, pair, 1);
	guard(preempt)();
	for_each_possible_cpu(cpu)
		/* A CPU without an idle task cannot come up. */
		if (!cpu_online(cpu) && idle_task(cpu))
			pair->user->update(pair, per_cpu_ptr(pair->tr->cpus, cpu),
					 idle_task(cpu));
}

static int pid_pair_start(struct trace_array *tr, struct pid_pair *pair)
{
	int ret = switch_probe_get();

	if (ret)
		return ret;
	pair->tr = tr;
	pair->user = &pid_users[pair - pid_pair_of(tr, TRACE_PIDS)];
	pair->user->changed(tr, true);
	list_add_rcu(&pair->node, &watched_pid_pairs);
	return 0;
}

static void pid_pair_stop(struct pid_pair *pair)
{
	int cpu;

	list_del_rcu(&pair->node);
	/* Wait for probes that still evaluate the pair, before resetting their results. */
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		pair->user->reset(per_cpu_ptr(pair->tr->cpus, cpu));
	pair->user->changed(pair->tr, false);
	switch_probe_put();
}

/* ------------------------------------------------------------------ */
/* The lists								*/

static bool pid_pair_has_list(const struct pid_pair *pair)
{
	return rcu_access_pointer(pair->of[PIDS_ONLY]) || rcu_access_pointer(pair->of[PIDS_EXCEPT]);
}

static struct pid_list *trace_pid_list_of(struct trace_array *tr, enum trace_pid_type type)
{
	return rcu_dereference_protected(pid_pair_of(tr, type)->of[type % NR_IN_PAIR],
					 lockdep_is_held(&trace_lock));
}

/* Add all @pids, or none. */
static int pid_list_add_many(struct pid_list *list, const unsigned int *pids, unsigned int nr)
{
	int err = 0;

	for (unsigned int i = 0; i < nr && !err; i++)
		err = pid_list_provide(list, pids[i]);
	while (!err && nr--)
		pid_list_add(list, pids[nr]);
	return err;
}

static struct pid_list *pid_list_create(const struct pid_pair *pair, const unsigned int *pids,
					unsigned int nr)
{
	struct pid_list *list = pid_list_alloc();

	if (!list)
		return NULL;
	if (!pid_list_add_many(list, pids, nr) && !(pair->forks && pid_list_provide_all(list)))
		return list;
	pid_list_free(list);
	return NULL;
}

/* Create a list and publish it with all its pids, so that no reader sees a part of them. */
static int pid_pair_create_list(struct trace_array *tr, enum trace_pid_type type,
				const unsigned int *pids, unsigned int nr)
{
	struct pid_pair *pair = pid_pair_of(tr, type);
	struct pid_list *list = pid_list_create(pair, pids, nr);
	bool first = !pid_pair_has_list(pair);
	int ret;

	if (!list)
		return -ENOMEM;
	/* Publish before pid_pair_start(), for events of two tasks: they evaluate the list. */
	rcu_assign_pointer(pair->of[type % NR_IN_PAIR], list);
	ret = first ? pid_pair_start(tr, pair) : 0;
	if (ret) {
		rcu_assign_pointer(pair->of[type % NR_IN_PAIR], NULL);
		synchronize_rcu();
		pid_list_free(list);
	}
	return ret;
}

/* Store the pids of @text in @pids. Return: number of pids, or -EINVAL. */
static int pids_parse(char *text, size_t len, unsigned int *pids)
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

static int pids_add(struct trace_array *tr, enum trace_pid_type type,
		    const unsigned int *pids, unsigned int nr)
{
	struct pid_list *list;
	int ret;

	guard(mutex)(&trace_lock);
	list = trace_pid_list_of(tr, type);
	ret = list ? pid_list_add_many(list, pids, nr) : pid_pair_create_list(tr, type, pids, nr);
	if (!ret)
		pid_pair_mark_all(pid_pair_of(tr, type));
	return ret;
}

static int pids_parse_and_add(struct trace_array *tr, enum trace_pid_type type, char *text,
			      size_t len)
{
	/* A pid takes at least a digit and a separator. */
	unsigned int *pids = kvmalloc_array(len / 2 + 1, sizeof(*pids), GFP_KERNEL);
	int nr, ret;

	if (!pids)
		return -ENOMEM;
	nr = pids_parse(text, len, pids);
	ret = nr > 0 ? pids_add(tr, type, pids, nr) : nr;
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
	/* Leave a last word that may be incomplete to the next write. */
	if (len < cnt)
		len = words_whole(text, len);
	ret = len || !cnt ? pids_parse_and_add(tr, type, text, len) : -EINVAL;
	kfree(text);
	return ret ?: len;
}

void trace_pids_clear(struct trace_array *tr, enum trace_pid_type type)
{
	struct pid_pair *pair = pid_pair_of(tr, type);
	struct pid_list *list;

	guard(mutex)(&trace_lock);
	list = trace_pid_list_of(tr, type);
	if (!list)
		return;

	rcu_assign_pointer(pair->of[type % NR_IN_PAIR], NULL);
	if (pid_pair_has_list(pair))
		pid_pair_mark_all(pair);
	else
		pid_pair_stop(pair);
	/* Probes, and a reader of the file, may still use the list. */
	synchronize_rcu();
	pid_list_free(list);
}

bool trace_pids_next(struct trace_array *tr, enum trace_pid_type type, int *pid)
{
	const struct pid_list *list;

	guard(rcu)();
	list = rcu_dereference(pid_pair_of(tr, type)->of[type % NR_IN_PAIR]);
	if (!list || *pid < 0)
		return false;
	*pid = pid_list_next(list, *pid);
	return *pid < PID_MAX_LIMIT;
}

bool trace_pids_are_set(struct trace_array *tr, enum trace_pid_type type)
{
	return rcu_access_pointer(pid_pair_of(tr, type)->of[type % NR_IN_PAIR]);
}

/* ------------------------------------------------------------------ */
/* Following forks and exits						*/

static void pid_pair_add_child(void *data, struct task_struct *parent,
			       struct task_struct *child)
{
	struct pid_pair *pair = data;

	for (int i = 0; i < NR_IN_PAIR; i++) {
		struct pid_list *list = rcu_dereference_sched(pair->of[i]);

		if (list && pid_list_has(list, parent->pid))
			pid_list_add(list, child->pid);
	}
}

static void pid_pair_remove_task(void *data, struct task_struct *task)
{
	struct pid_pair *pair = data;

	for (int i = 0; i < NR_IN_PAIR; i++) {
		struct pid_list *list = rcu_dereference_sched(pair->of[i]);

		if (list)
			pid_list_remove(list, task->pid);
	}
}

static int pid_pair_register_probes(struct pid_pair *pair)
{
	int ret = register_trace_sched_process_fork(pid_pair_add_child, pair);

	if (ret)
		return ret;
	ret = register_trace_sched_process_free(pid_pair_remove_task, pair);
	if (ret)
		unregister_trace_sched_process_fork(pid_pair_add_child, pair);
	return ret;
}

/* Allocate all pieces of the lists: a child may have any pid, and a fork hook cannot allocate. */
static int pid_pair_provide_lists(struct pid_pair *pair)
{
	struct pid_list *list;
	int err = 0;

	for (int i = 0; i < NR_IN_PAIR && !err; i++) {
		list = rcu_dereference_protected(pair->of[i], lockdep_is_held(&trace_lock));
		err = list ? pid_list_provide_all(list) : 0;
	}
	return err;
}

/*
 * Start or stop adding the children of listed tasks, and removing tasks that exit. After a stop, a
 * fork under way may still be followed until a grace period has passed.
 */
static int pid_pair_follow_fork(struct pid_pair *pair, bool on)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (!on) {
		unregister_trace_sched_process_fork(pid_pair_add_child, pair);
		unregister_trace_sched_process_free(pid_pair_remove_task, pair);
		pair->forks = false;
		return 0;
	}
	ret = pid_pair_provide_lists(pair) ?: pid_pair_register_probes(pair);
	pair->forks = !ret;
	return ret;
}

#ifdef CONFIG_FUNCTION_TRACER
static int function_fork_set(struct trace_array *tr, bool on)
{
	return pid_pair_follow_fork(pid_pair_of(tr, TRACE_PIDS), on);
}
#endif

static int event_fork_set(struct trace_array *tr, bool on)
{
	return pid_pair_follow_fork(pid_pair_of(tr, TRACE_EVENT_PIDS), on);
}

static void trace_pids_setup(void)
{
#ifdef CONFIG_FUNCTION_TRACER
	trace_option_register_bound(TRACE_OPT_FUNC_FORK_BIT, function_fork_set);
#endif
	trace_option_register_bound(TRACE_OPT_EVENT_FORK_BIT, event_fork_set);
}

static void trace_pids_clear_all(struct trace_array *tr)
{
	for (int type = 0; type < NR_TRACE_PID_TYPES; type++)
		trace_pids_clear(tr, type);
}

struct instance_part trace_pids_part = {
	.setup	= trace_pids_setup,
	.size	= NR_PAIRS * sizeof(struct pid_pair),
	.unlisted	= trace_pids_clear_all,
};
