/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records and metadata of system calls. Only for syscalls/.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_INTERNAL_H
#define _KERNEL_TRACE_SYSCALLS_INTERNAL_H

#include <linux/ftrace.h>
#include <linux/trace_events.h>
#include <trace/syscall.h>

struct seq_file;

#ifndef ARCH_TRACE_IGNORE_COMPAT_SYSCALLS
static inline bool arch_trace_is_compat_syscall(struct pt_regs *regs)
{
	return false;
}
#endif

/**
 * struct syscall_trace_enter - record of the entry of a system call
 * @ent: header of all records
 * @nr: number of the system call
 * @none: padding; cleared, so that no stale contents of the buffer become visible
 * @args: arguments, as many as the system call takes
 */
struct syscall_trace_enter {
	struct trace_entry	ent;
	int			nr;
	u32			none[BITS_PER_LONG / 32 - 1];
	unsigned long		args[];
};

/**
 * struct syscall_trace_exit - record of the exit of a system call
 * @ent: header of all records
 * @nr: number of the system call
 * @none: padding; cleared, so that no stale contents of the buffer become visible
 * @ret: return value
 */
struct syscall_trace_exit {
	struct trace_entry	ent;
	int			nr;
	u32			none[BITS_PER_LONG / 32 - 1];
	long			ret;
};

/* Section with pointers to the metadata that SYSCALL_DEFINE() defines. */
extern struct syscall_metadata *__start_syscalls_metadata[];
extern struct syscall_metadata *__stop_syscalls_metadata[];

/**
 * syscall_of() - find the metadata of a system call
 * @nr: number of the system call, unchecked, as user space has passed it
 *
 * Context: any.
 * Return: the metadata; NULL if there is no such call, or if it has no metadata.
 */
struct syscall_metadata *syscall_of(int nr);

/* Operations of the event classes, which use the functions below that print records. */
extern const struct trace_event_class_ops syscall_enter_ops;
extern const struct trace_event_class_ops syscall_exit_ops;
extern const struct record_class syscall_enter_lines;
extern const struct record_class syscall_exit_lines;

/**
 * syscall_enter_fmt() - show the print format of an entry event, for its format file
 * @m: file to write to
 * @event: the event
 *
 * Context: may sleep.
 */
void syscall_enter_fmt(struct seq_file *m, const struct trace_event_call *event);

/**
 * syscall_exit_fmt() - show the print format of an exit event, for its format file
 * @m: file to write to
 * @event: the event
 *
 * Context: may sleep.
 */
void syscall_exit_fmt(struct seq_file *m, const struct trace_event_call *event);

#endif /* _KERNEL_TRACE_SYSCALLS_INTERNAL_H */
