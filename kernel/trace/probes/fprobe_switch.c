// SPDX-License-Identifier: GPL-2.0
/*
 * Start and stop of probes of functions. Registering an fprobe patches text in a pass of its own,
 * and unregistering one waits for all tasks. So while many events are switched together, their
 * probes wait, and function_probes_settle() registers or unregisters them together.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>

#include "dispatch/death.h"
#include "events/events.h"
#include "events/links.h"
#include "fprobe.h"

/*
 * Protected by events_lock, which module notifiers may take; not by dyn_events_lock, so that
 * loading a module does not wait for the creation and removal of probes.
 */
LIST_HEAD(function_probes_on);

/* Probes that wait to be unregistered (by &function_probe.on), and their number; events_lock. */
LIST_HEAD(function_probes_stopping);
static unsigned int nr_function_probes_stopping;

/*
 * Probes that wait to be registered, and their number; events_lock. They are in function_probes_on
 * already.
 */
static LIST_HEAD(function_probes_starting);
static unsigned int nr_function_probes_starting;

/* ------------------------------------------------------------------ */
/* Registration								*/

/* Check before deferring what would fail later, so that the event is not enabled in vain. */
static int function_check_site(unsigned long at)
{
	if (ftrace_is_dead())
		return -ENODEV;
	return ftrace_location(at) ? 0 : -EINVAL;
}

int function_probe_register(struct function_probe *f, unsigned long at)
{
	int err;

	lockdep_assert_held(&events_lock);
	f->at = at;
	if (!events_in_batch())
		return register_fprobe_ips(&f->fp, &f->at, 1);
	err = function_check_site(at);
	if (err)
		return err;
	list_add_tail(&f->starting, &function_probes_starting);
	nr_function_probes_starting++;
	return 0;
}

static bool function_probe_is_starting(const struct function_probe *f)
{
	return !list_empty(&f->starting);
}

static void function_probe_cancel_start(struct function_probe *f)
{
	list_del_init(&f->starting);
	nr_function_probes_starting--;
}

static int function_probes_start_each(void)
{
	struct function_probe *f;
	int ret = 0, err;

	list_for_each_entry(f, &function_probes_starting, starting) {
		err = register_fprobe_ips(&f->fp, &f->at, 1);
		ret = ret ?: err;
	}
	return ret;
}

static int function_probes_start_together(struct fprobe **fps, unsigned long *addrs)
{
	struct function_probe *f;
	int nr = 0;

	list_for_each_entry(f, &function_probes_starting, starting) {
		fps[nr] = &f->fp;
		addrs[nr++] = f->at;
	}
	return register_fprobes(fps, addrs, nr);
}

/*
 * Disable an event in all instances, as one of its probes could not be registered. This batch has
 * enabled the event: otherwise its probes would be registered already, and not wait.
 */
static void function_event_disable(struct probe_event *event)
{
	struct event_link *link, *next;

	list_for_each_entry_safe(link, next, &event->files, node)
		if (!(READ_ONCE(link->file->how) & EVENT_HOW_OTHER_CONSUMERS))
			event_switch_later(link->file, false);
}

/*
 * Register all probes that wait for it. Events of which a probe fails are disabled again.
 *
 * Return: 0, or the errno of a probe that failed.
 */
