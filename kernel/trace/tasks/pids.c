// SPDX-License-Identifier: GPL-2.0
/*
 * The pid lists of an instance.
 *
 * What a list is stands in pid_list.h.  It is looked at when a task is switched to; the
 * callback of the function tracer sees only trace_cpu::ignore_task, and whom that
 * is about, and the probes of events trace_cpu_stopped::ignored.
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
#include "instance/straight.h"
#include "pid_list.h"
#include "pids.h"
#include "switch_probe.h"

DEFINE_STATIC_KEY_FALSE(trace_pids_key);
DEFINE_STATIC_KEY_FALSE(trace_event_pids_key);

/* A pair: tasks that alone are followed, and tasks that are not. */
enum {
	ONLY,
	EXCEPT,
	NR_IN_PAIR
};

#define NR_PAIRS	(NR_TRACE_PID_TYPES / NR_IN_PAIR)

/**
 * struct pid_pair - two lists of an instance
 * @tr: the instance
 * @user: who follows tasks by them
 * @of: the lists; NULL when there is none (RCU)
 * @forks: children follow, so lists have all their pieces; under trace_lock
 * @watching: among the pairs of which there is one (RCU)
 */
struct pid_pair {
	struct trace_array	*tr;
	const struct pid_user	*user;
	struct pid_list __rcu	*of[NR_IN_PAIR];
	bool			forks;
	struct list_head	watching;
};

/**
 * struct pid_user - who follows tasks
 * @changed: there is a list, or none any more; trace_lock held
 * @tell: whether the pair excludes the task that comes to a CPU, or is there
 * @forget: it excludes nobody
 */
struct pid_user {
	void	(*changed)(struct trace_array *tr, bool on);
	void	(*tell)(const struct pid_pair *pair, struct trace_cpu *cpu,
			struct task_struct *task);
	void	(*forget)(struct trace_cpu *cpu);
};

static struct pid_pair *pair_of(const struct trace_array *tr, enum trace_pid_type type)
{
	struct pid_pair *pairs = instance_part(tr, &trace_pids_part);

	return &pairs[type / NR_IN_PAIR];
}

/* How much of one write is looked at; the caller comes back with the rest. */
#define PIDS_WRITE_MAX	SZ_64K

/* Asked about two pids, which may be the same, a list lets both if it lets one of them. */
static bool pids_are_ignored(const struct pid_pair *pair, pid_t a, pid_t b)
{
	const struct pid_list *only = rcu_dereference_sched(pair->of[ONLY]);
	const struct pid_list *except = rcu_dereference_sched(pair->of[EXCEPT]);

	return (only && !pid_list_has(only, a) && !pid_list_has(only, b)) ||
	       (except && pid_list_has(except, a) && pid_list_has(except, b));
}

static bool pid_is_ignored(const struct pid_pair *pair, pid_t pid)
{
	return pids_are_ignored(pair, pid, pid);
}

/* ------------------------------------------------------------------ */
/* The function tracer							*/

static void functions_changed(struct trace_array *tr, bool on)
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
 * An NMI between the two stores finds a task that is to be ignored not ignored:
 * but it is not that task yet, and @ignore_is_for is not what it finds current.
 */
static void functions_tell(const struct pid_pair *pair, struct trace_cpu *cpu,
			   struct task_struct *task)
{
	WRITE_ONCE(cpu->ignore_is_for, task);
	/* In this order for an NMI on this CPU; others have no business here. */
	barrier();
	WRITE_ONCE(cpu->ignore_task, pid_is_ignored(pair, task->pid));
}

static void functions_forget(struct trace_cpu *cpu)
{
	WRITE_ONCE(cpu->ignore_is_for, NULL);
	WRITE_ONCE(cpu->ignore_task, false);
}

/* ------------------------------------------------------------------ */
/* Events								*/

static void (*told_of_events)(struct trace_array *tr, bool on) __ro_after_init;

