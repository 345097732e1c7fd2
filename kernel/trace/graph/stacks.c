// SPDX-License-Identifier: GPL-2.0
/*
 * The stacks for the traced calls of tasks: given to tasks when the first user is registered, and
 * taken back when the last user was unregistered.
 *
 * All tasks, idle tasks included, get a stack when the first user is registered, and each new task
 * at its fork. A task that was missed, or for which there was no memory, is not traced: its calls
 * are counted as missed, and request that a stack is given to it later.
 *
 * After the last user was unregistered, the stacks of tasks without traced calls are taken. A task
 * that sleeps in a traced call keeps its stack. When it returns from its last traced call, it
 * requests that its stack is taken as well.
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
/*
 * Number of calls of graph_take_stacks(), by which graph_detach_unused_stacks() notices that there
 * was another call since its grace period began. Changed under graph_lock.
 */
static unsigned int graph_take_stacks_count;

/* Number of calls that were not traced because their task had no stack. */
static DEFINE_PER_CPU(unsigned long, graph_missed_calls);

/* Number of tasks that have a stack. */
static atomic_t graph_nr_stacks;

/*
 * Delay, in jiffies, before stacks are taken after the last user was unregistered, and before
 * stacks are given to tasks that have requested one.
 */
#define GRAPH_STACKS_DELAY	HZ

static void graph_take_unused_stacks(struct work_struct *work);
static void graph_give_stacks_late(struct work_struct *work);
static DECLARE_DELAYED_WORK(graph_take_stacks_work, graph_take_unused_stacks);
static DECLARE_DELAYED_WORK(graph_give_stacks_work, graph_give_stacks_late);

/* ------------------------------------------------------------------ */
/* All tasks								*/

/**
 * struct graph_tasks_visit - arguments and results of a walk over all tasks
 * @stacks: stacks to give to tasks, or stacks that were taken from tasks; a list
 * @nr_lacking: number of tasks that need a stack, but found none in @stacks
 * @idx: &fgraph_ops.idx of the user whose variables are zeroed
 */
struct graph_tasks_visit {
	struct graph_stack	*stacks;
	unsigned int		nr_lacking;
	int			idx;
};

typedef void (*graph_task_fn)(struct task_struct *t, struct graph_tasks_visit *visit);

/* Call @fn for each task, idle tasks included. RCU keeps the tasks from being freed meanwhile. */
static void graph_visit_tasks(graph_task_fn fn, struct graph_tasks_visit *visit)
{
	struct task_struct *g, *t;
	int cpu;

	guard(rcu)();
	/* Early in the boot, init_task is not the idle task of any CPU yet. */
	fn(&init_task, visit);
	for_each_possible_cpu(cpu) {
		t = idle_task(cpu);
		if (t && t != &init_task)
			fn(t, visit);
	}
	for_each_process_thread(g, t)
		fn(t, visit);
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

/*
 * Give a stack to a task that has none. The task may run, but it does not use the other members
 * that are set here before it sees the pointer.
 */
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

static void graph_give_stack_if_lacking(struct task_struct *t, struct graph_tasks_visit *visit)
{
	struct graph_stack *stack = visit->stacks;

	if (t->ret_stack)
		return;
	if (!stack) {
		visit->nr_lacking++;
		return;
	}
	visit->stacks = stack->next;
	graph_give_stack(t, stack);
}

static int graph_alloc_stacks(struct graph_tasks_visit *visit)
{
	struct graph_stack *stack;

	for (; visit->nr_lacking; visit->nr_lacking--) {
		stack = graph_stack_alloc();
		if (!stack)
			return -ENOMEM;
		stack->next = visit->stacks;
		visit->stacks = stack;
	}
	return 0;
}

/*
 * Give a stack to every task that has none. The first visit of all tasks counts these tasks, and
 * the second one gives them stacks. There are further visits only if tasks were created meanwhile.
 */
static int graph_give_stacks_to_all(void)
{
	struct graph_tasks_visit visit = { };
	int ret = 0;

	lockdep_assert_held(&graph_lock);
	do {
		ret = graph_alloc_stacks(&visit);
		graph_visit_tasks(graph_give_stack_if_lacking, &visit);
	} while (!ret && visit.nr_lacking);
	graph_free_stacks(visit.stacks);
	return ret;
}

int graph_give_stacks(void)
{
	/*
	 * Set before the tasks are visited: a task that is created meanwhile either is visited, or
	 * gets its stack in ftrace_graph_init_task().
	 */
	WRITE_ONCE(graph_stacks_wanted, true);
	return graph_give_stacks_to_all();
}

/*
 * 1 while graph_give_stacks_late() is pending. Then calls without a stack do not queue the irq_work
 * again: its own interrupt makes such calls as well, so interrupt would follow interrupt.
 */
static atomic_t graph_give_stacks_pending;
/* Result of graph_count_stack_requests(). */
static atomic_t graph_nr_stack_requests;

static void graph_give_stacks_late(struct work_struct *work)
{
	/*
	 * Cleared before the tasks are visited, with a full barrier: a task that the visit misses
	 * sees 0 at its next call, and requests another visit.
	 */
	atomic_xchg(&graph_give_stacks_pending, 0);
	guard(mutex)(&graph_lock);
	if (graph_stacks_wanted)
		graph_give_stacks_to_all();
}

static void graph_give_stacks_irq(struct irq_work *work)
{
	atomic_inc(&graph_nr_stack_requests);
	/*
	 * Do not queue the work on this CPU: it may be so busy with interrupts, whose calls could
	 * not be traced, that the work would never run.
	 */
	queue_delayed_work(system_unbound_wq, &graph_give_stacks_work, GRAPH_STACKS_DELAY);
}

static struct irq_work graph_give_stacks_irq_work = IRQ_WORK_INIT_HARD(graph_give_stacks_irq);

void graph_note_missing_stack(void)
{
	this_cpu_inc(graph_missed_calls);
	/* Read first: an exchange at each call would take the cache line from the other CPUs. */
	if (atomic_read(&graph_give_stacks_pending) || atomic_xchg(&graph_give_stacks_pending, 1))
		return;
	if (!trace_irq_work_queue(&graph_give_stacks_irq_work))
		atomic_set(&graph_give_stacks_pending, 0);
}

unsigned int graph_count_stack_requests(void)
{
	return atomic_read(&graph_nr_stack_requests);
}

unsigned long graph_count_missed_calls(void)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(graph_missed_calls, cpu));
	return sum;
}

