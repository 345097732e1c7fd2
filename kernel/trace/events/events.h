/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events: every TRACE_EVENT() of the kernel and its modules as a record that each instance
 * switches on and off separately (SPEC E2).
 *
 * An event is a &struct trace_event_call, made by the macros of <trace/trace_events.h> or at run
 * time, for example by a probe. In each instance it has a &struct trace_event_file, which the
 * tracepoint passes to the probe of the event while the event is on in that instance.
 */
#ifndef _KERNEL_TRACE_EVENTS_H
#define _KERNEL_TRACE_EVENTS_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/xarray.h>

#include "instance/instance.h"
#include "instance/part.h"
#include "types/types.h"

struct action_hit;
struct event_triggers;
struct eventfs_inode;
struct mm_struct;

/*
 * Protects the list of events, the events of each instance, and whether they are on. Taken inside
 * trace_lock and func_command_lock, and outside the locks of tracepoints, types and eventfs.
 */
extern struct mutex events_lock;

/* The instance part that holds &struct instance_events. */
extern struct instance_part events_part;

/**
 * struct event - a registered event
 * @type: type of its records
 * @call: the event as its maker describes it
 * @has_text_pointers: true if its records contain addresses of strings
 * @has_located_fields: true if its records locate arrays that follow their fields
 * @refs: number of event_get() references
 * @named: node in the table of events by name
 * @node: node in all_events, which is in the order of registration
 */
struct event {
	struct record_type	type;
	struct trace_event_call	*call;
	bool			has_text_pointers;
	bool			has_located_fields;
	atomic_t		refs;
	struct hlist_node	named;
	struct list_head	node;
};

/**
 * struct event_system - the events of one system in one instance
 * @name: name of the system
 * @tr: the instance
 * @nr: number of events of the system in the instance
 * @number: identifies the system: no other system, in any instance, has or had this number
 * @filter_text: content of its file filter, or NULL
 * @dir: events/SYSTEM, or NULL without files
 * @node_id: trace_node id that its files have as their data
 * @node: node in &instance_events.systems
 */
struct event_system {
	const char		*name;
	struct trace_array	*tr;
	unsigned int		nr;
	unsigned int		number;
	char			*filter_text;
	struct eventfs_inode	*dir;
	u32			node_id;
	struct list_head	node;
};

/**
 * struct event_other_consumers - another consumer: it takes the records of an event in place of an
 *	instance
 * @reserve: begins a record. @count and @task of the &struct trace_event_buffer are set; the
 *	probe may set @regs of its &struct action_hit until @commit; before @reserve, too, if it
 *	is a probe of code. Context: the probe, any context, NMI included; preemption off until
 *	@commit. Return: the record, its header filled in, or NULL for none
 * @commit: the record is complete. @probe is an address in the probe, whose caller has the event.
 *	Context: as for @reserve
 * @lose: counts a record that cannot be made, where the user of the consumer finds it; may be
 *	NULL. Context: as for @reserve
 * @wants: true if a record of a task with this memory is of any use; NULL: all are. Context:
 *	process; RCU, RCU tasks trace or events_lock keeps the event
 * @is_perf: true for perf, false if the consumer is another event
 */
struct event_other_consumers {
	void	*(*reserve)(struct trace_event_buffer *b);
	void	(*commit)(struct trace_event_buffer *b, unsigned long probe);
	void	(*lose)(struct trace_event_file *file);
	bool	(*wants)(const struct trace_event_file *file, const struct mm_struct *mm);
	bool	is_perf;
};

