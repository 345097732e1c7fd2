/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events go on and off: for records, for commands that switch them in any context, and for
 * triggers (SPEC E2). Part of events.h.
 */
#ifndef _KERNEL_TRACE_EVENTS_SWITCH_H
#define _KERNEL_TRACE_EVENTS_SWITCH_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct action_hit;
struct event;
struct event_triggers;
struct instance_events;
struct seq_file;
struct trace_array;

/**
 * event_expand - see to it that there is a buffer for what is about to be switched on
 * @tr: the instance
 *
 * Context: may sleep; takes trace_lock, so events_lock is not held.
 * Return: as tracing_expand().
 */
int event_expand(struct trace_array *tr);

/**
 * event_probe_add - have the probe of an event called
 * @file: what it is to be called with
 * @what: TRACE_REG_REGISTER, or TRACE_REG_PERF_REGISTER
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -ENOMEM, or why its maker refuses.
 */
int event_probe_add(struct trace_event_file *file, enum trace_reg what);

/**
 * event_probe_remove - and no more
 * @file: from event_probe_add()
 * @what: TRACE_REG_UNREGISTER, or TRACE_REG_PERF_UNREGISTER
 *
 * It may still be under way: see tracepoint_synchronize_unregister().
 *
 * Context: may sleep; events_lock held.
 */
void event_probe_remove(struct trace_event_file *file, enum trace_reg what);

/**
 * event_switch - let an instance record an event, or stop it
 * @file: the event in the instance
 * @on: which of both; what is so already is fine
 *
 * When it is off a record may still be under way.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -ENOMEM, or why its maker refuses: then nothing has changed.
 */
int event_switch(struct trace_event_file *file, bool on);

/**
 * event_switch_later - likewise, as one of many
 * @file: the event in the instance
 * @on: which of both
 *
 * As event_switch(), but until events_settle() records may not be made yet, and whoever else has
 * the event on pays more for it.
 *
 * Context: may sleep; events_lock held until events_settle().
 * Return: as event_switch().
 */
int event_switch_later(struct trace_event_file *file, bool on);

/**
 * events_switch - let an instance record some events, or stop them
 * @tr: the instance
 * @system: of the events, or NULL
 * @name: of one event, or NULL
 * @on: which of both
 *
 * Context: may sleep; takes trace_lock if it switches on, then events_lock.
 * Return: 0; -EINVAL if there is no such event; or the first errno of event_switch(): then
 * others have changed.
 */
int events_switch(struct trace_array *tr, const char *system, const char *name, bool on);

/**
 * events_switch_word_later - what a word of set_event says, as one of many
 * @tr: the instance; event_expand() was called, if any of the words switches on
 * @word: ``SYSTEM:EVENT``, ``SYSTEM:*``, ``SYSTEM:``, ``*:*``, or either name; a ! before
 *	it switches off; it is changed
 *
 * Context: may sleep; events_lock held until events_settle().
 * Return: as events_switch().
 */
int events_switch_word_later(struct trace_array *tr, char *word);

/**
 * events_settle - the end of event_switch_later() for many
 *
 * Writes the kernel's text, has probes armed that wait for it, and if somebody is left with one
 * of them, waits once for readers of tracepoints.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or why some of the events, which are on, are not hit.
 */
int events_settle(void);

/* events_settle() behind an attempt that may have failed. Return: @err, or else as that. */
int events_settle_after(int err);

/* True between event_switch_later() and events_settle(). Context: events_lock held. */
bool events_are_many(void);

/* How probes that have waited while events_are_many() are armed; see events_settle(). */
extern int (*events_settle_probes)(void);

/**
 * events_save_comms - have names of tasks saved as long as that is asked for and an event is on
 * @in: the events of an instance: how many are on, or what they are told of, has changed
 *
 * Once for all of them: each event that is switched would pay for it else.
 *
 * Context: may sleep; events_lock held.
 * Return: 0, always if nothing is to be saved; else -ENOMEM, or why tasks cannot be followed.
 */
int events_save_comms(struct instance_events *in);

/**
 * event_soft_get - from now on an event can go on and off in any context
 * @file: the event in the instance, from event_file_get()
 *
 * Its probe is called, and lets no record be made unless the event was on. Counted: each
 * call that succeeded needs its event_soft_put(), until which the event stays.
 *
 * Context: may sleep; takes events_lock.
 * Return: as event_switch().
 */
int event_soft_get(struct trace_event_file *file);

