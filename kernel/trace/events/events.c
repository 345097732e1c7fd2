// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of events, and the events of each instance.
 *
 * The kernel's own events are registered at boot, those of a module when it is loaded. When a
 * module goes, its events are removed from each instance, after a grace period for probes that
 * still run.
 */
#define pr_fmt(fmt) "trace events: " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/wait.h>

#include "boot.h"
#include "dirs.h"
#include "events.h"
#include "internal.h"
#include "lookup.h"

DECLARE_WAIT_QUEUE_HEAD(event_removal_waiters);

/* ------------------------------------------------------------------ */
/* Systems of an instance						*/

static struct event_system *event_system_get(struct instance_events *in, const char *name)
{
	static unsigned int numbers;
	struct event_system *system = event_find_system(in, name);

	if (!system) {
		system = kzalloc(sizeof(*system), GFP_KERNEL);
		if (!system)
			return NULL;
		system->name = kstrdup_const(name, GFP_KERNEL);
		if (!system->name) {
			kfree(system);
			return NULL;
		}
		system->tr = in->tr;
		system->number = ++numbers;
		list_add_tail(&system->node, &in->systems);
	}
	system->nr++;
	return system;
}

static void event_system_put(struct event_system *system)
{
	if (--system->nr)
		return;
	event_system_dir_remove(system);
	kfree(system->filter_text);
	list_del(&system->node);
	kfree_const(system->name);
	kfree(system);
}

/* ------------------------------------------------------------------ */
/* An event in an instance						*/

/*
 * Return: the event in the instance; an ERR_PTR(); NULL if the instance does not have its system.
 */
static struct trace_event_file *event_file_create(struct instance_events *in, struct event *event)
{
	struct trace_event_file *file;

	if (!event_system_is_wanted(in->tr, event_system_name(event)))
		return NULL;
	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file)
		return ERR_PTR(-ENOMEM);
	if (xa_is_err(xa_store(&in->by_type, event->type.id, file, GFP_KERNEL)))
		goto no_memory;
	file->system = event_system_get(in, event_system_name(event));
	if (!file->system) {
		xa_erase(&in->by_type, event->type.id);
		goto no_memory;
	}
	file->tr = in->tr;
	file->word = &in->tr->cpus->events.any;
	file->type = event->type.id;
	file->event = event;
	file->how = event_how_initial(in);
	event_pids_follow(file);
	file->head.stopped = file->word;
	file->soft_enabled = true;
	file->probed = event->call->flags & (TRACE_EVENT_FL_KPROBE | TRACE_EVENT_FL_FPROBE);
	RCU_INIT_POINTER(file->filter, &event_no_filter);
	list_add_tail(&file->node, &in->files);
	return file;
no_memory:
	kfree(file);
	return ERR_PTR(-ENOMEM);
}

/* The event is off, and no probe is in flight with @file. */
static void event_file_free(struct trace_event_file *file)
{
	wake_up_all(&event_removal_waiters);
	event_dir_remove(file);
	event_filter_clear(file);
	xa_erase(&events_of(file->tr)->by_type, file->type);
	list_del(&file->node);
	event_system_put(file->system);
	kfree(file);
}

static void event_files_free(struct instance_events *in)
{
	struct trace_event_file *file, *next;

	list_for_each_entry_safe(file, next, &in->files, node)
		event_file_free(file);
	/* A failed xa_store() may have left nodes behind. */
	xa_destroy(&in->by_type);
}

/* ------------------------------------------------------------------ */
/* Registering and removing events					*/

static const struct trace_event_fields *event_get_fields(const struct trace_event_call *call)
{
	const struct trace_event_class_ops *ops = call->class->ops;

	return ops ? ops->get_fields(call) : call->class->fields_array;
}

static bool event_has_field(const struct trace_event_fields *fields,
			    bool (*match)(const struct trace_event_fields *f))
{
	for (; fields->type; fields++)
		if (match(fields))
			return true;
	return false;
}

static void event_describe(struct event *event, struct trace_event_call *call,
			   const struct trace_event_fields *fields)
{
	event->call = call;
	event->has_text_pointers = event_has_field(fields, record_field_is_pointer_to_text);
	event->has_located_fields = event_has_field(fields, record_field_is_located);
	event->type = (struct record_type) {
		.name		= trace_event_name(call),
		.has_id		= true,
		.fields		= fields,
		.print_fmt	= call->class->print_fmt,
		.class		= call->class->ops ? call->class->ops->lines : &event_record_class,
	};
}

int event_init_unlisted(struct event *event, struct trace_event_call *call)
{
	const struct trace_event_fields *fields = event_get_fields(call);

	if (IS_ERR(fields))
		return PTR_ERR(fields);
	*event = (struct event){};
	event_describe(event, call, fields);
	return 0;
}

static struct event *event_create(struct trace_event_call *call, struct module *mod)
{
	const struct trace_event_fields *fields = event_get_fields(call);
	struct event *event;
	int err;

