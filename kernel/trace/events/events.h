/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events: every TRACE_EVENT() of the kernel and its modules as a record that can be
 * switched, in each instance for itself (SPEC E2).
 *
 * An event is a &struct trace_event_call, made by the macros of <trace/trace_events.h> or
 * by whoever makes events while the kernel runs. In each instance it has a
 * &struct trace_event_file, which the tracepoint gives to the event's probe while the event
 * is on there.
 */
#ifndef _KERNEL_TRACE_EVENTS_H
#define _KERNEL_TRACE_EVENTS_H

#include <linux/atomic.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/xarray.h>

#include "instance/instance.h"
#include "instance/part.h"
#include "switch.h"
#include "types/types.h"

struct eventfs_inode;
struct mm_struct;
struct seq_file;

/*
 * Protects which events there are, in which instances, and whether they are on. Inside of
 * trace_lock and func_command_lock, and outside of what tracepoints, types and eventfs lock.
 */
extern struct mutex events_lock;

/* What instances keep of events. */
extern struct instance_part events_part;

/**
 * struct event - an event that is known
 * @type: its records
 * @call: what its maker knows of it
 * @hash: event_name_hash() of its name
 * @points: its records have addresses of strings
 * @locates: its records say where something is that is behind them
 * @refs: who has got it: event_get()
 * @named: among those whose names have hashes that are alike
 * @node: among all events, in the order in which they came
 */
struct event {
	struct record_type	type;
	struct trace_event_call	*call;
	u32			hash;
	bool			points;
	bool			locates;
	atomic_t		refs;
	struct hlist_node	named;
	struct list_head	node;
};

/* Names are looked for by hundreds, among thousands. Context: any. */
static inline u32 event_name_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

/**
 * struct event_system - the events of one system in one instance
 * @name: of the system
 * @tr: the instance
 * @nr: how many events
 * @number: no other one has or had it, in any instance
 * @filter_text: what its file filter reads as, or NULL
 * @dir: events/SYSTEM, or NULL without files
 * @node_id: what its files know it by
 * @node: in &instance_events.systems
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
 * struct event_elsewhere - who takes the records of an event instead of an instance
 * @reserve: begins a record; @count and @task of the &struct trace_event_buffer are set, and
 *	@regs of its &struct action_hit, by the probe before @commit, perhaps.
 *	Return: where it is, its header filled in, or NULL for none
 * @commit: it is complete; @probe is an address in the probe, whose caller has the event
 * @lose: there is to be no record: count it where its user looks. May be NULL. Context: as these
 * @wants: is a record of any use that a task with this memory would make, or NULL: always.
 *	Context: process; RCU read lock held
 * @is_perf: it is perf, and not another event
 *
 * Context of the first two: the probe, in any context, NMI included; preemption off from @reserve
 * to @commit.
 */
struct event_elsewhere {
	void	*(*reserve)(struct trace_event_buffer *b);
	void	(*commit)(struct trace_event_buffer *b, unsigned long probe);
	void	(*lose)(struct trace_event_file *file);
	bool	(*wants)(const struct trace_event_file *file, const struct mm_struct *mm);
	bool	is_perf;
};

/* What is behind the straight line. */
#define EVENT_HOW_STACKS	BIT(0)	/* an option wants stacks */
#define EVENT_HOW_FILTER	BIT(1)	/* it has a filter */
#define EVENT_HOW_PIDS		BIT(2)	/* the other task may be followed, or this one */
#define EVENT_HOW_ELSEWHERE	BIT(3)	/* no instance has it */
#define EVENT_HOW_PRINTK	BIT(4)	/* it is a message of the kernel, too */
#define EVENT_HOW_TRIGGERS	TRIGGER_ANY /* it makes something happen, on or off */
#define EVENT_HOW_BLIND		BIT(5)	/* which is without a look at the record */
#define EVENT_HOW_HEADLESS	BIT(6)	/* or at its header, at least */
#define EVENT_HOW_TURNS		BIT(7)	/* or in turns, between which there may be a record */
#define EVENT_HOW_EXPORT	BIT(8)	/* somebody gets a copy of each record that is kept */

/*
 * When a trigger is hit: before the record is made known; when it has been, but is at hand still,
 * unless it can only be before; or afterwards. Where no record comes between, what an event is
 * asks for all at once, and is told as it is.
 */
#define TRIGGER_BEFORE	BIT(9)
#define TRIGGER_WITH	BIT(10)
#define TRIGGER_AFTER	BIT(11)
#define TRIGGER_ANY	(TRIGGER_BEFORE | TRIGGER_WITH | TRIGGER_AFTER)
/* Besides these: not those that look at a record, or at its header, for there is none. */
#define TRIGGER_BLIND	(EVENT_HOW_BLIND | EVENT_HOW_HEADLESS)

/* What is asked when the record is complete. */
#define EVENT_HOW_ASKED		(EVENT_HOW_FILTER | EVENT_HOW_PIDS | EVENT_HOW_TRIGGERS)

