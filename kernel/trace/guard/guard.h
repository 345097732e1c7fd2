/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What keeps recording from running into itself.
 *
 * The guard holds, for a CPU, the context whose record is being made: a callback that is
 * called by what that calls finds its own context there, and records nothing.
 *
 * What the tracer itself calls for a record and what may be traced, such as a clock that is
 * read by functions, or the unwinder, stands between trace_own_begin() and trace_own_end().
 * No tracer records it, of whatever instance, nor does the profiler (SPEC D18).  Who may be
 * about to record need not look for that: the straight line of each tracer ends where
 * preempt_count() is more than a few levels of disabled preemption, and the way that is
 * taken then enters the guard.
 */
#ifndef _KERNEL_TRACE_GUARD_H
#define _KERNEL_TRACE_GUARD_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <asm/trace_preempt.h>

/*
 * One word per CPU holds the context whose record is being made as preempt_count() tells
 * it, TRACE_GUARD_IDLE when there is none.  A nested interrupt or NMI finds another context
 * there, takes its place and puts it back at its end.  Contexts nest strictly on a CPU and
 * preemption is off meanwhile, so plain accesses will do.
 */
DECLARE_PER_CPU(unsigned int, trace_guard);

#define TRACE_GUARD_IDLE	(~0U)

/*
 * Interrupt code runs before preempt_count() knows of the interrupt; if that hits a context
 * that is recording, it looks like recursion.  This bit marks the one such level that is
 * let through, and a context that lets nobody through.
 */
#define TRACE_GUARD_EARLY	BIT(0)

/*
 * All NMIs are one context.  Each breakpoint counts as a nested one, and as an interrupt,
 * and what hits it may be what records it: a clock whose static key is being changed.
 */
static __always_inline unsigned int trace_guard_context(unsigned int word)
{
	return word & NMI_MASK ? NMI_MASK : word & (HARDIRQ_MASK | SOFTIRQ_OFFSET);
}

static_assert(!((NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET) & TRACE_GUARD_EARLY));

/**
 * trace_guard_enter_slow - enter a context that looks taken
 * @self: the context
 * @old: what the guard holds
 *
 * Return: false on recursion, which is counted.
 */
bool trace_guard_enter_slow(unsigned int self, unsigned int old);

/**
 * trace_guard_enter_free - trace_guard_enter(), unless the context looks taken
 * @word: trace_preempt_word()
 * @old: filled as by trace_guard_enter()
 *
 * Calls nothing.
 *
 * Context: as trace_guard_enter().
 * Return: false if nothing is known, and nothing has happened: ask trace_guard_enter().
 */
static __always_inline bool trace_guard_enter_free(unsigned int word, unsigned int *old)
{
	unsigned int self = trace_guard_context(word);

	*old = raw_cpu_read(trace_guard);
	if (unlikely((*old & ~TRACE_GUARD_EARLY) == self))
		return false;
	raw_cpu_write(trace_guard, self);
	barrier();
	return true;
}

/**
 * trace_guard_enter - begin recording
 * @word: trace_preempt_word()
 * @old: filled with what trace_guard_exit() wants
 *
 * Context: any, NMI included; preemption off until trace_guard_exit().
 * Return: false on recursion: nothing may be recorded, and
 * trace_guard_exit() must not be called.
 */
static __always_inline bool trace_guard_enter(unsigned int word, unsigned int *old)
{
	return likely(trace_guard_enter_free(word, old)) ||
	       trace_guard_enter_slow(trace_guard_context(word), *old);
}

/**
 * trace_guard_exit - end recording
 * @old: from trace_guard_enter()
 */
static __always_inline void trace_guard_exit(unsigned int old)
{
	barrier();
	raw_cpu_write(trace_guard, old);
}

/**
 * trace_recursions - how many calls the guard has turned away since boot
 */
unsigned long trace_recursions(void);

/**
 * trace_recursion_count - count what has been turned away elsewhere
 *
 * Context: any, NMI included; preemption off.
 */
void trace_recursion_count(void);

/* ------------------------------------------------------------------ */
/* What the tracer does itself						*/