/* Bits of &trace_event_file.how: reasons for a record to leave the fast path. */
#define EVENT_HOW_STACKS	BIT(0)	/* an option wants stacks recorded */
#define EVENT_HOW_FILTER	BIT(1)	/* the event has a filter */
#define EVENT_HOW_PIDS		BIT(2)	/* the event is about two tasks, and PIDs are followed */
#define EVENT_HOW_OTHER_CONSUMERS	BIT(3)	/* records go to another consumer */
#define EVENT_HOW_PRINTK	BIT(4)	/* records are printed to the kernel log, too */
#define EVENT_HOW_TRIGGERS	TRIGGER_ANY /* the event has triggers, be it on or off */
#define EVENT_HOW_NO_FIELDS		BIT(5)	/* no trigger reads the record */
#define EVENT_HOW_NO_HEADER	BIT(6)	/* no trigger reads the header of the record */
#define EVENT_HOW_TOGGLES		BIT(7)	/* triggers toggle recording, or differ in time */
#define EVENT_HOW_EXPORT	BIT(8)	/* an exporter gets a copy of each record that is kept */

/*
 * When a trigger runs. TRIGGER_BEFORE: before the record is committed. TRIGGER_WITH: after the
 * commit, with a copy of the record; without a copy, before the commit. TRIGGER_AFTER: after the
 * commit, perhaps without the record. Where no record is made, all triggers run at once.
 */
#define TRIGGER_BEFORE	BIT(9)
#define TRIGGER_WITH	BIT(10)
#define TRIGGER_AFTER	BIT(11)
#define TRIGGER_ANY	(TRIGGER_BEFORE | TRIGGER_WITH | TRIGGER_AFTER)
/*
 * Passed in addition if there is no record: leaves out the triggers that read the record or its
 * header.
 */
#define TRIGGER_NO_RECORD	(EVENT_HOW_NO_FIELDS | EVENT_HOW_NO_HEADER)

/**
 * event_init_unlisted - describe an event that is in no list
 * @event: the event to be filled in; the caller frees it
 * @call: the description of the event; stays as long as @event
 *
 * No instance has the event and no lookup finds it: it serves event_probe_add() only. Its records
 * have type 0.
 *
 * Context: may sleep.
 * Return: 0, or the errno of the maker if the event has no fields.
 */
int event_init_unlisted(struct event *event, struct trace_event_call *call);

/**
 * event_get - keep an event and its module
 * @event: the event
 *
 * Fails for a module that is still loading: if its init fails, the module is freed in spite of
 * references.
 *
 * Context: any; events_lock held.
 * Return: true if the event stays until event_put(), false if it cannot be kept.
 */
bool event_get(struct event *event);

/**
 * event_put - release an event
 * @event: from event_get(); it may be removed from now on
 *
 * Context: any.
 */
void event_put(struct event *event);

/**
 * event_find - find an event by name
 * @system: name of its system
 * @name: name of the event
 *
 * Context: events_lock held; the event stays as long as the lock is held.
 * Return: the event, or NULL.
 */
struct event *event_find(const char *system, const char *name);

/**
 * event_call_is_busy - test whether trace_remove_event_call() would fail
 * @call: from trace_add_event_call()
 *
 * Context: may sleep; takes events_lock.
 * Return: true if the event is on or referenced.
 */
bool event_call_is_busy(const struct trace_event_call *call);

/**
 * event_calls_remove - remove many events with one grace period
 * @calls: from trace_add_event_call(); one that is not registered any more is skipped
 * @nr: number of @calls
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -EBUSY if trace_remove_event_call() would fail for one of them: then none is
 * removed.
 */
int event_calls_remove(struct trace_event_call **calls, unsigned int nr);

/**
 * event_file_get - find an event in an instance and keep it
 * @tr: the instance; the caller keeps it
 * @system: name of the system, or NULL for any
 * @name: name of the event
 *
 * Context: may sleep; takes events_lock.
 * Return: the event, to be released by event_file_put(); NULL if there is none, if it is one of
 * the tracer's own, or if its module is going.
 */
struct trace_event_file *event_file_get(struct trace_array *tr, const char *system,
					const char *name);

/**
 * event_file_put - release an event in an instance
 * @file: from event_file_get(); its module may be removed from now on
 *
 * Context: any.
 */
void event_file_put(struct trace_event_file *file);

