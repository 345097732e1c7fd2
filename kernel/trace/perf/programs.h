/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BPF programs of perf events. A user attaches a program to the event that a perf event has open: a
 * tracepoint, a system call, a kprobe or a uprobe. All perf events of one event share a list of
 * programs, each of which runs at every hit, on every CPU and, but for uprobes, in every task.
 */
#ifndef _KERNEL_TRACE_PERF_PROGRAMS_H
#define _KERNEL_TRACE_PERF_PROGRAMS_H

#include <linux/compiler_types.h>
#include <linux/errno.h>
#include <linux/types.h>

struct bpf_prog;
struct bpf_prog_array;
struct perf_event;
struct pt_regs;

#ifdef CONFIG_BPF_EVENTS

/* Largest number of programs of an event, which all run at each hit. */
#define PERF_PROGRAMS_MAX	64

/**
 * perf_programs_add - attach a BPF program to the event that a perf event has open
 * @event: the perf event, of a type that can have programs
 * @prog: the program; the caller's reference is taken over if this succeeds
 * @cookie: the number that bpf_get_attach_cookie() returns to the program
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -EEXIST if @event has a program, or if @prog is attached by another perf event of the
 * same event; -E2BIG if the event has PERF_PROGRAMS_MAX programs; -EACCES if the program reads
 * beyond the fields of the event; -ENOMEM.
 */
int perf_programs_add(struct perf_event *event, struct bpf_prog *prog, u64 cookie);

/**
 * perf_programs_remove - undo perf_programs_add(), and release the program
 * @event: the perf event; it may have no program
 *
 * Cannot fail: without memory for a shorter list, the list keeps an entry that does nothing.
 *
 * Context: may sleep; takes events_lock; for a uprobe waits for running programs.
 */
void perf_programs_remove(struct perf_event *event);

/**
 * perf_programs_get_ids - get the IDs of the programs that run at the hits of an event
 * @event: a perf event that has the event open
 * @ids: set to the IDs of the first @nr programs
 * @nr: number of elements of @ids; may be 0
 * @count: set to the number of all programs
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -ENOSPC if @ids is too short, unless @nr is 0.
 */
int perf_programs_get_ids(struct perf_event *event, u32 *ids, u32 nr, u32 *count);

/**
 * perf_programs_run_user - run the programs of a uprobe, if perf counts it in the current task
 * @list: where the list of programs is
 * @regs: registers of user space
 *
 * Context: the handler of the uprobe, in a read section of RCU tasks trace, in which @list was
 * read, too; may sleep, as programs may.
 * Return: 1; 0 if a program has returned 0, so perf must not get a record of the hit; -ENOENT if
 * perf does not count in the current task.
 */
int perf_programs_run_user(struct bpf_prog_array __rcu *const *list, struct pt_regs *regs);

#else

static inline int perf_programs_run_user(struct bpf_prog_array __rcu *const *list,
					 struct pt_regs *regs)
{
	return -ENOENT;
}

#endif

#endif /* _KERNEL_TRACE_PERF_PROGRAMS_H */
