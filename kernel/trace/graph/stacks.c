// SPDX-License-Identifier: GPL-2.0
/*
 * The memory for calls that are waited for: given to tasks when somebody wants to know
 * of returns, and taken back when nobody does any more.
 *
 * All tasks are given a stack when the first user comes, idle tasks too, and each new
 * one at its fork.  One that slips through, or begins when there is no memory, is not
 * traced: that is counted, and it is given a stack later if there is memory then.
 *
 * When the last user has gone, tasks that are in no call that is waited for lose their
 * stacks.  A task that sleeps in such a call keeps it; when it returns from the last
 * one, there is another round.
 */
#include <linux/atomic.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "dispatch/call.h"
#include "count.h"
#include "graph.h"
#include "guard/irq_work.h"
#include "users.h"

bool graph_stacks_wanted __read_mostly;
/* How often that came to an end.  Under graph_lock. */
static unsigned int takes;

static DEFINE_PER_CPU(unsigned long, missed);

/* How many tasks have one. */
static atomic_t nr_stacks;

/* How long stacks without a user stay, and a task waits where there was no memory. */
#define GRAPH_PATIENCE	HZ

static void take_all(struct work_struct *work);
static void give_late(struct work_struct *work);
static DECLARE_DELAYED_WORK(take_work, take_all);
static DECLARE_DELAYED_WORK(give_work, give_late);

/* ------------------------------------------------------------------ */
/* All tasks								*/

/**
 * struct graph_round - a walk over all tasks
 * @stacks: those to give, or those that were taken, linked by their @next
 * @lacking: tasks for which there was none
 * @idx: whose words are to be 0
 */
struct graph_round {
	struct graph_stack	*stacks;
	unsigned int		lacking;
	int			idx;
};

typedef void (*task_fn)(struct task_struct *t, struct graph_round *round);

/* RCU keeps a task that is found from being freed. */
static void visit_tasks(task_fn fn, struct graph_round *round)
{
	struct task_struct *g, *t;
	int cpu;

	guard(rcu)();
	/* Early in the boot it is nobody's idle task yet. */
	fn(&init_task, round);
	for_each_possible_cpu(cpu) {
		t = idle_task(cpu);
		if (t && t != &init_task)
			fn(t, round);
	}
	for_each_process_thread(g, t)
		fn(t, round);
}

static void free_stacks(struct graph_stack *stacks)
{
	struct graph_stack *next;

	for (; stacks; stacks = next) {
		next = stacks->next;
		kfree(stacks);
	}
}

/* ------------------------------------------------------------------ */
/* Giving								*/

static struct graph_stack *stack_alloc(void)
{
	return kmalloc(sizeof(struct graph_stack), GFP_KERNEL);
}

/* To a task that has none, and so touches none of this. */
static void task_give(struct task_struct *t, struct graph_stack *stack)
{
	*(struct ftrace_ret_stack *)stack->words = (struct ftrace_ret_stack) {
		.words = GRAPH_CALL_WORDS,
	};
	memset(stack->vars, 0, sizeof(stack->vars));
	t->curr_ret_stack = 0;
	t->curr_ret_depth = 0;
	atomic_inc(&nr_stacks);
	/* The task finds all of it behind the pointer. */
	smp_store_release(&t->ret_stack, stack->words);
}

static void give_if_lacking(struct task_struct *t, struct graph_round *round)
{
	struct graph_stack *stack = round->stacks;

	if (t->ret_stack)
		return;
	if (!stack) {
		round->lacking++;
		return;
	}
	round->stacks = stack->next;
	task_give(t, stack);
}

static int make_stacks(struct graph_round *round)
{
	struct graph_stack *stack;

	for (; round->lacking; round->lacking--) {
		stack = stack_alloc();
		if (!stack)
			return -ENOMEM;
		stack->next = round->stacks;
		round->stacks = stack;
	}
	return 0;
}

/* The second round mostly is the last one, unless there are ever more tasks. */
static int give_all(void)
{
	struct graph_round round = { };
	int ret = 0;

	lockdep_assert_held(&graph_lock);
	do {
		ret = make_stacks(&round);
		visit_tasks(give_if_lacking, &round);
	} while (!ret && round.lacking);
	free_stacks(round.stacks);
	return ret;
}

int graph_stacks_give(void)
{
	/* First: a task that begins is found by the round, or finds this. */
	WRITE_ONCE(graph_stacks_wanted, true);
	return give_all();
}

/*
 * Somebody lacks one, and give_late() is to come.  Asked for at each call, its interrupt
 * would be followed by the next one at once: its handler is called as well, and lacks one.
 */
static atomic_t give_pending;
static atomic_t kicks;

static void give_late(struct work_struct *work)
{
	/* With full ordering: who is missed by the round below asks again. */
	atomic_xchg(&give_pending, 0);
	guard(mutex)(&graph_lock);
	if (graph_stacks_wanted)
		give_all();
}

static void give_kick(struct irq_work *work)
{
	atomic_inc(&kicks);
	/* Not on this CPU, which may have been kept busy by what it could not trace. */
	queue_delayed_work(system_unbound_wq, &give_work, GRAPH_PATIENCE);
}

static struct irq_work give_irq_work = IRQ_WORK_INIT_HARD(give_kick);