/**
 * event_how_set - set or clear bits of &trace_event_file.how
 * @file: the event in the instance
 * @bit: EVENT_HOW_*
 * @on: true to set, false to clear
 *
 * Context: any; events_lock held.
 */
static inline void event_how_set(struct trace_event_file *file, unsigned int bit, bool on)
{
	WRITE_ONCE(file->how, on ? file->how | bit : file->how & ~bit);
}

/**
 * events_how_is_set - test whether a bit is set for all events of all instances
 * @bit: EVENT_HOW_PRINTK or EVENT_HOW_EXPORT
 *
 * Context: any; events_lock held.
 * Return: true if it is.
 */
bool events_how_is_set(unsigned int bit);

/**
 * struct instance_events - the events of an instance
 * @files: each event as a &struct trace_event_file, in the order of all_events
 * @by_type: each &struct trace_event_file of @files by &trace_event_file.type
 * @systems: each system as a &struct event_system
 * @tr: the instance
 * @wanted: TRACE_OPT_* that events act on; events learn of a change before @tr->flags has it
 * @nr_on: number of events in @files, and @print, whose probe is called
 * @comms: true while names of tasks are saved for these events
 * @dir: events/, or NULL without files
 * @print: ftrace:print, the event of trace_marker, which is not in @files
 * @node: node in all_instance_events
 */
struct instance_events {
	struct list_head	files;
	struct xarray		by_type;
	struct list_head	systems;
	struct trace_array	*tr;
	u32			wanted;
	unsigned int		nr_on;
	bool			comms;
	struct eventfs_inode	*dir;
	struct trace_event_file	print;
	struct list_head	node;
};

/**
 * events_of - the events of an instance
 * @tr: the instance
 *
 * Context: any, from the creation of the instance to its end.
 * Return: the events.
 */
static inline struct instance_events *events_of(const struct trace_array *tr)
{
	return instance_part(tr, &events_part);
}

/* All registered events, by &event.node; protected by events_lock. */
extern struct list_head all_events;
/**
 * event_system_name - the name of the system of an event
 * @event: the event
 *
 * Context: any.
 * Return: the name.
 */
static inline const char *event_system_name(const struct event *event)
{
	return event->call->class->system;
}

/**
 * event_file_by_key - find an event in an instance by the key of its type
 * @tr: the instance
 * @key: record_type_key() of the type of its records
 *
 * Context: any; events_lock held.
 * Return: the event, or NULL.
 */
struct trace_event_file *event_file_by_key(struct trace_array *tr, u32 key);

/**
 * event_file_named - find an event in an instance by name
 * @tr: the instance
 * @system: name of the system, or NULL for any
 * @name: name of the event
 *
 * Context: any; events_lock held.
 * Return: the first event of that name, or NULL.
 */
struct trace_event_file *event_file_named(struct trace_array *tr, const char *system,
					  const char *name);

/**
 * event_probe_add - register the probe of an event
 * @file: the event in an instance; or the file that another consumer, such as perf, has for the
 *	event. Passed to the probe
 * @what: TRACE_REG_REGISTER or TRACE_REG_PERF_REGISTER
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -ENOMEM, or the errno of &trace_event_class.reg.
 */
int event_probe_add(struct trace_event_file *file, enum trace_reg what);

/**
 * event_probe_remove - unregister the probe of an event
 * @file: from event_probe_add()
 * @what: TRACE_REG_UNREGISTER or TRACE_REG_PERF_UNREGISTER
 *
 * The probe may still be running: see tracepoint_synchronize_unregister().
 *
 * Context: may sleep; events_lock held.
 */
void event_probe_remove(struct trace_event_file *file, enum trace_reg what);

/**
 * event_switch_later - switch an event as one of a batch
 * @file: the event in the instance
 * @on: the new state; may be the current one
 *
 * Does what event_switch() does, but until events_settle() records may not be made yet, and other
 * users of the tracepoint pay for an indirect call.
 *
 * Context: may sleep; events_lock held until events_settle().
 * Return: as event_switch().
 */