/**
 * event_soft_put - the end of an event_soft_get()
 * @file: the event, which stays on if it is
 *
 * Else its probe ends; that may still be under way.
 *
 * Context: may sleep; takes events_lock.
 */
void event_soft_put(struct trace_event_file *file);

/**
 * event_soft_let - switch an event of which there is an event_soft_get()
 * @file: the event in the instance
 * @on: which of both
 *
 * Context: any, NMI included.
 */
void event_soft_let(struct trace_event_file *file, bool on);

/**
 * event_is_let - are records made, as far as event_soft_let() is concerned
 * @file: the event in the instance, which is on
 *
 * Context: any, NMI included.
 */
static inline bool event_is_let(const struct trace_event_file *file)
{
	return READ_ONCE(file->let);
}

/**
 * event_is_recorded - is a record of an event kept here and now
 * @file: the event in the instance
 *
 * What its probe has asked already, unless it has EVENT_HOW_TRIGGERS.
 *
 * Context: the probe; preemption off.
 */
static inline bool event_is_recorded(const struct trace_event_file *file)
{
	return event_is_let(file) && !raw_cpu_read(*file->word);
}

/* Is nothing of this CPU's task told? Context: the probe; preemption off. */
static __always_inline bool event_is_ignored(const struct trace_event_file *file)
{
	return container_of(raw_cpu_ptr(file->word), struct trace_cpu_stopped, any)->ignored;
}

/**
 * struct event_trigger_ops - who has other things happen when an event comes (triggers/)
 * @hit: an event with triggers has come. @hit: which, and where; @when: TRIGGER_*, whose turn it
 *	is, among other bits of &trace_event_file.how. One that looks may have come when it
 *	was too late to make something to look at: see TRIGGER_BLIND.
 *	Context: the probe, inside the guard, in any context, NMI included
 * @miss: an event with triggers has come, and there is no record of it, nor will there be one:
 *	each of them says so to its user. Context: any, NMI included; preemption off
 * @pause: what can be paused does nothing from now on, or goes on. Context: any; preemption off
 * @gone: the event goes, with its module, and has triggers: end them.
 *	Context: may sleep; events_lock held
 * @show: what file trigger of an event reads as. Context: likewise
 * @show_counts: what its file hist reads as. Context: likewise. Return: 0 or -ENOMEM
 * @show_debug: what its file hist_debug reads as. Context: likewise
 * @hits: how often histograms have counted. Context: as @show
 * @polled: &trace_event_file.polled has become 0, or is no more: who counts wakes
 *	event_hist_waiters, or need not. Context: may sleep; events_lock held
 * @write: what is written to file trigger; @key says of which event, as for
 *	event_file_of(). Context: may sleep
 * @clear: it is emptied. Context: likewise
 */
struct event_trigger_ops {
	void	(*hit)(struct action_hit *hit, unsigned int when);
	void	(*miss)(struct trace_event_file *file);
	void	(*pause)(struct trace_event_file *file, bool on);
	void	(*gone)(struct trace_event_file *file);
	void	(*show)(struct seq_file *m, struct trace_event_file *file);
	int	(*show_counts)(struct seq_file *m, struct trace_event_file *file);
	void	(*show_debug)(struct seq_file *m, struct trace_event_file *file);
	u64	(*hits)(struct trace_event_file *file);
	void	(*polled)(struct trace_event_file *file);
	int	(*write)(struct trace_array *tr, u32 key, char *text);
	int	(*clear)(struct trace_array *tr, u32 key);
};

/* Set once, at boot, before any event has triggers. */
extern const struct event_trigger_ops *event_trigger_ops;

/**
 * event_triggers_set - an event makes other things happen from now on, or no more
 * @file: the event in the instance
 * @triggers: what, or NULL; that which was there may still be under way
 *
 * While it has any its probe is called, also while it is off.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; as event_switch(): then nothing has changed.
 */
int event_triggers_set(struct trace_event_file *file, struct event_triggers *triggers);

/**
 * event_triggers_rest - while is the event's probe to do nothing for its triggers
 * @file: the event in the instance
 * @word: while that of its CPU is not 0; or NULL, which is never
 *
 * If the event is not to be recorded, that is.
 *
 * Context: may sleep; events_lock held.
 */
void event_triggers_rest(struct trace_event_file *file, unsigned long __percpu *word);

#endif /* _KERNEL_TRACE_EVENTS_SWITCH_H */
