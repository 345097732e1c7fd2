// SPDX-License-Identifier: GPL-2.0
/* Switching events on and off. */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/tracepoint.h>

#include "events.h"
#include "instance/options.h"
#include "internal.h"
#include "lookup.h"
#include "switch.h"
#include "tasks/cmdlines.h"

/*
 * Events that went off while their tracepoints have other users. Such a user is called by the
 * iterator of the tracepoint until events_settle(). Protected by events_lock.
 */
static HLIST_HEAD(event_unsettled_files);

/* After a function with "queue" or "later" in its name the caller calls events_settle(). */
static int event_queue_register(struct trace_event_file *file, enum trace_reg what)
{
	struct trace_event_call *call = file->event->call;

	lockdep_assert_held(&events_lock);
	if (call->class->reg)
		return call->class->reg(call, what, file);
	/*
	 * -ENODEV: a custom event whose tracepoint has not been found. Pairs with the release in
	 * trace_custom_event_NAME_update().
	 */
	if (!(smp_load_acquire(&call->flags) & TRACE_EVENT_FL_TRACEPOINT))
		return -ENODEV;
	return tracepoint_probe_register_queued(call->tp, call->class->probe, file);
}

static void event_queue_unregister(struct trace_event_file *file, enum trace_reg what)
{
	struct trace_event_call *call = file->event->call;

	lockdep_assert_held(&events_lock);
	if (call->class->reg) {
		call->class->reg(call, what, file);
		return;
	}
	tracepoint_probe_unregister_queued(call->tp, call->class->probe, file);
	if (static_key_enabled(&call->tp->key) && hlist_unhashed(&file->unsettled))
		hlist_add_head(&file->unsettled, &event_unsettled_files);
}

/* True while events of event_switch_later() wait for events_settle(). Protected by events_lock. */
static bool event_batch_is_open;

bool events_in_batch(void)
{
	lockdep_assert_held(&events_lock);
	return event_batch_is_open;
}

/* Set once, at boot, before any event is on. */
int (*events_settle_probes)(void) __ro_after_init;

int events_settle(void)
{
	struct trace_event_file *file;
	struct hlist_node *next;
	int err = 0;

	lockdep_assert_held(&events_lock);
	if (event_batch_is_open && events_settle_probes)
		err = events_settle_probes();
	event_batch_is_open = false;
	static_keys_apply();
	hlist_for_each_entry_safe(file, next, &event_unsettled_files, unsettled) {
		hlist_del_init(&file->unsettled);
		tracepoint_call_directly(file->event->call->tp);
	}
	return err;
}

int events_settle_after(int err)
{
	int unsettled = events_settle();

	return err ?: unsettled;
}

int event_probe_add(struct trace_event_file *file, enum trace_reg what)
{
	int err = event_queue_register(file, what);

	/*
	 * In a batch, an eprobe that is switched registers the event that it reads from: the end
	 * of the batch settles that event as well.
	 */
	if (!event_batch_is_open)
		events_settle();
	return err;
}

void event_probe_remove(struct trace_event_file *file, enum trace_reg what)
{
	event_queue_unregister(file, what);
	if (!event_batch_is_open)
		events_settle();
}

int events_save_comms(struct instance_events *in)
{
	bool comms = in->nr_on && in->wanted & TRACE_OPT_RECORD_CMD;
	int err = 0;

	lockdep_assert_held(&events_lock);
	if (comms && !in->comms)
		err = trace_cmdlines_start();
	else if (!comms && in->comms)
		trace_cmdlines_stop();
	if (err)
		return err;
	in->comms = comms;
	return 0;
}

static int event_count_on(struct instance_events *in)
{
	int err;

	in->nr_on++;
	err = events_save_comms(in);
	if (err)
		in->nr_on--;
	return err;
}

static void event_count_off(struct instance_events *in)
{
	in->nr_on--;
	/* Stopping cannot fail. */
	events_save_comms(in);
}

static int event_queue_on(struct trace_event_file *file)
{
	struct instance_events *in = events_of(file->tr);
	int err = event_count_on(in);

	if (err)
		return err;
	err = event_queue_register(file, TRACE_REG_REGISTER);
	if (err)
		event_count_off(in);
	else
		file->on = true;
	return err;
}

