/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of system calls: inside of syscalls/.
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
 * struct syscall_enter_entry - a task enters the kernel
 * @ent: as each record
 * @nr: which call
 * @none: of what was in the buffer before everybody would see something
 * @args: what it is given, as many as it takes
 */
struct syscall_enter_entry {
	struct trace_entry	ent;
	int			nr;
	u32			none[BITS_PER_LONG / 32 - 1];
	unsigned long		args[];
};

/**
 * struct syscall_exit_entry - and leaves it
 * @ent: as each record
 * @nr: which call
 * @none: likewise
 * @ret: what it is told
 */
struct syscall_exit_entry {
	struct trace_entry	ent;
	int			nr;
	u32			none[BITS_PER_LONG / 32 - 1];
	long			ret;
};

/* Those that SYSCALL_DEFINE() has written down. */
extern struct syscall_metadata *__start_syscalls_metadata[];
extern struct syscall_metadata *__stop_syscalls_metadata[];

/**
 * syscall_of - what is known of a system call
 * @nr: its number, as user space has given it: anything
 *
 * Context: any.
 * Return: NULL if there is no such call, or nothing is known of it.
 */
struct syscall_metadata *syscall_of(int nr);

/* How records print, and the end of the format file. */
extern const struct trace_event_class_ops syscall_enter_ops;
extern const struct trace_event_class_ops syscall_exit_ops;
extern const struct record_class syscall_enter_lines;
extern const struct record_class syscall_exit_lines;
void syscall_enter_fmt(struct seq_file *m, const struct trace_event_call *event);
void syscall_exit_fmt(struct seq_file *m, const struct trace_event_call *event);

#endif /* _KERNEL_TRACE_SYSCALLS_INTERNAL_H */
