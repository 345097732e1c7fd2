/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf as a user of events: inside of perf/.
 *
 * An event that perf has open is one user more of its tracepoint, beside the instances that
 * have it on: the same probe makes the record, but in memory from which perf samples it.
 *
 * What rooms above this one, or the kernel, may call is in <linux/trace_events.h>.
 */
#ifndef _KERNEL_TRACE_PERF_INTERNAL_H
#define _KERNEL_TRACE_PERF_INTERNAL_H

#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "events/events.h"
#include "events/filter.h"

/**
 * struct perf_tp_cpu - an event on a CPU
 * @stopped: not 0 if a record would be of no use; &trace_event_head.stopped
 * @events: the &struct perf_event that count on this CPU now, changed there with interrupts
 *	disabled
 *
 * Whether a record may also be for another task only its probe knows. So a CPU begins with
 * records made, and it is the first one which is of no use that sets @stopped.
 */
struct perf_tp_cpu {
	unsigned long		stopped;
	struct hlist_head	events;
};

/**
 * struct perf_tp - an event that perf has open
 * @file: what its probe is called with
 * @cpus: of each CPU
 * @users: how many &struct perf_event there are of it
 * @tasks_lock: protects @tasks and @nr_all
 * @tasks: those of them that count in a task, by &hw_perf_event.tp_list
 * @nr_all: how many of them count in all tasks
 * @node: among all of these
 *
 * Protected by events_lock, but for what the probe reads, and @tasks_lock.
 */
struct perf_tp {
	struct trace_event_file		file;
	struct perf_tp_cpu __percpu	*cpus;
	unsigned int			users;
	/* See above. */
	spinlock_t			tasks_lock;
	struct list_head		tasks;
	unsigned int			nr_all;
	struct list_head		node;
};

/* &event_elsewhere.wants */
bool perf_wants(const struct trace_event_file *file, const struct mm_struct *mm);

/* Who makes the records. */
extern const struct event_elsewhere perf_records;

/**
 * perf_records_get - have memory for records
 *
 * Counted: each call that succeeded needs its perf_records_put().
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or -ENOMEM.
 */
int perf_records_get(void);

/**
 * perf_records_put - end of a perf_records_get()
 *
 * No probe is under way with an event of perf.
 *
 * Context: may sleep; events_lock held.
 */
void perf_records_put(void);

#ifdef CONFIG_FUNCTION_TRACER

/* What the perf events of ftrace:function have as their tp_event. */
extern struct trace_event_call perf_function_call;

/**
 * perf_has_functions - is it an event of ftrace:function
 * @event: a perf event that is open
 *
 * Context: any.
 */
static inline bool perf_has_functions(const struct perf_event *event)
{
	return event->tp_event == &perf_function_call;
}

/**
 * perf_function_init - perf opens ftrace:function
 * @event: the event; with a parent it shares the functions of that one
 *
 * Context: may sleep; events_lock not held. With a parent, in fork(), it takes no lock.
 * Return: 0; -EPERM or -EACCES for who may not have it; -EINVAL for samples of what is in
 * the user's memory; or as register_ftrace_function().
 */
int perf_function_init(struct perf_event *event);

/**
 * perf_function_destroy - the end of it
 * @event: from perf_function_init(); it counts nowhere any more
 *
 * Context: may sleep; events_lock not held; the last one waits for calls under way.
 */
void perf_function_destroy(struct perf_event *event);

/**
 * perf_function_limit - count some functions alone
 * @event: the event; those that inherited it are limited, too
 * @text: ``ip == NAME`` or ``ip != NAME``, several with || between them; instead of what it
 *	was limited to before
 *
 * Context: may sleep; events_lock not held.
 * Return: 0; -EINVAL for a text that makes no sense, or names nothing: then nothing has
 * changed; -ENOMEM: then it may count others.
 */
int perf_function_limit(struct perf_event *event, const char *text);

/* It counts on this CPU, or no more. Context: interrupts disabled. */
void perf_function_add(struct perf_event *event);
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

/* Where the frames of the tracer end, for who begins above them, if that can be told. */
#ifndef arch_perf_frames_above
#define arch_perf_frames_above(regs, addr)	((void)(regs), (void)(addr))
#endif

/* The frame of a function that is being called, which may not have one yet. */
#ifndef arch_perf_frame_of_call
#define arch_perf_frame_of_call(fregs)	\
	(ftrace_regs_get_stack_pointer(fregs) - sizeof(long))
#endif

#endif /* _KERNEL_TRACE_PERF_INTERNAL_H */