	if (IS_ERR(fields))
		return ERR_CAST(fields);
	event = kzalloc(sizeof(*event), GFP_KERNEL);
	if (!event)
		return ERR_PTR(-ENOMEM);
	call->module = mod;
	event_describe(event, call, fields);
	err = record_type_register(&event->type);
	if (err) {
		kfree(event);
		return ERR_PTR(err);
	}
	call->event.type = event->type.id;
	list_add_tail(&event->node, &all_events);
	hash_add(events_by_name, &event->named, event_name_hash(event->type.name));
	return event;
}

/* From now on only a dump on oops may print records of the event, until a grace period is over. */
static void event_unlist(struct event *event, struct list_head *left)
{
	record_type_unregister(&event->type);
	hash_del(&event->named);
	list_move(&event->node, left);
}

static void events_free_list(struct list_head *left)
{
	struct event *event, *next;

	synchronize_rcu();
	list_for_each_entry_safe(event, next, left, node)
		kfree(event);
}

/* Remove an event from all instances. */
static void event_remove_files(struct event *event)
{
	struct instance_events *in;
	struct trace_event_file *file;

	list_for_each_entry(in, &all_instance_events, node) {
		file = event_file_find(in, event);
		if (file)
			event_file_free(file);
	}
}

static int event_add_files(struct event *event)
{
	struct instance_events *in;
	struct trace_event_file *file;
	int err = 0;

	list_for_each_entry(in, &all_instance_events, node) {
		file = event_file_create(in, event);
		if (IS_ERR(file))
			return PTR_ERR(file);
		if (file && in->dir)
			err = event_dir_create(file);
		if (err)
			return err;
	}
	return 0;
}

