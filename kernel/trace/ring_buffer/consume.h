/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who may take records out of buffers, or empty them: one at a time. A consumer
 * first looks at a record and then takes it, and it must be the same one.
 */
#ifndef _KERNEL_TRACE_CONSUME_H
#define _KERNEL_TRACE_CONSUME_H

#include <linux/types.h>

struct trace_buffer;

/**
 * consume_lock - keep others from consuming
 * @cpu: one CPU, or RING_BUFFER_ALL_CPUS
 *
 * Of whatever instance. Those of single CPUs exclude only each other on the same
 * CPU, and those of all CPUs. Nobody waits for records with it.
 *
 * Context: may sleep; inside the locks of files and trace_lock, outside
 * record_types_lock() and the locks of ring buffers. For one CPU not before
 * early initcalls.
 */
void consume_lock(int cpu);

/**
 * consume_unlock - undo consume_lock() or consume_trylock()
 * @cpu: the same as there
 *
 * Context: that which took the lock.
 */
void consume_unlock(int cpu);

/**
 * consume_trylock - as consume_lock(), without waiting
 * @cpu: one CPU, or RING_BUFFER_ALL_CPUS
 *
 * Context: any but NMI, for all CPUs; process for one.
 * Return: false when somebody else has the lock.
 */
bool consume_trylock(int cpu);

/**
 * consume_busy - does anybody consume from a CPU
 * @cpu: the CPU
 *
 * Of whatever instance. Who asks under the lock of the CPU's stream in a buffer, and is
 * told no, knows that nobody has a record of that stream in hands: who comes later finds
 * what is there when the lock is free.
 *
 * Context: any.
 */
bool consume_busy(int cpu);

/**
 * consume_reset - empty a buffer while nobody consumes
 * @buffer: the buffer
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 *
 * Context: as consume_lock(), which it takes, and as ring_buffer_reset().
 */
void consume_reset(struct trace_buffer *buffer, int cpu);

/**
 * consume_set_order - change the size of a buffer's pages while nobody consumes
 * @buffer: the buffer
 * @order: as for ring_buffer_subbuf_order_set()
 *
 * A consumer would hold on to a page that goes.
 *
 * Context: as consume_lock(), which it takes for all CPUs.
 * Return: as ring_buffer_subbuf_order_set().
 */
int consume_set_order(struct trace_buffer *buffer, int order);

#endif /* _KERNEL_TRACE_CONSUME_H */
