// SPDX-License-Identifier: GPL-2.0
/*
 * Events go on and off.
 */
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
#include "tasks/cmdlines.h"

/**
 * struct meant - which events somebody means
 * @system: of that system, or NULL for any
 * @name: of that name, or NULL for any
 * @hash: of the name
 */
struct meant {
	const char	*system;
	const char	*name;
	u32		hash;
};

static struct meant meant(const char *system, const char *name)
{
	return (struct meant) {
		.system	= system,
		.name	= name,
		.hash	= name ? event_name_hash(name) : 0,
	};
}

static bool is_meant(const struct trace_event_file *file, const struct meant *m)
{
	if (m->name && (file->hash != m->hash || strcmp(m->name, file->event->type.name)))
		return false;
	return !m->system || !strcmp(m->system, event_system_name(file->event));
}

struct trace_event_file *event_file_named(struct trace_array *tr, const char *system,
					  const char *name)
{
	struct meant m = meant(system, name);
	struct trace_event_file *file;

	list_for_each_entry(file, &events_of(tr)->files, node)
		if (is_meant(file, &m))
			return file;
	file = &events_of(tr)->print;
	return system && is_meant(file, &m) ? file : NULL;
}

struct trace_event_file *event_file_of(struct trace_array *tr, u32 key)
{
	/* The lower half of a key is the type. */
	struct trace_event_file *file = xa_load(&events_of(tr)->by_type, (u16)key);

	if (file && record_type_key(&file->event->type) == key)
		return file;
	return key == TRACE_PRINT ? &events_of(tr)->print : NULL;
}

static bool module_stays(struct module *mod)
{
#ifdef CONFIG_MODULES
	return !mod || (mod->state == MODULE_STATE_LIVE && try_module_get(mod));
#else
	return true;
#endif
}

bool event_get(struct event *event)
{
	lockdep_assert_held(&events_lock);
	if (!module_stays(event->call->module))
		return false;
	atomic_inc(&event->refs);
	return true;
}

void event_put(struct event *event)
{
	struct module *mod = event->call->module;

	/* The last that is read of it: pairs with is_in_use(). */
	atomic_dec_return_release(&event->refs);
	module_put(mod);
}

struct trace_event_file *event_file_get(struct trace_array *tr, const char *system,
					const char *name)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_named(tr, system, name);
	/* The tracer's own are not switched. */
	return file && file->type >= TRACE_FIRST_EVENT && event_get(file->event) ? file : NULL;
}

void event_file_put(struct trace_event_file *file)
{
	event_put(file->event);
}

/*
 * What went off and is on for somebody else, whom the tracepoint's iterator calls until
 * events_settle(). Protected by events_lock.
 */
static HLIST_HEAD(unsettled_files);

/* events_settle() follows whatever has "queue" or "later" in its name. */
static int queue_add(struct trace_event_file *file, enum trace_reg what)
{
	struct trace_event_call *call = file->event->call;

	lockdep_assert_held(&events_lock);
	if (call->class->reg)
		return call->class->reg(call, what, file);
	/* A custom event whose tracepoint has not been found; pairs with that of _update(). */
	if (!(smp_load_acquire(&call->flags) & TRACE_EVENT_FL_TRACEPOINT))
		return -ENODEV;
	return tracepoint_probe_register_queued(call->tp, call->class->probe, file);
}

static void queue_remove(struct trace_event_file *file, enum trace_reg what)
{
	struct trace_event_call *call = file->event->call;

	lockdep_assert_held(&events_lock);
	if (call->class->reg) {
		call->class->reg(call, what, file);
		return;
	}
	tracepoint_probe_unregister_queued(call->tp, call->class->probe, file);
	if (static_key_enabled(&call->tp->key) && hlist_unhashed(&file->unsettled))
		hlist_add_head(&file->unsettled, &unsettled_files);
}

/* Events of event_switch_later() wait for events_settle(). Protected by events_lock. */
static bool many_wait;

