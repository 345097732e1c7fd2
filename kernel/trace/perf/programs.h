/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BPF programs of perf events: perf carries them to a tracepoint, a system call, a kprobe or a
 * uprobe. All perf events of one event share a list of programs, each of which runs at every hit,
 * on every CPU and in every task.
 */
#ifndef _KERNEL_TRACE_PERF_PROGRAMS_H
#define _KERNEL_TRACE_PERF_PROGRAMS_H

#include <linux/jump_label.h>
#include <linux/types.h>

struct bpf_prog;
struct list_head;
struct perf_event;
struct pt_regs;

#ifdef CONFIG_BPF_EVENTS

/* Largest number of programs of an event. */
#define PERF_PROGRAMS_MAX	64

/**
 * perf_programs_add - attach a BPF program to the event that a perf event has open
 * @event: the perf event, of a type that can have programs; keeps the caller's reference to @prog
 * @prog: the program
 * @cookie: the number that bpf_get_attach_cookie() returns to the program
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -EEXIST if @event has a program, or if another perf event of the same event has this
 * one; -E2BIG if the event has PERF_PROGRAMS_MAX programs; -ENOMEM.
 */
int perf_programs_add(struct perf_event *event, struct bpf_prog *prog, u64 cookie);

/**
 * perf_programs_remove - undo perf_programs_add(), and release the program
 * @event: the perf event; it may have no program
 *
 * Always succeeds: without memory for a shorter list the place of the program stays empty.
 *
 * Context: may sleep; takes events_lock; for a uprobe waits for running programs.
 */
void perf_programs_remove(struct perf_event *event);

/**
 * perf_programs_get_ids - get the programs that run at the hits of an event
 * @event: a perf event that has the event open
 * @ids: filled in with the numbers of the first @nr programs
 * @nr: length of @ids; may be 0
 * @count: set to the number of all programs
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -ENOSPC if @ids is too short, unless @nr is 0.
 */
int perf_programs_get_ids(struct perf_event *event, u32 *ids, u32 nr, u32 *count);

/* On while a uprobe has programs. */
DECLARE_STATIC_KEY_FALSE(perf_user_programs);

/* For perf_programs_run_user(). */
bool __perf_programs_run_user(const struct list_head *links, unsigned long at,
			      struct pt_regs *regs);

/**
 * perf_programs_run_user - run the programs of a uprobe, if perf counts it in the current task
 * @links: the instances and other consumers in which the event of the uprobe is on
 * @at: address of the probe, or of the function that returns
 * @regs: registers of the user
 *
 * Context: the handler of the uprobe; may sleep, as programs may.
 * Return: false if perf is not to have a record of the hit, because a program does not want it.
 */
static inline bool perf_programs_run_user(const struct list_head *links, unsigned long at,
					  struct pt_regs *regs)
{
	return !static_branch_unlikely(&perf_user_programs) ||
	       __perf_programs_run_user(links, at, regs);
}

#else

static inline bool perf_programs_run_user(const struct list_head *links, unsigned long at,
					  struct pt_regs *regs)
{
	return true;
}

#endif

#endif /* _KERNEL_TRACE_PERF_PROGRAMS_H */
