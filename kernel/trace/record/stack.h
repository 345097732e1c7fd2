/* SPDX-License-Identifier: GPL-2.0 */
/* Stack traces as entries of the buffer. */
#ifndef _KERNEL_TRACE_STACK_H
#define _KERNEL_TRACE_STACK_H

#include <linux/ptrace.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "instance/instance.h"

struct pt_regs;
struct record_type;

/* Types of the two entries; they print in stack_print.c. */
extern const struct record_type stack_type;
extern const struct record_type user_stack_type;

#ifdef CONFIG_STACKTRACE

/**
 * trace_stack_record - record the kernel stack
 * @tr: the instance
 * @ctx: context of the event that the stack belongs to
 * @from: an address: the innermost entries up to the one that returns to it are left out, unless
 *	there is none; 0 to leave out nothing
 * @regs: registers to start from, or NULL to start here
 *
 * A stack that cannot be recorded, because too many contexts are nested or RCU is not watching,
 * is counted: see trace_stack_lost(). The ring buffer itself counts an entry for which it has no
 * room.
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
 * @regs: registers to start from, if trace_stack_begins_at() them: then nothing is left out; or
 *	NULL
 *
 * Context: as for trace_stack_record().
 */
void trace_stack_record_above(struct trace_array *tr, unsigned int ctx,
			      unsigned long from, unsigned int skip, struct pt_regs *regs);

/**
 * trace_stack_begins_at - test whether a kernel stack can be unwound from registers
 * @regs: the registers, or NULL; an instruction pointer of 0 marks a set that is not complete
 *
 * An architecture without CONFIG_ARCH_STACKWALK can unwind from the current frame only, and warns
 * otherwise.
 *
 * Context: any.
 * Return: true if it can.
 */
static inline bool trace_stack_begins_at(struct pt_regs *regs)
{
	return IS_ENABLED(CONFIG_ARCH_STACKWALK) && regs && instruction_pointer(regs) &&
	       !user_mode(regs);
}

/**
 * trace_user_stack_record - record the user stack of the current task
 * @tr: the instance
 * @ctx: context of the event that the stack belongs to
 *
 * Records nothing in NMI context, for kernel threads, while another user stack is being recorded
 * on this CPU (reading user frames may fault), and on an architecture without
 * CONFIG_USER_STACKTRACE_SUPPORT.
 *
 * Context: any.
 */
void trace_user_stack_record(struct trace_array *tr, unsigned int ctx);

/**
 * trace_stack_caller - the caller of the function that a return address leads into
 * @from: return address, among the innermost ones of the stack
 *
 * Context: any, NMI included; preemption off.
 * Return: the address to which that function returns; @from if it is not found.
 */
unsigned long trace_stack_caller(unsigned long from);

/**
 * trace_stack_lost - how many stacks could not be recorded since boot
 *
 * Counts kernel stacks only, of all instances together.
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
 * trace_option_stacks - record the stacks that the options ask for
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