/**
 * event_init_unlisted - describe an event that is in no list
 * @event: the event; whoever has it frees it
 * @call: the same, which stays as long
 *
 * No instance has it, and nobody finds it: it is for event_probe_add() alone. Its records have the
 * number 0.
 *
 * Context: may sleep.
 * Return: 0, or why it has no fields.
 */
int event_init_unlisted(struct event *event, struct trace_event_call *call);

/**
 * event_get - have an event stay, and its module
 * @event: the event
 *
 * Not one whose module is coming: its init may fail, and then it goes whatever has been got.
 *
 * Context: any; events_lock held.
 * Return: false if there is none to stay.
 */
bool event_get(struct event *event);

/* It may go again. Context: any. */
void event_put(struct event *event);

/**
 * event_find - the event of a name
 * @system: its system
 * @name: its name in that
 *
 * Context: events_lock held, as long as which it stays.
 * Return: the event, or NULL.
 */
struct event *event_find(const char *system, const char *name);

/**
 * event_call_is_busy - would trace_remove_event_call() refuse it
 * @call: from trace_add_event_call()
 *
 * Context: may sleep; takes events_lock.
 */
bool event_call_is_busy(const struct trace_event_call *call);

/**
 * event_calls_remove - take many events away, and wait once for all
 * @calls: from trace_add_event_call(); one that is not known any more is passed over
 * @nr: how many
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -EBUSY if trace_remove_event_call() would refuse one of them: all of them stay.
 */
int event_calls_remove(struct trace_event_call **calls, unsigned int nr);

/**
 * event_file_get - an event in an instance, which is to stay
 * @tr: the instance, which stays
 * @system: of the event
 * @name: of the event
 *
 * Context: may sleep; takes events_lock.
 * Return: the event, for event_file_put(); NULL if there is none, or its module is going.
 */
struct trace_event_file *event_file_get(struct trace_array *tr, const char *system,
					const char *name);

/* The end of an event_file_get(): its module may go. Context: any. */
void event_file_put(struct trace_event_file *file);

/**
 * event_how_set - probes find another way behind the straight line
 * @file: the event in the instance
 * @bit: EVENT_HOW_*
 * @on: from now on, or no more
 *
 * Context: any; events_lock held.
 */
static inline void event_how_set(struct trace_event_file *file, unsigned int bit, bool on)
{
	WRITE_ONCE(file->how, on ? file->how | bit : file->how & ~bit);
}

/**
 * events_how_set - the same for all events of all instances
 * @bit: EVENT_HOW_*
 * @how: has it, or not; asked with the lock held: who changes that last has it told last
 *
 * Context: may sleep; takes events_lock.
 */
void events_how_set(unsigned int bit, unsigned int (*how)(void));

/**
 * struct instance_events - the events of an instance
 * @files: its &struct trace_event_file, in the order of events
 * @by_type: each &struct trace_event_file of @files by its &trace_event_file.type
 * @systems: its &struct event_system
 * @tr: the instance
 * @wanted: TRACE_OPT_* that events have been told of, be it before they are set for all
 * @nr_on: how many of @files, and of @print, have their probe called
 * @comms: they have the names of tasks saved
 * @dir: events/, or NULL as long as there are no files
 * @print: what is written to trace_marker, which is none of @files
 * @node: among those of all instances
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

/* The options that change what events do. */
#define EVENT_OPTS_STACKS	(TRACE_OPT_STACKTRACE | TRACE_OPT_USERSTACKTRACE)
#define EVENT_OPTS		(EVENT_OPTS_STACKS | TRACE_OPT_RECORD_CMD)

/**
 * events_of - the events of an instance
 * @tr: the instance
 *
 * Context: any, from the making of the instance to its end.
 */
static inline struct instance_events *events_of(const struct trace_array *tr)
{
	return instance_part(tr, &events_part);
}

/* All events. */
extern struct list_head all_events;
/* What instances keep of them. */
extern struct list_head all_instance_events;

static inline const char *event_system_name(const struct event *event)
{
	return event->call->class->system;
}

/**
 * event_file_of - an event in an instance, by the key of its type
 * @tr: the instance
 * @key: record_type_key()
 *
 * Context: any; events_lock held.
 * Return: the event, or NULL.
 */
struct trace_event_file *event_file_of(struct trace_array *tr, u32 key);

/**
 * event_file_named - likewise, by its name
 * @tr: the instance
 * @system: of the event, or NULL
 * @name: of the event
 *
 * Context: any; events_lock held.
 * Return: the event, the first one of that name; or NULL.
 */
struct trace_event_file *event_file_named(struct trace_array *tr, const char *system,
					  const char *name);

/**
 * event_reserve_inside - begin a record that another event has made come
 * @b: for event_commit_inside()
 * @file: the event in the instance, or elsewhere; not if trace_event_is_stopped()
 * @len: its size, with the common header
 * @word: trace_preempt_word() of the other event
 *
 * Context: inside the guard, where triggers are: any, NMI included; preemption off.
 * Return: the record, its header filled in if anybody looks at that; NULL if there is to be none.
 */
void *event_reserve_inside(struct trace_event_buffer *b, struct trace_event_file *file,
			   unsigned int len, unsigned int word);