static void event_queue_off(struct trace_event_file *file)
{
	event_queue_unregister(file, TRACE_REG_UNREGISTER);
	event_count_off(events_of(file->tr));
	file->on = false;
}

/*
 * Words for @head.stopped. With event_always_stopped the probe always returns at once; with
 * event_never_stopped it never does.
 */
static DEFINE_PER_CPU(unsigned long, event_always_stopped) = 1;
static DEFINE_PER_CPU(unsigned long, event_never_stopped);

/*
 * The word that @head.stopped points to in the current state: event_never_stopped while a trigger
 * has to run, file->word if records are wanted, else event_always_stopped. If only triggers want
 * the event and they may be idle, file->triggers_idle.
 */
static unsigned long __percpu *event_stopped_word(const struct trace_event_file *file)
{
	bool wanted = READ_ONCE(file->soft_enabled);

	if (rcu_access_pointer(file->triggers))
		return wanted ? &event_never_stopped :
				READ_ONCE(file->triggers_idle) ?: &event_never_stopped;
	return wanted ? file->word : &event_always_stopped;
}

/*
 * Store event_stopped_word() in @head.stopped. Another context, an NMI included, may change the
 * state that the word depends on at the same time, and store a word as well: the context
 * that stores last has seen all changes.
 */
static void event_update_stopped(struct trace_event_file *file)
{
	unsigned long __percpu *word;

	do {
		word = event_stopped_word(file);
		WRITE_ONCE(file->head.stopped, word);
		/*
		 * The store of the word comes before the reads of the state. Pairs with itself in
		 * other contexts, and with the barriers between a change of the state and
		 * event_update_stopped() below.
		 */
		smp_mb();
	} while (word != event_stopped_word(file));
}

void event_soft_set(struct trace_event_file *file, bool on)
{
	WRITE_ONCE(file->soft_enabled, on);
	/* Pairs with the barrier in event_update_stopped(). */
	smp_mb();
	event_update_stopped(file);
}

static int event_switch_queued(struct trace_event_file *file, bool on)
{
	int err;

	lockdep_assert_held(&events_lock);
	if (on && !file->on) {
		err = event_queue_on(file);
		if (err)
			return err;
	}
	if (!on && file->on && !file->soft)
		event_queue_off(file);
	/*
	 * Skipped if nothing changes: hundreds of events may be switched at once, and the
	 * barriers take time.
	 */
	on |= !file->on;
	if (event_is_soft_enabled(file) != on)
		event_soft_set(file, on);
	return 0;
}

int event_switch_later(struct trace_event_file *file, bool on)
{
	event_batch_is_open = true;
	return event_switch_queued(file, on);
}

int event_switch(struct trace_event_file *file, bool on)
{
	int err = event_switch_queued(file, on);

	events_settle();
	return err;
}

/* Register the probe of an event; an event that is off stays soft-disabled. */
static int event_soft_begin(struct trace_event_file *file)
{
	int err;

	if (!file->on) {
		event_soft_set(file, false);
		err = event_queue_on(file);
		events_settle();
		if (err) {
			event_soft_set(file, true);
			return err;
		}
	}
	file->soft++;
	return 0;
}

static void event_soft_end(struct trace_event_file *file)
{
	if (!--file->soft && !event_is_soft_enabled(file)) {
		event_queue_off(file);
		events_settle();
		event_soft_set(file, true);
	}
}

int event_soft_get(struct trace_event_file *file)
{
	int err;

	guard(mutex)(&events_lock);
	err = event_soft_begin(file);
	if (err)
		return err;
	/* Cannot fail: the caller holds the event by event_file_get(). */
	__module_get(file->event->call->module);
	atomic_inc(&file->event->refs);
	return 0;
}

void event_soft_put(struct trace_event_file *file)
{
	guard(mutex)(&events_lock);
	event_soft_end(file);
	event_file_put(file);
}

const struct event_trigger_ops *event_trigger_ops __ro_after_init;

