/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The description of each system call that SYSCALL_DEFINE() makes, and the work flag that makes
 * the system calls of a task run the tracepoints.
 */
#ifndef _TRACE_SYSCALL_H
#define _TRACE_SYSCALL_H

#include <linux/thread_info.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/unistd.h>

#include <asm/ptrace.h>

/**
 * struct syscall_metadata - description of a system call
 * @name: name of the function, for example "sys_read"
 * @syscall_nr: number of the system call for user space
 * @nb_args: number of arguments
 * @types: the type of each argument, as a string
 * @args: the name of each argument
 * @enter_fields: fields of the event @enter_event
 * @enter_event: the event at the entry of the system call
 * @exit_event: the event at the exit of the system call
 */
struct syscall_metadata {
	int				syscall_nr;
	const char			*name;
	int				nb_args;
	const char			**args;
	const char			**types;
	struct list_head		enter_fields;
	struct trace_event_call		*enter_event;
	struct trace_event_call		*exit_event;
};

/*
 * Update the work flag of a new task. The task has copied the flags of its parent before it was
 * added to the task list, so a switch of the tracepoints in between has missed it. Called with
 * tasklist_lock held for writing.
 */
static inline void syscall_tracepoint_update(struct task_struct *p)
{
#if defined(CONFIG_HAVE_SYSCALL_TRACEPOINTS) && defined(CONFIG_TRACEPOINTS)
	if (!test_syscall_work(SYSCALL_TRACEPOINT))
		clear_task_syscall_work(p, SYSCALL_TRACEPOINT);
	else
		set_task_syscall_work(p, SYSCALL_TRACEPOINT);
#endif
}

#endif /* _TRACE_SYSCALL_H */
