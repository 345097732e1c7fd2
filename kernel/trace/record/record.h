/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recording an entry: computing the context in the header of every entry, and reserving and
 * committing an entry in the ring buffer. The hot paths of the function tracer and of events use
 * the ring buffer directly instead.
 *
 * A context is an unsigned int with the flags and depths of an entry, laid out as the first word of
 * struct trace_entry, but without the type. So one store fills in that word: of context plus type.
 *
 * A plain context, by far the most frequent one, is that of a task with softirqs and migration
 * enabled and no pending reschedule: only its preemption depth and its interrupt state need to be
 * looked up.
 */
#ifndef _KERNEL_TRACE_RECORD_H
#define _KERNEL_TRACE_RECORD_H

#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/trace_events.h>
#include <asm/trace_preempt.h>

#include "guard/guard.h"
#include "tasks/cmdlines.h"

#ifdef __LITTLE_ENDIAN
#define TRACE_CTX_TYPE_SHIFT	0
#define TRACE_CTX_FLAGS_SHIFT	16
#define TRACE_CTX_DEPTH_SHIFT	24
#else
#define TRACE_CTX_TYPE_SHIFT	16
#define TRACE_CTX_FLAGS_SHIFT	8
#define TRACE_CTX_DEPTH_SHIFT	0
#endif

/* Maximum of each of the two depths in a context, which have four bits each. */
#define TRACE_CTX_DEPTH_MAX	15U

static_assert(offsetof(struct trace_entry, type) == 0);
static_assert(offsetof(struct trace_entry, flags) == 2);
static_assert(offsetof(struct trace_entry, preempt_count) == 3);
static_assert(offsetof(struct trace_entry, pid) == 4);

/**
 * trace_ctx_irqs - the flags of a context that say whether interrupts are off
 *
 * Context: any.
 * Return: the flags, shifted to where a context has them.
 */
static __always_inline unsigned int trace_ctx_irqs(void)
{
	if (!IS_ENABLED(CONFIG_TRACE_IRQFLAGS_SUPPORT))
		return TRACE_FLAG_IRQS_NOSUPPORT << TRACE_CTX_FLAGS_SHIFT;
	return trace_irqs_off_bit(TRACE_CTX_FLAGS_SHIFT);
}

static_assert(TRACE_FLAG_IRQS_OFF == 1);

/**
 * trace_migration_disabled - how many times migration is disabled for a task
 * @task: current
 *
 * Context: any.
 * Return: the count; 0 without SMP.
 */
static __always_inline unsigned short
trace_migration_disabled(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return task->migration_disabled;
#else
	return 0;
#endif
}

/**
 * trace_softirq_count - the SOFTIRQ_MASK field: whether a softirq is served or softirqs are off
 * @word: trace_preempt_word(), which has the field without PREEMPT_RT
 * @task: current, which has the field with PREEMPT_RT, where softirqs run in threads
 *
 * Context: any.
 * Return: the field, not shifted.
 */
static __always_inline unsigned int trace_softirq_count(unsigned int word,
							const struct task_struct *task)
{
#ifdef CONFIG_PREEMPT_RT
	return task->softirq_disable_cnt & SOFTIRQ_MASK;
#else
	return word & SOFTIRQ_MASK;
#endif
}

/**
 * trace_word_is_plain - test whether the preemption word allows a plain context
 * @word: trace_preempt_word()
 *
 * Context: any.
 * Return: true if @word has nothing but a small preemption count: then current is not interrupted,
 * and has softirqs enabled.
 */
static __always_inline bool trace_word_is_plain(unsigned int word)
{
	return word <= TRACE_CTX_DEPTH_MAX;
}

/**
 * trace_task_is_plain - test whether the state of the task allows a plain context
 * @task: current
 *
 * Context: any.
 * Return: true if migration is enabled, no reschedule is pending and, with PREEMPT_RT, softirqs are
 * enabled.
 */
static __always_inline bool trace_task_is_plain(const struct task_struct *task)
{
	/*
	 * Not READ_ONCE(), so that the compiler can combine the load with the test. Another CPU
	 * may request a reschedule at this moment; either value is right.
	 */
	return !data_race(task_thread_info(task)->flags & _TIF_NEED_RESCHED) &&
	       !trace_migration_disabled(task) && !trace_softirq_count(0, task);
}

/**
 * trace_ctx_is_plain - test whether the current context is a plain one
 * @word: trace_preempt_word()
 * @task: current
 *
 * Context: any.
 * Return: true if trace_ctx_plain() is the current context.
 */
static __always_inline bool trace_ctx_is_plain(unsigned int word,
					       const struct task_struct *task)
{
	return trace_word_is_plain(word) && trace_task_is_plain(task);
}

/**
 * trace_ctx_plain - compute a plain context
 * @word: trace_preempt_word(), for which trace_ctx_is_plain() has returned true
 *
 * Context: any.
 * Return: the context.
 */
static __always_inline unsigned int trace_ctx_plain(unsigned int word)
{
	return (word << TRACE_CTX_DEPTH_SHIFT) + trace_ctx_irqs();
}

/**
 * trace_callers_word - trace_preempt_word() of the traced function
 *
 * Context: the callback of the function, which has disabled preemption once.
 * Return: what trace_preempt_word() would return in the function.
 */
static __always_inline unsigned int trace_callers_word(void)
{
	return trace_preempt_word() - PREEMPT_DISABLE_OFFSET;
}

/**
 * trace_ctx_full - compute the context, whether or not it is a plain one
 * @word: trace_preempt_word() as it was before the tracer disabled preemption
 *
 * Context: any, preemption off or interrupts off.
 * Return: the context.
 */
unsigned int trace_ctx_full(unsigned int word);

/**
 * trace_ctx - compute the context of the caller
 *
 * Context: any.
 * Return: the context.
 */
static __always_inline unsigned int trace_ctx(void)
{
	return trace_ctx_full(trace_preempt_word());
}

/**
 * trace_entry_fill - fill in the common header of an entry
 * @ent: the entry
 * @type: enum trace_type, or the type of an event
 * @ctx: the context of the entry
 * @task: current
 *
 * Context: any.
 */
static __always_inline void trace_entry_fill(struct trace_entry *ent,
					     unsigned int type, unsigned int ctx,
					     const struct task_struct *task)
{
	*(u32 *)ent = ctx + (type << TRACE_CTX_TYPE_SHIFT);
	ent->pid = task->pid;
}

struct rb_cpu;

/**
 * struct trace_record - an entry that is being recorded
 * @cb: stream of the ring buffer in which the entry is reserved, and to which it is committed, even
 *	if the instance gets another buffer meanwhile
 * @next: as in struct rb_write_ctx
 */
struct trace_record {
	struct rb_cpu	*cb;
	unsigned long	next;
};

/**
 * trace_record_start - reserve an entry and fill in its header
 * @rec: filled in for trace_record_end()
 * @buffer: the buffer
 * @type: enum trace_type, or the type of an event
 * @len: bytes of the whole entry
 * @ctx: the context of the entry
 *
 * Context: any, NMI included; preemption off until trace_record_end().
 * Return: the entry; NULL if nothing can be recorded now.
 */
void *trace_record_start(struct trace_record *rec, struct trace_buffer *buffer,
			 unsigned int type, unsigned long len, unsigned int ctx);

/**
 * trace_record_end - commit an entry
 * @rec: from trace_record_start()
 *
 * Context: as for trace_record_start(), on the same CPU.
 */
void trace_record_end(const struct trace_record *rec);

#endif /* _KERNEL_TRACE_RECORD_H */
