// SPDX-License-Identifier: GPL-2.0
/*
 * Recording an entry: the out-of-line functions of record.h.
 *
 * Called in any context. Nothing here may lock, allocate, print or be traced.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/preempt.h>

#include "record.h"
#include "ring_buffer/write.h"

/* Bit of trace_preempt_word(), which a pending reschedule sets. */
#define TRACE_PREEMPT_WORD_RESCHED	BIT(31)

static unsigned int trace_ctx_migration_depth(void)
{
	return min_t(unsigned int, trace_migration_disabled(current),
		     TRACE_CTX_DEPTH_MAX);
}

static unsigned int trace_ctx_interrupt_flags(unsigned int word)
{
	unsigned int softirqs = trace_softirq_count(word, current), flags = 0;

	if (word & NMI_MASK)
		flags |= TRACE_FLAG_NMI;
	if (word & HARDIRQ_MASK)
		flags |= TRACE_FLAG_HARDIRQ;
	if (softirqs & SOFTIRQ_OFFSET)
		flags |= TRACE_FLAG_SOFTIRQ;
	if (softirqs & ~SOFTIRQ_OFFSET)
		flags |= TRACE_FLAG_BH_OFF;
	return flags;
}

static unsigned int trace_ctx_resched_flags(unsigned int word)
{
	unsigned int flags = 0;

	if (tif_need_resched())
		flags |= TRACE_FLAG_NEED_RESCHED;
	if (word & TRACE_PREEMPT_WORD_RESCHED)
		flags |= TRACE_FLAG_PREEMPT_RESCHED;
	return flags;
}

unsigned int trace_ctx_full(unsigned int word)
{
	unsigned int flags = trace_ctx_interrupt_flags(word) | trace_ctx_resched_flags(word);
	unsigned int depth = min(word & PREEMPT_MASK, TRACE_CTX_DEPTH_MAX);

	depth |= trace_ctx_migration_depth() << 4;
	return (flags << TRACE_CTX_FLAGS_SHIFT) + (depth << TRACE_CTX_DEPTH_SHIFT) +
		trace_ctx_irqs();
}

void *trace_record_start(struct trace_record *rec, struct trace_buffer *buffer,
			 unsigned int type, unsigned long len, unsigned int ctx)
{
	struct rb_write_ctx rb;
	struct trace_entry *ent;

	if (unlikely(len > READ_ONCE(buffer->max_len)))
		return NULL;
	/* Some callers have preemption on, such as those that record a text of trace_marker. */
	preempt_disable_notrace();
	ent = rb_reserve_fast(buffer, len, &rb);
	if (unlikely(!ent)) {
		preempt_enable_notrace();
		return NULL;
	}
	rec->cb = rb.cb;
	rec->next = rb.next;
	trace_entry_fill(ent, type, ctx, current);
	return ent;
}

void trace_record_end(const struct trace_record *rec)
{
	trace_taskinfo_mark();
	rb_commit_fast(&(struct rb_write_ctx){ .cb = rec->cb, .next = rec->next });
	preempt_enable_notrace();
}
