/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to perf/: perf as a consumer of events.
 *
 * An event that perf has open is one more user of its tracepoint, besides the instances in which
 * the event is on. The same probe makes the record, but in memory from which perf samples it.
 *
 * The interface for other rooms is attach.h, that for the kernel <linux/trace_events_attach.h>.
 */
#ifndef _KERNEL_TRACE_PERF_INTERNAL_H
#define _KERNEL_TRACE_PERF_INTERNAL_H

#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "events/events.h"
#include "events/filter.h"

/**
 * struct perf_tp_cpu - the state of an event on a CPU
 * @stopped: not 0 if nobody would use a record; &trace_event_head.stopped of the CPU
 * @events: each &struct perf_event that currently counts on this CPU; changed on this CPU with
 *	interrupts disabled
 *
 * Only the probe knows whether a record may also be for another task. So @stopped is 0 at first,
 * and set when the probe asks for a record that nobody would use.
 */
struct perf_tp_cpu {
	unsigned long		stopped;
	struct hlist_head	events;
};

/**
 * struct perf_tp - an event that perf has open
 * @file: the event, as its probe is called with it
 * @cpus: state of the event on each CPU
 * @users: number of &struct perf_event of the event
 * @tasks_lock: protects @tasks, and writing @nr_all
 * @tasks: each &struct perf_event that counts in one task, by &hw_perf_event.tp_list
 * @nr_all: number of &struct perf_event that count in all tasks
 * @node: entry in the list of all open events
 * @programs: the BPF programs that run at each hit, or NULL (RCU; RCU tasks trace for a uprobe).
 *	They run on every CPU, also on those where no &struct perf_event counts
 *
 * events_lock protects all members, except those that the probe reads, or that @tasks_lock
 * protects.
 */
struct perf_tp {
	struct trace_event_file		file;
	struct perf_tp_cpu __percpu	*cpus;
	unsigned int			users;
	/* Protects tasks, and writing nr_all. Inside events_lock. */
	spinlock_t			tasks_lock;
	struct list_head		tasks;
	unsigned int			nr_all;
	struct list_head		node;
#ifdef CONFIG_BPF_EVENTS
	struct bpf_prog_array __rcu	*programs;
#endif
};

/**
 * perf_tp_of - get the event that a perf event has open
 * @event: a perf event that is open, but not one of ftrace:function
 *
 * Context: any.
 * Return: the event.
 */
static inline struct perf_tp *perf_tp_of(const struct perf_event *event)
{
	return event->pmu_private;
}

#ifdef CONFIG_BPF_EVENTS

/**
 * perf_tp_has_program_list - check whether an event has a list of BPF programs
 * @tp: the event
 *
 * Context: any.
 * Return: true if it has one; the list may hold only entries of programs that were detached.
 */
static inline bool perf_tp_has_program_list(const struct perf_tp *tp)
{
	return rcu_access_pointer(tp->programs);
}

/**
 * perf_programs_free - free the list of programs of an event that nobody has open any more
 * @tp: the event
 *
 * The list can only have programs that were detached without memory for a shorter list.
 *
 * Context: may sleep.
 */
void perf_programs_free(struct perf_tp *tp);

#else

static inline bool perf_tp_has_program_list(const struct perf_tp *tp) { return false; }
static inline void perf_programs_free(struct perf_tp *tp) { }

#endif

/**
 * perf_wants - check whether perf counts an event in the tasks of an address space
 * @file: the event, in a &struct perf_tp
 * @mm: the address space
 *
 * &event_other_consumers.wants of perf.
 *
 * Context: process; RCU, RCU tasks trace or events_lock keeps @file; takes &perf_tp.tasks_lock.
 * Return: true if a record made by such a task would be used.
 */
bool perf_wants(const struct trace_event_file *file, const struct mm_struct *mm);

/*
 * Callbacks by which the probes of events make records for perf. A BPF program gets the record as
 * its context, so records are made differently while there are programs. A program of a kprobe or
 * uprobe gets the registers: the probe itself runs it, before any record is made
 * (&trace_event_class_ops.set_programs).
 */
