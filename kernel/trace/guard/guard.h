/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recursion guard, which keeps the tracer from recording the functions that it calls
 * itself while it makes a record.
 *
 * For each CPU, the guard holds the context that is making a record. If a function that is
 * called for that record hits a tracer again, the callback finds its own context in the
 * guard and records nothing.
 *
 * Traceable code that the tracer calls on its own behalf, such as the unwinder or a clock
 * that is read by functions, runs between trace_own_begin() and trace_own_end(). No tracer
 * of any instance records that code, and the profiler does not count it (SPEC D18). The fast
 * path of a tracer needs no test for such sections: it is left as soon as preempt_count()
 * is more than a few levels of disabled preemption, and the slow path enters the guard.
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
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <asm/trace_preempt.h>

/*
 * The context that is making a record on a CPU, in the bits of preempt_count();
 * TRACE_GUARD_IDLE if there is none.  A nested interrupt or NMI finds another context in the
 * word, stores its own context, and restores the word when it is done.  Contexts nest
 * strictly on a CPU and preemption is off meanwhile, so plain accesses are sufficient.
 */
DECLARE_PER_CPU(unsigned int, trace_guard);

/* Value of trace_guard while no context of the CPU is making a record. */
#define TRACE_GUARD_IDLE	(~0U)

/*
 * The first functions of an interrupt run before preempt_count() counts the interrupt. If
 * they interrupt a context that is recording, they look like recursion into that context.
 * One such level is allowed to record, and sets this bit; with the bit set no further level
 * may record. trace_own_begin() also sets the bit, so that nothing may record in its context.
 */
#define TRACE_GUARD_EARLY	BIT(0)

/*
 * The context in a preempt_count() word. All NMIs are one context: a breakpoint counts as a
 * nested NMI and as an interrupt, but may be hit by the recording code itself, for example by
 * a clock whose static key is being changed. It must not look like another context then.
 */
static __always_inline unsigned int trace_guard_context(unsigned int word)
{
	return word & NMI_MASK ? NMI_MASK : word & (HARDIRQ_MASK | SOFTIRQ_OFFSET);
}

static_assert(!((NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET) & TRACE_GUARD_EARLY));

/**
 * trace_guard_enter_slow - enter the guard when it seems to hold this context already
 * @self: context from trace_guard_context()
 * @old: value that the guard holds
 *
 * Context: any, NMI included; preemption must be off until trace_guard_exit().
 * Return: true if this may be the start of an interrupt, and may record; false on
 * recursion, which is counted.
 */
bool trace_guard_enter_slow(unsigned int self, unsigned int old);

/**
 * trace_guard_enter_free - enter the guard if it does not hold this context
 * @word: value of trace_preempt_word()
 * @old: set to the previous value of the guard, for trace_guard_exit()
 *
 * For fast paths: no function is called.
 *
 * Context: any, NMI included; preemption must be off until trace_guard_exit().
 * Return: true if the guard was entered; false if the caller has to call
 * trace_guard_enter() to decide. Nothing is changed in that case.
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
 * trace_guard_enter - enter the guard to make a record
 * @word: value of trace_preempt_word()
 * @old: set to the previous value of the guard, for trace_guard_exit()
 *
 * Context: any, NMI included; preemption must be off until trace_guard_exit().
 * Return: true if the caller may record; false on recursion, in which case
 * trace_guard_exit() must not be called.
 */
static __always_inline bool trace_guard_enter(unsigned int word, unsigned int *old)
{
	return likely(trace_guard_enter_free(word, old)) ||
	       trace_guard_enter_slow(trace_guard_context(word), *old);
}

/**
 * trace_guard_exit - leave the guard after making a record
 * @old: value from trace_guard_enter() or trace_guard_enter_free()
 *
 * Context: the context that entered the guard.
 */
static __always_inline void trace_guard_exit(unsigned int old)
{
	barrier();
	raw_cpu_write(trace_guard, old);
}

/**
 * trace_recursions - number of calls that were not recorded because of recursion
 *
 * Context: any.
 * Return: the sum over all CPUs since boot.
 */
unsigned long trace_recursions(void);

/**
 * trace_recursion_count - count a call that was not recorded because of recursion
 *
 * For callers that detect recursion by other means than trace_guard_enter().
 *
 * Context: any, NMI included; preemption off.
 */
void trace_recursion_count(void);

