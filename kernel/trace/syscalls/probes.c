// SPDX-License-Identifier: GPL-2.0
/*
 * Recording of system calls, and enabling of their events.
 *
 * As soon as one system call event is enabled, the probes run at every system call of every task,
 * with preemption off. So a call whose event is off must be rejected quickly.
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/lockdep.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>
#include <trace/events/syscalls.h>

#include "events/events.h"
#include "internal.h"
#include "syscalls.h"

/* Maximum number of arguments of a system call. */
#define SYSCALL_ARGS_MAX	6

/**
 * struct syscall_files - the enabled entry or exit events of an instance
 * @of: event file of each system call, indexed by &syscall_metadata.syscall_nr; NULL if the event
 *	is off. Written under events_lock, read by probes
 */
struct syscall_files {
	struct trace_event_file __rcu *of[NR_syscalls];
};

/**
 * struct syscall_side - the entry or the exit of system calls
 * @files: the events that are on; allocated when the first event is enabled
 * @on: number of events that are on
 * @next: further side, for another file of a system call that has one in @files; only used in
 *	syscalls_in_none
 */
struct syscall_side {
	struct syscall_files	*files;
	unsigned int		on;
	struct syscall_side	*next;
};

/* The part of an instance that holds its enabled system call events. */
struct instance_syscalls {
	struct syscall_side	enter;
	struct syscall_side	exit;
};

/*
 * Events that are enabled outside of instances: perf enables each event once, and any number of
 * event probes may enable the same event. Sides are added as needed, and never freed.
 */
static struct instance_syscalls syscalls_in_none;

static struct instance_syscalls *syscalls_of_file(const struct trace_event_file *file)
{
	return file->tr ? instance_part(file->tr, &syscalls_part) : &syscalls_in_none;
}

/* ------------------------------------------------------------------ */
/* Probes								*/

/*
 * Return: the number of the system call; -1 for a call of another ABI, whose numbers mean other
 * calls. The number that the tracepoint passes is not used, because it may be one of those.
 */
static int syscall_native_nr(struct pt_regs *regs)
{
	return unlikely(arch_trace_is_compat_syscall(regs)) ? -1 : syscall_get_nr(current, regs);
}

/* Return: the event to record for @call, or NULL if it is off. @call may be NULL. */
static __always_inline struct trace_event_file *
syscall_active_file(struct syscall_files *files, const struct syscall_metadata *call)
{
	struct trace_event_file *file;

	if (unlikely(!call))
		return NULL;
	/* A call may have several numbers, of several ABIs; the table has one of them. */
	file = rcu_dereference_sched(files->of[call->syscall_nr]);
	return file && !trace_event_is_stopped(file) ? file : NULL;
}

/*
 * Some arguments may be on the user's stack, which may not be present. Page faults are off, so
 * such arguments are recorded as 0.
 */
static void syscall_copy_args(unsigned long *args, struct pt_regs *regs, unsigned int nr)
{
	unsigned long all[SYSCALL_ARGS_MAX] = { };

	pagefault_disable();
	syscall_get_arguments(current, regs, all);
	pagefault_enable();
	memcpy(args, all, nr * sizeof(*args));
}

static void syscall_enter_probe(void *data, struct pt_regs *regs, long id)
{
	int nr = syscall_native_nr(regs);
	const struct syscall_metadata *call = syscall_of(nr);
	struct trace_event_file *file = syscall_active_file(data, call);
	struct syscall_trace_enter *entry;
	struct trace_event_buffer buffer __uninitialized;
	unsigned int args;

	if (!file)
		return;
	args = call->nb_args;
	entry = trace_event_buffer_reserve(&buffer, file, struct_size(entry, args, args));
	if (!entry)
		return;
	entry->nr = nr;
	memset(entry->none, 0, sizeof(entry->none));
	syscall_copy_args(entry->args, regs, args);
	buffer.hit.regs = regs;
	trace_event_buffer_commit(&buffer);
}

static void syscall_exit_probe(void *data, struct pt_regs *regs, long ret)
{
	int nr = syscall_native_nr(regs);
	struct trace_event_file *file = syscall_active_file(data, syscall_of(nr));
	struct syscall_trace_exit *entry;
	struct trace_event_buffer buffer __uninitialized;

	if (!file)
		return;
	entry = trace_event_buffer_reserve(&buffer, file, sizeof(*entry));
	if (!entry)
		return;
	entry->nr = nr;
	memset(entry->none, 0, sizeof(entry->none));
	entry->ret = ret;
	buffer.hit.regs = regs;
	trace_event_buffer_commit(&buffer);
}

/* ------------------------------------------------------------------ */
/* Enable and disable							*/