int graph_count_stacks(void)
{
	return atomic_read(&graph_nr_stacks);
}

static void graph_clear_task_var(struct task_struct *t, struct graph_tasks_visit *visit)
{
	if (t->ret_stack)
		WRITE_ONCE(*graph_task_var(t, visit->idx), 0);
}

void graph_stacks_clear_var(int idx)
{
	struct graph_tasks_visit visit = { .idx = idx };

	lockdep_assert_held(&graph_lock);
	graph_visit_tasks(graph_clear_task_var, &visit);
}

/* ------------------------------------------------------------------ */
/* Taking stacks back							*/

static void graph_detach_stack_if_unused(struct task_struct *t, struct graph_tasks_visit *visit)
{
	struct graph_stack *stack = (struct graph_stack *)t->ret_stack;

	if (!stack || READ_ONCE(t->curr_ret_stack))
		return;
	WRITE_ONCE(t->ret_stack, NULL);
	atomic_dec(&graph_nr_stacks);
	stack->next = visit->stacks;
	visit->stacks = stack;
}

/*
 * Detach the stacks of tasks that have no traced calls.
 *
 * Return: the stacks; NULL if there are users again, or if graph_take_stacks() has been called
 * since the caller read @seen from graph_take_stacks_count: then its grace period was too early.
 */
static struct graph_stack *graph_detach_unused_stacks(unsigned int seen)
{
	struct graph_tasks_visit visit = { };

	guard(mutex)(&graph_lock);
	if (!graph_stacks_wanted && graph_take_stacks_count == seen)
		graph_visit_tasks(graph_detach_stack_if_unused, &visit);
	return visit.stacks;
}

/*
 * Detach the stacks of tasks that have no traced calls, and free them. A grace period before the
 * detaching waits for callbacks of former users: after them no call begins any more, so a stack
 * without calls remains without calls. It also waits for tasks in graph_return() that have read
 * graph_stacks_wanted while it was true: they do not call graph_note_unused_stack(), so their
 * stacks have to be found unused here. A grace period before the freeing waits for tasks in
 * graph_return() that have just popped their last call, and for unwinders that have read the
 * pointer to a stack before it was detached.
 */
static void graph_take_unused_stacks(struct work_struct *work)
{
	unsigned int seen = READ_ONCE(graph_take_stacks_count);
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
	graph_take_stacks_count++;
	mod_delayed_work(system_wq, &graph_take_stacks_work, GRAPH_STACKS_DELAY);
}

static void graph_take_stacks_irq(struct irq_work *work)
{
	schedule_delayed_work(&graph_take_stacks_work, GRAPH_STACKS_DELAY);
}

static struct irq_work graph_take_stacks_irq_work = IRQ_WORK_INIT_HARD(graph_take_stacks_irq);

void graph_note_unused_stack(void)
{
	/*
	 * On a CPU that is going down this queues nothing. Then the task keeps its stack until the
	 * last user is unregistered the next time.
	 */
	trace_irq_work_queue(&graph_take_stacks_irq_work);
}

/* ------------------------------------------------------------------ */
/* Start and end of tasks						*/

/**
 * ftrace_graph_init_task() - initialize the members of graph/ in a new task, and give it a stack
 * @t: the task, a copy of current
 *
 * Without memory for a stack, the task's calls are not traced, until one of them requests a stack.
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

/* Notify the users of each traced call of the task that it was abandoned, and pop all calls. */
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
 * ftrace_graph_exit_task() - free the stack of a task that has ended
 * @t: the task, to which there are no references any more
 *
 * Notifies users that the traced calls in which the task has ended were abandoned.
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

/*
 * When a CPU comes up, its idle task starts from the beginning, so the traced calls in which it was
 * when the CPU went down are abandoned. Take its stack if there are no users any more.
 */
static int graph_prepare_idle_task(unsigned int cpu)
{
	struct task_struct *t = idle_task(cpu);

	graph_abandon_calls(t);
	if (t->ret_stack && !READ_ONCE(graph_stacks_wanted))
		schedule_delayed_work(&graph_take_stacks_work, GRAPH_STACKS_DELAY);
	return 0;
}

static int __init graph_stacks_init(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/graph:prepare",
					    graph_prepare_idle_task, NULL);

	return min(ret, 0);
}
core_initcall(graph_stacks_init);
