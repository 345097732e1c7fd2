// SPDX-License-Identifier: GPL-2.0
/*
 * Recording the deepest stack (SPEC T6).
 *
 * The callback of the stack tracer calls this code when a stack is deeper than all before, in any
 * context. The code must not print, and must not wait for anything but another CPU in the same
 * code. If a stack was overrun, an irq_work reports that.
 *
 * The unwinder returns the functions that are on the stack, but not the positions of their frames.
 * So each return address is searched for on the stack, above the one before, because the frame of
 * a function is above that of its callee. A stale return address in an uninitialized part of a
 * frame may be mistaken for the real one; then some bytes are attributed to the wrong one of two
 * adjacent functions.
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
 * Number of return addresses not found on the stack after which no more are searched for: each
 * failing search reads the whole stack, with interrupts off. It fails for a function that keeps its
 * return address in a register.
 */
#define STACK_MISSES_MAX	16

/*
 * Number of calls of stack_tracer_disable() in effect on this CPU, plus one while a callback
 * records a stack. A callback records only if this was 0.
 */
DEFINE_PER_CPU(int, disable_stack_tracer);

/* True if @p holds the return address @ip, or the trampoline of graph/ that replaces it. */
static bool stack_is_return_to(unsigned long ip, unsigned long *p)
{
	unsigned long found = READ_ONCE_NOCHECK(*p);

	return found == ip ||
	       (ftrace_graph_is_handler(found) &&
		ftrace_graph_ret_addr(current, NULL, found, p) == ip);
}

/* Return: where the return address @ip is on the stack from @p to @top; NULL if not found. */
static unsigned long *stack_find_return(unsigned long *p, unsigned long *top, unsigned long ip)
{
	for (; p < top; p++)
		if (stack_is_return_to(ip, p))
			return p;
	return NULL;
}

/*
 * Compute &deepest_stack.depths. If the return address into a function is not found, as that of a
 * leaf function on MIPS, the function gets the depth of its callee: then the callee has the size 0,
 * and the size of the function includes the callee's bytes.
 */
static void stack_compute_depths(struct deepest_stack *stack, unsigned long sp)
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

/*
 * Return: how many of the innermost functions belong to the tracer, that is, come before the one
 * with the call site @ip; 0 if that is not found.
 */
static unsigned int stack_count_tracer_frames(const struct deepest_stack *stack, unsigned long ip)
{
	for (unsigned int i = 0; i < stack->nr; i++)
		if (stack->ips[i] - ip <= ARCH_SITE_SPAN_MAX)
			return i;
	return 0;
}

/* Save the current stack, from the traced function with the call site @ip outwards. */
static void stack_record_save(struct deepest_stack *stack, unsigned long ip, unsigned long sp)
{
	struct trace_own own;
	unsigned int nr_own;

	trace_own_begin(&own);
	stack->nr = stack_trace_save(stack->ips, STACK_ENTRIES_MAX, 0);
	trace_own_end(&own);
	nr_own = stack_count_tracer_frames(stack, ip);
	stack->nr -= nr_own;
	memmove(stack->ips, stack->ips + nr_own, stack->nr * sizeof(*stack->ips));
	stack_compute_depths(stack, sp);
}

static void stack_record_overrun(struct stack_record *r)
{
	r->overrun = true;
	r->pid = current->pid;
	strscpy(r->comm, current->comm, sizeof(r->comm));
	trace_irq_work_queue(&r->report);
}

/*
 * Take the lock. Return: false, without the lock, once another CPU has recorded a stack that is at
 * least as deep as the one at @sp.
 */
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
		/* Set first: then stack_record_check() ignores functions called from here. */
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
	/* The raw version: tracers of the interrupt state call functions that would get here. */
	raw_local_irq_save(flags);
	if (__this_cpu_inc_return(disable_stack_tracer) == 1 && rcu_is_watching())
		stack_record_if_deepest(r, ip, sp);
	__this_cpu_dec(disable_stack_tracer);
	raw_local_irq_restore(flags);
}

/* Also disables the tracer: otherwise a callback on this CPU would wait for the lock for ever. */
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
