// SPDX-License-Identifier: GPL-2.0
/*
 * Instances other than the top one: created and removed by mkdir and rmdir in the directory
 * instances (tracefs/instances.c), or by modules.
 *
 * An instance can be removed while its count of references is zero. It is taken off the list
 * first: from then on nobody can find it, not through its files either. Then the parts
 * (part.h) undo everything that points to it, an RCU grace period passes, and its memory is
 * freed.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "instance.h"
#include "internal.h"

/*
 * Serializes creation and removal of instances, so that a name is not used again before its
 * directory is gone. Taken outside of trace_lock.
 */
static DEFINE_MUTEX(instances_mutex);

static struct trace_array *instance_find(const char *name)
{
	struct trace_array *tr;

	lockdep_assert_held(&trace_lock);
	for_each_trace_array(tr) {
		if (tr->name && !strcmp(tr->name, name))
			return tr;
	}
	return NULL;
}

static void free_instance_names(struct trace_array *tr)
{
	kfree(tr->name);
	kfree_const(tr->systems);
	kfree(tr);
}

static struct trace_array *instance_alloc(const char *name, const char *systems)
{
	struct trace_array *tr = kzalloc(sizeof(*tr), GFP_KERNEL);
	int ret = -ENOMEM;

	if (!tr)
		return ERR_PTR(-ENOMEM);
	tr->name = kstrdup(name, GFP_KERNEL);
	tr->systems = kstrdup_const(systems, GFP_KERNEL);
	if (tr->name && (tr->systems || !systems))
		ret = trace_array_init(tr);
	if (!ret)
		return tr;
	free_instance_names(tr);
	return ERR_PTR(ret);
}

static void instance_free(struct trace_array *tr)
{
	trace_array_exit(tr);
	free_instance_names(tr);
}

/* Remove an instance from the list, after its tracer and its parts have stopped recording. */
static int instance_retire(struct trace_array *tr)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tr->ref || tr->trace_ref)
		return -EBUSY;
	ret = tracing_stop_tracer(tr) ?: instance_parts_release(tr);
	if (ret)
		return ret;
	trace_options_release(tr);
	list_del_rcu(&tr->list);
	return 0;
}

static struct trace_array *instance_make(const char *name, const char *systems)
{
	struct trace_array *tr = instance_alloc(name, systems);
	int ret;

	if (IS_ERR(tr))
		return tr;
	scoped_guard(mutex, &trace_lock)
		ret = tracing_expand(tr);
	if (ret) {
		instance_free(tr);
		return ERR_PTR(ret);
	}
	/* Until here the files of the instance could not be opened. */
	trace_array_publish(tr);
	return tr;
}

static int instance_remove(struct trace_array *tr)
{
	int ret;

	scoped_guard(mutex, &trace_lock)
		ret = instance_retire(tr);
	if (!ret)
		instance_free(tr);
	return ret;
}

int trace_instance_make(const char *name)
{
	guard(mutex)(&instances_mutex);
	scoped_guard(mutex, &trace_lock) {
		if (instance_find(name))
			return -EEXIST;
	}
	return PTR_ERR_OR_ZERO(instance_make(name, NULL));
}

int trace_instance_remove(const char *name)
{
	struct trace_array *tr;

	guard(mutex)(&instances_mutex);
	scoped_guard(mutex, &trace_lock)
		tr = instance_find(name);
	return tr ? instance_remove(tr) : -ENODEV;
}

void __init trace_instances_visit(void (*visit)(struct trace_array *tr))
{
	struct trace_array *tr;

	guard(mutex)(&instances_mutex);
	for_each_trace_array(tr)
		visit(tr);
}

struct trace_array *trace_array_find_get(const char *name)
{
	struct trace_array *tr;

	guard(mutex)(&instances_mutex);
	scoped_guard(mutex, &trace_lock)
		tr = instance_find(name);
	return tr && !trace_array_get(tr) ? tr : NULL;
}

/**
 * trace_array_get_by_name() - find an instance, or create it
 * @name: name of its directory in instances/
 * @systems: systems whose events a new instance gets, separated by commas or white space; NULL
 *	for all. It has no events of other systems, and no directories for them
 *
 * The instance gets files when tracefs is set up, unless the kernel is locked down. If the
 * kernel was locked down after tracefs was set up, no instance is created.
 *
 * Context: may sleep; takes trace_lock.
 * Return: the instance, for trace_array_put(); NULL if it could not be created for lack of
 * memory, or because tracing is not initialized.
 */
struct trace_array *trace_array_get_by_name(const char *name, const char *systems)
{
	struct trace_array *tr;

	if (!tracing_initialized())
		return NULL;

	guard(mutex)(&instances_mutex);
	scoped_guard(mutex, &trace_lock)
		tr = instance_find(name);
	if (!tr)
		tr = instance_make(name, systems);
	if (IS_ERR(tr))
		return NULL;
	/* The instance cannot be removed before instances_mutex is released. */
	return trace_array_get(tr) ? NULL : tr;
}
EXPORT_SYMBOL_GPL(trace_array_get_by_name);

/**
 * trace_array_destroy() - remove an instance
 * @tr: instance from trace_array_get_by_name(), after trace_array_put()
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -EBUSY while it is in use; -EINVAL for the top instance; -ENODEV if it was
 * removed already.
 */
int trace_array_destroy(struct trace_array *tr)
{
	int ret;

	if (!tr || trace_array_is_top(tr))
		return -EINVAL;

	guard(mutex)(&instances_mutex);
	ret = trace_array_get(tr);
	if (ret)
		return ret;
	trace_array_put(tr);
	return instance_remove(tr);
}
EXPORT_SYMBOL_GPL(trace_array_destroy);