void graph_stack_missing(void)
{
	this_cpu_inc(missed);
	/* Read first: an exchange each time would keep the other CPUs waiting. */
	if (atomic_read(&give_pending) || atomic_xchg(&give_pending, 1))
		return;
	if (!trace_irq_work_queue(&give_irq_work))
		atomic_set(&give_pending, 0);
}

unsigned int graph_kicks(void)
{
	return atomic_read(&kicks);
}

unsigned long graph_missed(void)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(missed, cpu));
	return sum;
}

int graph_stacks(void)
{
	return atomic_read(&nr_stacks);
}

static void clear_var(struct task_struct *t, struct graph_round *round)
{
	if (t->ret_stack)
		WRITE_ONCE(*graph_var(t, round->idx), 0);
}

void graph_stacks_clear_var(int idx)
{
	struct graph_round round = { .idx = idx };

	lockdep_assert_held(&graph_lock);
	visit_tasks(clear_var, &round);
}

/* ------------------------------------------------------------------ */
/* Taking back								*/

static void take_if_unused(struct task_struct *t, struct graph_round *round)
{
	struct graph_stack *stack = (struct graph_stack *)t->ret_stack;

	if (!stack || READ_ONCE(t->curr_ret_stack))
		return;
	WRITE_ONCE(t->ret_stack, NULL);
	atomic_dec(&nr_stacks);
	stack->next = round->stacks;
	round->stacks = stack;
}

/* None, if there are users again, or were since @seen. */
static struct graph_stack *take_unused(unsigned int seen)
{
	struct graph_round round = { };

	guard(mutex)(&graph_lock);
	if (!graph_stacks_wanted && takes == seen)
		visit_tasks(take_if_unused, &round);
	return round.stacks;
}

/*
 * Twice is waited.  First for tasks in a callback, so that no call begins any more, and a
 * stack without calls stays so; and for those in graph_return() that have not seen that it
 * is theirs to call graph_stack_unused().  Then for those in its last lines, and for
 * unwinders, which have got hold of a stack before it was taken.
 */
static void take_all(struct work_struct *work)
{
	unsigned int seen = READ_ONCE(takes);
	struct graph_stack *stacks;

	dispatch_synchronize();
	stacks = take_unused(seen);
	if (!stacks)
		return;
	dispatch_synchronize();
	free_stacks(stacks);
}

void graph_stacks_take(void)
{
	lockdep_assert_held(&graph_lock);
	WRITE_ONCE(graph_stacks_wanted, false);
	takes++;
	mod_delayed_work(system_wq, &take_work, GRAPH_PATIENCE);
}

static void take_kick(struct irq_work *work)
{
	schedule_delayed_work(&take_work, GRAPH_PATIENCE);
}

static struct irq_work take_irq_work = IRQ_WORK_INIT_HARD(take_kick);

void graph_stack_unused(void)
{
	/* On a CPU that goes down, it stays until the users have gone the next time. */
	trace_irq_work_queue(&take_irq_work);
}

/* ------------------------------------------------------------------ */
/* Tasks that come and go						*/

/**
 * ftrace_graph_init_task - a task begins
 * @t: the task, a copy of current
 *
 * Without memory it is not traced for now.
 *
 * Context: fork; may sleep.
 */
void ftrace_graph_init_task(struct task_struct *t)
{
	struct graph_stack *stack;

	t->ret_stack = NULL;
	t->curr_ret_stack = 0;
	t->curr_ret_depth = 0;
	t->ftrace_timestamp = 0;
	atomic_set(&t->trace_overrun, 0);
	atomic_set(&t->tracing_graph_pause, 0);
	if (!READ_ONCE(graph_stacks_wanted))
		return;
	stack = stack_alloc();
	if (stack)
		task_give(t, stack);
}

/* The task will not return from any of its calls. */
static void leave_all(struct task_struct *t)
{
	const struct ftrace_ret_stack *call;

	/* Who unregisters a user waits for this. */
	preempt_disable_notrace();
	for (int index = t->curr_ret_stack; index; index -= call->below) {
		call = graph_call_at(t, index);
		graph_tell_left(t, call);
	}
	preempt_enable_notrace();
	t->curr_ret_stack = 0;
	t->curr_ret_depth = 0;
}

/**
 * ftrace_graph_exit_task - the end of a task
 * @t: the task, which nobody finds any more
 *
 * Users are told that they need not wait for what it was in when it ended.
 *
 * Context: any that may free memory.
 */
void ftrace_graph_exit_task(struct task_struct *t)
{
	if (!t->ret_stack)
		return;
	leave_all(t);
	kfree(t->ret_stack);
	t->ret_stack = NULL;
	atomic_dec(&nr_stacks);
}

/* The idle task of a CPU that was offline begins anew, out of calls without a return. */
static int idle_begins(unsigned int cpu)
{
	struct task_struct *t = idle_task(cpu);

	leave_all(t);
	if (t->ret_stack && !READ_ONCE(graph_stacks_wanted))
		schedule_delayed_work(&take_work, GRAPH_PATIENCE);
	return 0;
}

static int __init graph_stacks_init(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/graph:prepare",
					    idle_begins, NULL);

	return min(ret, 0);
}
core_initcall(graph_stacks_init);
