/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A record beside the buffer: who wants to look at a record before it is decided whether
 * there is to be one at all (a filter) has it made here, and only what is wanted is
 * copied into the buffer. So what is not wanted touches no buffer.
 *
 *	preempt_disable_notrace();
 *	ent = trace_beside_start(len);
 *	if (ent) {
 *		... fill in *ent, its header included ...
 *		if (wanted(ent))
 *			trace_beside_keep(buffer, ent, len);
 *		trace_beside_end();
 *	} else {
 *		... reserve in the buffer, and discard what is not wanted ...
 *	}
 *	preempt_enable_notrace();
 */
#ifndef _KERNEL_TRACE_BESIDE_H
#define _KERNEL_TRACE_BESIDE_H

#include <linux/types.h>

struct trace_buffer;
struct trace_entry;

/* The longest record that there is room for. */
#define TRACE_BESIDE_MAX	1024U

/**
 * trace_beside_get - have room for records beside the buffer
 *
 * Counted: each call that succeeded needs its trace_beside_put(). Without any,
 * trace_beside_start() finds none, and there is no memory for it.
 *
 * Context: may sleep; takes beside_lock, inside which nothing is taken.
 * Return: 0 or -ENOMEM.
 */
int trace_beside_get(void);

/**
 * trace_beside_put - end of a trace_beside_get()
 *
 * Waits for a grace period of RCU when it is the last.
 *
 * Context: may sleep; takes beside_lock.
 */
void trace_beside_put(void);

/**
 * trace_beside_start - begin a record beside the buffer
 * @len: bytes of the whole record
 *
 * Contexts that nest have a place each.
 *
 * Context: any, NMI included; preemption off until trace_beside_end().
 * Return: where to write it, as aligned as a long; NULL if it is too long, too many
 * contexts are nested, or nobody has called trace_beside_get(): then there is no
 * trace_beside_end().
 */
struct trace_entry *trace_beside_start(unsigned int len);

/**
 * trace_beside_keep - the record is wanted
 * @buffer: where
 * @ent: from trace_beside_start(), complete
 * @len: bytes of it
 *
 * Its time is that of this call.
 *
 * Context: between trace_beside_start() and trace_beside_end().
 * Return: false if it could not be recorded: the ring buffer has counted it.
 */
bool trace_beside_keep(struct trace_buffer *buffer, const struct trace_entry *ent,
		       unsigned int len);

/**
 * trace_beside_end - the record has been copied, or is not wanted
 *
 * Context: that of trace_beside_start(), on the same CPU.
 */
void trace_beside_end(void);

#endif /* _KERNEL_TRACE_BESIDE_H */