extern const struct event_other_consumers perf_records;
extern const struct event_other_consumers perf_program_records;
extern const struct event_other_consumers perf_probe_records;

/**
 * perf_records_get - allocate the memory for records
 *
 * Counted: each successful call needs a perf_records_put().
 *
 * Context: may sleep; events_lock is held.
 * Return: 0 or -ENOMEM.
 */
int perf_records_get(void);

/**
 * perf_records_put - undo perf_records_get()
 *
 * The caller has waited for the probes of its events.
 *
 * Context: may sleep; events_lock is held.
 */
void perf_records_put(void);

#ifdef CONFIG_FUNCTION_TRACER

/* The tp_event of each perf event of ftrace:function. */
extern struct trace_event_call perf_function_call;

/**
 * perf_has_functions - check whether a perf event is one of ftrace:function
 * @event: a perf event that is open
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool perf_has_functions(const struct perf_event *event)
{
	return event->tp_event == &perf_function_call;
}

/**
 * perf_function_init - open a perf event of ftrace:function
 * @event: the perf event; it shares the functions of its parent, if it has one
 *
 * Context: may sleep; events_lock is not held. With a parent, in fork(), takes no lock.
 * Return: 0; -EPERM or -EACCES without permission; -EINVAL if samples would read user memory; or
 * an errno of register_ftrace_function().
 */
int perf_function_init(struct perf_event *event);

/**
 * perf_function_destroy - undo perf_function_init()
 * @event: the perf event, which does not count on any CPU any more
 *
 * Context: may sleep; events_lock is not held; the last user waits for running callbacks.
 */
void perf_function_destroy(struct perf_event *event);

/**
 * perf_function_limit - set the functions that a perf event counts
 * @event: the perf event; the events that inherit it are limited, too
 * @text: ``ip == NAME`` or ``ip != NAME``, or several of these with || between them; replaces
 *	the previous limit
 *
 * Context: may sleep; events_lock is not held.
 * Return: 0; -EINVAL for a bad text, or one that matches no function: nothing has changed then;
 * -ENOMEM: the event may count other functions then.
 */
int perf_function_limit(struct perf_event *event, const char *text);

/**
 * perf_function_add - start counting on this CPU
 * @event: the perf event
 *
 * Context: interrupts disabled.
 */
void perf_function_add(struct perf_event *event);

/**
 * perf_function_del - stop counting on this CPU
 * @event: the perf event
 *
 * Context: interrupts disabled, on the CPU of perf_function_add().
 */
void perf_function_del(struct perf_event *event);

#else

static inline bool perf_has_functions(const struct perf_event *event) { return false; }
static inline int perf_function_init(struct perf_event *event) { return -EINVAL; }
static inline void perf_function_destroy(struct perf_event *event) { }
static inline int perf_function_limit(struct perf_event *event, const char *text)
{
	return -EINVAL;
}

static inline void perf_function_add(struct perf_event *event) { }
static inline void perf_function_del(struct perf_event *event) { }

#endif

/* Make the unwinding of @regs begin above @addr, past the frames of the tracer, if possible. */
#ifndef arch_perf_frames_above
#define arch_perf_frames_above(regs, addr)	((void)(regs), (void)(addr))
#endif

/* Fill in @regs for unwinding that begins in the caller at @ip, whose frame is above @addr. */
#ifndef arch_perf_caller_regs
static __always_inline void arch_perf_caller_regs(struct pt_regs *regs, unsigned long ip,
						  unsigned long addr)
{
	perf_arch_fetch_caller_regs(regs, ip);
	arch_perf_frames_above(regs, addr);
}
#endif

/* Address of the stack frame of the called function, which may not have set it up yet. */
#ifndef arch_perf_frame_of_call
#define arch_perf_frame_of_call(fregs)	\
	(ftrace_regs_get_stack_pointer(fregs) - sizeof(long))
#endif

#endif /* _KERNEL_TRACE_PERF_INTERNAL_H */
