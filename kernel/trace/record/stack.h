/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stack traces as entries of the buffer.
 */
#ifndef _KERNEL_TRACE_STACK_H
#define _KERNEL_TRACE_STACK_H

#include <linux/limits.h>
#include <linux/ptrace.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "instance/instance.h"

struct pt_regs;
struct record_type;

/* The number of callers that readers are promised in a stack entry. */
#define STACK_ENTRY_CALLERS	8

/*
 * Stands in a stack entry for an address inside a dispatch trampoline, whose
 * memory may hold something else by the time the entry is read.
 */
#define STACK_ENTRY_TRAMPOLINE	((unsigned long)INT_MAX)

/* A kernel stack, innermost caller first; @size of them are there. */
struct stack_entry {
	struct trace_entry	ent;
	int			size;
	unsigned long		caller[];
};

/* A user stack, closed by a zero when it is shorter than the array. */
struct user_stack_entry {
	struct trace_entry	ent;
	unsigned int		tgid;
	unsigned long		caller[STACK_ENTRY_CALLERS];
};

/* How they are printed. */
extern const struct record_type stack_type;
extern const struct record_type user_stack_type;

#ifdef CONFIG_STACKTRACE

/**
 * trace_stack_record - record the kernel stack
 * @tr: the instance
 * @ctx: context of the event that the stack belongs to
 * @from: leave out the innermost entries up to the one that returns to this
 *	address, unless it is not there; 0 for none
 * @regs: where to start, or NULL for here
 *
 * What cannot be recorded, because more contexts are nested than there are
 * buffers or RCU is not watching, is counted: see trace_stack_lost().  The ring
 * buffer counts what it has no room for by itself.
 *
 * Context: any, NMI included.
 */
void trace_stack_record(struct trace_array *tr, unsigned int ctx,
			unsigned long from, struct pt_regs *regs);

/**
 * trace_stack_record_above - record the kernel stack, without some of its callers
 * @tr: the instance
 * @ctx: context of the event that the stack belongs to
 * @from: as in trace_stack_record()
 * @skip: leave out so many more
 * @regs: begin there instead, and leave nothing out, if trace_stack_begins_at() that; or NULL
 *
 * Context: as trace_stack_record().
 */
void trace_stack_record_above(struct trace_array *tr, unsigned int ctx,
			      unsigned long from, unsigned int skip, struct pt_regs *regs);

/**
 * trace_stack_begins_at - can a kernel stack begin there
 * @regs: registers, or NULL; who knows few of them does not say where they are of
 *
 * An architecture without a walk that can begin anywhere warns of the first one.
 *
 * Context: any.
 */
static inline bool trace_stack_begins_at(struct pt_regs *regs)
{
	return IS_ENABLED(CONFIG_ARCH_STACKWALK) && regs && instruction_pointer(regs) &&
	       !user_mode(regs);
}

/**
 * trace_user_stack_record - record the current task's user stack
 * @tr: the instance
 * @ctx: context of the event that the stack belongs to
 *
 * Nothing in NMI context, of kernel threads, and while one is being recorded
 * on this CPU: following user frames may fault.  Nor where the architecture
 * cannot do that.
 *
 * Context: any.
 */
void trace_user_stack_record(struct trace_array *tr, unsigned int ctx);

/**
 * trace_stack_caller - who called the function that a return leads into
 * @from: an address behind a call in that function, among the innermost ones of the stack
 *
 * Context: any, NMI included; preemption off.
 * Return: the address to which that function returns; @from if it is not found.
 */
unsigned long trace_stack_caller(unsigned long from);

/**
 * trace_stack_lost - how many stacks could not be recorded since boot
 *
 * Kernel stacks only, for all instances together.
 *
 * Context: any.
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
 * @ctx: context of the event just recorded
 * @from: see trace_stack_record()
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