int event_triggers_set(struct trace_event_file *file, struct event_triggers *triggers)
{
	bool had = rcu_access_pointer(file->triggers);
	int err = triggers && !had ? event_soft_begin(file) : 0;

	lockdep_assert_held(&events_lock);
	if (err)
		return err;
	rcu_assign_pointer(file->triggers, triggers);
	event_how_set(file, EVENT_HOW_TRIGGERS, triggers);
	/* Pairs with the barrier in event_update_stopped(). */
	smp_mb();
	event_update_stopped(file);
	if (had && !triggers)
		event_soft_end(file);
	return 0;
}

void event_triggers_set_idle(struct trace_event_file *file, unsigned long __percpu *word)
{
	lockdep_assert_held(&events_lock);
	if (file->triggers_idle == word)
		return;
	WRITE_ONCE(file->triggers_idle, word);
	/* Pairs with the barrier in event_update_stopped(). */
	smp_mb();
	event_update_stopped(file);
}

int event_expand(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	return tracing_expand(tr);
}

/* Return: the first errno; 0 if all were switched; -EINVAL if there is no such event. */
static int events_switch_name_later(struct trace_array *tr, const char *system, const char *name,
				    bool on)
{
	struct trace_event_file *file;
	struct event *event;
	int ret = -EINVAL, first = 0;

	hash_for_each_possible(events_by_name, event, named, event_name_hash(name)) {
		if (!event_has_name(event, system, name))
			continue;
		file = event_file_find(events_of(tr), event);
		if (!file)
			continue;
		ret = event_switch_later(file, on);
		first = first ?: ret;
	}
	return first ?: ret;
}

/* Switch the events of a system, or all. Return: see events_switch_name_later(). */
static int events_switch_system_later(struct trace_array *tr, const char *name, bool on)
{
	const struct event_system *system = name ? event_find_system(events_of(tr), name) : NULL;
	struct trace_event_file *file;
	int ret = -EINVAL, first = 0;

	if (name && !system)
		return -EINVAL;
	list_for_each_entry(file, &events_of(tr)->files, node) {
		if (system && file->system != system)
			continue;
		ret = event_switch_later(file, on);
		first = first ?: ret;
	}
	return first ?: ret;
}

static int events_switch_matching_later(struct trace_array *tr, const char *system,
					const char *name, bool on)
{
	return name ? events_switch_name_later(tr, system, name, on) :
		      events_switch_system_later(tr, system, on);
}

int events_switch(struct trace_array *tr, const char *system, const char *name, bool on)
{
	int err = on ? event_expand(tr) : 0;

	if (err)
		return err;
	guard(mutex)(&events_lock);
	return events_settle_after(events_switch_matching_later(tr, system, name, on));
}

/* An empty name and a star match any name. */
static const char *event_name_or_any(const char *name)
{
	return name && *name && strcmp(name, "*") ? name : NULL;
}

/* @name may be the name of a system, of an event, or of both. */
static int events_switch_named_later(struct trace_array *tr, const char *name, bool on)
{
	int as_system = events_switch_matching_later(tr, name, NULL, on);
	int as_event = events_switch_matching_later(tr, NULL, name, on);

	if (as_system == -EINVAL)
		return as_event;
	return as_system ?: (as_event == -EINVAL ? 0 : as_event);
}

int events_switch_word_later(struct trace_array *tr, char *word)
{
	bool on = *word != '!';
	char *name = word + !on, *system = strsep(&name, ":");

	lockdep_assert_held(&events_lock);
	if (!name)
		return events_switch_named_later(tr, system, on);
	return events_switch_matching_later(tr, event_name_or_any(system),
					    event_name_or_any(name), on);
}

int trace_set_clr_event(const char *system, const char *event, int set)
{
	if (!tracing_initialized())
		return -ENODEV;
	return events_switch(&global_trace, system, event, set);
}
EXPORT_SYMBOL_GPL(trace_set_clr_event);

int trace_array_set_clr_event(struct trace_array *tr, const char *system, const char *event,
			      bool enable)
{
	if (!tr)
		return -ENOENT;
	return events_switch(tr, system, event, enable);
}
EXPORT_SYMBOL_GPL(trace_array_set_clr_event);
