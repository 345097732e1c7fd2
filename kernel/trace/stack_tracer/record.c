// SPDX-License-Identifier: GPL-2.0
/*
 * Recording the deepest stack (SPEC T6).
 *
 * The callback of the stack tracer calls this code when a stack is deeper than all before, in any
 * context. It must not print, and must not wait for anything but another CPU in the same code. An
 * irq_work reports a stack that is found to be overrun.
 *
 * The unwinder returns which functions are on the stack, but not where. So the return addresses
 * are searched for on the stack, each one above the previous one, because a callee is below its
 * caller. A stale return address in an uninitialized part of a frame may be mistaken for the real
 * one; then some bytes are attributed to the wrong one of two adjacent functions.
 */
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/processor.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/spinlock.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "guard/guard.h"
#include "guard/irq_work.h"
#include "record.h"

/*
 * Maximum number of return addresses that may be missing from the stack, as is that of a function
 * that keeps it in a register. Each miss costs a search of the whole stack, with interrupts off.
 */
#define STACK_MISSES_MAX	16

/* Nesting depth of stack_tracer_disable() on this CPU, plus one while a callback records. */
DEFINE_PER_CPU(int, disable_stack_tracer);

/* True if @p holds the return address @ip, or the trampoline of graph/ that replaces it. */
static bool stack_is_return_to(unsigned long ip, unsigned long *p)
{
	unsigned long found = READ_ONCE_NOCHECK(*p);

	return found == ip ||
	       (ftrace_graph_is_handler(found) &&
		ftrace_graph_ret_addr(current, NULL, found, p) == ip);
}

static unsigned long *stack_find_return(unsigned long *p, unsigned long *top, unsigned long ip)
{
	for (; p < top; p++)
		if (stack_is_return_to(ip, p))
			return p;
	return NULL;
}

/*
 * Compute &deepest_stack.depths. If the return address into a function is not found, its depth is
 * that of its callee: the callee's size is 0, and the function's size includes the callee's bytes.
 * On MIPS, a leaf function need not store its return address on the stack.
 */
static void stack_find_depths(struct deepest_stack *stack, unsigned long sp)
{
	unsigned long *p = (unsigned long *)ALIGN(sp, sizeof(*p));
	unsigned long *top = (unsigned long *)(sp + stack_depth(sp));
	unsigned int i, misses = 0;

	stack->depths[0] = stack_depth(sp);
	for (i = 1; i < stack->nr; i++) {
		unsigned long *found = NULL;

		if (misses < STACK_MISSES_MAX)
			found = stack_find_return(p, top, stack->ips[i]);
		misses += !found;
		stack->depths[i] = found ? stack_depth((unsigned long)found) :
					   stack->depths[i - 1];
		p = found ? found + 1 : p;
	}
}

/* Number of the tracer's functions before the traced one; 0 if the traced one is not found. */
static unsigned int stack_count_own(const struct deepest_stack *stack, unsigned long ip)
{
	for (unsigned int i = 0; i < stack->nr; i++)
		if (stack->ips[i] - ip <= ARCH_SITE_SPAN_MAX)
			return i;
	return 0;
}

static void stack_record_save(struct deepest_stack *stack, unsigned long ip, unsigned long sp)
{
	struct trace_own own;
	unsigned int nr_own;

	trace_own_begin(&own);
	stack->nr = stack_trace_save(stack->ips, STACK_ENTRIES_MAX, 0);
	trace_own_end(&own);
	nr_own = stack_count_own(stack, ip);
	stack->nr -= nr_own;
	memmove(stack->ips, stack->ips + nr_own, stack->nr * sizeof(*stack->ips));
	stack_find_depths(stack, sp);
}

static void stack_record_overrun(struct stack_record *r)
{
	r->overrun = true;
	r->pid = current->pid;
	strscpy(r->comm, current->comm, sizeof(r->comm));
	trace_irq_work_queue(&r->report);
}

/* Spin for the lock only as long as the stack is deeper than the recorded one. */
static bool stack_record_lock_if_deeper(struct stack_record *r, unsigned long sp)
{
	while (!arch_spin_trylock(&r->lock)) {
		if (stack_depth(sp) <= READ_ONCE(r->max))
			return false;
		cpu_relax();
	}
	return true;
}

static void stack_record_if_deepest(struct stack_record *r, unsigned long ip, unsigned long sp)
{
	if (!stack_record_lock_if_deeper(r, sp))
		return;
	if (stack_depth(sp) > r->max && !r->overrun) {
		/* Set first, so that traced functions called from here fail the comparison. */
		WRITE_ONCE(r->max, stack_depth(sp));
		stack_record_save(&r->deepest, ip, sp);
		if (task_stack_end_corrupted(current))
			stack_record_overrun(r);
	}
	arch_spin_unlock(&r->lock);
}

void stack_record_deeper(struct stack_record *r, unsigned long ip, unsigned long sp)
{
	unsigned long flags;

	if (in_nmi() || trace_is_own(trace_preempt_word()) ||
	    !object_is_on_stack((void *)sp))
		return;
	/* The raw version, because tracing of the interrupt state could recurse here. */
	raw_local_irq_save(flags);
	if (__this_cpu_inc_return(disable_stack_tracer) == 1 && rcu_is_watching())
		stack_record_if_deepest(r, ip, sp);
	__this_cpu_dec(disable_stack_tracer);
	raw_local_irq_restore(flags);
}

/* Disables the tracer, because a callback on this CPU would wait forever for the lock. */
static unsigned long stack_record_lock(struct stack_record *r)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	stack_tracer_disable();
	arch_spin_lock(&r->lock);
	return flags;
}

static void stack_record_unlock(struct stack_record *r, unsigned long flags)
{
	arch_spin_unlock(&r->lock);
	stack_tracer_enable();
	raw_local_irq_restore(flags);
}

int stack_record_set_max(struct stack_record *r, unsigned long max)
{
	unsigned long flags = stack_record_lock(r);
	bool overrun = r->overrun;

	if (!overrun) {
		r->deepest.nr = 0;
		WRITE_ONCE(r->max, max);
	}
	stack_record_unlock(r, flags);
	return overrun ? -ENODEV : 0;
}

void stack_record_copy(struct stack_record *r, struct deepest_stack *to)
{
	unsigned long flags = stack_record_lock(r);

	*to = r->deepest;
	stack_record_unlock(r, flags);
}