void trace_pids_follow_events(void (*changed)(struct trace_array *tr, bool on))
{
	told_of_events = changed;
}

static void events_changed(struct trace_array *tr, bool on)
{
	if (on)
		static_branch_inc(&trace_event_pids_key);
	else
		static_branch_dec(&trace_event_pids_key);
	if (told_of_events)
		told_of_events(tr, on);
}

static void events_tell(const struct pid_pair *pair, struct trace_cpu *cpu,
			struct task_struct *task)
{
	WRITE_ONCE(cpu->events.ignored, pid_is_ignored(pair, task->pid));
	/* If this interrupts an event of two tasks, what that would put back is older. */
	WRITE_ONCE(cpu->ignored_again, 0);
}

static void events_forget(struct trace_cpu *cpu)
{
	WRITE_ONCE(cpu->events.ignored, false);
	WRITE_ONCE(cpu->ignored_again, 0);
}

static bool two_are_ignored(const struct pid_pair *pair, pid_t other, bool at_once)
{
	/* One that somebody has made up is in no list, as 0 is not. */
	if (other < 0 || other >= PID_MAX_LIMIT)
		other = 0;
	if (at_once)
		return pids_are_ignored(pair, current->pid, other);
	return pid_is_ignored(pair, current->pid) && pid_is_ignored(pair, other);
}

bool trace_pids_exclude_two(struct trace_array *tr, pid_t other, bool at_once)
{
	return two_are_ignored(pair_of(tr, TRACE_EVENT_PIDS), other, at_once);
}

/*
 * What happens inside of an event of two tasks is let if that is. If it is not, each of the two
 * is ignored as well, and nothing has to change. An event that interrupts this leaves everything
 * as it was, an NMI's too; mark_current() does not, so no interrupt comes in between.
 */
static void let_begin(struct trace_cpu *cpu, bool let)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	let &= cpu->events.ignored;
	WRITE_ONCE(cpu->ignored_again, cpu->ignored_again << 1 | let);
	if (let)
		WRITE_ONCE(cpu->events.ignored, false);
	raw_local_irq_restore(flags);
}

static void let_end(struct trace_cpu *cpu)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	if (cpu->ignored_again & 1)
		WRITE_ONCE(cpu->events.ignored, true);
	WRITE_ONCE(cpu->ignored_again, cpu->ignored_again >> 1);
	raw_local_irq_restore(flags);
}

static const struct pid_user pid_users[NR_PAIRS] = {
	[TRACE_PIDS / NR_IN_PAIR] = {
		.changed	= functions_changed,
		.tell		= functions_tell,
		.forget		= functions_forget,
	},
	[TRACE_EVENT_PIDS / NR_IN_PAIR] = {
		.changed	= events_changed,
		.tell		= events_tell,
		.forget		= events_forget,
	},
};

/* ------------------------------------------------------------------ */
/* Tasks come to CPUs							*/

/* The pairs of which there is a list.  Changed under trace_lock, read with RCU. */
static LIST_HEAD(watching);

void trace_pids_at_switch(struct task_struct *next)
{
	struct pid_pair *pair;

	/* The tracepoint has preemption off. */
	list_for_each_entry_rcu(pair, &watching, watching, preemptible() == 0)
		pair->user->tell(pair, this_cpu_ptr(pair->tr->cpus), next);
}

static bool is_of_events(const struct pid_pair *pair)
{
	return pair->user == &pid_users[TRACE_EVENT_PIDS / NR_IN_PAIR];
}

/*
 * A pair that goes before the end is not told of it: stop_watching() waits for that, and has all
 * forgotten. One that comes has nothing to be put back.
 */
void trace_pids_two_begin(pid_t other, bool at_once)
{
	struct pid_pair *pair;

	list_for_each_entry_rcu(pair, &watching, watching, preemptible() == 0)
		if (is_of_events(pair))
			let_begin(this_cpu_ptr(pair->tr->cpus),
				  !two_are_ignored(pair, other, at_once));
}