/**
 * trace_rcu_is_watching - check whether a hit may use what RCU protects
 *
 * Architectures with CONFIG_ARCH_WANTS_NO_INSTR have no call sites or probes where RCU is not
 * watching, so only the others need the check.
 *
 * Context: any, NMI included; preemption off.
 * Return: true if it may.
 */
static __always_inline bool trace_rcu_is_watching(void)
{
	return IS_ENABLED(CONFIG_ARCH_WANTS_NO_INSTR) || rcu_is_watching();
}

/* ------------------------------------------------------------------ */
/* Code that the tracer calls on its own behalf				*/

/*
 * Field of preempt_count(): number of trace_own_begin() sections that this CPU is in,
 * including sections of interrupted contexts.  The field is above all other fields, so code
 * that tests for preemption or for a context only sees that preemption is off.
 */
#define TRACE_OWN_SHIFT		(NMI_SHIFT + NMI_BITS)
#define TRACE_OWN_OFFSET	BIT(TRACE_OWN_SHIFT)
#define TRACE_OWN_MASK		GENMASK(TRACE_OWN_SHIFT + 3, TRACE_OWN_SHIFT)

static_assert(!(TRACE_OWN_MASK & (PREEMPT_MASK | SOFTIRQ_MASK | HARDIRQ_MASK | NMI_MASK)));
static_assert(!(TRACE_OWN_MASK & BIT(31)));

/* Unit in task_struct.tracing_graph_pause, above the count of pause_graph_tracing(). */
#define TRACE_OWN_PAUSE		BIT(16)

/*
 * Add @more to tracing_graph_pause of current. Only the task itself and its interrupts, which
 * restore the value, change it, so an atomic addition is not needed.
 */
static __always_inline void trace_own_pause(int more)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	atomic_t *pause = &current->tracing_graph_pause;

	atomic_set(pause, atomic_read(pause) + more);
#endif
}

/**
 * struct trace_own - state that trace_own_begin() saves for trace_own_end()
 * @guard: previous value of the guard
 */
struct trace_own {
	unsigned int guard;
};

/**
 * trace_own_begin - begin code that the tracer calls on its own behalf
 * @own: set to the state for trace_own_end()
 *
 * Until trace_own_end(), nothing is recorded in this context, or counted by the profiler.
 * That includes the first functions of an interrupt, which preempt_count() does not count
 * yet; they are counted as recursion. A caller that must not lose them uses
 * trace_own_irqsave().
 *
 * Sections may be nested.
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
 * trace_own_end - end code that the tracer calls on its own behalf
 * @own: state from trace_own_begin()
 *
 * Does not reschedule. A caller that began with preemption enabled and wants to reschedule
 * puts both calls between preempt_disable_notrace() and preempt_enable_notrace().
 *
 * Context: the context that called trace_own_begin().
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
 * trace_own_irqsave - trace_own_begin() with interrupts disabled
 * @own: set to the state for trace_own_irqrestore()
 *
 * With interrupts disabled, no function of an interrupt is mistaken for recursion.
 *
 * Context: any, NMI included; preemption and interrupts are off until
 * trace_own_irqrestore().
 * Return: interrupt state for trace_own_irqrestore().
 */
static __always_inline unsigned long trace_own_irqsave(struct trace_own *own)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	trace_own_begin(own);
	return flags;
}

/**
 * trace_own_irqrestore - trace_own_end() after trace_own_irqsave()
 * @own: state from trace_own_irqsave()
 * @flags: interrupt state from trace_own_irqsave()
 *
 * Context: the context that called trace_own_irqsave().
 */
static __always_inline void trace_own_irqrestore(const struct trace_own *own,
						 unsigned long flags)
{
	trace_own_end(own);
	raw_local_irq_restore(flags);
}

/**
 * trace_is_own - test whether this context is between trace_own_begin() and trace_own_end()
 * @word: value of trace_preempt_word()
 *
 * Sections of interrupted contexts do not count.
 *
 * Context: any, NMI included.
 * Return: true inside such a section, where preemption is off; otherwise false.
 */
static __always_inline bool trace_is_own(unsigned int word)
{
	return (word & TRACE_OWN_MASK) &&
	       raw_cpu_read(trace_guard) == (trace_guard_context(word) | TRACE_GUARD_EARLY);
}

#endif /* _KERNEL_TRACE_GUARD_H */