static int function_probes_start(void)
{
	struct fprobe **fps = kvmalloc_array(nr_function_probes_starting, sizeof(*fps), GFP_KERNEL);
	unsigned long *addrs = kvmalloc_array(nr_function_probes_starting, sizeof(*addrs),
					      GFP_KERNEL);
	int err = fps && addrs ? function_probes_start_together(fps, addrs) :
				 function_probes_start_each();
	struct function_probe *f;

	kvfree(fps);
	kvfree(addrs);
	/* Disabling an event also takes its other probes from the list. */
	while (!list_empty(&function_probes_starting)) {
		f = list_first_entry(&function_probes_starting, struct function_probe, starting);
		function_probe_cancel_start(f);
		if (fprobe_is_registered(&f->fp))
			continue;
		pr_warn_ratelimited("%s: cannot be probed (%d)\n", f->symbol, err);
		function_event_disable(f->probe.event);
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* Unregistration							*/

void function_probe_unregister(struct function_probe *f)
{
	lockdep_assert_held(&events_lock);
	if (function_probe_is_starting(f))
		function_probe_cancel_start(f);
	if (fprobe_is_registered(&f->fp))
		unregister_fprobe(&f->fp);
}

/* True if the end of a probe is left to function_probes_settle(), while events_in_batch(). */
static bool function_probe_defer_stop(struct function_probe *f)
{
	lockdep_assert_held(&events_lock);
	if (!events_in_batch() || !fprobe_is_registered(&f->fp))
		return false;
	f->ending = true;
	nr_function_probes_stopping++;
	list_move(&f->on, &function_probes_stopping);
	return true;
}

/* Undo function_probe_defer_stop(). Return: false if the end was not deferred. */
static bool function_probe_cancel_stop(struct function_probe *f)
{
	lockdep_assert_held(&events_lock);
	if (!f->ending)
		return false;
	f->ending = false;
	nr_function_probes_stopping--;
	list_move(&f->on, &function_probes_on);
	return true;
}

/* ------------------------------------------------------------------ */
/* On and off								*/

/* @f->in is only compared, so it needs no reference: the probe stops before the module is freed. */
int function_probe_attach(struct function_probe *f, unsigned long at)
{
	int err = f->finder->start(f, at);

	if (err)
		return err;
	guard(preempt)();
	f->in = __module_address(at);
	return 0;
}

int function_probe_follow(struct function_probe *f, const struct function_finder *finder)
{
	unsigned long at;
	int err = 0;

	lockdep_assert_held(&events_lock);
	if (function_probe_cancel_stop(f))
		return 0;
	f->finder = finder;
	at = finder->find(f, NULL);
	if (at)
		err = function_probe_attach(f, at);
	if (!err)
		list_add(&f->on, &function_probes_on);
	return err;
}

void function_probe_detach(struct function_probe *f)
{
	f->finder->stop(f);
	f->in = NULL;
}

void function_probe_unfollow(struct function_probe *f)
{
	lockdep_assert_held(&events_lock);
	if (function_probe_defer_stop(f))
		return;
	/* &function_finder.stop looks at the probes that are left in the list. */
	list_del(&f->on);
	function_probe_detach(f);
}

/* ------------------------------------------------------------------ */
/* Waiting probes								*/

/* Unregister all waiting probes together. Without memory, the caller does so one by one. */
static void function_probes_unregister(void)
{
	struct fprobe **fps = kvmalloc_array(nr_function_probes_stopping, sizeof(*fps), GFP_KERNEL);
	struct function_probe *f;
	int nr = 0;

	if (!fps)
		return;
	list_for_each_entry(f, &function_probes_stopping, on)
		fps[nr++] = &f->fp;
	unregister_fprobes(fps, nr);
	kvfree(fps);
}

static void function_probes_stop(void)
{
	struct function_probe *f, *next;

	function_probes_unregister();
	nr_function_probes_stopping = 0;
	list_for_each_entry_safe(f, next, &function_probes_stopping, on) {
		list_del(&f->on);
		f->ending = false;
		/*
		 * Unregisters the fprobe now, if there was no memory to unregister all at once
		 * above.
		 */
		function_probe_detach(f);
	}
}

int function_probes_settle(void)
{
	int err = 0;

	lockdep_assert_held(&events_lock);
	if (nr_function_probes_stopping)
		function_probes_stop();
	if (nr_function_probes_starting)
		err = function_probes_start();
	/* Other probes of events that were disabled, because one of their probes has failed. */
	if (nr_function_probes_stopping)
		function_probes_stop();
	return err;
}
