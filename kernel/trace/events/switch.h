/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to events/: switching events on and off, and whether they are recorded. Other rooms
 * switch events by the functions in events.h.
 */
#ifndef _KERNEL_TRACE_EVENTS_SWITCH_H
#define _KERNEL_TRACE_EVENTS_SWITCH_H

#include <linux/percpu.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "events.h"
#include "instance/instance.h"

/**
 * event_expand - allocate the buffer of an instance before an event is switched on
 * @tr: the instance
 *
 * Context: may sleep; takes trace_lock, so events_lock is not held.
 * Return: as tracing_expand().
 */
int event_expand(struct trace_array *tr);

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
 * events_settle_after - end a batch that may have failed
 * @err: errno of the batch, or 0
 *
 * Context: may sleep; events_lock held.
 * Return: @err, or if that is 0, as events_settle().
 */
int events_settle_after(int err);

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

#endif /* _KERNEL_TRACE_EVENTS_SWITCH_H */
