/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls as events: sys_enter_NAME with the arguments of each system call, and sys_exit_NAME
 * with its return value (SPEC E1).
 *
 * SYSCALL_DEFINE() defines the metadata of a call (struct syscall_metadata). Two tracepoints serve
 * all system calls; each instance has a table of its enabled events, by system call number.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_H
#define _KERNEL_TRACE_SYSCALLS_H

#include <linux/init.h>
#include <linux/types.h>

struct instance_part;

#ifdef CONFIG_FTRACE_SYSCALLS

/* The part of an instance that holds its enabled system call events. */
extern struct instance_part syscalls_part;

/**
 * syscalls_boot() - find the number of each system call
 *
 * Must be called before events_boot(): a system call without a number gets no events.
 *
 * Context: boot, once memory can be allocated.
 */
void __init syscalls_boot(void);

/**
 * syscall_name() - name of a system call
 * @nr: number of the system call, unchecked
 *
 * Context: any.
 * Return: the name, for example "sys_read"; NULL if there is no such call, or if it has no
 * metadata.
 */
const char *syscall_name(u64 nr);

#else

static inline const char *syscall_name(u64 nr) { return NULL; }

static inline void syscalls_boot(void) { }

#endif

#endif /* _KERNEL_TRACE_SYSCALLS_H */
