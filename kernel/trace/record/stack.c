// SPDX-License-Identifier: GPL-2.0
/*
 * Recording stack traces as entries of the ring buffer.
 *
 * Called right after the entry of the event that a stack belongs to was recorded, in the same
 * context. The length of an entry with a stack is known only after unwinding. So the return
 * addresses are stored in an array first; each CPU has one for each context that can be nested.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include <asm/sections.h>

#include "guard/guard.h"
#include "internal.h"
#include "record.h"
#include "stack.h"
#include "types/types.h"

/*
 * Number of contexts that can be nested: task, softirq, hardirq, NMI, and an interrupt that
 * preempt_count() does not count yet.
 */
#define STACK_CONTEXTS	5
/* Maximum number of return addresses of a stack: more frames than fit into a kernel stack. */
#define STACK_DEPTH	256

/**
 * struct stack_buffers - arrays of a CPU into which stacks are unwound
 * @in_use: number of arrays in use
 * @calls: an array of return addresses for each nested context
 */
struct stack_buffers {
	int		in_use;
	unsigned long	calls[STACK_CONTEXTS][STACK_DEPTH];
};

static DEFINE_PER_CPU(struct stack_buffers, stack_buffers);
/* Number of kernel stacks that could not be recorded on the CPU. */
static DEFINE_PER_CPU(unsigned long, stacks_lost);
/* True while a user stack is unwound on the CPU. That may fault, and record another user stack. */
static DEFINE_PER_CPU(bool, user_stack_in_progress);

/* Maximum distance in bytes between a call instruction and its return address. */
#define STACK_CALL_SIZE_MAX	16
/* Number of innermost frames that are searched for the first one that is not the tracer's own. */
#define STACK_OWN_FRAMES_MAX	12

/*
 * Return: index in @calls of the return address @from, with which the frames of the traced code
 * begin; 0 if it is not among the innermost ones.
 */
static unsigned int stack_find_first_frame(const unsigned long *calls, unsigned int nr,
					   unsigned long from)
{
	for (unsigned int i = 0; from && i < min(nr, STACK_OWN_FRAMES_MAX); i++) {
		if (calls[i] - from < STACK_CALL_SIZE_MAX)
			return i;
	}
	return 0;
}

/* Return: @addr, or a marker for an address in a trampoline: its memory may be reused later. */
static unsigned long stack_stable_address(unsigned long addr)
{
	/* Kernel text is tested first: that needs no call, and most addresses are in it. */
	if (__is_kernel_text(addr) || !is_ftrace_trampoline(addr))
		return addr;
	return STACK_ENTRY_TRAMPOLINE;
}

static void stack_record_calls(struct trace_array *tr, unsigned int ctx,
			       const unsigned long *calls, unsigned int nr)
{
	struct stack_entry *entry;
	struct trace_record rec;

	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), TRACE_STACK,
				   struct_size(entry, caller, nr), ctx);
	if (!entry)
		return;
	entry->size = nr;
	for (unsigned int i = 0; i < nr; i++)
		entry->caller[i] = stack_stable_address(calls[i]);
	trace_record_end(&rec);
}

/**
 * struct stack_request - arguments of stack_record()
 * @tr: as for trace_stack_record()
 * @ctx: as for trace_stack_record()
 * @from: as for trace_stack_record()
 * @more: number of frames to leave out in addition to those that @from leaves out
 * @regs: as for trace_stack_record()
 */
struct stack_request {
	struct trace_array	*tr;
	unsigned int		ctx;
	unsigned long		from;
	unsigned int		more;
	struct pt_regs		*regs;
};

/* Inlined, as is stack_record(): each call would add a frame to unwind to every stack. */
static __always_inline void stack_unwind_and_record(const struct stack_request *req,
						    unsigned long *calls)
{
	unsigned int nr, skip;
	struct trace_own own;

	trace_own_begin(&own);
	if (trace_stack_can_unwind(req->regs))
		nr = stack_trace_save_regs(req->regs, calls, STACK_DEPTH, 0);
	else
		nr = stack_trace_save(calls, STACK_DEPTH, 0);
	trace_own_end(&own);

	skip = min(nr, stack_find_first_frame(calls, nr, req->from) + req->more);
	stack_record_calls(req->tr, req->ctx, calls + skip, nr - skip);
}

static __always_inline void stack_record(const struct stack_request *req)
{
	struct stack_buffers *bufs;
	int level;

	guard(preempt_notrace)();
	/* The unwinder reads lists that only RCU protects. */
	if (!rcu_is_watching()) {
		__this_cpu_inc(stacks_lost);
		return;
	}

	bufs = this_cpu_ptr(&stack_buffers);
	/* The increment need not be atomic: nested contexts leave the value as it was. */
	level = bufs->in_use++;
	barrier();
	if (level < STACK_CONTEXTS)
		stack_unwind_and_record(req, bufs->calls[level]);
	else
		__this_cpu_inc(stacks_lost);
	barrier();
	bufs->in_use--;
}

void trace_stack_record(struct trace_array *tr, unsigned int ctx,
			unsigned long from, struct pt_regs *regs)
{
	stack_record(&(struct stack_request) {
		.tr	= tr,
		.ctx	= ctx,
		.from	= from,
		.regs	= regs,
	});
}

void trace_stack_record_above(struct trace_array *tr, unsigned int ctx,
			      unsigned long from, unsigned int skip, struct pt_regs *regs)
{
	bool all = trace_stack_can_unwind(regs);

	stack_record(&(struct stack_request) {
		.tr	= tr,
		.ctx	= ctx,
		.from	= all ? 0 : from,
		.more	= all ? 0 : skip,
		.regs	= regs,
	});
}

unsigned long trace_stack_caller(unsigned long from)
{
	unsigned long calls[STACK_OWN_FRAMES_MAX + 1];
	struct trace_own own;
	unsigned int nr, i;

	if (!rcu_is_watching())
		return from;
	trace_own_begin(&own);
	nr = stack_trace_save(calls, ARRAY_SIZE(calls), 0);
	trace_own_end(&own);
	i = stack_find_first_frame(calls, nr, from) + 1;
	return i < nr ? calls[i] : from;
}

static void stack_record_user_calls(struct trace_array *tr, unsigned int ctx)
{
	struct user_stack_entry *entry;
	unsigned long calls[STACK_ENTRY_CALLERS] = {};
	struct trace_record rec;
	struct trace_own own;

	/* Unwind before the entry is reserved: unwinding may fault. */
	trace_own_begin(&own);
	stack_trace_save_user(calls, STACK_ENTRY_CALLERS);
	trace_own_end(&own);

	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), TRACE_USER_STACK,
				   sizeof(*entry), ctx);
	if (!entry)
		return;
	entry->tgid = current->tgid;
	memcpy(entry->caller, calls, sizeof(calls));
	trace_record_end(&rec);
}

void trace_user_stack_record(struct trace_array *tr, unsigned int ctx)
{
	if (!IS_ENABLED(CONFIG_USER_STACKTRACE_SUPPORT) || in_nmi() ||
	    (current->flags & PF_KTHREAD))
		return;

	guard(preempt_notrace)();
	if (__this_cpu_read(user_stack_in_progress))
		return;
	__this_cpu_write(user_stack_in_progress, true);
	stack_record_user_calls(tr, ctx);
	__this_cpu_write(user_stack_in_progress, false);
}

unsigned long trace_stack_lost(void)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(stacks_lost, cpu));
	return sum;
}
