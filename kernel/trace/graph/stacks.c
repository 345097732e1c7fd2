// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for the traced calls of tasks: given to tasks when the first user is registered, and
 * taken back when the last one has gone.
 *
 * All tasks get a stack when the first user is registered, idle tasks too, and each new task
 * at its fork. A task that slips through, or is created when there is no memory, is not
 * traced: its calls are counted, and it gets a stack later if there is memory then.
 *
 * When the last user has gone, tasks without traced calls lose their stacks. A task that
 * sleeps in a traced call keeps its stack; when it returns from the last such call, another
 * round takes it.
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
#include "stacks.h"
#include "users.h"

bool graph_stacks_wanted __read_mostly;
/* Number of calls of graph_take_stacks(). Changed under graph_lock. */
static unsigned int graph_take_rounds;

static DEFINE_PER_CPU(unsigned long, graph_missed_calls);

/* Number of tasks that have a stack. */
static atomic_t graph_nr_stacks;

/* How long stacks without a user are kept, and how long a task waits for a retry without memory. */
#define GRAPH_PATIENCE	HZ

static void graph_take_unused_stacks(struct work_struct *work);
static void graph_give_stacks_late(struct work_struct *work);
static DECLARE_DELAYED_WORK(graph_take_stacks_work, graph_take_unused_stacks);
static DECLARE_DELAYED_WORK(graph_give_stacks_work, graph_give_stacks_late);

/* ------------------------------------------------------------------ */
/* All tasks								*/

/**
 * struct graph_round - a walk over all tasks
 * @stacks: stacks to give, or stacks that were taken, linked by @next
 * @lacking: number of tasks for which there was no stack
 * @idx: &fgraph_ops.idx of the user whose words in the stacks are to be zeroed
 */
struct graph_round {
	struct graph_stack	*stacks;
	unsigned int		lacking;
	int			idx;
};

typedef void (*graph_task_fn)(struct task_struct *t, struct graph_round *round);

/* Call @fn for each task. RCU keeps the tasks from being freed meanwhile. */
static void graph_visit_tasks(graph_task_fn fn, struct graph_round *round)
{
	struct task_struct *g, *t;
	int cpu;

	guard(rcu)();
	/* Early in the boot, init_task is not the idle task of any CPU yet. */
	fn(&init_task, round);
	for_each_possible_cpu(cpu) {
		t = idle_task(cpu);
		if (t && t != &init_task)
			fn(t, round);
	}
	for_each_process_thread(g, t)
		fn(t, round);
}

static void graph_free_stacks(struct graph_stack *stacks)
{
	struct graph_stack *next;

	for (; stacks; stacks = next) {
		next = stacks->next;
		kfree(stacks);
	}
}

/* ------------------------------------------------------------------ */
/* Giving stacks							*/

static struct graph_stack *graph_stack_alloc(void)
{
	return kmalloc(sizeof(struct graph_stack), GFP_KERNEL);
}

/* Give a stack to a task that has none: without one, it does not use the members set here. */
static void graph_give_stack(struct task_struct *t, struct graph_stack *stack)
{
	*(struct ftrace_ret_stack *)stack->words = (struct ftrace_ret_stack) {
		.words = GRAPH_CALL_WORDS,
	};
	memset(stack->vars, 0, sizeof(stack->vars));
	t->curr_ret_stack = 0;
	t->curr_ret_depth = 0;
	atomic_inc(&graph_nr_stacks);
	/*
	 * Pairs with the address dependency in the task: a task that sees the pointer sees all
	 * of the stack.
	 */
	smp_store_release(&t->ret_stack, stack->words);
}

static void graph_give_stack_if_lacking(struct task_struct *t, struct graph_round *round)
{
	struct graph_stack *stack = round->stacks;

	if (t->ret_stack)
		return;
	if (!stack) {
		round->lacking++;
		return;
	}
	round->stacks = stack->next;
	graph_give_stack(t, stack);
}

