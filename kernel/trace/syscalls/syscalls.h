/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls as events: sys_enter_NAME and sys_exit_NAME of each, with its arguments and
 * what it returns (SPEC E1).
 *
 * What is known of a call, SYSCALL_DEFINE() has written down (struct syscall_metadata).
 * There are two tracepoints, for all of them; an instance has a table of the events that are
 * on in it, by the number of the call.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_H
#define _KERNEL_TRACE_SYSCALLS_H

#include <linux/init.h>
#include <linux/types.h>

struct instance_part;

#ifdef CONFIG_FTRACE_SYSCALLS

/* The events that are on, by number. */
extern struct instance_part syscalls_part;

/**
 * syscalls_boot - find out which number each system call has
 *
 * Before events_boot(): an event of a call without a number is none.
 *
 * Context: boot, with memory.
 */
void __init syscalls_boot(void);

/**
 * syscall_name - what a system call is called
 * @nr: its number: anything
 *
 * Context: any.
 * Return: its name, as "sys_read"; NULL if nothing is known of it.
 */
const char *syscall_name(u64 nr);

#else

static inline const char *syscall_name(u64 nr) { return NULL; }

static inline void syscalls_boot(void) { }

#endif

#endif /* _KERNEL_TRACE_SYSCALLS_H */
