/* SPDX-License-Identifier: GPL-2.0 */
/* Recording stack traces as entries of the ring buffer. */
#ifndef _KERNEL_TRACE_STACK_H
#define _KERNEL_TRACE_STACK_H

#include <linux/ptrace.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "instance/instance.h"

struct pt_regs;
struct record_type;

/* Record types of the two kinds of stacks, for the table in boot/types.c; see stack_print.c. */
extern const struct record_type stack_type;
extern const struct record_type user_stack_type;

#ifdef CONFIG_STACKTRACE

/**
 * trace_stack_record - record the kernel stack
 * @tr: the instance
 * @ctx: context of the event that the stack belongs to, see trace_ctx()
 * @from: return address with which the recorded stack begins: the frames inside of it are left out;
 *	0, or one that is not found, to leave out nothing
 * @regs: registers to start unwinding from, or NULL to start here
 *
 * If a stack cannot be recorded, because too many contexts are nested or RCU is not watching,
 * trace_stack_lost() counts it. If the ring buffer has no room for it, the ring buffer counts the
 * entry as dropped.
 *
 * Context: any, NMI included.
 */
void trace_stack_record(struct trace_array *tr, unsigned int ctx,
			unsigned long from, struct pt_regs *regs);

/**
 * trace_stack_record_above - record the kernel stack without its innermost callers
 * @tr: the instance
 * @ctx: context of the event that the stack belongs to
 * @from: as for trace_stack_record()
 * @skip: number of callers left out in addition to those that @from leaves out
 * @regs: registers to start from, if trace_stack_can_unwind() them: then nothing is left out; or
 *	NULL
 *
 * Context: as for trace_stack_record().
 */
void trace_stack_record_above(struct trace_array *tr, unsigned int ctx,
			      unsigned long from, unsigned int skip, struct pt_regs *regs);

/**
 * trace_stack_can_unwind - test whether a kernel stack can be unwound from registers
 * @regs: the registers, or NULL; an instruction pointer of 0 means that not all of them are valid
 *
 * Without CONFIG_ARCH_STACKWALK, only the current frame can be the first one: an architecture warns
 * if it is to unwind from registers.
 *
 * Context: any.
 * Return: true if it can.
 */
static inline bool trace_stack_can_unwind(struct pt_regs *regs)
{
	return IS_ENABLED(CONFIG_ARCH_STACKWALK) && regs && instruction_pointer(regs) &&
	       !user_mode(regs);
}

/**
 * trace_user_stack_record - record the user stack of the current task
 * @tr: the instance
 * @ctx: context of the event that the stack belongs to
 *
 * Records nothing in an NMI, for kernel threads, and without CONFIG_USER_STACKTRACE_SUPPORT; nor
 * while another user stack is unwound on this CPU, as that may fault, and the fault be traced.
 *
 * Context: any.
 */
void trace_user_stack_record(struct trace_array *tr, unsigned int ctx);

/**
 * trace_stack_caller - find the caller of a function on the current stack
 * @from: a return address into the function, one of the innermost ones on the stack
 *
 * Context: any, NMI included; preemption off.
 * Return: the address to which the function returns; @from if that is not found.
 */
unsigned long trace_stack_caller(unsigned long from);

/**
 * trace_stack_lost - count the kernel stacks that could not be recorded since boot
 *
 * Counts those of all instances together.
 *
 * Context: any.
 * Return: the number.
 */
unsigned long trace_stack_lost(void);

#else

static inline void trace_stack_record(struct trace_array *tr, unsigned int ctx,
				      unsigned long from, struct pt_regs *regs) { }
static inline void trace_user_stack_record(struct trace_array *tr,
					   unsigned int ctx) { }
static inline unsigned long trace_stack_caller(unsigned long from) { return from; }
static inline unsigned long trace_stack_lost(void) { return 0; }

#endif

/**
 * trace_option_stacks - record the stacks that options stacktrace and userstacktrace demand
 * @tr: the instance
 * @ctx: context of the event that was recorded
 * @from: as for trace_stack_record()
 *
 * Called after an event (not a function entry) was committed.
 *
 * Context: any, NMI included.
 */
static inline void trace_option_stacks(struct trace_array *tr, unsigned int ctx,
				       unsigned long from)
{
	if (trace_array_opt(tr, TRACE_OPT_STACKTRACE))
		trace_stack_record(tr, ctx, from, NULL);
	if (trace_array_opt(tr, TRACE_OPT_USERSTACKTRACE))
		trace_user_stack_record(tr, ctx);
}

#endif /* _KERNEL_TRACE_STACK_H */
