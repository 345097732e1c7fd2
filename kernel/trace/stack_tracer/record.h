/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Looking at the depth of the stack, and recording the deepest: what a callback does.
 *
 * The tracer has one record, each test of it another.
 */
#ifndef _KERNEL_TRACE_STACK_TRACER_RECORD_H
#define _KERNEL_TRACE_STACK_TRACER_RECORD_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/irq_work.h>
#include <linux/sched.h>
#include <linux/spinlock_types.h>
#include <linux/thread_info.h>

#include "stack_tracer.h"

/**
 * struct stack_record - the deepest stack that was seen
 * @max: how deep it was, or what it has to exceed; read without the lock
 * @lock: protects all of it.  Taken inside of any other lock, with interrupts off and
 *	stack_tracer_disable() in effect: so no callback on this CPU waits for it.
 * @overrun: the stack was over its end.  Nothing changes any more, and all can be read
 *	without the lock.
 * @pid: then, whose stack it was
 * @comm: likewise
 * @deepest: the stack
 * @report: queued once, when @overrun is set
 */
struct stack_record {
	unsigned long		max;
	arch_spinlock_t		lock;
	bool			overrun;
	pid_t			pid;
	char			comm[TASK_COMM_LEN];
	struct deepest_stack	deepest;
	struct irq_work		report;
};

/* An empty record; @_report is called from an interrupt when a stack was overrun. */
#define STACK_RECORD_INIT(_report) {					\
	.lock	= (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED,		\
	.report	= IRQ_WORK_INIT_HARD(_report),				\
}

/* What the call of the tracer has pushed in front of the traced function's frame. */
#define STACK_OF_SITE	(IS_ENABLED(CONFIG_X86) ? sizeof(long) : 0)

/**
 * stack_depth - how much of a stack is in use
 * @sp: the stack pointer; the stack begins and ends at multiples of THREAD_SIZE
 *
 * Context: any.
 * Return: bytes from its top.
 */
static __always_inline unsigned long stack_depth(unsigned long sp)
{
	return -sp & (THREAD_SIZE - 1);
}

/**
 * stack_record_sp - how far the stack of a traced function goes
 * @fregs: what the callback was given
 *
 * Nothing of the tracer's own is in it.  Where the entry does not say that, the frame of
 * the caller will do.
 *
 * Context: the callback.
 * Return: the address of the last word.
 */
static __always_inline unsigned long stack_record_sp(struct ftrace_regs *fregs)
{
	if (!IS_ENABLED(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS))
		return (unsigned long)__builtin_frame_address(0);
	return ftrace_regs_get_stack_pointer(fregs) - STACK_OF_SITE;
}

/**
 * stack_record_deeper - record a stack if it is the deepest
 * @r: the record
 * @ip: the traced function, by the address of its call site
 * @sp: stack_record_sp()
 *
 * Does nothing in an NMI, on the stack of an interrupt or an exception, while
 * stack_tracer_disable() is in effect, or where RCU does not watch: symbols and modules
 * could not be looked at then.
 *
 * Context: the callback; any, NMI included.
 */
void stack_record_deeper(struct stack_record *r, unsigned long ip, unsigned long sp);

/**
 * stack_record_look - what a callback does at each call
 * @r: the record
 * @ip: as it was given it, and
 * @fregs: likewise
 *
 * That this may be another stack than the task's is found out later, for rarely does one
 * look deeper than the deepest: nothing but a comparison is done here.
 *
 * Context: the callback; any, NMI included.
 */
static __always_inline void stack_record_look(struct stack_record *r, unsigned long ip,
					      struct ftrace_regs *fregs)
{
	unsigned long sp = stack_record_sp(fregs);

	if (unlikely(stack_depth(sp) > READ_ONCE(r->max)))
		stack_record_deeper(r, ip, sp);
}

/**
 * stack_record_set_max - forget a stack
 * @r: the record
 * @max: what the next one has to exceed, in bytes
 *
 * Context: any but NMI.
 * Return: as stack_tracer_set_max().
 */
int stack_record_set_max(struct stack_record *r, unsigned long max);

/**
 * stack_record_copy - what was recorded
 * @r: the record
 * @to: filled in
 *
 * Context: any but NMI.
 */
void stack_record_copy(struct stack_record *r, struct deepest_stack *to);

#endif /* _KERNEL_TRACE_STACK_TRACER_RECORD_H */
