/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checking the depth of the stack in a callback, and recording the deepest stack.
 *
 * The stack tracer has one record; its tests use a record of their own.
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
 * struct stack_record - the record of the deepest stack that was seen
 * @max: depth of @deepest in bytes, or the depth that the next stack must exceed; read without
 *	the lock
 * @lock: protects all members. Taken inside of any other lock, with interrupts off and
 *	stack_tracer_disable() in effect, so that no callback on this CPU waits for it.
 * @overrun: true once a stack was found to be overrun. Afterwards nothing changes any more, and
 *	all members can be read without the lock.
 * @pid: task whose stack was overrun, if @overrun
 * @comm: name of the task whose stack was overrun, if @overrun
 * @deepest: the deepest stack
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

/* Initializer of an empty record; an irq_work calls @_report once a stack was overrun. */
#define STACK_RECORD_INIT(_report) {					\
	.lock	= (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED,		\
	.report	= IRQ_WORK_INIT_HARD(_report),				\
}

/* Bytes that the call instruction at the call site has pushed on the traced function's stack. */
#define STACK_SITE_BYTES	(IS_ENABLED(CONFIG_X86) ? sizeof(long) : 0)

/**
 * stack_depth() - number of bytes of a stack that are in use
 * @sp: stack pointer; the stack begins and ends at multiples of THREAD_SIZE
 *
 * Context: any.
 * Return: bytes between @sp and the top of the stack.
 */
static __always_inline unsigned long stack_depth(unsigned long sp)
{
	return -sp & (THREAD_SIZE - 1);
}

/**
 * stack_record_sp() - stack pointer of a traced function
 * @fregs: registers, as passed to the callback
 *
 * The part of the stack that the tracer itself uses is not included, except on architectures whose
 * entry code does not pass the stack pointer: there, the frame of the callback is returned.
 *
 * Context: the callback.
 * Return: address of the lowest word in use.
 */
static __always_inline unsigned long stack_record_sp(struct ftrace_regs *fregs)
{
	if (!IS_ENABLED(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS))
		return (unsigned long)__builtin_frame_address(0);
	return ftrace_regs_get_stack_pointer(fregs) - STACK_SITE_BYTES;
}

/**
 * stack_record_deeper() - record the current stack if it is the deepest one
 * @r: the record
 * @ip: address of the traced function's call site
 * @sp: result of stack_record_sp()
 *
 * Does nothing in an NMI, on the stack of an interrupt or an exception, and while
 * stack_tracer_disable() is in effect; nor while RCU is not watching, because the unwinder could
 * not look up modules.
 *
 * Context: the callback; any, NMI included.
 */
void stack_record_deeper(struct stack_record *r, unsigned long ip, unsigned long sp);

/**
 * stack_record_check() - record the current stack if it seems to be the deepest one
 * @r: the record
 * @ip: address of the traced function's call site, as passed to the callback
 * @fregs: registers, as passed to the callback
 *
 * Here, depths are compared as if the stack were that of a task. stack_record_deeper() tests
 * whether it is: that costs nothing, because few stacks seem deeper than the deepest one.
 *
 * Context: the callback; any, NMI included.
 */
static __always_inline void stack_record_check(struct stack_record *r, unsigned long ip,
					       struct ftrace_regs *fregs)
{
	unsigned long sp = stack_record_sp(fregs);

	if (unlikely(stack_depth(sp) > READ_ONCE(r->max)))
		stack_record_deeper(r, ip, sp);
}

/**
 * stack_record_set_max() - discard the recorded stack and set the depth to exceed
 * @r: the record
 * @max: depth in bytes that the next recorded stack must exceed
 *
 * Context: any but NMI.
 * Return: 0; -ENODEV, with the record unchanged, if a stack has been overrun.
 */
int stack_record_set_max(struct stack_record *r, unsigned long max);

/**
 * stack_record_copy() - copy the recorded stack
 * @r: the record
 * @to: destination
 *
 * Context: any but NMI.
 */
void stack_record_copy(struct stack_record *r, struct deepest_stack *to);

#endif /* _KERNEL_TRACE_STACK_TRACER_RECORD_H */