int event_switch_later(struct trace_event_file *file, bool on);

/**
 * events_switch - switch events of an instance on or off
 * @tr: the instance
 * @system: system of the events, or NULL for all systems
 * @name: name of the event, or NULL for all names
 * @on: the new state
 *
 * Context: may sleep; takes trace_lock if @on, then events_lock.
 * Return: 0; -EINVAL if no event matches; or the first errno of event_switch(): then other events
 * have been switched.
 */
int events_switch(struct trace_array *tr, const char *system, const char *name, bool on);

/**
 * events_switch_word_later - apply a word of set_event as one of a batch
 * @tr: the instance; event_expand() was called, if any word of the batch switches on
 * @word: ``SYSTEM:EVENT``, ``SYSTEM:*``, ``SYSTEM:``, ``*:*``, or either name alone; a leading !
 *	switches off; it is changed
 *
 * Context: may sleep; events_lock held until events_settle().
 * Return: as events_switch().
 */
int events_switch_word_later(struct trace_array *tr, char *word);

/**
 * events_settle - end a batch of event_switch_later()
 *
 * Patches the kernel's text, arms the probes that have waited for the end of the batch, and waits
 * once for readers of tracepoints, if a tracepoint is left with one user.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or the errno of arming a probe: the events are on, but some are not hit.
 */
int events_settle(void);

/**
 * events_in_batch - test whether a batch is open
 *
 * Context: any; events_lock held.
 * Return: true between event_switch_later() and events_settle().
 */
bool events_in_batch(void);

/*
 * Arms the probes that have waited for the end of a batch; returns 0 or an errno. Called by
 * events_settle(). Set once, at boot.
 */
extern int (*events_settle_probes)(void);

/**
 * event_soft_get - make an event switchable in any context
 * @file: the event in the instance, from event_file_get()
 *
 * The probe is registered, but soft-disabled unless the event was on. Calls are counted: each one
 * that succeeded needs its event_soft_put(), until which the event stays.
 *
 * Context: may sleep; takes events_lock.
 * Return: as event_switch().
 */
int event_soft_get(struct trace_event_file *file);

/**
 * event_soft_put - undo event_soft_get()
 * @file: the event, which stays on if it is on
 *
 * If the event is soft-disabled and has no other user, its probe is unregistered; the probe may
 * still be running.
 *
 * Context: may sleep; takes events_lock.
 */
void event_soft_put(struct trace_event_file *file);

/**
 * event_soft_set - soft-enable or soft-disable an event
 * @file: the event in the instance, with an event_soft_get()
 * @on: true to enable
 *
 * Context: any, NMI included.
 */
void event_soft_set(struct trace_event_file *file, bool on);

/**
 * event_is_soft_enabled - test whether an event is soft-enabled
 * @file: the event in the instance, which is on
 *
 * Context: any, NMI included.
 * Return: true if event_soft_set() lets records be made.
 */
static inline bool event_is_soft_enabled(const struct trace_event_file *file)
{
	return READ_ONCE(file->soft_enabled);
}

/**
 * struct event_trigger_ops - the user of hits of events: triggers/
 * @hit: runs the triggers of an event. @hit is the event and its record; @when has the TRIGGER_*
 *	bits of the triggers that are to run, among other bits of &trace_event_file.how. A trigger
 *	that reads records may be attached too late for a record to be made: see
 *	TRIGGER_NO_RECORD. Context: the probe, inside the recursion guard, in any context,
 *	NMI included
 * @miss: reports to the user of each trigger that an event was hit for which no record can be
 *	made. Context: any, NMI included; preemption off
 * @pause: pauses or resumes the triggers that can be paused. Context: any; preemption off
 * @event_removed: removes the triggers of an event that is removed with its module. Context: may
 *	sleep; events_lock held
 */
