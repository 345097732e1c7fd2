// SPDX-License-Identifier: GPL-2.0
/*
 * Recording the deepest stack (SPEC T6).
 *
 * Called by the callback when a stack is deeper than all before, in any context. It must
 * not print, and not wait for anybody but another CPU that does the same: when a stack is
 * found to be overrun, an interrupt tells of it.
 *
 * Who unwinds a stack says which functions are on it, and not where. So the return
 * addresses are looked for on the stack: each one above the one before, as a callee is
 * below its caller. An old address in a part of a frame that nobody has written to yet may
 * be taken for it, and counts bytes for the wrong one of two neighbours.
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
 * Addresses that are not on the stack, as that of who has called a function that keeps
 * it in a register: each costs a look at all of the stack, with interrupts off.
 */
#define MISSES_MAX	16

/* How often stack_tracer_disable() is in effect; a callback that records counts as well. */
DEFINE_PER_CPU(int, disable_stack_tracer);

/* A return address may have been replaced by that of function_graph. */
static bool is_return_to(unsigned long ip, unsigned long *p)
{
	unsigned long found = READ_ONCE_NOCHECK(*p);

	return found == ip ||
	       (ftrace_graph_is_handler(found) &&
		ftrace_graph_ret_addr(current, NULL, found, p) == ip);
}

static unsigned long *find_return(unsigned long *p, unsigned long *top, unsigned long ip)
{
	for (; p < top; p++)
		if (is_return_to(ip, p))
			return p;
	return NULL;
}

/*
 * One that is not found counts the bytes of the one before as well, which has none then:
 * on MIPS, a function that calls nobody need not put its return address on the stack.
 */
static void find_places(struct deepest_stack *stack, unsigned long sp)
{
	unsigned long *p = (unsigned long *)ALIGN(sp, sizeof(*p));
	unsigned long *top = (unsigned long *)(sp + stack_depth(sp));
	unsigned int i, misses = 0;

	stack->depths[0] = stack_depth(sp);
	for (i = 1; i < stack->nr; i++) {
		unsigned long *found = NULL;

		if (misses < MISSES_MAX)
			found = find_return(p, top, stack->ips[i]);
		misses += !found;
		stack->depths[i] = found ? stack_depth((unsigned long)found) :
					   stack->depths[i - 1];
		p = found ? found + 1 : p;
	}
}

/* How many of the tracer's own functions come first; 0 if that cannot be told. */
static unsigned int own_functions(const struct deepest_stack *stack, unsigned long ip)
{
	for (unsigned int i = 0; i < stack->nr; i++)
		if (stack->ips[i] - ip <= ARCH_SITE_SPAN_MAX)
			return i;
	return 0;
}

static void record_stack(struct deepest_stack *stack, unsigned long ip, unsigned long sp)
{
	struct trace_own own;
	unsigned int nr_own;

	trace_own_begin(&own);
	stack->nr = stack_trace_save(stack->ips, STACK_ENTRIES_MAX, 0);
	trace_own_end(&own);
	nr_own = own_functions(stack, ip);
	stack->nr -= nr_own;
	memmove(stack->ips, stack->ips + nr_own, stack->nr * sizeof(*stack->ips));
	find_places(stack, sp);
}

static void note_overrun(struct stack_record *r)
{
	r->overrun = true;
	r->pid = current->pid;
	strscpy(r->comm, current->comm, sizeof(r->comm));
	trace_irq_work_queue(&r->report);
}

/* Not for longer than there is something to record. */
static bool lock_if_deeper(struct stack_record *r, unsigned long sp)
{
	while (!arch_spin_trylock(&r->lock)) {
		if (stack_depth(sp) <= READ_ONCE(r->max))
			return false;
		cpu_relax();
	}
	return true;
}

static void record_if_deepest(struct stack_record *r, unsigned long ip, unsigned long sp)
{
	if (!lock_if_deeper(r, sp))
		return;
	if (stack_depth(sp) > r->max && !r->overrun) {
		/* First: functions that are called from here end in the comparison. */
		WRITE_ONCE(r->max, stack_depth(sp));
		record_stack(&r->deepest, ip, sp);
		if (task_stack_end_corrupted(current))
			note_overrun(r);
	}
	arch_spin_unlock(&r->lock);
}

void stack_record_deeper(struct stack_record *r, unsigned long ip, unsigned long sp)
{
	unsigned long flags;

	if (in_nmi() || trace_is_own(trace_preempt_word()) ||
	    !object_is_on_stack((void *)sp))
		return;
	/* Whoever traces interrupts being switched off must not come back here. */
	raw_local_irq_save(flags);
	if (__this_cpu_inc_return(disable_stack_tracer) == 1 && rcu_is_watching())
		record_if_deepest(r, ip, sp);
	__this_cpu_dec(disable_stack_tracer);
	raw_local_irq_restore(flags);
}

/* What is called with the lock held must not be looked at: it would wait for the lock. */
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
