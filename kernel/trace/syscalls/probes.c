// SPDX-License-Identifier: GPL-2.0
/*
 * Records of system calls, and who wants them.
 *
 * A task passes by the tracepoints, which have preemption off, at each of its system calls
 * as soon as anybody wants one of them: so who does not want this one has to be found out
 * quickly.
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

/* No system call takes more. */
#define ARGS_MAX	6

/**
 * struct syscall_files - the events of one side that are on in an instance
 * @of: by &syscall_metadata.syscall_nr, or NULL; written with events_lock, read by probes
 */
struct syscall_files {
	struct trace_event_file __rcu *of[NR_syscalls];
};

/**
 * struct syscall_side - entering, or leaving
 * @files: made when the first event is switched on
 * @on: how many are
 * @next: where an event is that is on here already; only of those in no instance
 */
struct syscall_side {
	struct syscall_files	*files;
	unsigned int		on;
	struct syscall_side	*next;
};

/* The part of an instance. */
struct instance_syscalls {
	struct syscall_side	enter;
	struct syscall_side	exit;
};

/*
 * Those that are on in no instance: perf has each of them once, and any number of event probes
 * may ask for the same one. There are as many sides as that takes, which stay.
 */
static struct instance_syscalls in_none;

static struct instance_syscalls *syscalls_with(const struct trace_event_file *file)
{
	return file->tr ? instance_part(file->tr, &syscalls_part) : &in_none;
}

/* ------------------------------------------------------------------ */
/* Probes								*/

/*
 * One of another ABI, whose numbers mean other calls, has none: nor is it what the tracepoint
 * says.
 */
static int number_of(struct pt_regs *regs)
{
	return unlikely(arch_trace_is_compat_syscall(regs)) ? -1 : syscall_get_nr(current, regs);
}

/* Return: the event that is to be recorded, or NULL; @call, if there is such a call. */
static __always_inline struct trace_event_file *wanted(struct syscall_files *files,
						       const struct syscall_metadata *call)
{
	struct trace_event_file *file;

	if (unlikely(!call))
		return NULL;
	/* A call that several ABIs have is known by one of its numbers. */
	file = rcu_dereference_sched(files->of[call->syscall_nr]);
	return file && !trace_event_is_stopped(file) ? file : NULL;
}

/* Some of them may be on the stack of the user, which is not there perhaps: then they are 0. */
static void take_args(unsigned long *args, struct pt_regs *regs, unsigned int nr)
{
	unsigned long all[ARGS_MAX] = { };

	pagefault_disable();
	syscall_get_arguments(current, regs, all);
	pagefault_enable();
	memcpy(args, all, nr * sizeof(*args));
}

static void at_enter(void *data, struct pt_regs *regs, long id)
{
	int nr = number_of(regs);
	const struct syscall_metadata *call = syscall_of(nr);
	struct trace_event_file *file = wanted(data, call);
	struct syscall_enter_entry *entry;
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
	take_args(entry->args, regs, args);
	buffer.hit.regs = regs;
	trace_event_buffer_commit(&buffer);
}

static void at_exit(void *data, struct pt_regs *regs, long ret)
{
	int nr = number_of(regs);
	struct trace_event_file *file = wanted(data, syscall_of(nr));
	struct syscall_exit_entry *entry;
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
/* On and off								*/

static int nr_of(const struct trace_event_file *file)
{
	return ((const struct syscall_metadata *)file->event->call->data)->syscall_nr;
}

/**
 * struct side_ops - the tracepoint of a side
 * @attach: has the probe called with the events
 * @detach: and no more
 */
struct side_ops {
	int	(*attach)(struct syscall_files *files);
	void	(*detach)(struct syscall_files *files);
};

static struct trace_event_file *file_of(const struct syscall_side *side, int nr)
{
	return !side->files ? NULL : rcu_dereference_protected(side->files->of[nr],
							       lockdep_is_held(&events_lock));
}

/* The first side, from that one on, that has this event for a system call, or NULL for none. */
static struct syscall_side *side_with(struct syscall_side *side, int nr,
				      const struct trace_event_file *file)
{
	while (side && file_of(side, nr) != file)
		side = side->next;
	return side;
}

/* Where there is room for an event of the system call. */
static struct syscall_side *side_without(struct syscall_side *first, int nr)
{
	struct syscall_side *side = side_with(first, nr, NULL);

	if (side)
		return side;
	side = kzalloc(sizeof(*side), GFP_KERNEL);
	if (side) {
		side->next = first->next;
		first->next = side;
	}
	return side;
}

static int side_on(struct syscall_side *first, const struct side_ops *ops,
		   struct trace_event_file *file)
{
	int nr = nr_of(file), err;
	struct syscall_side *side = side_without(first, nr);

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

static void side_off(struct syscall_side *first, const struct side_ops *ops,
		     struct trace_event_file *file)
{
	int nr = nr_of(file);
	struct syscall_side *side = side_with(first, nr, file);

	RCU_INIT_POINTER(side->files->of[nr], NULL);
	if (!--side->on)
		ops->detach(side->files);
}

static int attach_enter(struct syscall_files *files)
{
	return register_trace_sys_enter(at_enter, files);
}

static void detach_enter(struct syscall_files *files)
{
	unregister_trace_sys_enter(at_enter, files);
}

static int attach_exit(struct syscall_files *files)
{
	return register_trace_sys_exit(at_exit, files);
}

static void detach_exit(struct syscall_files *files)
{
	unregister_trace_sys_exit(at_exit, files);
}

static const struct side_ops enter_side = { attach_enter, detach_enter };
static const struct side_ops exit_side = { attach_exit, detach_exit };

static int side_reg(struct syscall_side *side, const struct side_ops *ops, enum trace_reg what,
		    struct trace_event_file *file)
{
	lockdep_assert_held(&events_lock);
	switch (what) {
	case TRACE_REG_REGISTER:
	case TRACE_REG_PERF_REGISTER:
		return side_on(side, ops, file);
	case TRACE_REG_UNREGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		side_off(side, ops, file);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static int enter_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	return side_reg(&syscalls_with(data)->enter, &enter_side, what, data);
}

static int exit_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	return side_reg(&syscalls_with(data)->exit, &exit_side, what, data);
}

/* What SYSCALL_DEFINE() makes events of. */
struct trace_event_class event_class_syscall_enter = {
	.system	= "syscalls",
	.reg	= enter_reg,
	.ops	= &syscall_enter_ops,
};

struct trace_event_class event_class_syscall_exit = {
	.system	= "syscalls",
	.reg	= exit_reg,
	.ops	= &syscall_exit_ops,
};

/* It also names these. Lines are made by the class. */
struct trace_event_functions enter_syscall_print_funcs;
struct trace_event_functions exit_syscall_print_funcs;

/* All events have been off for a grace period. */
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