bool events_are_many(void)
{
	lockdep_assert_held(&events_lock);
	return many_wait;
}

/* Set once, at boot, before any event is on. */
int (*events_settle_probes)(void) __ro_after_init;

int events_settle(void)
{
	struct trace_event_file *file;
	struct hlist_node *next;
	int err = 0;

	lockdep_assert_held(&events_lock);
	if (many_wait && events_settle_probes)
		err = events_settle_probes();
	many_wait = false;
	static_keys_apply();
	hlist_for_each_entry_safe(file, next, &unsettled_files, unsettled) {
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
	int err = queue_add(file, what);

	/* The end of many settles the events that their eprobes are made of as well. */
	if (!many_wait)
		events_settle();
	return err;
}

void event_probe_remove(struct trace_event_file *file, enum trace_reg what)
{
	queue_remove(file, what);
	if (!many_wait)
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

static int count_on(struct instance_events *in)
{
	int err;

	in->nr_on++;
	err = events_save_comms(in);
	if (err)
		in->nr_on--;
	return err;
}

static void count_off(struct instance_events *in)
{
	in->nr_on--;
	/* It cannot fail: nothing begins. */
	events_save_comms(in);
}

static int queue_start(struct trace_event_file *file)
{
	struct instance_events *in = events_of(file->tr);
	int err = count_on(in);

	if (err)
		return err;
	err = queue_add(file, TRACE_REG_REGISTER);
	if (err)
		count_off(in);
	else
		file->on = true;
	return err;
}

static void queue_stop(struct trace_event_file *file)
{
	queue_remove(file, TRACE_REG_UNREGISTER);
	count_off(events_of(file->tr));
	file->on = false;
}

/* A probe that is told so makes no record, or one in any case. */
static DEFINE_PER_CPU(unsigned long, never) = 1;
static DEFINE_PER_CPU(unsigned long, always);

/* What the probe is to ask. */
static unsigned long __percpu *stopped(const struct trace_event_file *file)
{
	bool let = READ_ONCE(file->let);

	if (rcu_access_pointer(file->triggers))
		return let ? &always : READ_ONCE(file->triggers_rest) ?: &always;
	return let ? file->word : &never;
}

/*
 * Tell the probe so. Somebody may change what that depends on meanwhile, in an NMI too,
 * and tell it as well: whoever has told it last has seen all of it as it is.
 */
static void tell_probe(struct trace_event_file *file)
{
	unsigned long __percpu *ask;

	do {
		ask = stopped(file);
		WRITE_ONCE(file->head.stopped, ask);
		/* The word before the rest: pairs with itself elsewhere, and with those below. */
		smp_mb();
	} while (ask != stopped(file));
}

void event_soft_let(struct trace_event_file *file, bool on)
{
	WRITE_ONCE(file->let, on);
	/* Pairs with tell_probe(). */
	smp_mb();
	tell_probe(file);
}

static int switch_queued(struct trace_event_file *file, bool on)
{
	int err;

	lockdep_assert_held(&events_lock);
	if (on && !file->on) {
		err = queue_start(file);
		if (err)
			return err;
	}
	if (!on && file->on && !file->soft)
		queue_stop(file);
	/* What it has been told already, hundreds of others have to be told as well. */
	on |= !file->on;
	if (event_is_let(file) != on)
		event_soft_let(file, on);
	return 0;
}

int event_switch_later(struct trace_event_file *file, bool on)
{
	many_wait = true;
	return switch_queued(file, on);
}

int event_switch(struct trace_event_file *file, bool on)
{
	int err = switch_queued(file, on);

	events_settle();
	return err;
}

/* From now on its probe is called, whether it is on or not. */
static int soft_begin(struct trace_event_file *file)
{
	int err;

	if (!file->on) {
		event_soft_let(file, false);
		err = queue_start(file);
		events_settle();
		if (err) {
			event_soft_let(file, true);
			return err;
		}
	}
	file->soft++;
	return 0;
}

static void soft_end(struct trace_event_file *file)
{
	if (!--file->soft && !event_is_let(file)) {
		queue_stop(file);
		events_settle();
		event_soft_let(file, true);
	}
}

int event_soft_get(struct trace_event_file *file)
{
	int err;

	guard(mutex)(&events_lock);
	err = soft_begin(file);
	if (err)
		return err;
	/* The caller has it by event_file_get(). */
	__module_get(file->event->call->module);
	atomic_inc(&file->event->refs);
	return 0;
}

void event_soft_put(struct trace_event_file *file)
{
	guard(mutex)(&events_lock);
	soft_end(file);
	event_file_put(file);
}

const struct event_trigger_ops *event_trigger_ops __ro_after_init;

int event_triggers_set(struct trace_event_file *file, struct event_triggers *triggers)
{
	bool had = rcu_access_pointer(file->triggers);
	int err = triggers && !had ? soft_begin(file) : 0;

	lockdep_assert_held(&events_lock);
	if (err)
		return err;
	rcu_assign_pointer(file->triggers, triggers);
	event_how_set(file, EVENT_HOW_TRIGGERS, triggers);
	/* Pairs with tell_probe(). */
	smp_mb();
	tell_probe(file);
	if (had && !triggers)
		soft_end(file);
	return 0;
}

void event_triggers_rest(struct trace_event_file *file, unsigned long __percpu *word)
{
	lockdep_assert_held(&events_lock);
	if (file->triggers_rest == word)
		return;
	WRITE_ONCE(file->triggers_rest, word);
	/* Pairs with tell_probe(). */
	smp_mb();
	tell_probe(file);
}

int event_expand(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	return tracing_expand(tr);
}

static int switch_meant_later(struct trace_array *tr, const char *system, const char *name,
			      bool on)
{
	struct meant m = meant(system, name);
	struct trace_event_file *file;
	int ret = -EINVAL, first = 0;

	list_for_each_entry(file, &events_of(tr)->files, node) {
		if (!is_meant(file, &m))
			continue;
		ret = event_switch_later(file, on);
		first = first ?: ret;
	}
	return first ?: ret;
}

int events_switch(struct trace_array *tr, const char *system, const char *name, bool on)
{
	int err = on ? event_expand(tr) : 0;

	if (err)
		return err;
	guard(mutex)(&events_lock);
	return events_settle_after(switch_meant_later(tr, system, name, on));
}

/* A name that is empty, or a star, is any. */
static const char *name_or_any(const char *name)
{
	return name && *name && strcmp(name, "*") ? name : NULL;
}

/* Either kind of name. */
static int switch_named_later(struct trace_array *tr, const char *name, bool on)
{
	int as_system = switch_meant_later(tr, name, NULL, on);
	int as_event = switch_meant_later(tr, NULL, name, on);

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
		return switch_named_later(tr, system, on);
	return switch_meant_later(tr, name_or_any(system), name_or_any(name), on);
}

static struct trace_array *instance_get(const char *name)
{
	if (!tracing_initialized())
		return NULL;
	if (name)
		return trace_array_find_get(name);
	return trace_array_get(&global_trace) ? NULL : &global_trace;
}

struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *event)
{
	struct trace_array *tr = instance_get(instance);
	struct trace_event_file *file;

	if (!tr)
		return ERR_PTR(-ENOENT);
	file = event_file_get(tr, system, event);
	if (file)
		return file;
	trace_array_put(tr);
	return ERR_PTR(-EINVAL);
}
EXPORT_SYMBOL_GPL(trace_get_event_file);

void trace_put_event_file(struct trace_event_file *file)
{
	struct trace_array *tr = file->tr;

	event_file_put(file);
	trace_array_put(tr);
}
EXPORT_SYMBOL_GPL(trace_put_event_file);

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