static int graph_alloc_stacks(struct graph_round *round)
{
	struct graph_stack *stack;

	for (; round->lacking; round->lacking--) {
		stack = graph_stack_alloc();
		if (!stack)
			return -ENOMEM;
		stack->next = round->stacks;
		round->stacks = stack;
	}
	return 0;
}

/*
 * Give a stack to every task that lacks one. The first round counts these tasks. Mostly the second
 * round is the last one, unless tasks are created all the time.
 */
static int graph_give_stacks_to_all(void)
{
	struct graph_round round = { };
	int ret = 0;

	lockdep_assert_held(&graph_lock);
	do {
		ret = graph_alloc_stacks(&round);
		graph_visit_tasks(graph_give_stack_if_lacking, &round);
	} while (!ret && round.lacking);
	graph_free_stacks(round.stacks);
	return ret;
}

int graph_give_stacks(void)
{
	/*
	 * Set before the round: a task that is being created is found by the round, or gets its
	 * stack in ftrace_graph_init_task().
	 */
	WRITE_ONCE(graph_stacks_wanted, true);
	return graph_give_stacks_to_all();
}

/*
 * 1 while graph_give_stacks_late() is pending, so that calls without a stack do not request it
 * again: the handler of the requested interrupt makes such calls as well, and each interrupt would
 * be followed by the next one at once.
 */
static atomic_t graph_give_stacks_pending;
/* Number of interrupts that have been requested and taken, for graph_kicks(). */
static atomic_t graph_give_stacks_kicks;

static void graph_give_stacks_late(struct work_struct *work)
{
	/* A full barrier: a task that the round below misses sees 0, and requests another round. */
	atomic_xchg(&graph_give_stacks_pending, 0);
	guard(mutex)(&graph_lock);
	if (graph_stacks_wanted)
		graph_give_stacks_to_all();
}

static void graph_give_stacks_irq(struct irq_work *work)
{
	atomic_inc(&graph_give_stacks_kicks);
	/*
	 * Queue no work on this CPU, which may be kept busy by interrupts whose calls could not
	 * be traced: the work would not get to run.
	 */
	queue_delayed_work(system_unbound_wq, &graph_give_stacks_work, GRAPH_PATIENCE);
}

static struct irq_work graph_give_stacks_irq_work = IRQ_WORK_INIT_HARD(graph_give_stacks_irq);

void graph_stack_missing(void)
{
	this_cpu_inc(graph_missed_calls);
	/* Read first: an exchange at each call would slow down the other CPUs. */
	if (atomic_read(&graph_give_stacks_pending) || atomic_xchg(&graph_give_stacks_pending, 1))
		return;
	if (!trace_irq_work_queue(&graph_give_stacks_irq_work))
		atomic_set(&graph_give_stacks_pending, 0);
}

unsigned int graph_kicks(void)
{
	return atomic_read(&graph_give_stacks_kicks);
}

unsigned long graph_missed(void)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(graph_missed_calls, cpu));
	return sum;
}

int graph_stacks(void)
{
	return atomic_read(&graph_nr_stacks);
}

static void graph_clear_task_var(struct task_struct *t, struct graph_round *round)
{
	if (t->ret_stack)
		WRITE_ONCE(*graph_var(t, round->idx), 0);
}

void graph_stacks_clear_var(int idx)
{
	struct graph_round round = { .idx = idx };

	lockdep_assert_held(&graph_lock);
	graph_visit_tasks(graph_clear_task_var, &round);
}

/* ------------------------------------------------------------------ */
/* Taking stacks back							*/

static void graph_detach_stack_if_unused(struct task_struct *t, struct graph_round *round)
{
	struct graph_stack *stack = (struct graph_stack *)t->ret_stack;

	if (!stack || READ_ONCE(t->curr_ret_stack))
		return;
	WRITE_ONCE(t->ret_stack, NULL);
	atomic_dec(&graph_nr_stacks);
	stack->next = round->stacks;
	round->stacks = stack;
}

