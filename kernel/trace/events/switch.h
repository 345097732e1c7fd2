/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Switching events: for records, for commands that switch them in any context, and for triggers
 * (SPEC E2). Included by events.h.
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
 * event_expand - allocate the buffer of an instance before an event is switched on
 * @tr: the instance
 *
 * Context: may sleep; takes trace_lock, so events_lock is not held.
 * Return: as tracing_expand().
 */
int event_expand(struct trace_array *tr);

/**
 * event_probe_add - register the probe of an event
 * @file: the event in an instance or with another consumer; passed to the probe
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
 * event_switch - switch an event of an instance on or off
 * @file: the event in the instance
 * @on: the new state; may be the current one
 *
 * A record may still be in flight when the event is off.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -ENOMEM, or the errno of &trace_event_class.reg: then nothing has changed.
 */
int event_switch(struct trace_event_file *file, bool on);

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
 * events_settle_after - end a batch that may have failed
 * @err: errno of the batch, or 0
 *
 * Context: may sleep; events_lock held.
 * Return: @err, or if that is 0, as events_settle().
 */
int events_settle_after(int err);

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
 * events_save_comms - start or stop saving names of tasks for the events of an instance
 * @in: the events of an instance, after a change of @nr_on or @wanted
 *
 * Names are saved while an event is on and option record-cmd is set. They are started and stopped
 * once for all events of the instance, so that each event need not do it.
 *
 * Context: may sleep; events_lock held.
 * Return: 0, always if nothing is to be started; -ENOMEM, or the errno of registering with the
 * scheduler's events.
 */
int events_save_comms(struct instance_events *in);

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
 * event_is_recorded - test whether a record of an event is kept on this CPU now
 * @file: the event in the instance
 *
 * The probe has tested this by &trace_event_head.stopped already, unless the event has
 * EVENT_HOW_TRIGGERS.
 *
 * Context: the probe; preemption off.
 * Return: true if the record is kept.
 */
static inline bool event_is_recorded(const struct trace_event_file *file)
{
	return event_is_soft_enabled(file) && !raw_cpu_read(*file->word);
}

/**
 * event_is_ignored - test whether the instance ignores the current task
 * @file: the event in the instance
 *
 * Context: the probe; preemption off.
 * Return: true if neither records nor triggers of the task are wanted on this CPU.
 */
static __always_inline bool event_is_ignored(const struct trace_event_file *file)
{
	return container_of(raw_cpu_ptr(file->word), struct trace_cpu_stopped, any)->ignored;
}

/**
 * struct event_trigger_ops - the user of hits of events: triggers/
 * @hit: runs the triggers of an event. @hit is the event and its record; @when has the TRIGGER_*
 *	bits of the triggers that are to run, among other bits of &trace_event_file.how. A trigger
 *	that reads records may be attached too late for a record to be made: see
 *	TRIGGER_NO_RECORD. Context: the probe, inside the guard, in any context, NMI included
 * @miss: reports to the user of each trigger that an event was hit for which no record can be
 *	made. Context: any, NMI included; preemption off
 * @pause: pauses or resumes the triggers that can be paused. Context: any; preemption off
 * @gone: removes the triggers of an event that is removed with its module. Context: may sleep;
 *	events_lock held
 * @show: prints the content of the file trigger. Context: may sleep; events_lock held
 * @show_counts: prints the content of the file hist. Context: may sleep; events_lock held.
 *	Return: 0 or -ENOMEM
 * @show_debug: prints the content of the file hist_debug. Context: may sleep; events_lock held
 * @hits: returns the number of hits of the histograms of an event. Context: may sleep;
 *	events_lock held
 * @polled: &trace_event_file.polled has become non-zero, or zero again: histograms wake
 *	event_hist_waiters at each hit, or need not. Context: may sleep; events_lock held
 * @write: applies what is written to the file trigger; @key identifies the event as for
 *	event_file_of(). Context: may sleep
 * @clear: removes the triggers of an event, when the file trigger is truncated; @key is as for
 *	@write. Context: may sleep
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

#endif /* _KERNEL_TRACE_EVENTS_SWITCH_H */