static int syscall_file_nr(const struct trace_event_file *file)
{
	return ((const struct syscall_metadata *)file->event->call->data)->syscall_nr;
}

/**
 * struct side_ops - operations on the tracepoint of a side
 * @attach: register the probe with the events as its data; returns 0 or an error
 * @detach: unregister the probe that was registered with the events
 */
struct side_ops {
	int	(*attach)(struct syscall_files *files);
	void	(*detach)(struct syscall_files *files);
};

static struct trace_event_file *syscall_side_file(const struct syscall_side *side, int nr)
{
	return !side->files ? NULL : rcu_dereference_protected(side->files->of[nr],
							       lockdep_is_held(&events_lock));
}

/* Find the first side, from @side on, whose entry for the system call is @file (or NULL). */
static struct syscall_side *syscall_side_find(struct syscall_side *side, int nr,
					      const struct trace_event_file *file)
{
	while (side && syscall_side_file(side, nr) != file)
		side = side->next;
	return side;
}

/* Find or allocate a side that has no event for the system call yet. */
static struct syscall_side *syscall_side_find_free(struct syscall_side *first, int nr)
{
	struct syscall_side *side = syscall_side_find(first, nr, NULL);

	if (side)
		return side;
	side = kzalloc(sizeof(*side), GFP_KERNEL);
	if (side) {
		side->next = first->next;
		first->next = side;
	}
	return side;
}

static int syscall_side_add(struct syscall_side *first, const struct side_ops *ops,
			    struct trace_event_file *file)
{
	int nr = syscall_file_nr(file), err;
	struct syscall_side *side = syscall_side_find_free(first, nr);

	if (side && !side->files)
		side->files = kvzalloc(sizeof(*side->files), GFP_KERNEL);
	if (!side || !side->files)
		return -ENOMEM;
	err = side->on ? 0 : ops->attach(side->files);
	if (err)
		return err;
	side->on++;
	rcu_assign_pointer(side->files->of[nr], file);
	return 0;
}

static void syscall_side_remove(struct syscall_side *first, const struct side_ops *ops,
				struct trace_event_file *file)
{
	int nr = syscall_file_nr(file);
	struct syscall_side *side = syscall_side_find(first, nr, file);

	RCU_INIT_POINTER(side->files->of[nr], NULL);
	if (!--side->on)
		ops->detach(side->files);
}

static int syscall_attach_enter(struct syscall_files *files)
{
	return register_trace_sys_enter(syscall_enter_probe, files);
}

static void syscall_detach_enter(struct syscall_files *files)
{
	unregister_trace_sys_enter(syscall_enter_probe, files);
}

static int syscall_attach_exit(struct syscall_files *files)
{
	return register_trace_sys_exit(syscall_exit_probe, files);
}

static void syscall_detach_exit(struct syscall_files *files)
{
	unregister_trace_sys_exit(syscall_exit_probe, files);
}

static const struct side_ops syscall_enter_side = { syscall_attach_enter, syscall_detach_enter };
static const struct side_ops syscall_exit_side = { syscall_attach_exit, syscall_detach_exit };

static int syscall_side_reg(struct syscall_side *side, const struct side_ops *ops,
			    enum trace_reg what, struct trace_event_file *file)
{
	lockdep_assert_held(&events_lock);
	switch (what) {
	case TRACE_REG_REGISTER:
	case TRACE_REG_PERF_REGISTER:
		return syscall_side_add(side, ops, file);
	case TRACE_REG_UNREGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		syscall_side_remove(side, ops, file);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static int syscall_enter_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	return syscall_side_reg(&syscalls_of_file(data)->enter, &syscall_enter_side, what, data);
}

static int syscall_exit_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	return syscall_side_reg(&syscalls_of_file(data)->exit, &syscall_exit_side, what, data);
}

/* Classes of the events that SYSCALL_DEFINE() defines. */
struct trace_event_class event_class_syscall_enter = {
	.system	= "syscalls",
	.reg	= syscall_enter_reg,
	.ops	= &syscall_enter_ops,
};

struct trace_event_class event_class_syscall_exit = {
	.system	= "syscalls",
	.reg	= syscall_exit_reg,
	.ops	= &syscall_exit_ops,
};

/* SYSCALL_DEFINE() refers to these too, but they are unused: the classes print the records. */
struct trace_event_functions enter_syscall_print_funcs;
struct trace_event_functions exit_syscall_print_funcs;

/* Called when all events of the instance have been off for a grace period. */
static void syscalls_exit(struct trace_array *tr)
{
	struct instance_syscalls *in = instance_part(tr, &syscalls_part);

	kvfree(in->enter.files);
	kvfree(in->exit.files);
}

struct instance_part syscalls_part = {
	.size	= sizeof(struct instance_syscalls),
	.exit	= syscalls_exit,
};