/*
 * Detach the stacks of tasks that have no traced calls.
 *
 * Return: the stacks; NULL if there are users again, or if graph_take_stacks() has been called
 * since the caller read @seen from graph_take_rounds: then its grace period was too early.
 */
static struct graph_stack *graph_detach_unused_stacks(unsigned int seen)
{
	struct graph_round round = { };

	guard(mutex)(&graph_lock);
	if (!graph_stacks_wanted && graph_take_rounds == seen)
		graph_visit_tasks(graph_detach_stack_if_unused, &round);
	return round.stacks;
}

/*
 * There are two grace periods. The first one waits for tasks in a callback, so that no call
 * begins any more and a stack without calls stays without; and for tasks in graph_return()
 * that have not seen that they have to call graph_stack_unused(). The second one waits for
 * tasks in the last lines of graph_return(), and for unwinders that have read the pointer to a
 * stack before it was taken.
 */
static void graph_take_unused_stacks(struct work_struct *work)
{
	unsigned int seen = READ_ONCE(graph_take_rounds);
	struct graph_stack *stacks;

	dispatch_synchronize();
	stacks = graph_detach_unused_stacks(seen);
	if (!stacks)
		return;
	dispatch_synchronize();
	graph_free_stacks(stacks);
}

void graph_take_stacks(void)
{
	lockdep_assert_held(&graph_lock);
	WRITE_ONCE(graph_stacks_wanted, false);
	graph_take_rounds++;
	mod_delayed_work(system_wq, &graph_take_stacks_work, GRAPH_PATIENCE);
}

static void graph_take_stacks_irq(struct irq_work *work)
{
	schedule_delayed_work(&graph_take_stacks_work, GRAPH_PATIENCE);
}

static struct irq_work graph_take_stacks_irq_work = IRQ_WORK_INIT_HARD(graph_take_stacks_irq);

void graph_stack_unused(void)
{
	/*
	 * On a CPU that goes down nothing is queued: the stack stays until the users have gone
	 * the next time.
	 */
	trace_irq_work_queue(&graph_take_stacks_irq_work);
}

/* ------------------------------------------------------------------ */
/* Start and end of tasks						*/

/**
 * ftrace_graph_init_task() - set up a new task
 * @t: the task, a copy of current
 *
 * Without memory for a stack, the task is not traced for now.
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
	stack = graph_stack_alloc();
	if (stack)
		graph_give_stack(t, stack);
}

/* Notify users that the task will not return from any of its traced calls. */
static void graph_abandon_calls(struct task_struct *t)
{
	const struct ftrace_ret_stack *call;

	/* unregister_ftrace_graph() waits for this section. */
	preempt_disable_notrace();
	for (int index = t->curr_ret_stack; index; index -= call->below) {
		call = graph_call_at(t, index);
		graph_notify_abandoned(t, call);
	}
	preempt_enable_notrace();
	t->curr_ret_stack = 0;
	t->curr_ret_depth = 0;
}

/**
 * ftrace_graph_exit_task() - clean up a task that has ended
 * @t: the task, which nobody can find any more
 *
 * Notifies users that the calls in which the task has ended will not return, and frees its
 * stack.
 *
 * Context: any that may free memory.
 */
void ftrace_graph_exit_task(struct task_struct *t)
{
	if (!t->ret_stack)
		return;
	graph_abandon_calls(t);
	kfree(t->ret_stack);
	t->ret_stack = NULL;
	atomic_dec(&graph_nr_stacks);
}

/* The idle task of a CPU that was offline starts anew, and does not return from its old calls. */
static int graph_idle_prepare(unsigned int cpu)
{
	struct task_struct *t = idle_task(cpu);

	graph_abandon_calls(t);
	if (t->ret_stack && !READ_ONCE(graph_stacks_wanted))
		schedule_delayed_work(&graph_take_stacks_work, GRAPH_PATIENCE);
	return 0;
}

static int __init graph_stacks_init(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/graph:prepare",
					    graph_idle_prepare, NULL);

	return min(ret, 0);
}
core_initcall(graph_stacks_init);
