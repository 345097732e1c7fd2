// SPDX-License-Identifier: GPL-2.0
/*
 * Instances beside the top one: made and removed by mkdir and rmdir in the
 * directory instances (tracefs/instances.c), or by modules.
 *
 * An instance can go while nobody uses it, that is, while its count of
 * references is zero.  Taken off the list it cannot be found any more, by its
 * files neither; then everything that points at it is undone, by the parts (part.h), a grace
 * period waited for, and the memory freed.
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
 * One instance is made or removed at a time, so that a name is not given again
 * before its directory is gone.  Outside trace_lock.
 */
static DEFINE_MUTEX(instances_mutex);

static struct trace_array *find_instance(const char *name)
{
	struct trace_array *tr;

	lockdep_assert_held(&trace_lock);
	for_each_trace_array(tr) {
		if (tr->name && !strcmp(tr->name, name))
			return tr;
	}
	return NULL;
}

static void free_names(struct trace_array *tr)
{
	kfree(tr->name);
	kfree_const(tr->systems);
	kfree(tr);
}

static struct trace_array *alloc_instance(const char *name, const char *systems)
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
	free_names(tr);
	return ERR_PTR(ret);
}

static void free_instance(struct trace_array *tr)
{
	trace_array_exit(tr);
	free_names(tr);
}

/* Take it off the list, with nothing recorded from then on. */
static int retire_instance(struct trace_array *tr)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tr->ref || tr->trace_ref)
		return -EBUSY;
	ret = tracing_stop_tracer(tr) ?: instance_parts_let_go(tr);
	if (ret)
		return ret;
	trace_options_let_go(tr);
	list_del_rcu(&tr->list);
	return 0;
}

static struct trace_array *make_instance(const char *name, const char *systems)
{
	struct trace_array *tr = alloc_instance(name, systems);
	int ret;

	if (IS_ERR(tr))
		return tr;
	scoped_guard(mutex, &trace_lock)
		ret = tracing_expand(tr);
	if (ret) {
		free_instance(tr);
		return ERR_PTR(ret);
	}
	/* Until now its files could not be opened. */
	trace_array_publish(tr);
	return tr;
}

static int remove_instance(struct trace_array *tr)
{
	int ret;

	scoped_guard(mutex, &trace_lock)
		ret = retire_instance(tr);
	if (!ret)
		free_instance(tr);
	return ret;
}

int trace_instance_make(const char *name)
{
	guard(mutex)(&instances_mutex);
	scoped_guard(mutex, &trace_lock) {
		if (find_instance(name))
			return -EEXIST;
	}
	return PTR_ERR_OR_ZERO(make_instance(name, NULL));
}

int trace_instance_remove(const char *name)
{
	struct trace_array *tr;

	guard(mutex)(&instances_mutex);
	scoped_guard(mutex, &trace_lock)
		tr = find_instance(name);
	return tr ? remove_instance(tr) : -ENODEV;
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
		tr = find_instance(name);
	return tr && !trace_array_get(tr) ? tr : NULL;
}

/**
 * trace_array_get_by_name - find an instance, or make it
 * @name: as its directory under instances/
 * @systems: whose events it has, if it is made, with commas or white space between them; NULL
 * for those of all. It has no others, and no directories for them.
 *
 * Its files come when there is a tree, unless the kernel is locked down. In one that
 * has been locked down since, no instance is made.
 *
 * Context: may sleep; takes trace_lock.
 * Return: the instance, to be given back with trace_array_put(); NULL when it
 * could not be made, for want of memory or because tracing is not up.
 */
struct trace_array *trace_array_get_by_name(const char *name, const char *systems)
{
	struct trace_array *tr;

	if (!tracing_initialized())
		return NULL;

	guard(mutex)(&instances_mutex);
	scoped_guard(mutex, &trace_lock)
		tr = find_instance(name);
	if (!tr)
		tr = make_instance(name, systems);
	if (IS_ERR(tr))
		return NULL;
	/* It cannot go before instances_mutex is released. */
	return trace_array_get(tr) ? NULL : tr;
}
EXPORT_SYMBOL_GPL(trace_array_get_by_name);

/**
 * trace_array_destroy - remove an instance
 * @tr: from trace_array_get_by_name(), given back with trace_array_put()
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -EBUSY while it is in use; -EINVAL for the top instance; -ENODEV
 * when it is gone already.
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
	return remove_instance(tr);
}
EXPORT_SYMBOL_GPL(trace_array_destroy);
