/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A lock for taking records out of ring buffers, and for emptying them. A consumer first
 * looks at a record and then consumes it; the lock ensures that both calls get the same record.
 */
#ifndef _KERNEL_TRACE_CONSUME_H
#define _KERNEL_TRACE_CONSUME_H

#include <linux/types.h>

struct trace_buffer;

/**
 * consume_lock - take the lock for consuming records
 * @cpu: one CPU, or RING_BUFFER_ALL_CPUS
 *
 * The lock covers the buffers of all instances. A consumer of a single CPU excludes
 * consumers of the same CPU and of all CPUs. The lock must not be held while waiting for
 * records.
 *
 * Context: may sleep; inside the locks of files and trace_lock, outside
 * record_types_lock() and the locks of ring buffers. For one CPU not before
 * early initcalls.
 */
void consume_lock(int cpu);

/**
 * consume_unlock - undo consume_lock() or consume_trylock()
 * @cpu: CPU argument of the call that took the lock
 *
 * Context: the task that took the lock.
 */
void consume_unlock(int cpu);

/**
 * consume_trylock - take the lock of consume_lock() if it is free
 * @cpu: one CPU, or RING_BUFFER_ALL_CPUS
 *
 * Context: any but NMI if @cpu is RING_BUFFER_ALL_CPUS; process for one CPU.
 * Return: false if another consumer holds the lock.
 */
bool consume_trylock(int cpu);

/**
 * consume_reset - empty a buffer while nobody consumes its records
 * @buffer: the buffer
 * @cpu: the CPU whose records are dropped, or RING_BUFFER_ALL_CPUS
 *
 * Context: process, may sleep; takes consume_lock() and cpus_read_lock().
 */
void consume_reset(struct trace_buffer *buffer, int cpu);

/**
 * consume_set_order - change the size of a buffer's sub-buffers while nobody consumes its records
 * @buffer: the buffer
 * @order: a sub-buffer shall be 2^order pages of memory
 *
 * Without the lock, a consumer could use a record in a sub-buffer that is being freed.
 *
 * Context: process, may sleep; takes consume_lock() for all CPUs and cpus_read_lock().
 * Return: 0, or an error of ring_buffer_subbuf_order_set().
 */
int consume_set_order(struct trace_buffer *buffer, int order);

#endif /* _KERNEL_TRACE_CONSUME_H */
