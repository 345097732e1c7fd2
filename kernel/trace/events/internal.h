/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between the files of events/: recording, printing, exporting and filtering records, and
 * following tasks. Directories are in dirs.h, switching in switch.h, the steps at boot in boot.h.
 */
#ifndef _KERNEL_TRACE_EVENTS_INTERNAL_H
#define _KERNEL_TRACE_EVENTS_INTERNAL_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "events.h"
#include "filter.h"
#include "instance/options.h"
#include "pids.h"
#include "types/types.h"

struct module;
struct seq_file;

/* The options that change what events do. */
#define EVENT_OPTS_STACKS	(TRACE_OPT_STACKTRACE | TRACE_OPT_USERSTACKTRACE)
#define EVENT_OPTS		(EVENT_OPTS_STACKS | TRACE_OPT_RECORD_CMD)

/*
 * Bits of &trace_event_file.how for which a scratch record is made, if that is possible: a filter,
 * a PID list or a trigger reads the complete record.
 */
#define EVENT_HOW_NEEDS_RECORD		(EVENT_HOW_FILTER | EVENT_HOW_PIDS | EVENT_HOW_TRIGGERS)

/**
 * event_record_made - record a complete record as if the event had been hit
 * @file: the event in the instance, on or off
 * @rec: the record, with its header
 * @len: bytes of the record
 *
 * The record is filtered, runs triggers, and is followed by stacks.
 *
 * Context: any.
 */
void event_record_made(struct trace_event_file *file, void *rec, unsigned int len);

/**
 * event_triggers_notify - run the triggers of an event that was recorded by other means
 * @file: the event in the instance
 * @rec: the record, complete, with its header
 *
 * Context: any.
 */
void event_triggers_notify(struct trace_event_file *file, void *rec);

/**
 * event_printk - print a record to the kernel log
 * @file: the event in an instance, which has EVENT_HOW_PRINTK
 * @rec: the record, complete
 * @len: bytes of the record
 *
 * Prints nothing in an NMI.
 *
 * Context: any; inside the recursion guard, so that events caused by the printing are not recorded.
 */
void event_printk(const struct trace_event_file *file, void *rec, unsigned int len);

/**
 * event_print_setup - have writes to trace_marker run the triggers of ftrace:print
 *
 * Context: boot.
 */
void event_print_setup(void);

/**
 * event_print_init - set up ftrace:print of a new instance
 * @tr: the instance
 *
 * Context: any; no other code can find @tr yet.
 */
void event_print_init(struct trace_array *tr);

/* How records of events print: the class of the types of events without &trace_event_class.ops. */
extern const struct record_class event_record_class;

/**
 * event_print_fmt - print the print format of an event
 * @m: destination
 * @event: the event
 *
 * Names that only the compiler knows are replaced by their values.
 *
 * Context: may sleep; events_lock held.
 */
void event_print_fmt(struct seq_file *m, const struct event *event);

/* Names in print formats that only the compiler knows (evals.c). */
extern struct trace_eval_map *__start_ftrace_eval_maps[];
extern struct trace_eval_map *__stop_ftrace_eval_maps[];

/**
 * event_evals_add - make the names of a module known
 * @mod: the module, which is coming
 *
 * Context: may sleep; takes events_lock.
 */
void event_evals_add(struct module *mod);

/**
 * event_evals_remove - remove the names of a module
 * @mod: the module, which is going
 *
 * Context: may sleep; takes events_lock.
 */
void event_evals_remove(struct module *mod);

/**
 * event_how_initial - get the bits that a new event in an instance begins with
 * @in: the events of the instance
 *
 * Context: any; events_lock held.
 * Return: EVENT_HOW_*: those of options and of events_how_get().
 */
unsigned int event_how_initial(const struct instance_events *in);

/**
 * events_how_get - set a bit for all events of all instances, also for those made later
 * @bit: one of EVENT_HOW_*, which nothing else sets
 *
 * Calls are counted: each one needs its events_how_put().
 *
 * Context: may sleep; events_lock held.
 */
void events_how_get(unsigned int bit);

/**
 * events_how_put - undo events_how_get(), and clear the bit with the last call
 * @bit: as given to events_how_get()
 *
 * Context: may sleep; events_lock held.
 */
void events_how_put(unsigned int bit);

/**
 * event_options_follow - have events follow changes of their options
 *
 * Context: boot, before there is an instance.
 */
