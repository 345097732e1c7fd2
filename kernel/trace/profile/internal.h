/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of profile/.
 */
#ifndef _KERNEL_TRACE_PROFILE_INTERNAL_H
#define _KERNEL_TRACE_PROFILE_INTERNAL_H

#include <linux/types.h>

struct profile_list;

/**
 * profile_switch() - start or stop the profiler
 * @on: true to start it, false to stop it
 *
 * The profiler counts the functions that the top-level set_ftrace_filter and set_ftrace_notrace
 * select. A start resets all numbers to 0. After a stop the numbers stay unchanged until the next
 * start. Starting a running profiler, or stopping a stopped one, does nothing.
 *
 * Context: sleeps, for long (see dispatch_synchronize()); takes profile_lock, graph_lock and
 * ftrace_lock.
 * Return: 0; -ENOMEM or an error of register_ftrace_graph(), with the state of the profiler and
 * the numbers unchanged.
 */
int profile_switch(bool on);

/**
 * profile_is_on() - true if the profiler is started
 *
 * Context: any.
 */
bool profile_is_on(void);

/**
 * profile_read() - copy the numbers of all functions on a CPU
 * @cpu: a possible CPU
 *
 * The numbers of each function are a consistent snapshot, except for its hits, which may be
 * newer. The list is empty if nothing was ever counted.
 *
 * Context: may sleep; takes profile_lock.
 * Return: a list to be freed with kvfree(), or ERR_PTR(-ENOMEM).
 */
struct profile_list *profile_read(int cpu);

/**
 * profile_clear_text() - reset the numbers of all functions in a range of text
 * @start: first address of the range
 * @size: size of the range in bytes
 *
 * Context: may sleep; takes profile_lock. No function in the range is running.
 */
void profile_clear_text(unsigned long start, size_t size);

#endif /* _KERNEL_TRACE_PROFILE_INTERNAL_H */
