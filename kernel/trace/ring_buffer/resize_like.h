/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Giving a ring buffer the same size as another one. Snapshots need that: two buffers can
 * exchange their streams only if they have the same size.
 */
#ifndef _KERNEL_TRACE_RESIZE_LIKE_H
#define _KERNEL_TRACE_RESIZE_LIKE_H

struct trace_buffer;

/**
 * ring_buffer_may_resize - test whether ring_buffer_resize() would be refused
 * @buffer: the buffer
 * @size: bytes for each CPU, as for ring_buffer_resize()
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 *
 * For callers that have to resize another buffer before this one.
 *
 * Context: process, may sleep; takes trace_buffer.mutex.
 * Return: 0, or -EBUSY if ring_buffer_resize() would return -EBUSY now.
 */
int ring_buffer_may_resize(struct trace_buffer *buffer, unsigned long size, int cpu);

/**
 * ring_buffer_may_set_order - test whether ring_buffer_subbuf_order_set() would be refused
 * @buffer: the buffer
 *
 * Context: process, may sleep; takes trace_buffer.mutex.
 * Return: 0, or -EBUSY if ring_buffer_subbuf_order_set() would return -EBUSY now.
 */
int ring_buffer_may_set_order(struct trace_buffer *buffer);

/**
 * ring_buffer_resize_like - make a buffer as large as another one
 * @buffer: the buffer to change
 * @model: the buffer to copy the sizes from; its size must not change meanwhile
 *
 * Copies the size of sub-buffers, the size for each CPU, and the size for CPUs that have
 * yet to come up. The records in @buffer are lost if the size of its sub-buffers changes;
 * otherwise they are kept as by ring_buffer_resize().
 *
 * Context: process, may sleep; takes consume_lock() and cpus_read_lock().
 * Return: 0; -ENOMEM, -EINTR or -EBUSY from ring_buffer_subbuf_order_set() or
 *	ring_buffer_resize(): @buffer may then have any size.
 */
int ring_buffer_resize_like(struct trace_buffer *buffer, struct trace_buffer *model);

#endif