/*
 * In preempt_count(): in how many such stretches this CPU is, those of interrupted contexts
 * included.  Above all that the kernel counts there, so whoever asks for preemption or a
 * context sees no more than that preemption is off.
 */
#define TRACE_OWN_SHIFT		(NMI_SHIFT + NMI_BITS)
#define TRACE_OWN_OFFSET	BIT(TRACE_OWN_SHIFT)
#define TRACE_OWN_MASK		GENMASK(TRACE_OWN_SHIFT + 3, TRACE_OWN_SHIFT)

static_assert(!(TRACE_OWN_MASK & (PREEMPT_MASK | SOFTIRQ_MASK | HARDIRQ_MASK | NMI_MASK)));
static_assert(!(TRACE_OWN_MASK & BIT(31)));

/* In task_struct.tracing_graph_pause, above what pause_graph_tracing() counts. */
#define TRACE_OWN_PAUSE		BIT(16)

/* Only the task itself changes it, and what interrupts it puts it back. */
static __always_inline void trace_own_pause(int more)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	atomic_t *pause = &current->tracing_graph_pause;

	atomic_set(pause, atomic_read(pause) + more);
#endif
}

/**
 * struct trace_own - what trace_own_begin() leaves for trace_own_end()
 * @guard: what the guard held
 */
struct trace_own {
	unsigned int guard;
};

/**
 * trace_own_begin - what is called from here on is the tracer's own
 * @own: for trace_own_end()
 *
 * In this context nothing is recorded, nor counted by the profiler.  That is also true of
 * the first functions of an interrupt, which preempt_count() does not know of yet; they are
 * counted as turned away, and who does not want that disables interrupts.
 *
 * May be nested.
 *
 * Context: any, NMI included; preemption is off until trace_own_end().
 */
static __always_inline void trace_own_begin(struct trace_own *own)
{
	unsigned int word;

	__preempt_count_add(TRACE_OWN_OFFSET);
	barrier();
	word = trace_preempt_word();
	own->guard = raw_cpu_read(trace_guard);
	raw_cpu_write(trace_guard, trace_guard_context(word) | TRACE_GUARD_EARLY);
	trace_own_pause(TRACE_OWN_PAUSE);
	barrier();
}

/**
 * trace_own_end - the end of trace_own_begin()
 * @own: what that has left
 *
 * Does not reschedule: who began with preemption enabled and wants that wraps both in
 * preempt_disable_notrace() and preempt_enable_notrace().
 *
 * Context: that of trace_own_begin().
 */
static __always_inline void trace_own_end(const struct trace_own *own)
{
	barrier();
	trace_own_pause(-(int)TRACE_OWN_PAUSE);
	raw_cpu_write(trace_guard, own->guard);
	barrier();
	__preempt_count_sub(TRACE_OWN_OFFSET);
}

/**
 * trace_own_irqsave - trace_own_begin(), where nothing of an interrupt may be turned away
 * @own: for trace_own_irqrestore()
 *
 * Context: as trace_own_begin(); interrupts are off until trace_own_irqrestore().
 * Return: for that as well.
 */
static __always_inline unsigned long trace_own_irqsave(struct trace_own *own)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	trace_own_begin(own);
	return flags;
}

/**
 * trace_own_irqrestore - the end of trace_own_irqsave()
 * @own: what that has left, and
 * @flags: what it returned
 *
 * Context: that of trace_own_irqsave().
 */
static __always_inline void trace_own_irqrestore(const struct trace_own *own,
						 unsigned long flags)
{
	trace_own_end(own);
	raw_local_irq_restore(flags);
}

/**
 * trace_is_own - is current in what the tracer does itself?
 * @word: trace_preempt_word()
 *
 * Not: is something that it has interrupted.
 *
 * Context: any, NMI included; preemption is off, or the answer is no.
 */
static __always_inline bool trace_is_own(unsigned int word)
{
	return (word & TRACE_OWN_MASK) &&
	       raw_cpu_read(trace_guard) == (trace_guard_context(word) | TRACE_GUARD_EARLY);
}

#endif /* _KERNEL_TRACE_GUARD_H */