void trace_pids_two_end(void)
{
	struct pid_pair *pair;

	list_for_each_entry_rcu(pair, &watching, watching, preemptible() == 0)
		if (is_of_events(pair))
			let_end(this_cpu_ptr(pair->tr->cpus));
}

/* For the tasks that run already; on each CPU, interrupts off. */
static void mark_current(void *data)
{
	struct pid_pair *pair = data;

	pair->user->tell(pair, this_cpu_ptr(pair->tr->cpus), current);
}

/* A CPU that is down comes up in its idle task, and not by a switch to it. */
static void mark_all(struct pid_pair *pair)
{
	int cpu;

	guard(cpus_read_lock)();
	on_each_cpu(mark_current, pair, 1);
	guard(preempt)();
	for_each_possible_cpu(cpu)
		/* One without an idle task cannot come up. */
		if (!cpu_online(cpu) && idle_task(cpu))
			pair->user->tell(pair, per_cpu_ptr(pair->tr->cpus, cpu),
					 idle_task(cpu));
}

static int start_watching(struct trace_array *tr, struct pid_pair *pair)
{
	int ret = switch_probe_get();

	if (ret)
		return ret;
	pair->tr = tr;
	pair->user = &pid_users[pair - pair_of(tr, TRACE_PIDS)];
	pair->user->changed(tr, true);
	list_add_rcu(&pair->watching, &watching);
	return 0;
}

static void stop_watching(struct pid_pair *pair)
{
	int cpu;

	list_del_rcu(&pair->watching);
	/* A probe under way could set what is cleared below. */
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		pair->user->forget(per_cpu_ptr(pair->tr->cpus, cpu));
	pair->user->changed(pair->tr, false);
	switch_probe_put();
}

/* ------------------------------------------------------------------ */
/* The lists								*/

static bool has_list(const struct pid_pair *pair)
{
	return rcu_access_pointer(pair->of[ONLY]) || rcu_access_pointer(pair->of[EXCEPT]);
}

static struct pid_list *list_of(struct trace_array *tr, enum trace_pid_type type)
{
	return rcu_dereference_protected(pair_of(tr, type)->of[type % NR_IN_PAIR],
					 lockdep_is_held(&trace_lock));
}

/* All or none. */
static int add_to(struct pid_list *list, const unsigned int *pids, unsigned int nr)
{
	int err = 0;

	for (unsigned int i = 0; i < nr && !err; i++)
		err = pid_list_provide(list, pids[i]);
	while (!err && nr--)
		pid_list_add(list, pids[nr]);
	return err;
}

static struct pid_list *list_make(const struct pid_pair *pair, const unsigned int *pids,
				  unsigned int nr)
{
	struct pid_list *list = pid_list_alloc();

	if (!list)
		return NULL;
	if (!add_to(list, pids, nr) && !(pair->forks && pid_list_provide_all(list)))
		return list;
	pid_list_free(list);
	return NULL;
}

/* Whole before anybody finds it: until then nobody in it is taken for one who is not. */
static int list_create(struct trace_array *tr, enum trace_pid_type type,
		       const unsigned int *pids, unsigned int nr)
{
	struct pid_pair *pair = pair_of(tr, type);
	struct pid_list *list = list_make(pair, pids, nr);
	bool first = !has_list(pair);
	int ret;

	if (!list)
		return -ENOMEM;
	/* Before it is told of: an event that comes from here on asks for itself. */
	rcu_assign_pointer(pair->of[type % NR_IN_PAIR], list);
	ret = first ? start_watching(tr, pair) : 0;
	if (ret) {
		rcu_assign_pointer(pair->of[type % NR_IN_PAIR], NULL);
		synchronize_rcu();
		pid_list_free(list);
	}
	return ret;
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
	struct pid_list *list;
	int ret;

	guard(mutex)(&trace_lock);
	list = list_of(tr, type);
	ret = list ? add_to(list, pids, nr) : list_create(tr, type, pids, nr);
	if (!ret)
		mark_all(pair_of(tr, type));
	return ret;
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
	struct pid_pair *pair = pair_of(tr, type);
	struct pid_list *list;

	guard(mutex)(&trace_lock);
	list = list_of(tr, type);
	if (!list)
		return;

	rcu_assign_pointer(pair->of[type % NR_IN_PAIR], NULL);
	if (has_list(pair))
		mark_all(pair);
	else
		stop_watching(pair);
	/* Probes and the file may still be looking at it. */
	synchronize_rcu();
	pid_list_free(list);
}

