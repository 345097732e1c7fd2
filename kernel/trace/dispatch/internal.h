/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the files of dispatch/ offer each other.
 */
#ifndef _KERNEL_TRACE_DISPATCH_INTERNAL_H
#define _KERNEL_TRACE_DISPATCH_INTERNAL_H

#include <linux/types.h>

struct dispatch_set;

/**
 * dispatch_is_used() - check whether an ops is attached, or a detached one may still be running
 *
 * Context: boot; may sleep; takes ftrace_lock.
 *
 * Return: false if no callback can be running.
 */
bool dispatch_is_used(void);

/**
 * dispatch_trampoline_at() - get the set whose trampoline contains an address
 * @ip: any address
 *
 * Context: any, NMI too; under rcu_read_lock() or with preemption off.
 *
 * Return: the set; NULL if @ip is in no generated trampoline.
 */
struct dispatch_set *dispatch_trampoline_at(unsigned long ip);

#endif /* _KERNEL_TRACE_DISPATCH_INTERNAL_H */
