/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two buffers that exchange what is in them are of the same size.
 */
#ifndef _KERNEL_TRACE_ALIKE_H
#define _KERNEL_TRACE_ALIKE_H

struct trace_buffer;

/**
 * ring_buffer_may_resize - would ring_buffer_resize() say -EBUSY now?
 * @buffer: the buffer
 * @size: as for ring_buffer_resize()
 * @cpu: likewise
 *
 * For who would change another one first.
 *
 * Context: process, may sleep.
 * Return: 0 or -EBUSY.
 */
int ring_buffer_may_resize(struct trace_buffer *buffer, unsigned long size, int cpu);

/**
 * ring_buffer_may_set_order - would ring_buffer_subbuf_order_set() say -EBUSY now?
 * @buffer: the buffer
 *
 * Context: process, may sleep.
 * Return: 0 or -EBUSY.
 */
int ring_buffer_may_set_order(struct trace_buffer *buffer);

/**
 * ring_buffer_resize_like - make a buffer as large as another one
 * @buffer: the buffer
 * @model: the other one, whose size nobody changes meanwhile
 *
 * In all respects: the sizes of pages, of each CPU, and of CPUs that have yet to come up.
 * What @buffer holds is lost when its pages change, else it is as after
 * ring_buffer_resize().
 *
 * Context: process, may sleep; takes consume_lock() and cpus_read_lock().
 * Return: 0; -ENOMEM, -EINTR or -EBUSY, as ring_buffer_subbuf_order_set() and
 *	ring_buffer_resize() say: then @buffer may have any size.
 */
int ring_buffer_resize_like(struct trace_buffer *buffer, struct trace_buffer *model);

#endif