bool trace_pids_next(struct trace_array *tr, enum trace_pid_type type, int *pid)
{
	const struct pid_list *list;

	guard(rcu)();
	list = rcu_dereference(pair_of(tr, type)->of[type % NR_IN_PAIR]);
	if (!list || *pid < 0)
		return false;
	*pid = pid_list_next(list, *pid);
	return *pid < PID_MAX_LIMIT;
}

bool trace_pids_set(struct trace_array *tr, enum trace_pid_type type)
{
	return rcu_access_pointer(pair_of(tr, type)->of[type % NR_IN_PAIR]);
}

/* ------------------------------------------------------------------ */
/* Tasks come and go							*/

static void add_child(void *data, struct task_struct *parent,
		      struct task_struct *child)
{
	struct pid_pair *pair = data;

	for (int i = 0; i < NR_IN_PAIR; i++) {
		struct pid_list *list = rcu_dereference_sched(pair->of[i]);

		if (list && pid_list_has(list, parent->pid))
			pid_list_add(list, child->pid);
	}
}

static void remove_dead(void *data, struct task_struct *task)
{
	struct pid_pair *pair = data;

	for (int i = 0; i < NR_IN_PAIR; i++) {
		struct pid_list *list = rcu_dereference_sched(pair->of[i]);

		if (list)
			pid_list_remove(list, task->pid);
	}
}

static int follow_begin(struct pid_pair *pair)
{
	int ret = register_trace_sched_process_fork(add_child, pair);

	if (ret)
		return ret;
	ret = register_trace_sched_process_free(remove_dead, pair);
	if (ret)
		unregister_trace_sched_process_fork(add_child, pair);
	return ret;
}

/* A child may have any pid, and nobody may allocate where it joins. */
static int provide_lists(struct pid_pair *pair)
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
 * Children of listed tasks join the list, exits leave. A fork that is under way when it
 * stops may still be followed, until a grace period of RCU has passed.
 */
static int follow_fork(struct pid_pair *pair, bool on)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (!on) {
		unregister_trace_sched_process_fork(add_child, pair);
		unregister_trace_sched_process_free(remove_dead, pair);
		pair->forks = false;
		return 0;
	}
	ret = provide_lists(pair) ?: follow_begin(pair);
	pair->forks = !ret;
	return ret;
}

#ifdef CONFIG_FUNCTION_TRACER
static int function_fork(struct trace_array *tr, bool on)
{
	return follow_fork(pair_of(tr, TRACE_PIDS), on);
}
#endif

static int event_fork(struct trace_array *tr, bool on)
{
	return follow_fork(pair_of(tr, TRACE_EVENT_PIDS), on);
}

static void setup(void)
{
#ifdef CONFIG_FUNCTION_TRACER
	trace_option_carry_out(TRACE_OPT_FUNC_FORK_BIT, function_fork);
#endif
	trace_option_carry_out(TRACE_OPT_EVENT_FORK_BIT, event_fork);
}

static void clear_all(struct trace_array *tr)
{
	for (int type = 0; type < NR_TRACE_PID_TYPES; type++)
		trace_pids_clear(tr, type);
}

struct instance_part trace_pids_part = {
	.setup	= setup,
	.size	= NR_PAIRS * sizeof(struct pid_pair),
	.gone	= clear_all,
};
