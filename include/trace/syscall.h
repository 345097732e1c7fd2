/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What SYSCALL_DEFINE() writes down about each system call, and the work flag
 * that makes a task's system calls pass by the tracepoints.
 */
#ifndef _TRACE_SYSCALL_H
#define _TRACE_SYSCALL_H

#include <linux/thread_info.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/unistd.h>

#include <asm/ptrace.h>

/**
 * struct syscall_metadata - one system call as its definition names it
 * @name: the function's name, "sys_read"
 * @syscall_nr: the number that user space calls it by
 * @nb_args: how many arguments it has
 * @types: the type of each argument, as a string
 * @args: the name of each argument
 * @enter_fields: the fields of the event that its entry makes
 * @enter_event: that event
 * @exit_event: the event that its exit makes
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
 * A new task has its parent's work flags from before it was put on the task
 * list; whoever switched the tracepoints since then has not seen it. Called
 * with tasklist_lock held for writing.
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
