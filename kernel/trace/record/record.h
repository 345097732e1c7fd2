/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How an entry is recorded: the context that every entry begins with, and the
 * way into the ring buffer for all but the hot path of the function tracer.
 *
 * A context travels as the first word of struct trace_entry with the type left
 * out, so that the header is filled with one store.
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

/* The deepest nesting that the four bits of an entry can tell. */
#define TRACE_CTX_DEPTH_MAX	15U

static_assert(offsetof(struct trace_entry, type) == 0);
static_assert(offsetof(struct trace_entry, flags) == 2);
static_assert(offsetof(struct trace_entry, preempt_count) == 3);
static_assert(offsetof(struct trace_entry, pid) == 4);

/* In trace_preempt_word(). */
#define TRACE_PREEMPT_WORD_RESCHED	BIT(31)

/**
 * trace_ctx_irqs - the part of a context that says whether interrupts are off
 */
static __always_inline unsigned int trace_ctx_irqs(void)
{
	if (!IS_ENABLED(CONFIG_TRACE_IRQFLAGS_SUPPORT))
		return TRACE_FLAG_IRQS_NOSUPPORT << TRACE_CTX_FLAGS_SHIFT;
	return trace_irqs_off_bit(TRACE_CTX_FLAGS_SHIFT);
}

static_assert(TRACE_FLAG_IRQS_OFF == 1);

/* How many times @task asked to stay on its CPU. */
static __always_inline unsigned short
trace_migration_disabled(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return task->migration_disabled;
#else
	return 0;
#endif
}

/*
 * Soft interrupts, served or disabled, as SOFTIRQ_MASK has them. @word, trace_preempt_word(),
 * tells; with PREEMPT_RT they are threads, and @task does, which is current.
 */
static __always_inline unsigned int trace_softirqs(unsigned int word,
						   const struct task_struct *task)
{
#ifdef CONFIG_PREEMPT_RT
	return task->softirq_disable_cnt & SOFTIRQ_MASK;
#else
	return word & SOFTIRQ_MASK;
#endif
}

/**
 * trace_word_is_plain - was it a task, nothing of which is interrupted, nor interrupts off
 * @word: trace_preempt_word()
 */
static __always_inline bool trace_word_is_plain(unsigned int word)
{
	return word <= TRACE_CTX_DEPTH_MAX;
}

/**
 * trace_task_is_plain - is there no request to reschedule, and migration enabled
 * @task: current
 *
 * Nor are soft interrupts off, if that is something that @task knows.
 */
static __always_inline bool trace_task_is_plain(const struct task_struct *task)
{
	/*
	 * Plain loads: the compiler folds each into its test.  Another CPU may ask for a
	 * reschedule at this moment, and comes before or after it.
	 */
	return !data_race(task_thread_info(task)->flags & _TIF_NEED_RESCHED) &&
	       !trace_migration_disabled(task) && !trace_softirqs(0, task);
}

/**
 * trace_ctx_is_plain - can a context be made from the nesting depth alone
 * @word: trace_preempt_word()
 * @task: current
 *
 * True nearly always: in a task, no request to reschedule, migration enabled.
 */
static __always_inline bool trace_ctx_is_plain(unsigned int word,
					       const struct task_struct *task)
{
	return trace_word_is_plain(word) && trace_task_is_plain(task);
}

/**
 * trace_ctx_plain - the context for which trace_ctx_is_plain() holds
 * @word: trace_preempt_word()
 */
static __always_inline unsigned int trace_ctx_plain(unsigned int word)
{
	return (word << TRACE_CTX_DEPTH_SHIFT) + trace_ctx_irqs();
}

/**
 * trace_callers_word - trace_preempt_word() of the traced function
 *
 * Context: its callback, which has disabled preemption once since.
 */
static __always_inline unsigned int trace_callers_word(void)
{
	return trace_preempt_word() - PREEMPT_DISABLE_OFFSET;
}

/**
 * trace_ctx_full - any context
 * @word: trace_preempt_word() as it was before the tracer touched it
 *
 * Context: any, preemption off or interrupts off.
 */
unsigned int trace_ctx_full(unsigned int word);

/**
 * trace_ctx - the context that the caller runs in
 *
 * Context: any.
 */
static __always_inline unsigned int trace_ctx(void)
{
	return trace_ctx_full(trace_preempt_word());
}

/**
 * trace_entry_fill - write the common header of an entry
 * @ent: the entry
 * @type: enum trace_type, or that of an event
 * @ctx: its context
 * @task: current
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
 * @cb: where it was reserved, whatever becomes of the pointer to the buffer
 * @next: as struct rb_write_ctx has it
 */
struct trace_record {
	struct rb_cpu	*cb;
	unsigned long	next;
};

/**
 * trace_record_start - reserve an entry and fill in its header
 * @rec: for trace_record_end()
 * @buffer: where
 * @type: enum trace_type, or that of an event
 * @len: bytes of the whole entry
 * @ctx: its context
 *
 * Context: any, NMI included; preemption off until trace_record_end().
 * Return: the entry, NULL when nothing can be recorded there now.
 */
void *trace_record_start(struct trace_record *rec, struct trace_buffer *buffer,
			 unsigned int type, unsigned long len, unsigned int ctx);

/**
 * trace_record_end - hand an entry over to the readers
 * @rec: what trace_record_start() left
 *
 * Context: as for trace_record_start(), on the same CPU.
 */
void trace_record_end(const struct trace_record *rec);

#endif /* _KERNEL_TRACE_RECORD_H */
