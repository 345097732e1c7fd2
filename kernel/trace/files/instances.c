// SPDX-License-Identifier: GPL-2.0
/*
 * Instances beside the top one: made and removed by mkdir and rmdir in the
 * directory instances, or by modules.
 *
 * An instance can go while nobody uses it, that is, while its count of
 * references is zero.  Taken off the list it cannot be found any more, by its
 * files neither; then everything that points at it is undone, a grace period
 * waited for, and the memory freed.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "files.h"
#include "instance/instance.h"
#include "output/error_log.h"
#include "record/pids.h"
#include "tracers/func_command.h"

/*
 * One instance is made or removed at a time, so that a name is not given again
 * before its directory is gone.  Outside trace_lock.
 */
static DEFINE_MUTEX(instances_mutex);

/* Options that stand for something outside the instance. */
static const enum trace_option_bit bound_options[] = {
	TRACE_OPT_PRINTK_DEST_BIT,
#ifdef CONFIG_FUNCTION_TRACER
	TRACE_OPT_FUNC_FORK_BIT,
#endif
};

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

static struct trace_array *alloc_instance(const char *name)
{
	struct trace_array *tr = kzalloc(sizeof(*tr), GFP_KERNEL);

	if (!tr)
		return NULL;
	tr->name = kstrdup(name, GFP_KERNEL);
	if (!tr->name || trace_array_init(tr)) {
		kfree(tr->name);
		kfree(tr);
		return NULL;
	}
	return tr;
}

/* Undo what others hold of it; it is off the list, trace_lock is not held. */
static void free_instance(struct trace_array *tr)
{
	scoped_guard(mutex, &trace_lock)
		trace_option_set(tr, TRACE_OPT_RECORD_TGID_BIT, false);
	for (int type = 0; type < NR_TRACE_PID_TYPES; type++)
		trace_pids_clear(tr, type);
	ftrace_free_filter(&tr->gops.ops);
	/* Walkers of the list, and trace_printk() on its way into it. */
	synchronize_rcu();
	trace_array_exit(tr);
	kfree(tr->name);
	kfree(tr);
}

/* Take it off the list, with nothing recorded from then on. */
static int retire_instance(struct trace_array *tr)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tr->ref || tr->trace_ref)
		return -EBUSY;
	ret = tracing_stop_tracer(tr) ?: func_commands_clear(tr);
	if (ret)
		return ret;
	for (unsigned int i = 0; i < ARRAY_SIZE(bound_options); i++)
		trace_option_set(tr, bound_options[i], false);
	tracer_options_reset(tr);
	list_del_rcu(&tr->list);
	return 0;
}

static int prepare_instance(struct trace_array *tr)
{
	bool tgids = trace_array_opt(&global_trace, TRACE_OPT_RECORD_TGID);

	guard(mutex)(&trace_lock);
	return trace_option_set(tr, TRACE_OPT_RECORD_TGID_BIT, tgids) ?:
	       tracing_expand(tr);
}

static struct trace_array *make_instance(const char *name)
{
	struct trace_array *tr = alloc_instance(name);
	int ret;

	if (!tr)
		return ERR_PTR(-ENOMEM);

	ret = prepare_instance(tr) ?: trace_instance_files_create(tr);
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
	if (ret)
		return ret;
	trace_instance_files_remove(tr);
	error_log_clear(tr);
	free_instance(tr);
	return 0;
}

int trace_instance_mkdir(const char *name)
{
	guard(mutex)(&instances_mutex);
	scoped_guard(mutex, &trace_lock) {
		if (find_instance(name))
			return -EEXIST;
	}
	return PTR_ERR_OR_ZERO(make_instance(name));
}

int trace_instance_rmdir(const char *name)
{
	struct trace_array *tr;

	guard(mutex)(&instances_mutex);
	scoped_guard(mutex, &trace_lock)
		tr = find_instance(name);
	return tr ? remove_instance(tr) : -ENODEV;
}

void __init trace_instances_get_files(void)
{
	struct trace_array *tr;

	/* What was made before stays: who removes it needs this, too. */
	guard(mutex)(&instances_mutex);
	for_each_trace_array(tr) {
		if (!trace_array_is_top(tr) && trace_instance_files_create(tr))
			pr_warn("tracefs: no files for instance %s\n", tr->name);
	}
}

/**
 * trace_array_get_by_name - find an instance, or make it
 * @name: as its directory under instances/
 * @systems: ignored: there are no events to choose from
 *
 * Its files come when there is a tree, unless the kernel is locked down.
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
		tr = make_instance(name);
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