static int event_add_call(struct trace_event_call *call, struct module *mod)
{
	struct event *event;
	LIST_HEAD(left);
	int err;

	lockdep_assert_held(&events_lock);
	event = event_create(call, mod);
	if (IS_ERR(event))
		return PTR_ERR(event);
	err = event_add_files(event);
	if (err) {
		event_remove_files(event);
		event_unlist(event, &left);
		events_free_list(&left);
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* Instances								*/

static int events_init(struct trace_array *tr)
{
	struct instance_events *in = events_of(tr);
	struct event *event;

	in->tr = tr;
	in->wanted = READ_ONCE(tr->flags) & EVENT_OPTS;
	INIT_LIST_HEAD(&in->files);
	xa_init(&in->by_type);
	INIT_LIST_HEAD(&in->systems);
	event_print_init(tr);
	guard(mutex)(&events_lock);
	list_for_each_entry(event, &all_events, node)
		if (IS_ERR(event_file_create(in, event)))
			goto no_memory;
	list_add_tail(&in->node, &all_instance_events);
	return 0;
no_memory:
	event_files_free(in);
	return -ENOMEM;
}

static int events_switch_all_off(struct trace_array *tr)
{
	/* -EINVAL means that there are no events to switch off. */
	events_switch(tr, NULL, NULL, false);
	return 0;
}

static void events_unlist_instance(struct trace_array *tr)
{
	struct instance_events *in = events_of(tr);

	scoped_guard(mutex, &events_lock)
		list_del(&in->node);
	tracepoint_synchronize_unregister();
}

static void events_exit(struct trace_array *tr)
{
	guard(mutex)(&events_lock);
	event_files_free(events_of(tr));
}

static void events_setup(void)
{
	event_options_follow();
	event_pids_setup();
	event_print_setup();
}

struct instance_part events_part = {
	.setup	= events_setup,
	.size	= sizeof(struct instance_events),
	.init	= events_init,
	.release	= events_switch_all_off,
	.unlisted = events_unlist_instance,
	.exit	= events_exit,
};

/* ------------------------------------------------------------------ */
/* Events made at run time						*/

struct event *event_find(const char *system, const char *name)
{
	struct event *event;

	lockdep_assert_held(&events_lock);
	hash_for_each_possible(events_by_name, event, named, event_name_hash(name))
		if (event_has_name(event, system, name))
			return event;
	return NULL;
}

/* A lookup by name does not do: an event of a module may have the name of one made at run time. */
static struct event *event_find_call(const struct trace_event_call *call)
{
	struct event *event;

	hash_for_each_possible(events_by_name, event, named,
			       event_name_hash(trace_event_name(call)))
		if (event->call == call)
			return event;
	return NULL;
}

/* Readers of records and of format files use these members. */
static bool event_class_is_complete(const struct trace_event_class *class)
{
	return class->reg &&
	       (class->ops || (class->fields_array && class->print && class->print_fmt));
}

static bool event_name_is_valid(const struct trace_event_call *call)
{
	return !event_name_is_taken(trace_event_name(call)) &&
	       !event_system_name_is_taken(call->class->system);
}

int trace_add_event_call(struct trace_event_call *call)
{
	if (!event_class_is_complete(call->class) || !event_name_is_valid(call))
		return -EINVAL;
	guard(mutex)(&events_lock);
	if (event_find(call->class->system, trace_event_name(call)))
		return -EEXIST;
	return event_add_call(call, call->module);
}
EXPORT_SYMBOL_GPL(trace_add_event_call);

/* True if the event is on in any instance, or referenced. */
static bool event_is_in_use(struct event *event)
{
	struct instance_events *in;
	struct trace_event_file *file;

	list_for_each_entry(in, &all_instance_events, node) {
		file = event_file_find(in, event);
		if (file && file->on)
			return true;
	}
	/* Pairs with the release in event_put(). */
	return atomic_read_acquire(&event->refs);
}

bool event_call_is_busy(const struct trace_event_call *call)
{
	struct event *event;

	guard(mutex)(&events_lock);
	event = event_find_call(call);
	return event && event_is_in_use(event);
}

int event_calls_remove(struct trace_event_call **calls, unsigned int nr)
{
	struct event *event;
	LIST_HEAD(left);

	guard(mutex)(&events_lock);
	for (unsigned int i = 0; i < nr; i++) {
		event = event_find_call(calls[i]);
		if (event && event_is_in_use(event))
			return -EBUSY;
	}
	/* Wait for probes that are in flight although all events are off. */
	tracepoint_synchronize_unregister();
	for (unsigned int i = 0; i < nr; i++) {
		event = event_find_call(calls[i]);
		if (!event)
			continue;
		event_remove_files(event);
		event_unlist(event, &left);
	}
	events_free_list(&left);
	return 0;
}

int trace_remove_event_call(struct trace_event_call *call)
{
	scoped_guard(mutex, &events_lock)
		if (!event_find_call(call))
			return -ENOENT;
	return event_calls_remove(&call, 1);
}
EXPORT_SYMBOL_GPL(trace_remove_event_call);

/* ------------------------------------------------------------------ */
/* Events of the kernel, and of modules					*/

static void events_add_calls(struct trace_event_call **calls, unsigned int nr, struct module *mod)
{
	int err;

	guard(mutex)(&events_lock);
	for (unsigned int i = 0; i < nr; i++) {
		err = event_add_call(calls[i], mod);
		/* -ENODEV: this kernel does not have the event. */
		if (err && err != -ENODEV)
			pr_warn("no %s: %d\n", trace_event_name(calls[i]), err);
	}
}

void __init events_add_own(void)
{
	events_add_calls(__start_ftrace_events, __stop_ftrace_events - __start_ftrace_events, NULL);
}

#ifdef CONFIG_MODULES

static void events_module_coming(struct module *mod)
{
	/* A struct trace_event_call of such a module may have the layout of another kernel. */
	if (trace_module_has_bad_taint(mod)) {
		if (mod->num_trace_events)
			pr_err("%s has a bad taint: its events are left out\n", mod->name);
		return;
	}
	event_evals_add(mod);
	events_add_calls(mod->trace_events, mod->num_trace_events, mod);
}

/* Switch an event off in all instances. Probes may still be in flight. */
static void event_switch_off_everywhere(struct event *event)
{
	struct instance_events *in;
	struct trace_event_file *file;

	list_for_each_entry(in, &all_instance_events, node) {
		file = event_file_find(in, event);
		if (!file)
			continue;
		if (rcu_access_pointer(file->triggers))
			event_trigger_ops->event_removed(file);
		event_switch_later(file, false);
	}
}

/* Remove the events of a module. Records of them that are still in buffers print as unknown. */
static void events_remove_module(struct module *mod)
{
	struct event *event, *next;
	LIST_HEAD(left);

	guard(mutex)(&events_lock);
	list_for_each_entry(event, &all_events, node)
		if (event->call->module == mod)
			event_switch_off_everywhere(event);
	/*
	 * Done before the module's text is freed: jump labels have been notified of its removal
	 * already.
	 */
	events_settle();
	tracepoint_synchronize_unregister();
	list_for_each_entry_safe(event, next, &all_events, node) {
		if (event->call->module != mod)
			continue;
		event_remove_files(event);
		event_unlist(event, &left);
	}
	events_free_list(&left);
}

static void events_module_going(struct module *mod)
{
	if (mod->num_trace_events)
		events_remove_module(mod);
	event_evals_remove(mod);
}

static int events_module_notify(struct notifier_block *nb, unsigned long what, void *data)
{
	if (what == MODULE_STATE_COMING)
		events_module_coming(data);
	else if (what == MODULE_STATE_GOING)
		events_module_going(data);
	return NOTIFY_OK;
}

/*
 * The priority is above that of tracepoints, whose notifier expects that the tracepoints of a
 * module that goes have no probes any more.
 */
static struct notifier_block events_module_nb = {
	.notifier_call	= events_module_notify,
	.priority	= 1,
};

static int __init events_register_module_notifier(void)
{
	return register_module_notifier(&events_module_nb);
}
core_initcall(events_register_module_notifier);

#endif