/* It is complete. Context: as there, on the same CPU. */
void event_commit_inside(struct trace_event_buffer *b);

/**
 * event_record_made - record what is complete already
 * @file: the event in the instance, on or off
 * @rec: the record, with its header
 * @len: how long it is
 *
 * As if the event had come: it is asked for, and followed by stacks.
 *
 * Context: any.
 */
void event_record_made(struct trace_event_file *file, void *rec, unsigned int len);

/**
 * event_inject - record what somebody makes up
 * @file: the event in the instance, on or off
 * @text: ``FIELD=VALUE ...``, where a value is a number, or a string in quotes; it is changed
 *
 * Context: may sleep; events_lock held.
 * Return: 0, also while nothing is recorded; -ENOENT for a field that there is not; -EINVAL
 * or -ERANGE for a value that it cannot have; -E2BIG for too long strings; -ENOMEM.
 */
int event_inject(struct trace_event_file *file, char *text);

/*
 * Is there a file, or a directory, of that name in events/, or in the directory of each system?
 * A system, or an event, cannot be called so. Context: any.
 */
bool event_system_name_is_taken(const char *system);
bool event_name_is_taken(const char *name);

/* events/ of an instance, or of an event that came later: with events_lock. */
int event_dir_create(struct trace_event_file *file);
void event_dir_remove(struct trace_event_file *file);
void event_system_dir_remove(struct event_system *system);

/**
 * event_printk - print a record as a message of the kernel
 * @file: the event in an instance, which has EVENT_HOW_PRINTK
 * @rec: the record, complete
 * @len: how long it is
 *
 * Nothing in an NMI.
 *
 * Context: any; inside the guard, so that an event that comes of it is not recorded.
 */
void event_printk(const struct trace_event_file *file, void *rec, unsigned int len);

/* EVENT_HOW_PRINTK if all records are to be printed. Context: events_lock held. */
unsigned int event_printk_how(void);

/* Boot, when there are events, before any is on. */
void __init event_printk_boot(void);

/* EVENT_HOW_EXPORT if records are to be exported. Context: events_lock held. */
unsigned int event_export_how(void);

/* Boot, before any is on. */
void __init event_export_boot(void);

/**
 * event_triggers_tell - what has been recorded otherwise makes something happen
 * @file: the event in the instance
 * @rec: the record, complete, with its header
 *
 * Context: any.
 */
void event_triggers_tell(struct trace_event_file *file, void *rec);

/* Tasks in poll() of any file hist: they are few, and each looks for itself when it wakes. */
extern struct wait_queue_head event_hist_waiters;

/* An event goes, and with it what is waited for. Context: any. */
static inline void event_hist_gone(const struct trace_event_file *file)
{
	if (IS_ENABLED(CONFIG_HIST_TRIGGERS) && file->polled)
		wake_up_all(&event_hist_waiters);
}

/* What is written to trace_marker, as an event. Boot, and in an instance that is made. */
void event_print_setup(void);
void event_print_init(struct trace_array *tr);

/* How the records of events print. */
extern const struct record_class event_class;

/* The print format of an event, its names replaced by numbers. */
void event_print_fmt(struct seq_file *m, const struct event *event);

/* Names that only the compiler knows, of the kernel and of modules. */
struct module;
extern struct trace_eval_map *__start_ftrace_eval_maps[];
extern struct trace_eval_map *__stop_ftrace_eval_maps[];
void __init event_evals_add_own(void);
void event_evals_add(struct module *mod);
void event_evals_remove(struct module *mod);

/* Have changes of options told; at boot, before there is an instance. */
void event_options_follow(void);

/* Is @system one of those that an instance was made for? Context: any. */
bool event_system_is_wanted(const struct trace_array *tr, const char *system);

/* The steps of events_boot(). */
extern struct trace_event_call *__start_ftrace_events[];
extern struct trace_event_call *__stop_ftrace_events[];
void __init events_add_own(void);
void __init event_words_boot(void);

/**
 * event_words_switch - switch the events that the command line names for an instance
 * @tr: the instance
 * @text: words as for set_event, with commas between them
 * @on: as they say; false: the opposite
 *
 * A word that is of no event, or cannot be obeyed for want of memory, is told of.
 *
 * Context: boot, once events are known; takes the locks of events_switch().
 */
void __init event_words_switch(struct trace_array *tr, const char *text, bool on);

/**
 * event_words_again - switch them off and on, when there are tasks
 * @tr: the instance
 * @text: as given to event_words_switch()
 *
 * System calls are announced by tasks that were told so when the first event was switched on,
 * and by their children: there were none at all then.
 *
 * Context: boot, once per text, when there are more tasks than the idle ones; takes the locks
 * of events_switch().
 */
void __init event_words_again(struct trace_array *tr, const char *text);

/**
 * events_boot - make the kernel's own events known, and obey trace_event=
 *
 * Context: boot, once RCU is up; takes the locks of events_switch().
 */
void __init events_boot(void);

#endif /* _KERNEL_TRACE_EVENTS_H */