void event_options_follow(void);

/* The table of the kernel's own events. */
extern struct trace_event_call *__start_ftrace_events[];
extern struct trace_event_call *__stop_ftrace_events[];

/**
 * event_filter_set - set the filter of an event in an instance
 * @file: the event in the instance
 * @text: the expression; "0" removes the filter
 *
 * An error in the expression is logged and shown by the file filter; the previous filter stays in
 * use.
 *
 * Context: may sleep; events_lock held.
 * Return: 0, or as predicate_compile().
 */
int event_filter_set(struct trace_event_file *file, const char *text);

/**
 * event_filter_clear - remove the filter of an event in an instance
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_filter_clear(struct trace_event_file *file);

/**
 * event_system_filter_set - set the filter of all events of a system that have its fields
 * @system: the system in an instance
 * @text: the expression; "0" removes the filters of all events of the system
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -EINVAL if no event has the fields; -ENOMEM: some events may have the new filter.
 */
int event_system_filter_set(struct event_system *system, const char *text);

/**
 * event_filter_show - print the content of the file filter of an event
 * @m: destination
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_filter_show(struct seq_file *m, struct trace_event_file *file);

/**
 * event_filter_show_counts - print the content of the file filter_stats of an event
 * @m: destination
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_filter_show_counts(struct seq_file *m, struct trace_event_file *file);

/**
 * event_system_filter_show - print the content of the file filter of a system
 * @m: destination
 * @system: the system in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_system_filter_show(struct seq_file *m, const struct event_system *system);

/* &trace_event_file.filter of an event without a filter, in place of NULL. */
extern struct event_filter event_no_filter;

/**
 * struct event_filter_counts - number of records of a CPU that a filter has seen
 * @passed: records that passed; wraps
 * @held: records that were held back; wraps
 */
struct event_filter_counts {
	unsigned long		passed;
	unsigned long		held;
};

/**
 * event_filter_count - count a record that a filter has seen
 * @filter: the filter of an event in an instance
 * @passed: whether the record passed
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void event_filter_count(const struct event_filter *filter, bool passed)
{
	if (passed)
		this_cpu_inc(filter->counts->passed);
	else
		this_cpu_inc(filter->counts->held);
}

/**
 * event_filter_pass - test a record against the filter of an event, and count it
 * @file: the event in the instance
 * @rec: the record, complete
 *
 * Context: the probe; preemption off.
 * Return: true if the record is to be kept.
 */
static __always_inline bool event_filter_pass(const struct trace_event_file *file,
					      const void *rec)
{
	/* rcu_dereference_raw(): the tracepoint has disabled preemption. */
	const struct event_filter *filter = rcu_dereference_raw(file->filter);
	bool yes;

	/* The filter has been removed since EVENT_HOW_FILTER was read. */
	if (unlikely(filter->needs & EVENT_FILTER_NONE))
		return true;
	yes = event_filter_match(filter, rec);
	event_filter_count(filter, yes);
	return yes;
}

/**
 * event_pids_follow - set up a new event in an instance for the PID lists of the instance
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_pids_follow(struct trace_event_file *file);

/**
 * event_pids_pass - test whether the instance follows one of the two tasks of a record
 * @file: the event in the instance, which has EVENT_HOW_PIDS
 * @rec: the record, complete
 *
 * Context: the probe; preemption off.
 * Return: true if it does.
 */
bool event_pids_pass(const struct trace_event_file *file, const void *rec);

/**
 * event_pids_hit - run the triggers of an event about two tasks
 * @hit: the event, with a record
 * @when: as for &event_trigger_ops.hit
 *
 * Context: as for &event_trigger_ops.hit.
 */
void event_pids_hit(struct action_hit *hit, unsigned int when);

/**
 * event_hit - run the triggers of an event
 * @hit: the event and its record, if there is one
 * @when: as for &event_trigger_ops.hit
 *
 * Context: as for &event_trigger_ops.hit.
 */
static __always_inline void event_hit(struct action_hit *hit, unsigned int when)
{
	if (event_has_two_tasks(hit->file) && hit->rec)
		event_pids_hit(hit, when);
	else
		event_trigger_ops->hit(hit, when);
}

/**
 * event_pids_setup - have events follow changes of PID lists
 *
 * Context: boot, before there are instances.
 */
void event_pids_setup(void);

#endif /* _KERNEL_TRACE_EVENTS_INTERNAL_H */