struct event_trigger_ops {
	void	(*hit)(struct action_hit *hit, unsigned int when);
	void	(*miss)(struct trace_event_file *file);
	void	(*pause)(struct trace_event_file *file, bool on);
	void	(*event_removed)(struct trace_event_file *file);
};

/* Set once, at boot, before any event has triggers. */
extern const struct event_trigger_ops *event_trigger_ops;

/**
 * event_triggers_set - attach triggers to an event, or detach them
 * @file: the event in the instance
 * @triggers: the triggers, or NULL; those attached before may still be running
 *
 * While there are triggers the probe of the event is registered, even if the event is off.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; as event_switch(): then nothing has changed.
 */
int event_triggers_set(struct trace_event_file *file, struct event_triggers *triggers);

/**
 * event_triggers_set_idle - set the word that says when the triggers of an event are idle
 * @file: the event in the instance
 * @word: per-CPU word: while it is not 0 and the event is off, the probe returns at once; NULL if
 *	the triggers are never idle
 *
 * Context: may sleep; events_lock held.
 */
void event_triggers_set_idle(struct trace_event_file *file, unsigned long __percpu *word);

/**
 * event_reserve_inside - begin a record of an event that another event causes
 * @b: filled in for event_commit_inside()
 * @file: the event in the instance, or the file that another consumer has for the event;
 *	trace_event_is_stopped() is false for it
 * @len: bytes of the record, with the common header
 * @word: trace_preempt_word() of the other event
 *
 * Context: inside the recursion guard, as triggers are: any, NMI included; preemption off.
 * Return: the record, its header filled in if anything reads the header; NULL if no record is to
 * be made.
 */
void *event_reserve_inside(struct trace_event_buffer *b, struct trace_event_file *file,
			   unsigned int len, unsigned int word);

/**
 * event_commit_inside - end a record that another event causes
 * @b: from event_reserve_inside(); the record is complete
 *
 * Context: as for event_reserve_inside(), on the same CPU.
 */
void event_commit_inside(struct trace_event_buffer *b);

/**
 * event_system_name_is_taken - test whether a file in events/ has a name
 * @system: the name; a system cannot have it if a file has
 *
 * Context: any.
 * Return: true if there is such a file or directory.
 */
bool event_system_name_is_taken(const char *system);

/**
 * event_name_is_taken - test whether a file in the directories of systems has a name
 * @name: the name; an event cannot have it if a file has
 *
 * Context: any.
 * Return: true if there is such a file.
 */
bool event_name_is_taken(const char *name);

/*
 * Woken whenever an event is removed, for tasks in poll() of a file of an event: each of them
 * finds by event_file_at() whether it is theirs.
 */
extern struct wait_queue_head event_removal_waiters;

/**
 * event_words_switch - switch the events that the command line names for an instance
 * @tr: the instance
 * @text: words as for set_event, separated by commas
 * @on: true to switch as the words say; false to switch all these events off
 *
 * Warns about a word that matches no event or cannot be applied.
 *
 * Context: boot, once events are registered; takes the locks of events_switch().
 */
void __init event_words_switch(struct trace_array *tr, const char *text, bool on);

/**
 * event_words_reapply - switch the events of the command line off and on again, once tasks exist
 * @tr: the instance
 * @text: as given to event_words_switch()
 *
 * The first event of a system call to be switched on sets SYSCALL_WORK_SYSCALL_TRACEPOINT in all
 * tasks; children inherit it. At early boot there are no tasks but the idle one to set it in, so
 * the events are switched off and on once there are.
 *
 * Context: boot, once per text, when there are more tasks than the idle ones; takes the locks of
 * events_switch().
 */
void __init event_words_reapply(struct trace_array *tr, const char *text);

/**
 * events_boot - register the kernel's own events and apply trace_event=
 *
 * Context: boot, once RCU is up; takes the locks of events_switch().
 */
void __init events_boot(void);

#endif /* _KERNEL_TRACE_EVENTS_H */
